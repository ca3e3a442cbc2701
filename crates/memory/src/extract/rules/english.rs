//! The patterns of English.

use std::sync::LazyLock;

use regex::Regex;

use super::{Meaning, Rule};

/// Words with which people begin, and which say nothing.
const LEAD: &str = r"(?i)^(?:(?:please|and|also|oh|ok|okay|hi|hey|hello|btw|by the way|well|so|yes|no|actually|sorry|wait|correction|in fact|fyi|now|just so you know|for your information)[,:!.]*\s+)*";

/// The occupations that people name after "I am a".
const OCCUPATION: &str = "engineer|developer|programmer|designer|manager|doctor|nurse|teacher|professor|student|lawyer|founder|analyst|consultant|scientist|researcher|writer|author|journalist|artist|musician|director|architect|accountant|chef|pilot|photographer|freelancer|translator|therapist|veterinarian|dentist|pharmacist|recruiter|marketer|salesperson|technician|electrician|plumber|farmer|librarian|administrator|president|officer|ceo|cto|ciso|cfo";

/// Finds the words with which a clause begins.
pub(super) fn lead() -> &'static Regex {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(LEAD).expect("a fixed pattern"));
    &PATTERN
}

/// Lists the rules; the first that fits counts.
pub(super) fn rules() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| table().into_iter().map(made).collect());
    &RULES
}

fn made((pattern, meaning): (String, Meaning)) -> Rule {
    let pattern = Regex::new(&format!("{LEAD}{pattern}")).expect("a fixed pattern");
    Rule { pattern, meaning }
}

fn table() -> Vec<(String, Meaning)> {
    use Meaning::{Dislike, Ends, Favourite, Forget, Keyed, Plain, Possession, Remember};
    let person = "personal_context";
    let work = "work_context";
    let am = "(?:i am|i'm|i’m)";
    let not = "(?:no longer|do not|don't|don’t|never)";
    let more = r"(?:\s+any\s?more)?$";
    vec![
        (
            r"(?:(?:can|could|would) you )?(?:remember|note|keep in mind|don't forget|do not forget)(?:\s+that|\s+this:|:|,)\s*(.+)$".to_owned(),
            Remember,
        ),
        (r"remember\s+((?:i|i'm|my)\b.+)$".to_owned(), Remember),
        (r"forget\s+(?:that|about|the fact that)\s+(.+)$".to_owned(), Forget),
        (format!(r"i {not}\s+live in\s+(.+?){more}"), Ends("home")),
        (format!(r"i {not}\s+work (?:at|for)\s+(.+?){more}"), Ends("employer")),
        (r"i (?:left|quit)\s+(?:my job at\s+)(.+)$".to_owned(), Ends("employer")),
        (r"my name (?:is not|isn't|isn’t)\s+(.+)$".to_owned(), Ends("name")),
        (
            r"my name(?: is|'s|’s)\s+([\p{L}'’.-]+(?:\s+(?-i:\p{Lu})[\p{L}'’.-]*){0,3})".to_owned(),
            Keyed("name", person),
        ),
        (r"(?:you can )?call me\s+([\p{L}'’.-]+(?:\s+[\p{L}'’.-]+)?)$".to_owned(), Keyed("name", person)),
        (
            format!(r"(?:i (?:now )?live in|{am} (?:now )?based in|i (?:just |have |recently )*moved to)\s+(.+)$"),
            Keyed("home", person),
        ),
        (format!(r"{am} (?:originally )?from\s+(.+)$"), Keyed("origin", person)),
        (
            r"i (?:now |currently )?work (?:at|for)\s+(.+)$".to_owned(),
            Keyed("employer", work),
        ),
        (r"i (?:just |have |recently )*joined\s+((?-i:\p{Lu}).+)$".to_owned(), Keyed("employer", work)),
        (r"i work as (?:an? )?(.+)$".to_owned(), Keyed("role", work)),
        (
            format!(r"{am} (?:an? |the )((?:[\p{{L}}-]+\s+){{0,3}}(?:{OCCUPATION})\b.*)$"),
            Keyed("role", work),
        ),
        (
            r"my favou?rite\s+([\p{L}\s-]+?)\s+(?:is|are)\s+.+$".to_owned(),
            Favourite,
        ),
        (
            r"my (birthday|time ?zone|job title|role|native language|first language|pronouns|wife|husband|partner|son|daughter|dog|cat|boss|team|company)(?: is|'s|’s| are)\s+.+$".to_owned(),
            Possession,
        ),
        (
            r"i (?:really |usually |generally |always )*(?:prefer|favou?r)\s+(.+)$".to_owned(),
            Plain("preference"),
        ),
        (
            r"i (?:really |truly |absolutely )*(?:like|love|enjoy|adore)\s+(.+)$".to_owned(),
            Plain("preference"),
        ),
        (
            r"i (?:really |truly |absolutely )*(?:hate|dislike|can't stand|can’t stand|cannot stand|detest|avoid)\s+(.+)$"
                .to_owned(),
            Dislike,
        ),
        (
            r"i (?:really )?(?:don't|don’t|do not|never) (?:really )?(?:like|enjoy|eat|drink|want|use)\s+(.+)$".to_owned(),
            Dislike,
        ),
        (format!(r"{am} allergic to\s+(.+)$"), Plain(person)),
        (
            format!(r"{am} (?:an? )?((?:strict )?(?:vegetarian|vegan|pescatarian|celiac|coeliac|diabetic|left-handed|colou?r-?blind))$"),
            Plain(person),
        ),
    ]
}
