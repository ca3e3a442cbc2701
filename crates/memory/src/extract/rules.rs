//! Extraction without a model: what people plainly say of themselves, in English and Chinese.
//!
//! A rule is a pattern at the start of a clause. What it finds is kept in the user's own words, which are its evidence. What is not
//! plain is left alone: a missed fact can be said again, a wrong one is believed.

mod chinese;
mod english;

use jiff::Timestamp;
use regex::Regex;

use super::dates::dated;
use super::sentences::{Clause, clauses};

/// Something found in what the user said.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// It holds from now on. With a key it takes the place of what was known under it.
    Holds(Fact),
    /// It no longer holds.
    Ended(Ended),
}

/// A statement of the user about themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    pub content: String,
    /// What the statement is about: a part of its content, or nothing.
    pub about: String,
    pub key: Option<String>,
    pub category: &'static str,
    pub confidence: f64,
    /// The words of the user that say so, as they stand in the message.
    pub quote: String,
}

/// What the user takes back.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Under this key, if it mentions `about`.
    pub key: Option<String>,
    pub about: String,
    /// Or what says one of these.
    pub statements: Vec<String>,
    pub quote: String,
}

/// A pattern and what it means. Its group 1 is what the statement is about.
struct Rule {
    pattern: Regex,
    meaning: Meaning,
}

#[derive(Clone, Copy)]
enum Meaning {
    /// The user asks to remember what group 1 says.
    Remember,
    /// A fact under a key.
    Keyed(&'static str, &'static str),
    /// "My favourite colour is blue": group 1 names the thing, and the key.
    Favourite,
    /// "My dog is called Rex": group 1 names the thing, and the key.
    Possession,
    /// A fact of that category.
    Plain(&'static str),
    /// A dislike, which ends that the user likes it.
    Dislike,
    /// What is known under the key no longer holds.
    Ends(&'static str),
    /// The user asks to forget what group 1 says.
    Forget,
}

/// How sure is what somebody plainly says of themselves.
const SAID: f64 = 0.9;

/// The most characters of what is kept.
const CONTENT_CHARS_MAX: usize = 400;

/// The most characters of what a keyed statement is about.
const ABOUT_CHARS_MAX: usize = 80;

/// Finds what the user plainly says in a message that was sent at `said_at`.
pub fn find(message: &str, said_at: Timestamp) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    let mut remembered: Option<&str> = None;
    for clause in clauses(message) {
        // "Remember that …" takes the whole sentence, however many clauses it has.
        if remembered == Some(clause.sentence) {
            continue;
        }
        let finding = in_clause(&clause, said_at);
        if let Some((finding, Reach::Sentence)) = &finding
            && !found.contains(finding)
        {
            remembered = Some(clause.sentence);
        }
        found.extend(finding.map(|(finding, _)| finding));
    }
    found.dedup();
    found
}

/// How much of the message a finding is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Clause,
    Sentence,
}

fn in_clause(clause: &Clause<'_>, said_at: Timestamp) -> Option<(Finding, Reach)> {
    let (text, sentence) = (clause.text, clause.sentence);
    let begins_sentence = sentence.starts_with(text);
    for rule in english::rules().iter().chain(chinese::rules()) {
        let takes_sentence = matches!(rule.meaning, Meaning::Remember | Meaning::Forget);
        let read = match takes_sentence && begins_sentence {
            true => sentence,
            false => text,
        };
        let Some(groups) = rule.pattern.captures(read) else {
            continue;
        };
        let about = groups.get(1).map_or("", |group| group.as_str()).trim();
        let finding = meant(rule.meaning, read, about, &groups, said_at);
        if let Some(finding) = finding {
            let reach = if takes_sentence {
                Reach::Sentence
            } else {
                Reach::Clause
            };
            return Some((finding, reach));
        }
    }
    None
}

fn meant(
    meaning: Meaning,
    read: &str,
    about: &str,
    groups: &regex::Captures<'_>,
    said_at: Timestamp,
) -> Option<Finding> {
    let said = groups.get(0).map_or(read, |said| said.as_str()).trim();
    let fact = |key: Option<String>, category: &'static str| {
        Some(Finding::Holds(Fact {
            content: dated(&without_lead(said), said_at),
            about: about.to_owned(),
            key,
            category,
            confidence: SAID,
            quote: said.to_owned(),
        }))
    };
    if about.is_empty() || is_empty_word(about) || CONTENT_CHARS_MAX < said.chars().count() {
        return None;
    }
    let short = about.chars().count() <= ABOUT_CHARS_MAX;
    match meaning {
        Meaning::Remember => remembered(about, read, said_at),
        Meaning::Keyed(key, category) if short => fact(Some(key.to_owned()), category),
        Meaning::Favourite if short => fact(Some(format!("favourite_{}", key_of(about)?)), "preference"),
        Meaning::Possession if short => fact(Some(key_of(about)?), "personal_context"),
        Meaning::Plain(category) => fact(None, category),
        Meaning::Dislike => fact(None, "preference"),
        Meaning::Ends(key) if short => Some(Finding::Ended(Ended {
            key: Some(key.to_owned()),
            about: about.to_owned(),
            statements: Vec::new(),
            quote: said.to_owned(),
        })),
        Meaning::Forget => Some(Finding::Ended(forgotten(about, said, said_at))),
        _ => None,
    }
}

