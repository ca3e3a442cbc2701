//! The patterns of English.

use std::sync::LazyLock;

use regex::Regex;

use super::plausible::{self, Test};
use super::{Meaning, Rule};

/// Words with which people begin, and which say nothing.
const LEAD: &str = r"(?i)^(?:(?:please|and|but|also|oh|ok|okay|hi|hey|hello|btw|by the way|well|so|yes|no|actually|sorry|wait|correction|in fact|fyi|now|just so you know|for your information)[,:!.]*\s+)*";

/// The occupations that people name after "I am a".
const OCCUPATION: &str = "engineer|developer|programmer|designer|manager|doctor|nurse|teacher|professor|student|lawyer|founder|analyst|consultant|scientist|researcher|writer|author|journalist|artist|musician|director|architect|accountant|chef|pilot|photographer|freelancer|translator|therapist|veterinarian|dentist|pharmacist|recruiter|marketer|salesperson|technician|electrician|plumber|farmer|librarian|administrator|president|officer|ceo|cto|ciso|cfo";

/// Those of which there is one: "I am the CEO".
const OFFICE: &str = "ceo|cto|ciso|cfo|founder|president|director|owner|manager|head";

/// What may follow an occupation; anything else makes it part of another word.
const AT_WORK: &str =
    r"(?:,?\s+(?:at|in|for|with|from|of|on|based|and|who|working|specialis\w+|specializ\w+|by)\b.*)?$";

/// A name: words with capitals, joined by those that are not, or one word.
const NAME: &str = r"((?-i:\p{Lu})[\p{L}'’.-]*(?:\s+(?:(?:de|da|do|dos|del|la|van|von|der|den|bin|al)\s+)?(?-i:\p{Lu})[\p{L}'’.-]*){0,3}|[\p{L}'’-]+)";

/// What may follow a name.
const AFTER_NAME: &str = r"(?:,?\s+(?:and|but|from|by the way|btw|nice to)\b.*)?$";

const LIKINGS: [&str; 8] = [
    "I like {}",
    "I love {}",
    "I enjoy {}",
    "I adore {}",
    "I prefer {}",
    "I really like {}",
    "I eat {}",
    "I drink {}",
];

const DISLIKINGS: [&str; 10] = [
    "I don't like {}",
    "I do not like {}",
    "I don't enjoy {}",
    "I hate {}",
    "I dislike {}",
    "I can't stand {}",
    "I don't eat {}",
    "I don't drink {}",
    "I never eat {}",
    "I avoid {}",
];

/// Finds the words with which a clause begins.
pub(super) fn lead() -> &'static Regex {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(LEAD).expect("a fixed pattern"));
    &PATTERN
}

/// Finds clauses that leave their subject to the one before: "… and work at Acme".
pub(super) fn subjectless() -> &'static Regex {
    static PATTERN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)^(?:live in|work (?:at|for|as))\b").expect("a fixed pattern"));
    &PATTERN
}

/// Lists the rules; the first that fits counts.
pub(super) fn rules() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let all = asked().into_iter().chain(ended()).chain(person()).chain(work());
        all.chain(belongings()).chain(tastes()).map(made).collect()
    });
    &RULES
}

type Line = (String, Meaning, Test);

fn made((pattern, meaning, test): Line) -> Rule {
    let pattern = Regex::new(&format!("{LEAD}{pattern}")).expect("a fixed pattern");
    Rule {
        pattern,
        meaning,
        test,
    }
}

const AM: &str = "(?:i am|i'm|i’m)";
const NOT: &str = "(?:don't|don’t|do not)";
const MORE: &str = r"(?:\s+(?:any\s?more|any longer|now))?$";

