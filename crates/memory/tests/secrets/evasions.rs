//! Secrets written so that a naive search misses them.

use recalld_memory::screening::secrets::{find, redact};

use super::generator::Generator;

#[test]
fn invisible_and_look_alike_characters_hide_nothing() {
    let mut generator = Generator::new("evasions");
    let token = generator.fill("ghp_{A36}");
    let spread = |between: &str| token.chars().map(|c| format!("{c}{between}")).collect::<String>();
    let wide = |text: &str| -> String {
        let widen = |c: char| {
            if c.is_ascii_graphic() {
                char::from_u32(c as u32 + 0xfee0).unwrap()
            } else {
                c
            }
        };
        text.chars().map(widen).collect()
    };
    let arabic = "4111 1111 1111 1111".replace('4', "٤").replace('1', "١");
    for text in [
        spread("\u{200b}"),
        spread("\u{2060}"),
        spread("\u{ad}"),
        spread("\u{feff}"),
        format!("key: {}", wide(&token)),
        "4111\u{a0}1111\u{a0}1111\u{a0}1111".to_owned(),
        "4111\u{2011}1111\u{2011}1111\u{2011}1111".to_owned(),
        wide("4111111111111111"),
        arabic,
        "pass\u{200b}word: hunter2".to_owned(),
        "my pass\u{ad}word\u{a0}is\u{a0}hunter2".to_owned(),
        "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1".to_owned(),
        "the PIN is ４７１１".to_owned(),
        format!(
            "{} {} {} {}",
            &token[..4],
            &token[4..16],
            &token[16..28],
            &token[28..]
        ),
        spread(" "),
    ] {
        assert!(find(&text).is_some(), "{text:?}");
        let redacted = redact(&text);
        assert!(redacted.contains("[redacted: "), "{redacted:?}");
        assert!(find(&redacted).is_none(), "{redacted:?}");
    }
}

#[test]
fn a_long_text_is_read_in_one_pass() {
    // Each of these makes a search that looks back or ahead without bound quadratic: the test then
    // does not end.
    let bytes = 200_000;
    for part in [
        "password ",
        "4",
        "4111 ",
        "a.b",
        "://a:",
        "key=",
        "-----BEGIN PRIVATE KEY-----",
        "ab cd ",
        "0x0",
        "密码",
    ] {
        let text = part.repeat(bytes / part.len());
        let _ = redact(&text);
    }
}

#[test]
fn a_mark_cannot_be_forged_around_a_secret() {
    assert!(find("my password is [redacted: hunter2]").is_some());
    let token = Generator::new("forged").fill("ghp_{A36}");
    assert!(find(&format!("[redacted: {token}]")).is_some());
    assert!(find("my password is [redacted: password]").is_none());
}
