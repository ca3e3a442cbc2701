//! The slots of statements in seven languages.

use super::*;

fn slot(statement: &str) -> String {
    Slot::of(statement).map_or_else(|| "-".to_owned(), |slot| slot.to_string())
}

const STATEMENTS: &[(&str, &[&str])] = &[
    (
        "home",
        &[
            "I live in Lisbon",
            "Lives in Lisbon",
            "The user lives in Lisbon",
            "Based in New York City",
            "Moved to San Francisco",
            "I've just moved to Berlin",
            "We moved to Porto last week",
            "Ich wohne in Köln",
            "J'habite à Lyon",
            "Vivo en Madrid",
            "Moro em Lisboa",
            "我住在上海",
            "我现在住在上海",
            "大阪に住んでいます",
        ],
    ),
    (
        "employer",
        &[
            "I work at Acme",
            "Works for Acme",
            "I joined Siemens",
            "我在阿里巴巴工作",
            "Ich arbeite bei SAP",
            "Trabajo en Telefónica",
        ],
    ),
    (
        "role",
        &[
            "I work as a nurse",
            "I'm a software engineer",
            "User is a teacher",
        ],
    ),
    (
        "name",
        &[
            "My name is Ana",
            "Name is Ana",
            "Ich heiße Jonas",
            "我叫小明",
            "Me llamo Ana",
        ],
    ),
    (
        "diet",
        &["I'm vegan", "I am a vegetarian", "User no longer eats meat"],
    ),
    (
        "allergy",
        &[
            "I'm allergic to nuts",
            "我对花生过敏",
            "Soy alérgica a la penicilina",
        ],
    ),
    (
        "birthday",
        &[
            "My birthday is on 2 June",
            "Mein Geburtstag ist am 3. Mai",
            "我的生日是6月2日",
        ],
    ),
    (
        "partner.home",
        &["My wife lives in Rome", "Meine Frau wohnt in Bonn"],
    ),
    (
        "partner.name",
        &[
            "My husband is called Tom",
            "Ma femme s'appelle Léa",
            "我老婆叫小红",
        ],
    ),
    (
        "pet.name",
        &[
            "My dog is called Rex",
            "うちの犬の名前はポチです",
            "Mi perro se llama Toby",
        ],
    ),
    ("ana.home", &["Ana lives in Porto", "Ana moved to Braga"]),
    (
        "favourite.colour",
        &["My favourite colour is green", "My favorite color is blue"],
    ),
    ("likes", &["I like tea", "我喜欢喝茶", "User prefers tea"]),
    ("-", &["The build is green", "Meeting about the budget", ""]),
];

#[test]
fn statements_about_the_same_have_the_same_slot() {
    for (expected, statements) in STATEMENTS {
        for statement in *statements {
            assert_eq!(slot(statement), *expected, "{statement}");
        }
    }
}

#[test]
fn keys_name_slots() {
    for (key, expected) in [
        ("home", "home"),
        ("city", "home"),
        ("job_title", "role"),
        ("partner_name", "partner.name"),
        ("wife", "partner.name"),
        ("dog", "pet.name"),
        ("favorite_food", "favourite.food"),
        ("project-x", "-"),
    ] {
        let slot = Slot::of_key(key).map_or_else(|| "-".to_owned(), |slot| slot.to_string());
        assert_eq!(slot, expected, "{key}");
    }
}

#[test]
fn one_value_or_many() {
    for (statement, key) in [
        ("I live in Lisbon", Some("home")),
        ("My wife is called Ana", Some("partner_name")),
        ("My dog is called Rex", None),
        ("I like tea", None),
        ("My favourite colour is green", Some("favourite_colour")),
    ] {
        let found = Slot::of(statement).and_then(|slot| slot.key());
        assert_eq!(found.as_deref(), key, "{statement}");
    }
}

/// Long flights and short ones are no wishes about the length of answers.
#[test]
fn only_a_wish_about_answers_is_one_about_their_length() {
    let wish = slot("Prefers short answers with the conclusion first");
    assert_eq!(slot("Keep your replies concise"), wish);
    for other in [
        "Prefers window seats on long flights, aisle on short ones",
        "Prefers long flights",
        "Wants a long lunch break",
    ] {
        assert_ne!(slot(other), wish, "{other}");
    }
}
