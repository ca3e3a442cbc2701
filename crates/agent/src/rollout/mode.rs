//! Which of the two modes a message is answered in, and why.
//!
//! Task mode puts the whole context up front; conversation mode has a light prompt and looks things
//! up when it needs them.

use recalld_memory::id::SpaceId;

use super::{Phase, Rollout};

/// How a message is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    Task,
    Conversation,
}

impl Mode {
    /// Gives the mode's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Task => "task",
            Mode::Conversation => "conversation",
        }
    }

    /// Reads a mode's name.
    pub fn parse(raw: &str) -> Option<Mode> {
        [Mode::Task, Mode::Conversation]
            .into_iter()
            .find(|mode| mode.as_str() == raw)
    }
}

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub mode: Mode,
    /// Why, in a few words.
    pub reason: &'static str,
    /// What the message would be answered in if the rollout were complete.
    pub natural: Mode,
    /// The group whose figures it counts in.
    pub arm: &'static str,
}

/// Chooses for a message of the user of `space`; `opens` tells whether it is the first of its
/// conversation.
pub fn choose(
    rollout: &Rollout,
    space: &SpaceId,
    message: &str,
    opens: bool,
    forced: Option<Mode>,
) -> Choice {
    let (natural, why) = natural(message, opens);
    let choice = |mode, reason, arm| Choice {
        mode,
        reason,
        natural,
        arm,
    };
    if let Some(mode) = forced {
        return choice(mode, "the caller asked for it", mode.as_str());
    }
    match rollout.phase {
        Phase::TaskOnly => choice(Mode::Task, "the rollout has not begun", "task"),
        Phase::Shadow => choice(Mode::Task, "the rollout only watches", "task"),
        Phase::Experiment if rollout.includes(space) => choice(natural, why, "treatment"),
        Phase::Experiment => choice(Mode::Task, "the user is in the control group", "control"),
        Phase::Full => choice(natural, why, natural.as_str()),
    }
}

fn natural(message: &str, opens: bool) -> (Mode, &'static str) {
    if opens {
        return (Mode::Task, "it opens a conversation");
    }
    match asks_for_work(message) {
        true => (Mode::Task, "it asks for a new piece of work"),
        false => (Mode::Conversation, "it follows up"),
    }
}

/// Verbs with which people order a piece of work.
const ORDERS: [&str; 24] = [
    "research",
    "analyse",
    "analyze",
    "investigate",
    "compare",
    "draft",
    "write",
    "create",
    "build",
    "prepare",
    "generate",
    "summarise",
    "summarize",
    "plan",
    "design",
    "evaluate",
    "assess",
    "compile",
    "translate",
    "review",
    "list",
    "find",
    "develop",
    "outline",
];

/// The same in Chinese.
const ORDERS_CHINESE: [&str; 12] = [
    "研究", "分析", "调查", "比较", "写一", "撰写", "创建", "准备", "生成", "总结", "规划", "翻译",
];

/// Words that point back at what was said.
const BACKWARD: [&str; 14] = [
    "it", "its", "they", "their", "them", "this", "that", "these", "those", "he", "she", "his", "her",
    "above",
];

/// An order is a new piece of work unless it points back at what was said.
fn asks_for_work(message: &str) -> bool {
    let lower = message.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    let polite = [
        "please", "can", "could", "would", "you", "now", "ok", "then", "and",
    ];
    let first = words.iter().find(|word| !polite.contains(word));
    let ordered = first.is_some_and(|word| ORDERS.contains(word));
    let backward = words.iter().any(|word| BACKWARD.contains(word));
    let chinese = message.trim_start_matches(['请', '帮', '我']);
    let ordered_chinese = ORDERS_CHINESE.iter().any(|order| chinese.starts_with(order));
    let backward_chinese = ["他", "她", "它", "这", "那"]
        .iter()
        .any(|word| message.contains(word));
    (ordered && !backward) || (ordered_chinese && !backward_chinese)
}

#[cfg(test)]
mod tests {
    use recalld_memory::id::UserId;

    use super::*;

    fn space(user: &str) -> SpaceId {
        SpaceId::of_user(&UserId::new(user).unwrap())
    }

    fn full() -> Rollout {
        Rollout {
            phase: Phase::Full,
            ..Rollout::default()
        }
    }

    #[test]
    fn new_work_is_a_task_and_the_rest_a_conversation() {
        for (message, mode) in [
            ("Research Gartner", Mode::Task),
            ("Could you please compare Snowflake and Databricks?", Mode::Task),
            ("tell me about their CEO", Mode::Conversation),
            ("does this match my ICP?", Mode::Conversation),
            ("summarise that in two lines", Mode::Conversation),
            ("thanks", Mode::Conversation),
            ("请研究一下字节跳动", Mode::Task),
            ("他们的CEO是谁", Mode::Conversation),
            ("", Mode::Conversation),
        ] {
            assert_eq!(
                choose(&full(), &space("ana"), message, false, None).mode,
                mode,
                "{message}"
            );
        }
        assert_eq!(choose(&full(), &space("ana"), "hi", true, None).mode, Mode::Task);
    }

    #[test]
    fn the_phase_has_its_say_and_the_caller_the_last_word() {
        let at = |phase, forced| {
            let rollout = Rollout {
                phase,
                ..Rollout::default()
            };
            let choice = choose(&rollout, &space("ana"), "thanks", false, forced);
            (choice.mode, choice.natural)
        };
        for phase in [Phase::TaskOnly, Phase::Shadow] {
            assert_eq!(at(phase, None), (Mode::Task, Mode::Conversation));
            assert_eq!(at(phase, Some(Mode::Conversation)).0, Mode::Conversation);
        }
        assert_eq!(at(Phase::Full, Some(Mode::Task)).0, Mode::Task);
    }
}
