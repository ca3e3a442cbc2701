//! Whether what a pattern took for a name, a place or a taste can be one.
//!
//! People write names with a capital, unless they write everything small. A small word is then
//! taken for a name only where it is none of those that stand in the same place in figures of
//! speech: *I live in hope, call me later, I work at night*.

use std::sync::LazyLock;

use regex::Regex;

/// Tests what a statement is about; the second argument is the whole clause.
pub(super) type Test = fn(&str, &str) -> bool;

/// Words that point at something outside the statement.
const POINTING: &str = "it this that you them him her these those here there one what how your yours his their who why everything \
    nothing something anything so too me";

/// How Chinese points at something outside the statement, or ends a sentence that says nothing.
const POINTING_CHINESE: &str = "你 您 他 她 它 这 那 哪 谁 什么 怎么 刚才 上了 了 吧 的";

/// Words of small letters that follow "in", "at", "from", "to" and name no place, employer or
/// person.
const NO_NAME: &str = "a an the my our your his her their this that these those some any every each all no not fear hope denial peace \
    pain poverty luxury exile sin style harmony home night nights day work least most best once now here there \
    where which what when if two three many different constant scratch time then today tomorrow weekends noon dawn \
    first";

/// Words that stand after "call me" or "my name is" and are no name.
const NO_PERSON: &str = "later back crazy when whenever if a an the tomorrow maybe asap now soon please anytime today tonight at on in \
    by not hard long short common unusual rare spelled spelt pronounced written missing wrong right private secret \
    irrelevant listed unimportant up again over";

/// What people move to that is no place.
const TOOLS: &str = "vim neovim emacs linux windows mac macos ubuntu debian fedora react vue angular svelte rust python go java \
    kotlin swift typescript javascript postgres postgresql mysql sqlite redis kafka aws azure gcp kubernetes \
    docker slack teams notion github gitlab chrome firefox safari android ios iphone";

/// What people join that employs nobody.
const GATHERINGS: &str = "meeting call channel server group club chat discord slack zoom class party gym monday tuesday wednesday \
    thursday friday";

/// The most characters of a Chinese place.
const PLACE_CHARS_MAX: usize = 12;

fn first_word(about: &str) -> &str {
    let end = about.find(|c: char| c.is_whitespace() || c == ',');
    &about[..end.unwrap_or(about.len())]
}

fn is_one_of(word: &str, known: &str) -> bool {
    let word = word.to_lowercase();
    known.split_whitespace().any(|known| known == word)
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

fn has_word(about: &str, known: &str) -> bool {
    about
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| is_one_of(word, known))
}

fn begins(about: &str, known: &str) -> bool {
    known.split_whitespace().any(|known| about.starts_with(known))
}

fn holds(about: &str, known: &str) -> bool {
    known.split_whitespace().any(|known| about.contains(known))
}

/// Whether the writer uses no capitals at all.
fn typed_small(clause: &str) -> bool {
    !clause.contains(char::is_uppercase)
}

/// Letters that know no capitals, such as Chinese ones.
fn is_caseless(about: &str) -> bool {
    let first = about.chars().next();
    first.is_some_and(|c| c.is_alphabetic() && !c.is_uppercase() && !c.is_lowercase())
}

/// Anything that says something by itself.
pub(super) fn anything(about: &str, _: &str) -> bool {
    let vague = is_one_of(about.trim_end_matches(['.', '!']), POINTING);
    !vague && !is_one_of(about, POINTING_CHINESE)
}

/// The name of a place.
pub(super) fn place(about: &str, clause: &str) -> bool {
    let first = first_word(about);
    let second = about[first.len()..].trim_start();
    if is_caseless(about) {
        let passing = "酒店 宾馆 家里 梦里 过去 一天 两天 三天 几天 一晚 晚上";
        let is_short = about.chars().count() <= PLACE_CHARS_MAX;
        return is_short
            && !begins(about, POINTING_CHINESE)
            && !begins(about, "不 一")
            && !holds(about, passing);
    }
    let named = is_capital(first) && !is_one_of(first, NO_NAME);
    let the = first.eq_ignore_ascii_case("the") && is_capital(second);
    let small = typed_small(clause) && !is_one_of(first, NO_NAME) && about.split_whitespace().count() <= 3;
    (named || the || small) && !doubted(about)
}