/// What the user asks to remember: a fact of its own kind if it is one, and whatever they said otherwise.
fn remembered(about: &str, read: &str, said_at: Timestamp) -> Option<Finding> {
    let inner = Clause {
        text: about,
        sentence: about,
    };
    if let Some((Finding::Holds(fact), Reach::Clause)) = in_clause(&inner, said_at) {
        return Some(Finding::Holds(Fact {
            confidence: 1.0,
            quote: read.to_owned(),
            ..fact
        }));
    }
    Some(Finding::Holds(Fact {
        content: dated(about, said_at),
        about: about.to_owned(),
        key: None,
        category: "personal_context",
        confidence: 1.0,
        quote: read.to_owned(),
    }))
}

fn forgotten(about: &str, said: &str, said_at: Timestamp) -> Ended {
    let inner = Clause {
        text: about,
        sentence: about,
    };
    let known = match in_clause(&inner, said_at) {
        Some((Finding::Holds(fact), _)) => Some(fact),
        _ => None,
    };
    let inner_about = known.as_ref().map(|fact| fact.about.clone());
    Ended {
        key: known.and_then(|fact| fact.key),
        about: inner_about.unwrap_or_else(|| about.to_owned()),
        statements: vec![about.to_owned()],
        quote: said.to_owned(),
    }
}

/// Takes off the words with which people begin, so that what is kept begins with the statement.
fn without_lead(said: &str) -> String {
    let rest = english::lead()
        .find(said)
        .map_or(said, |lead| &said[lead.end()..]);
    let rest = chinese::lead()
        .find(rest)
        .map_or(rest, |lead| &rest[lead.end()..]);
    if rest.is_empty() {
        said.to_owned()
    } else {
        rest.to_owned()
    }
}

/// Words that point at something outside the statement.
fn is_empty_word(about: &str) -> bool {
    matches!(
        about.to_lowercase().as_str(),
        "it" | "this"
            | "that"
            | "you"
            | "them"
            | "him"
            | "her"
            | "these"
            | "those"
            | "here"
            | "there"
            | "one"
            | "this one"
            | "that one"
            | "你"
            | "他"
            | "她"
            | "它"
            | "这"
            | "那"
            | "这个"
            | "那个"
            | "这里"
            | "那里"
    )
}