/// What the user asks for.
fn asked() -> Vec<Line> {
    use Meaning::{Forget, Remember};
    let polite = "(?:(?:can|could|would) you )?";
    vec![
        (
            format!(
                r"{polite}(?:remember|don't forget|don’t forget|do not forget)(?:\s+that|\s+this:|:|,)\s*(.+)$"
            ),
            Remember,
            worth_remembering,
        ),
        // People also say "note that" of what only bears on the task.
        (
            format!(r"{polite}(?:note|keep in mind)(?:\s+that|:|,)\s*((?:i|i'm|i’m|my|we|our)\b.+)$"),
            Remember,
            worth_remembering,
        ),
        (
            r"remember\s+((?:i|i'm|i’m|my)\b.+)$".to_owned(),
            Remember,
            worth_remembering,
        ),
        (
            r"forget\s+(?:that|about|the fact that)\s+(.+)$".to_owned(),
            Forget,
            plausible::anything,
        ),
    ]
}

/// "Remember that night" asks for nothing.
fn worth_remembering(about: &str, clause: &str) -> bool {
    const MEMORIES: [&str; 8] = ["time", "night", "day", "one", "movie", "song", "place", "thing"];
    let first = about.split_whitespace().next().unwrap_or("").to_lowercase();
    let words = about.split_whitespace().count();
    2 <= words && !MEMORIES.contains(&first.as_str()) && plausible::anything(about, clause)
}

/// What the user takes back.
fn ended() -> Vec<Line> {
    use Meaning::{Ends, Unsays};
    let anything: Test = plausible::anything;
    vec![
        (
            format!(r"i (?:no longer|{NOT}|never)\s+live in\s+(.+?){MORE}"),
            Ends("home"),
            anything,
        ),
        (
            format!(r"i (?:no longer|{NOT}|never)\s+work (?:at|for)\s+(.+?){MORE}"),
            Ends("employer"),
            anything,
        ),
        (
            r"i (?:just |have |recently )*(?:left|quit)\s+my job at\s+(.+?)(?:\s+(?:last|this|in|on|today|yesterday)\b.*)?$".to_owned(),
            Ends("employer"),
            anything,
        ),
        (
            format!(r"my name (?:is not|isn't|isn’t)\s+[^,]+,\s*(?:it is|it's|it’s|but)\s+{NAME}$"),
            Meaning::Keyed("name", "personal_context"),
            plausible::person,
        ),
        (
            format!(r"my name (?:is not|isn't|isn’t)\s+{NAME}{MORE}"),
            Ends("name"),
            plausible::person,
        ),
        (
            r"i no longer (?:like|love|enjoy|prefer|eat|drink)\s+(.+)$".to_owned(),
            Unsays(&LIKINGS),
            plausible::taste,
        ),
        (
            format!(r"{AM} (?:not|no longer) allergic to\s+(.+?){MORE}"),
            Unsays(&["I'm allergic to {}", "I am allergic to {}"]),
            anything,
        ),
        (
            format!(r"{AM} (?:not|no longer) (?:an? )?(vegetarian|vegan|pescatarian|celiac|coeliac|diabetic){MORE}"),
            Unsays(&["I'm {}", "I am {}", "I'm a {}", "I am a {}"]),
            anything,
        ),
    ]
}

/// Who and where the user is.
fn person() -> Vec<Line> {
    use Meaning::{Keyed, Plain};
    let person = "personal_context";
    vec![
        (
            format!(r"my name(?: is|'s|’s)\s+{NAME}{AFTER_NAME}"),
            Keyed("name", person),
            plausible::person,
        ),
        (
            format!(r"(?:you can |just )?call me\s+{NAME}$"),
            Keyed("name", person),
            plausible::person,
        ),
        (
            format!(
                r"(?:(?:i )?(?:now |currently )?live in|{AM} (?:now |currently )?(?:based|living) in)\s+(.+)$"
            ),
            Keyed("home", person),
            plausible::place,
        ),
        (
            r"i(?:'ve|’ve)? (?:just |have |recently )*moved to\s+(.+)$".to_owned(),
            Keyed("home", person),
            plausible::place_moved_to,
        ),
        (
            format!(r"{AM} (?:originally )?from\s+(.+)$"),
            Keyed("origin", person),
            plausible::place,
        ),
        (
            format!(r"{AM} allergic to\s+(.+)$"),
            Plain(person),
            plausible::taste,
        ),
        (
            format!(
                r"{AM} (?:an? )?((?:strict )?(?:vegetarian|vegan|pescatarian|celiac|coeliac|diabetic|left-handed|colou?r-?blind))$"
            ),
            Plain(person),
            plausible::anything,
        ),
    ]
}

