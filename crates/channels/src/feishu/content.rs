//! The text of a Feishu message, with mentions shown as names.

use serde_json::Value;

use crate::message::Person;
use crate::platform::Refusal;

/// Somebody that a message mentions.
#[derive(Debug)]
pub(super) struct Mention {
    /// What stands for them in the text, such as `@_user_1`.
    pub(super) placeholder: String,
    pub(super) person: Person,
    pub(super) is_bot: bool,
}

/// The text of a message of the given type; none if it has no text.
pub(super) fn text(kind: &str, content: &str, mentions: &[Mention]) -> Result<Option<String>, Refusal> {
    let content: Value =
        serde_json::from_str(content).map_err(|_| Refusal::Malformed("the content is no JSON"))?;
    let raw = match kind {
        "text" => content["text"].as_str().unwrap_or_default().to_owned(),
        "post" => post(&content),
        _ => return Ok(None),
    };
    let named = with_names(&raw, mentions);
    let tidy = named.trim();
    let is_pictures_alone = tidy.split_whitespace().all(|word| word == IMAGE);
    Ok((!is_pictures_alone).then(|| tidy.to_owned()))
}

/// What stands for a picture.
const IMAGE: &str = "[image]";

/// A rich text: a title and lines of elements, either as such or under the name of a language.
fn post(content: &Value) -> String {
    let in_language = || {
        content
            .as_object()?
            .values()
            .find(|value| value["content"].is_array())
    };
    let post = match content["content"].is_array() {
        true => content,
        false => in_language().unwrap_or(&Value::Null),
    };
    let lines = post["content"].as_array().into_iter().flatten();
    let lines = lines.map(|line| {
        line.as_array()
            .into_iter()
            .flatten()
            .map(element)
            .collect::<String>()
    });
    let title = post["title"].as_str().filter(|title| !title.trim().is_empty());
    title
        .map(str::to_owned)
        .into_iter()
        .chain(lines)
        .collect::<Vec<_>>()
        .join("\n")
}

fn element(element: &Value) -> String {
    let text = || element["text"].as_str().unwrap_or_default();
    match element["tag"].as_str() {
        Some("text" | "md" | "code_block") => text().to_owned(),
        Some("a") => match element["href"].as_str() {
            Some(address) if address != text() => format!("{} ({address})", text()),
            _ => text().to_owned(),
        },
        Some("at") => element["user_id"].as_str().unwrap_or_default().to_owned(),
        Some("img" | "media") => IMAGE.to_owned(),
        Some("emotion") => element["emoji_type"]
            .as_str()
            .map(|name| format!(":{name}:"))
            .unwrap_or_default(),
        _ => String::new(),
    }
}

/// Shows people by their names, and takes out the assistant, which everything is said to.
fn with_names(raw: &str, mentions: &[Mention]) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('@') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        // The longest that fits: `@_user_1` is also the beginning of `@_user_12`.
        let fitting = mentions
            .iter()
            .filter(|mention| rest.starts_with(&mention.placeholder));
        match fitting.max_by_key(|mention| mention.placeholder.len()) {
            Some(mention) if !mention.placeholder.is_empty() => {
                rest = &rest[mention.placeholder.len()..];
                match mention.is_bot {
                    true => rest = rest.trim_start_matches(' '),
                    false => {
                        text.push('@');
                        text.push_str(mention.person.name.as_deref().unwrap_or(&mention.person.id));
                    }
                }
            }
            _ if rest.starts_with("@_all") => {
                text.push_str("@all");
                rest = &rest["@_all".len()..];
            }
            _ => {
                text.push('@');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mention(placeholder: &str, name: &str, is_bot: bool) -> Mention {
        Mention {
            placeholder: placeholder.to_owned(),
            person: Person {
                id: format!("ou_{name}"),
                name: Some(name.to_owned()),
            },
            is_bot,
        }
    }

    #[test]
    fn placeholders_become_names_and_the_bot_is_left_out() {
        let mentions = [
            mention("@_user_1", "Bot", true),
            mention("@_user_12", "John", false),
        ];
        let said = text(
            "text",
            r#"{"text":"@_user_1 ask @_user_12, a@b.example"}"#,
            &mentions,
        )
        .unwrap();
        assert_eq!(said.as_deref(), Some("ask @John, a@b.example"));
    }

    #[test]
    fn a_post_keeps_its_title_lines_and_links() {
        let post = r#"{"title":"Goals","content":[[{"tag":"at","user_id":"@_user_2"},{"tag":"text","text":" ship it"}],
            [{"tag":"a","href":"https://example.com","text":"plan"}],[{"tag":"img","image_key":"k"}]]}"#;
        let said = text("post", post, &[mention("@_user_2", "John", false)]).unwrap();
        assert_eq!(
            said.as_deref(),
            Some("Goals\n@John ship it\nplan (https://example.com)\n[image]")
        );
    }

    #[test]
    fn pictures_alone_and_other_kinds_say_nothing() {
        let picture = r#"{"content":[[{"tag":"img","image_key":"k"}]]}"#;
        assert_eq!(text("post", picture, &[]).unwrap(), None);
        assert_eq!(text("image", r#"{"image_key":"k"}"#, &[]).unwrap(), None);
        assert!(text("text", "not JSON", &[]).is_err());
    }
}