/// Makes a key of the name of a thing: `ice cream` becomes `ice_cream`.
fn key_of(thing: &str) -> Option<String> {
    let words: Vec<String> = thing
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    ((1..=3).contains(&words.len())).then(|| words.join("_"))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(messages: &[&str], expected: Expect) {
        let said_at: Timestamp = "2026-11-12T09:00:00Z".parse().unwrap();
        let shown = |finding: Finding| match finding {
            Finding::Holds(fact) => format!(
                "  {} [{}] {}\n",
                fact.key.as_deref().unwrap_or("-"),
                fact.category,
                fact.content
            ),
            Finding::Ended(ended) => format!(
                "  no longer {}: {} {:?}\n",
                ended.key.as_deref().unwrap_or("-"),
                ended.about,
                ended.statements
            ),
        };
        let mut text = String::new();
        for message in messages {
            let found = find(message, said_at);
            for finding in &found {
                let quote = match finding {
                    Finding::Holds(fact) => &fact.quote,
                    Finding::Ended(ended) => &ended.quote,
                };
                assert!(message.contains(quote.as_str()), "{quote:?} is evidence");
            }
            text.push_str(&format!("{message}\n"));
            text.extend(found.into_iter().map(shown));
        }
        expected.assert_eq(&text);
    }

    #[test]
    fn what_people_plainly_say_in_english() {
        check(
            &[
                "Remember that I present on database performance next week.",
                "Please remember: my sister's wedding is on 3 May",
                "Hi! My name is Ana Sousa and I live in Lisbon.",
                "I'm based in Porto now, and I work at Acme Corp as a designer",
                "I work as a data engineer",
                "I'm a software engineer at Initech",
                "I prefer window seats on long flights",
                "I love spicy food but I hate coriander",
                "I don't like long meetings",
                "My favourite colour is green",
                "My dog is called Rex",
                "My birthday is on 2 June",
                "I'm allergic to peanuts. I am vegetarian.",
                "Remember my name is Bo",
                "My timezone is Europe/Lisbon",
            ],
            expect![[r#"
                Remember that I present on database performance next week.
                  - [personal_context] I present on database performance next week (2026-11-16 to 2026-11-22)
                Please remember: my sister's wedding is on 3 May
                  - [personal_context] my sister's wedding is on 3 May
                Hi! My name is Ana Sousa and I live in Lisbon.
                  name [personal_context] My name is Ana Sousa
                  home [personal_context] I live in Lisbon
                I'm based in Porto now, and I work at Acme Corp as a designer
                  home [personal_context] I'm based in Porto now
                  employer [work_context] I work at Acme Corp as a designer
                I work as a data engineer
                  role [work_context] I work as a data engineer
                I'm a software engineer at Initech
                  role [work_context] I'm a software engineer at Initech
                I prefer window seats on long flights
                  - [preference] I prefer window seats on long flights
                I love spicy food but I hate coriander
                  - [preference] I love spicy food
                  - [preference] I hate coriander
                I don't like long meetings
                  - [preference] I don't like long meetings
                My favourite colour is green
                  favourite_colour [preference] My favourite colour is green
                My dog is called Rex
                  dog [personal_context] My dog is called Rex
                My birthday is on 2 June
                  birthday [personal_context] My birthday is on 2 June
                I'm allergic to peanuts. I am vegetarian.
                  - [personal_context] I'm allergic to peanuts
                  - [personal_context] I am vegetarian
                Remember my name is Bo
                  name [personal_context] my name is Bo
                My timezone is Europe/Lisbon
                  timezone [personal_context] My timezone is Europe/Lisbon
            "#]],
        );
    }

    #[test]
    fn corrections_and_negations_in_english() {
        check(
            &[
                "Actually, I live in Porto",
                "No, my name is Anna",
                "I no longer work at Acme",
                "I don't live in Lisbon any more",
                "I moved to Berlin",
                "Forget that I live in Berlin",
                "Please forget about my dog Rex",
            ],
            expect![[r#"
                Actually, I live in Porto
                  home [personal_context] I live in Porto
                No, my name is Anna
                  name [personal_context] my name is Anna
                I no longer work at Acme
                  no longer employer: Acme []
                I don't live in Lisbon any more
                  no longer home: Lisbon []
                I moved to Berlin
                  home [personal_context] I moved to Berlin
                Forget that I live in Berlin
                  no longer home: Berlin ["I live in Berlin"]
                Please forget about my dog Rex
                  no longer -: my dog Rex ["my dog Rex"]
            "#]],
        );
    }

    #[test]
    fn what_people_plainly_say_in_chinese() {
        check(
            &[
                "请记住我下周要做数据库性能的演讲",
                "我叫小明，住在上海。",
                "我的名字是李雷",
                "我在阿里巴巴工作",
                "我更喜欢靠窗的座位",
                "我不喜欢开会",
                "我对花生过敏",
                "我是一名软件工程师",
                "我最喜欢的颜色是绿色",
                "其实我住在杭州",
                "我已经不在阿里巴巴工作了",
                "我不住在上海了",
                "忘记我住在上海",
                "我搬到了北京",
                "我的生日是6月2日",
            ],
            expect![[r#"
                请记住我下周要做数据库性能的演讲
                  - [personal_context] 我下周要做数据库性能的演讲 (2026-11-16 to 2026-11-22)
                我叫小明，住在上海。
                  name [personal_context] 我叫小明
                  home [personal_context] 住在上海
                我的名字是李雷
                  name [personal_context] 我的名字是李雷
                我在阿里巴巴工作
                  employer [work_context] 我在阿里巴巴工作
                我更喜欢靠窗的座位
                  - [preference] 我更喜欢靠窗的座位
                我不喜欢开会
                  - [preference] 我不喜欢开会
                我对花生过敏
                  - [personal_context] 我对花生过敏
                我是一名软件工程师
                  role [work_context] 我是一名软件工程师
                我最喜欢的颜色是绿色
                  favourite_颜色 [preference] 我最喜欢的颜色是绿色
                其实我住在杭州
                  home [personal_context] 我住在杭州
                我已经不在阿里巴巴工作了
                  no longer employer: 阿里巴巴 []
                我不住在上海了
                  no longer home: 上海 []
                忘记我住在上海
                  no longer home: 上海 ["我住在上海"]
                我搬到了北京
                  home [personal_context] 我搬到了北京
                我的生日是6月2日
                  生日 [personal_context] 我的生日是6月2日
            "#]],
        );
    }

    #[test]
    fn what_is_no_plain_statement_is_left_alone() {
        check(
            &[
                "Do you remember that I live in Oslo?",
                "If I live in Oslo, what taxes do I pay",
                "I like it",
                "I love you",
                "I'd like a table for two",
                "She said I live in Rome",
                "I work on it tomorrow",
                "I am a bit tired",
                "Write a story where the hero says: I live in a castle",
                "> my name is Mallory",
                "what is my name",
                "你记得我叫什么吗",
                "我喜欢你",
                "",
            ],
            expect![[r#"
                Do you remember that I live in Oslo?
                If I live in Oslo, what taxes do I pay
                I like it
                I love you
                I'd like a table for two
                She said I live in Rome
                I work on it tomorrow
                I am a bit tired
                Write a story where the hero says: I live in a castle
                > my name is Mallory
                what is my name
                你记得我叫什么吗
                我喜欢你

            "#]],
        );
    }
}
