//! What the built-in model promises, on the asset that ships.

use proptest::prelude::*;

use super::*;

fn cosine(a: &str, b: &str) -> f32 {
    let model = Builtin::shared();
    model
        .embed_one(a)
        .iter()
        .zip(model.embed_one(b))
        .map(|(x, y)| x * y)
        .sum()
}

/// The first of `facts` is the one nearest to `question`.
fn check_nearest(question: &str, facts: &[&str]) {
    let nearest = facts
        .iter()
        .max_by(|a, b| cosine(question, a).total_cmp(&cosine(question, b)));
    assert_eq!(nearest, facts.first(), "for {question:?}");
}

#[test]
fn the_asset_is_at_most_ten_megabytes() {
    assert!(ASSET.len() <= 10_000_000, "{} bytes", ASSET.len());
}

#[test]
fn vectors_have_unit_length() {
    let vector = Builtin::shared().embed_one("I am allergic to peanuts");
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    assert_eq!(vector.len(), Builtin::shared().model().dimension);
    assert!((length - 1.0).abs() < 1e-5, "{length}");
}

#[test]
fn a_question_finds_the_fact_that_answers_it() {
    check_nearest(
        "what can't I eat at the fair?",
        &[
            "I am allergic to peanuts",
            "I live in Lisbon",
            "My sister is a nurse",
            "I play the guitar",
            "My car is red",
        ],
    );
    check_nearest(
        "which pets does she have?",
        &[
            "Ana has two cats",
            "Ana works at a bank",
            "Ana was born in 1990",
            "Ana drives to work",
            "Ana speaks French",
        ],
    );
}

#[test]
fn the_same_word_in_chinese_and_japanese_is_near() {
    check_nearest(
        "peanut allergy",
        &["花生过敏", "我住在里斯本", "我姐姐是护士", "我喜欢弹吉他"],
    );
    check_nearest("peanut", &["ピーナッツ", "ギター", "ベルリン", "猫"]);
    check_nearest("花生", &["ピーナッツ", "ギター", "ベルリン", "猫"]);
    check_nearest(
        "我不能吃什么？",
        &["我对花生过敏", "我住在里斯本", "我姐姐是护士", "我的车是红色的"],
    );
}

#[test]
fn what_is_not_known_gives_zeros_and_is_not_understood() {
    for text in ["", "   ", "?!…", "ꙮꙮꙮ", "ሰላም"] {
        assert!(
            Builtin::shared().embed_one(text).iter().all(|x| *x == 0.0),
            "{text:?}"
        );
        assert_eq!(Builtin::shared().understanding(text), 0.0, "{text:?}");
    }
}

#[test]
fn plain_english_is_understood_and_gibberish_hardly() {
    let model = Builtin::shared();
    assert!(model.understanding("My sister moved to Berlin last summer") > 0.9);
    let chinese = model.understanding("我对花生过敏");
    assert!((0.3..0.6).contains(&chinese), "it has a smaller vote: {chinese}");
    assert!(model.understanding("xqzt vrrkj wqpfh") < 0.3);
}

#[tokio::test]
async fn a_batch_gives_the_same_vectors_as_one_by_one() {
    let model = Builtin::shared();
    let texts = ["tea with milk", "", "我喜欢喝茶"];
    let batch = model.embed(&texts, TextRole::Passage).await.unwrap();
    assert_eq!(batch, texts.map(|text| model.embed_one(text)));
}

proptest! {
    #[test]
    fn any_text_gives_a_finite_vector_of_length_one_or_zero(text in "\\PC{0,200}|[ -~\u{300}-\u{36f}\u{3040}-\u{30ff}\u{4e00}-\u{4fff}\u{ff00}-\u{ffef}]{0,200}") {
        let vector = Builtin::shared().embed_one(&text);
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-4);
        let understanding = Builtin::shared().understanding(&text);
        prop_assert!((0.0..=1.0).contains(&understanding));
    }

    #[test]
    fn damaged_tables_are_refused_and_never_panic(cut in 0usize..400, place in 0usize..40, byte: u8) {
        let mut bytes = ASSET[..40 + cut].to_vec();
        bytes[place] = byte;
        prop_assert!(Table::parse(bytes.leak()).is_err());
    }
}
