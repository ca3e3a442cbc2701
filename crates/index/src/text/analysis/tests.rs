//! What must hold of text analysis.

use super::*;
use proptest::prelude::*;

fn terms_of(text: &str, kind: TermKind) -> Vec<String> {
    analyse(text)
        .into_iter()
        .filter(|term| term.kind == kind)
        .map(|term| term.text)
        .collect()
}

fn words(text: &str) -> Vec<String> {
    terms_of(text, TermKind::Word)
}

fn shares_whole(a: &str, b: &str) -> bool {
    let whole = |kind| matches!(kind, TermKind::Word | TermKind::Alias);
    let a: Vec<Term> = analyse(a).into_iter().filter(|term| whole(term.kind)).collect();
    analyse(b)
        .iter()
        .any(|other| whole(other.kind) && a.iter().any(|term| term.text == other.text))
}

#[test]
fn forms_and_spellings_of_a_word_meet() {
    for (a, b) in [
        ("running", "Runs"),
        ("went", "go"),
        ("Müller", "Muller"),
        ("Müller", "Mueller"),
        ("Straße", "strasse"),
        ("canción", "cancion"),
        ("ＡＢＣ", "abc"),
        ("node.js", "NodeJS"),
        ("e-mail", "email"),
        ("gpt-4o", "GPT4o"),
        (".NET", "dotnet"),
        ("C++", "cpp"),
        ("C#", "CSharp"),
        ("U.S.A.", "USA"),
        ("Ana’s", "ana"),
        ("O’Brien", "obrien"),
        ("1,000", "1000"),
        ("1.000", "1000"),
        ("1.234,50", "1,234.50"),
        ("from 10:30-11:45", "11:45"),
        ("in May", "last May"),
        ("09:40", "9:40"),
        ("9:40 pm", "21:40"),
        ("2026-03-01", "1 March 2026"),
        ("01.03.2026", "March 1st, 2026"),
        ("+49 30 1234567", "+49301234567"),
        ("👍🏽", "👍"),
        ("☕️", "☕"),
        ("книги", "книга"),
        ("Ana@Example.com", "ana@example.com"),
        ("https://www.example.com/a", "http://example.com/a/"),
    ] {
        assert!(shares_whole(a, b), "{a}: {:?}, {b}: {:?}", analyse(a), analyse(b));
    }
}

#[test]
fn different_things_stay_apart() {
    for (a, b) in [
        ("9:40", "19:40"),
        ("C++", "C"),
        ("C#", "C"),
        ("v1.2.3", "v12.3"),
        ("1.5", "15"),
        ("gpt-4o", "gpt-4"),
        ("2026-03-01", "2026-03-11"),
        ("in May", "he may"),
        ("ana@example.com", "bob@example.com"),
    ] {
        assert!(
            !shares_whole(a, b),
            "{a}: {:?}, {b}: {:?}",
            analyse(a),
            analyse(b)
        );
    }
}

#[test]
fn names_are_found_by_their_parts() {
    for (name, parts) in [
        ("node.js", vec!["node", "js"]),
        ("getUserName", vec!["get", "user", "name"]),
        ("snake_case", vec!["snake", "case"]),
        ("ISO-27001", vec!["iso", "27001"]),
        ("ana@example.com", vec!["ana", "examplecom", "exampl"]),
        ("10kg", vec!["10", "kg"]),
        ("555-123-4567", vec!["555", "123", "4567"]),
        ("v1.2.3", vec!["1.2.3"]),
    ] {
        assert_eq!(terms_of(name, TermKind::Part), parts, "{name}");
    }
    assert_eq!(terms_of("9:40", TermKind::Part), Vec::<String>::new());
}

#[test]
fn scripts_without_spaces_are_read_in_pairs() {
    assert_eq!(words("喝咖啡"), ["喝咖", "咖啡"]);
    assert_eq!(terms_of("喝咖啡", TermKind::Gram), ["喝", "咖", "啡"]);
    assert_eq!(words("猫"), ["猫"]);
    assert_eq!(words("커피를"), ["커피를"]);
    assert_eq!(terms_of("커피를", TermKind::Gram), ["커피", "피를"]);
    assert_eq!(words("กาแฟ"), ["กา", "าแ", "แฟ"]);
}

#[test]
fn stop_words_are_dropped_from_a_query_that_says_more() {
    let asked = |query| {
        analyse_query(query)
            .into_iter()
            .map(|term| term.text)
            .collect::<Vec<_>>()
    };
    assert_eq!(asked("what is the capital of France"), ["capit", "franc"]);
    assert_eq!(asked("the who"), ["the", "who"]);
    assert_eq!(asked("I don't"), ["i", "dont"]);
    assert_eq!(asked("who works in IT"), ["work", "it"]);
}

#[test]
fn weak_words_are_words_when_there_are_no_others() {
    let kinds = |query| {
        analyse_query(query)
            .into_iter()
            .map(|term| term.kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        kinds("please recommend the tea"),
        [TermKind::Weak, TermKind::Weak, TermKind::Word]
    );
    assert_eq!(kinds("the recommendation"), [TermKind::Word]);
}

#[test]
fn inflections_of_other_languages_meet() {
    let entry = analyse("Ich habe zwei Katzen und einen Hund");
    assert!(
        analyse_query("Katze")
            .iter()
            .any(|term| entry.iter().any(|other| other.text == term.text))
    );
}

#[test]
fn no_text_is_too_much() {
    let size = 1 << 16;
    for text in [
        "a",
        "-",
        "a-",
        "1-",
        "aA",
        "\u{301}",
        "e\u{301}",
        "咖",
        "ก",
        "한",
        "+1 ",
        ".a ",
        "👍\u{200d}",
        "a'",
        "_",
        "https://",
        "a_",
        "1,",
        "@a",
    ] {
        let terms = analyse(&text.repeat(size / text.len()));
        assert!(
            terms.iter().all(|term| term.text.len() <= Term::BYTES_MAX),
            "{text}"
        );
        assert!(terms.len() <= size, "{text}");
    }
}

#[test]
fn long_words_with_the_same_beginning_stay_apart() {
    let (a, b) = (format!("{}b", "a".repeat(200)), format!("{}c", "a".repeat(200)));
    assert_ne!(words(&a), words(&b));
    assert_eq!(words(&a), words(&a.to_uppercase()));
}

proptest! {
    #[test]
    fn any_text_is_analysed(text in "\\PC*|[a-zA-Z0-9 .'/+#:@,&_~äßéśİ①ſ-]{0,40}|[а-яاأبتةيى ]{0,30}") {
        for term in analyse(&text).into_iter().chain(analyse_query(&text)) {
            prop_assert!(!term.text.is_empty() && term.text.len() <= Term::BYTES_MAX);
        }
        crate::text::content_words(&text);
    }

    /// What somebody copies from an entry finds it again.
    #[test]
    fn every_term_of_a_query_word_is_a_term_of_the_same_entry(word in "[a-zA-Zäöüß0-9]{1,12}([-._'/:][a-z0-9]{1,6}){0,2}") {
        let entry = analyse(&word);
        let found = analyse_query(&word).iter().any(|term| entry.iter().any(|other| other.text == term.text));
        prop_assert!(found);
    }
}
