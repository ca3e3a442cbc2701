//! What rules find, what they must leave alone, and how much work that is.

mod languages;
mod long_inputs;
mod nothing;
mod work;

use expect_test::{Expect, expect};
use jiff::Timestamp;

use super::find;
use crate::extract::finding::{Ending, Finding};

fn said_at() -> Timestamp {
    "2026-11-12T09:00:00Z".parse().unwrap()
}

fn line(finding: &Finding) -> String {
    match finding {
        Finding::Holds(fact) => {
            let key = fact.key.as_deref().unwrap_or("-");
            format!("{key} [{}] {}", fact.category, fact.content)
        }
        Finding::Ended(ended) => {
            let slot = ended.slot.as_ref().map_or("-".to_owned(), ToString::to_string);
            let how = match ended.how {
                Ending::Forgotten => "forget",
                Ending::Until(_) => "no longer",
            };
            format!("{how} {slot}: {}", ended.about)
        }
        Finding::Corrected(correction) => format!(
            "correct: of {:?}, {:?} instead of {:?}",
            correction.of, correction.value, correction.instead_of
        ),
    }
}

fn check(messages: &[&str], expected: Expect) {
    let mut text = String::new();
    for message in messages {
        text.push_str(message);
        text.push('\n');
        for finding in find(message, said_at()) {
            text.push_str(&format!("  {}\n", line(&finding)));
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn several_facts_of_one_sentence_are_kept_apart() {
    check(
        &[
            "I live in Lisbon and I prefer tea",
            "My name is Ana and I live in Rome, but my office is in Milan",
            "I used to live in Rome but now I live in Milan",
            "我叫小明，住在上海，在腾讯上班",
        ],
        expect![[r#"
            I live in Lisbon and I prefer tea
              home [personal_context] I live in Lisbon
              - [preference] I prefer tea
            My name is Ana and I live in Rome, but my office is in Milan
              name [personal_context] My name is Ana
              home [personal_context] I live in Rome
              - [personal_context] my office is in Milan
            I used to live in Rome but now I live in Milan
              home [personal_context] I live in Milan
            我叫小明，住在上海，在腾讯上班
              name [personal_context] 我叫小明
              home [personal_context] 我住在上海
              employer [work_context] 我在腾讯上班
        "#]],
    );
}

#[test]
fn changes_name_what_they_are_about() {
    check(
        &[
            "Forget that I live in Berlin",
            "That was my sister, not me",
            "It's actually Porto, not Braga",
            "I quit my job at Acme last month",
            "I don't live in Delft anymore",
            "We moved to Bristol yesterday",
            "Remember that I'm allergic to shellfish and my wife is vegan",
            "Remember that the gate code hangs on the fridge",
        ],
        expect![[r#"
            Forget that I live in Berlin
              forget home: Berlin
            That was my sister, not me
              correct: of Some("my sister"), None instead of None
            It's actually Porto, not Braga
              correct: of None, Some("Porto") instead of Some("Braga")
            I quit my job at Acme last month
              no longer employer: Acme
            I don't live in Delft anymore
              no longer home: Delft
            We moved to Bristol yesterday
              home [personal_context] We moved to Bristol yesterday (2026-11-11)
            Remember that I'm allergic to shellfish and my wife is vegan
              - [personal_context] I'm allergic to shellfish
              - [personal_context] my wife is vegan
            Remember that the gate code hangs on the fridge
              - [personal_context] the gate code hangs on the fridge
        "#]],
    );
}
