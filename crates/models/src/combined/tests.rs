//! Paraphrases in 16 languages: the right one among five, and English questions on foreign entries.

use super::*;
use recalld_memory::ports::TextRole;

/// `statement \t question` in each language; line by line the same in all of them.
const LANGUAGES: [(&str, &str); 16] = [
    ("ar", include_str!("../../tests/fixtures/paraphrases/ar.tsv")),
    ("de", include_str!("../../tests/fixtures/paraphrases/de.tsv")),
    ("en", include_str!("../../tests/fixtures/paraphrases/en.tsv")),
    ("es", include_str!("../../tests/fixtures/paraphrases/es.tsv")),
    ("fr", include_str!("../../tests/fixtures/paraphrases/fr.tsv")),
    ("it", include_str!("../../tests/fixtures/paraphrases/it.tsv")),
    ("ja", include_str!("../../tests/fixtures/paraphrases/ja.tsv")),
    ("ko", include_str!("../../tests/fixtures/paraphrases/ko.tsv")),
    ("nl", include_str!("../../tests/fixtures/paraphrases/nl.tsv")),
    ("pl", include_str!("../../tests/fixtures/paraphrases/pl.tsv")),
    ("pt", include_str!("../../tests/fixtures/paraphrases/pt.tsv")),
    ("ru", include_str!("../../tests/fixtures/paraphrases/ru.tsv")),
    ("th", include_str!("../../tests/fixtures/paraphrases/th.tsv")),
    ("tr", include_str!("../../tests/fixtures/paraphrases/tr.tsv")),
    ("zh", include_str!("../../tests/fixtures/paraphrases/zh.tsv")),
    (
        "zh_Hant",
        include_str!("../../tests/fixtures/paraphrases/zh_Hant.tsv"),
    ),
];

/// How many candidates each question has.
const CANDIDATES: usize = 5;

fn likeness(question: &QuestionVector, passage: &[f32]) -> f32 {
    let dot: f32 = question.components.iter().zip(passage).map(|(a, b)| a * b).sum();
    let length = question.components.iter().map(|x| x * x).sum::<f32>().sqrt();
    dot / length / std::f32::consts::SQRT_2 * question.gain
}

/// The share of questions whose own statement is the nearest of five.
fn right(model: &Combined, questions: &[&str], passages: &[Vec<f32>]) -> f32 {
    let mut right = 0;
    for (own, question) in questions.iter().enumerate() {
        let asked = model.read_now(question).unwrap();
        let of = |place: usize| likeness(&asked, &passages[place % passages.len()]);
        let mine = of(own);
        // The others stand at different distances, so that not only neighbours are candidates.
        let others = [3, 7, 11, 16].map(|away| of(own + away));
        right += usize::from(others.iter().all(|other| *other < mine));
    }
    right as f32 / questions.len() as f32
}

#[tokio::test]
async fn the_right_one_of_five_is_nearest_in_sixteen_languages() {
    let model = Combined::new(EncoderUse::Always);
    let rows = |text: &'static str| -> (Vec<&'static str>, Vec<&'static str>) {
        text.lines().map(|line| line.split_once('\t').unwrap()).unzip()
    };
    let (_, english) = rows(LANGUAGES[2].1);
    let (mut own, mut across) = (Vec::new(), Vec::new());
    for (language, text) in LANGUAGES {
        let (statements, questions) = rows(text);
        assert_eq!(statements.len(), 20, "{language}");
        let passages = model.embed(&statements, TextRole::Passage).await.unwrap();
        let (same, from_english) = (
            right(&model, &questions, &passages),
            right(&model, &english, &passages),
        );
        println!("{language}: {same:.2} in itself, {from_english:.2} from English, one of {CANDIDATES}");
        own.push(same);
        if language != "en" {
            across.push(from_english);
        }
    }
    let mean = |all: &[f32]| all.iter().sum::<f32>() / all.len() as f32;
    println!(
        "mean {:.3} in itself, {:.3} from English",
        mean(&own),
        mean(&across)
    );
    assert!(0.85 <= mean(&own), "{own:?}");
    assert!(0.85 <= mean(&across), "{across:?}");
}

#[test]
fn a_word_that_the_table_knows_needs_no_encoder() {
    let model = Combined::new(EncoderUse::Auto);
    let plain = model.read_now("peanuts").unwrap();
    assert!(plain.components[256..].iter().all(|x| *x == 0.0));
    let sentence = model.read_now("what can't I eat at the fair?").unwrap();
    assert!(sentence.components[256..].iter().any(|x| *x != 0.0));
    let foreign = model.read_now("Erdnüsse").unwrap();
    assert!(foreign.components[256..].iter().any(|x| *x != 0.0));
}

#[test]
fn what_stands_in_is_compared_with_the_table_alone() {
    let model = Combined::new(EncoderUse::Always);
    let provisional = model.provisional("I am allergic to peanuts").unwrap();
    assert_eq!(provisional.len(), model.model().dimension);
    assert!(provisional[256..].iter().all(|x| *x == 0.0));
    assert_eq!(
        model.provisional("我对花生过敏"),
        None,
        "the table hardly knows it"
    );
}