/// A place to which somebody moved, and not a tool.
pub(super) fn place_moved_to(about: &str, clause: &str) -> bool {
    let named = is_caseless(about) || is_capital(first_word(about)) || about.starts_with("the ");
    named && place(about, clause) && !is_one_of(first_word(about), TOOLS)
}

/// Who employs people.
pub(super) fn employer(about: &str, clause: &str) -> bool {
    let first = first_word(about);
    if is_caseless(about) {
        let none = "家 努力 认真 加班 外面 晚上 白天 夜里 拼命 专心 一起 远程";
        let gathering = "群 会议 讨论 频道 会员 购物车 收藏 活动 比赛";
        return !begins(about, POINTING_CHINESE) && !begins(about, none) && !holds(about, gathering);
    }
    let kinds = "bank company startup hospital school university college firm agency ministry government city museum \
        library restaurant ngo charity studio lab newspaper consultancy clinic shop store factory";
    let kind = ["a", "an", "the"].contains(&first) && has_word(about, kinds);
    let oneself = about.eq_ignore_ascii_case("myself");
    (kind || oneself || place(about, clause))
        && !first.starts_with(|c: char| c.is_ascii_digit())
        && !doubted(about)
}

/// A company that somebody joined, and not a meeting.
pub(super) fn company_joined(about: &str, clause: &str) -> bool {
    let own = first_word(about);
    let possessive = own.ends_with("'s") || own.ends_with("’s");
    let named = is_caseless(about) || is_capital(own);
    named && !possessive && !has_word(about, GATHERINGS) && employer(about, clause)
}

/// The name of a person, as they would introduce themselves.
pub(super) fn person(about: &str, clause: &str) -> bool {
    let first = first_word(about);
    if is_caseless(about) {
        let none = "做 去 来 吃 起 干 别 不 大家 人 车 外卖 一";
        return !begins(about, none) && !holds(about, POINTING_CHINESE);
    }
    let alone = first.len() == about.len();
    let small = typed_small(clause) && alone;
    (is_capital(first) || small) && !is_one_of(first, NO_PERSON) && !is_one_of(first, POINTING)
}

/// An occupation, and not a likeness of one.
pub(super) fn occupation(about: &str, _: &str) -> bool {
    let likeness = "of fan bit former ex kind sort friend son daughter wife husband terrible bad good great lousy better \
        worse not fake this that";
    let before_of = about.split(" of ").next().unwrap_or(about);
    !has_word(before_of, likeness) && !doubted(about)
}

/// What somebody likes or not, in general and not in what lies before them.
pub(super) fn taste(about: &str, clause: &str) -> bool {
    let first = first_word(about);
    let rest = about[first.len()..].trim_start();
    if is_caseless(about) {
        return !begins(about, POINTING_CHINESE) && !about.starts_with('上');
    }
    if about.to_lowercase().starts_with("it when ") {
        return true;
    }
    let speech = "say think believe admit imagine know break ask bother interrupt";
    let of_speech = first.eq_ignore_ascii_case("to") && is_one_of(first_word(rest), speech);
    let one_of_several = "one ones option version answer approach solution idea first second third latter former previous next \
        last way sound look";
    let this_one = first.eq_ignore_ascii_case("the") && !is_capital(rest);
    let chosen = this_one && (has_word(about, one_of_several) || !clause.to_lowercase().contains("prefer"));
    let declined = first.eq_ignore_ascii_case("not");
    !is_one_of(first, POINTING) && !of_speech && !chosen && !declined && !doubted(about)
}

/// A day of the year.
pub(super) fn date(_: &str, clause: &str) -> bool {
    let months = "january february march april may june july august september october november december";
    clause.contains(|c: char| c.is_ascii_digit()) || has_word(clause, months)
}

/// A value that is given, and not denied.
pub(super) fn given(about: &str, clause: &str) -> bool {
    let denied = "not unknown wrong none unclear";
    !has_word(clause, denied) && !about.ends_with('不') && !doubted(clause)
}

/// Words that take a statement back in the same breath, or leave it open.
fn doubted(about: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        const DOUBT: &str = r"(?i)\b(?:kidding|joking|according to|or (?:maybe|something)|not really|in my (?:dreams|novel)|in the game)\b";
        Regex::new(DOUBT).expect("a fixed pattern")
    });
    PATTERN.is_match(about)
}
