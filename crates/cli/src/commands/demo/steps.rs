//! The commands of the demo, in order.

/// A few commands with what they show.
pub(super) struct Step {
    pub(super) title: &'static str,
    /// Arguments, as a shell splits them; words in double quotes are one.
    pub(super) lines: &'static [&'static str],
}

/// How a line starts that the program must refuse.
pub(super) const REFUSED: &str = "add \"My password";

pub(super) const STEPS: &[Step] = &[
    Step {
        title: "1. Remember: statements about one person, in three languages",
        lines: &[
            "add \"I am a landscape architect in Porto\" --key job --category work_context",
            "add \"I take the window seat on trains\" --key seat --category preference",
            "add \"Ich bin allergisch gegen Erdnüsse\" --key allergy --category personal_context",
            "add \"Meine Tochter Lena hat am 3. Mai Geburtstag\" --key lena --category personal_context",
            "add \"我每周三晚上学中文\" --key chinese --category personal_context",
        ],
    },
    Step {
        title: "2. Find by meaning and by words, in any of the languages",
        lines: &[
            "search \"which food is dangerous for me: peanut allergy\" -n 1",
            "search \"Geburtstag der Tochter\" -n 1",
            "search \"中文\" -n 1",
        ],
    },
    Step {
        title: "3. Ask why: who said it, when, and how sure it is",
        lines: &["show allergy"],
    },
    Step {
        title: "4. Correct: the former version stays in the history",
        lines: &[
            "update job \"I run my own landscape studio in Porto\"",
            "history job",
        ],
    },
    Step {
        title: "5. Undo the last change",
        lines: &["undo", "show job"],
    },
    Step {
        title: "6. Context for a prompt, within an exact number of tokens",
        lines: &["context \"plan a birthday dinner for Lena\" --max-tokens 150"],
    },
    Step {
        title: "7. Secrets are refused",
        lines: &["add \"My password is correct-horse-battery-7\""],
    },
];