/// What the user does.
fn work() -> Vec<Line> {
    use Meaning::Keyed;
    let work = "work_context";
    vec![
        (
            r"(?:i )?(?:now |currently )?work (?:at|for)\s+(.+)$".to_owned(),
            Keyed("employer", work),
            plausible::employer,
        ),
        (
            r"i(?:'ve|’ve)? (?:just |have |recently )*joined\s+(.+)$".to_owned(),
            Keyed("employer", work),
            plausible::company_joined,
        ),
        (
            r"(?:i )?work as (?:an? )?(.+)$".to_owned(),
            Keyed("role", work),
            plausible::occupation,
        ),
        (
            format!(r"{AM} an? ((?:[\p{{L}}-]+\s+){{0,3}}(?:{OCCUPATION}){AT_WORK})"),
            Keyed("role", work),
            plausible::occupation,
        ),
        (
            format!(r"{AM} (?:the )?((?:[\p{{L}}-]+\s+){{0,2}}(?:{OFFICE})\s+(?:at|of|for)\s+.+)$"),
            Keyed("role", work),
            plausible::occupation,
        ),
        (
            format!(r"{AM} the ({OFFICE})$"),
            Keyed("role", work),
            plausible::occupation,
        ),
    ]
}

/// What the user calls theirs. What comes after "is" is tested by the pattern, for the test sees
/// the thing's name.
fn belongings() -> Vec<Line> {
    use Meaning::{Favourite, Possession};
    let named = r"(?-i:\p{Lu})[\p{L}\d'’.-]*(?:\s+(?-i:\p{Lu})[\p{L}\d'’.-]*){0,3}";
    vec![
        (
            r"my favou?rite\s+([\p{L}\s-]+?)\s+(?:is|are)\s+.+$".to_owned(),
            Favourite,
            plausible::given,
        ),
        (
            r"my (birthday)(?: is|'s|’s)\s+.+$".to_owned(),
            Possession,
            plausible::date,
        ),
        (
            r"my (time ?zone|native language|first language|mother tongue)(?: is|'s|’s)\s+[\p{L}\d/+:_ -]{2,40}$".to_owned(),
            Possession,
            plausible::given,
        ),
        (
            r"my (pronouns)(?: are|'re|’re)\s+\p{L}+(?:\s*/\s*\p{L}+)+$".to_owned(),
            Possession,
            plausible::given,
        ),
        (
            format!(r"my (job title|role|company|team)(?: is|'s|’s)\s+(?:called\s+)?{named}$"),
            Possession,
            plausible::given,
        ),
        (
            format!(r"my (wife|husband|partner|son|daughter|dog|cat|boss|mother|father|sister|brother)(?:(?: is|'s|’s)\s+(?:called|named)\s+[\p{{L}}'’. -]+|(?:'s|’s) name is\s+[\p{{L}}'’. -]+|(?: is|'s|’s)\s+{named})$"),
            Possession,
            plausible::given,
        ),
    ]
}

/// What the user likes, and what not.
fn tastes() -> Vec<Line> {
    use Meaning::Taste;
    let taste: Test = plausible::taste;
    vec![
        (
            r"i (?:really |usually |generally |always )*(?:prefer|favou?r)\s+(.+)$".to_owned(),
            Taste(&DISLIKINGS),
            taste,
        ),
        (
            r"i (?:really |truly |absolutely )*(?:like|love|enjoy|adore)\s+(.+)$".to_owned(),
            Taste(&DISLIKINGS),
            taste,
        ),
        (
            r"i (?:really |truly |absolutely )*(?:hate|dislike|can't stand|can’t stand|cannot stand|detest|avoid)\s+(.+)$"
                .to_owned(),
            Taste(&LIKINGS),
            taste,
        ),
        (
            format!(r"i (?:really )?(?:{NOT}|never) (?:really )?(?:like|enjoy|eat|drink|use)\s+(.+?)(?:\s+any\s?more)?$"),
            Taste(&LIKINGS),
            taste,
        ),
    ]
}
