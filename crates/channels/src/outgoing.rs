//! A reply as it is sent: in pieces that a platform accepts, with follow-ups as buttons.

/// A reply, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingReply {
    pub text: String,
    /// Questions that the user may ask next. They are shown as buttons and nowhere else.
    pub follow_ups: Vec<String>,
}

/// A line of a reply that starts like this is a follow-up.
const FOLLOW_UP: &str = ">> ";

/// The most follow-ups that are shown.
const FOLLOW_UPS_MAX: usize = 3;

/// The most characters of a follow-up: platforms cut longer buttons.
const FOLLOW_UP_CHARS_MAX: usize = 75;

impl OutgoingReply {
    /// Takes the follow-ups at the end of a model's reply apart from what it says.
    pub fn of_text(reply: &str) -> OutgoingReply {
        let mut lines: Vec<&str> = reply.trim_end().lines().collect();
        let mut follow_ups = Vec::new();
        while let Some(question) = lines
            .last()
            .and_then(|line| line.trim_start().strip_prefix(FOLLOW_UP))
        {
            follow_ups.push(
                question
                    .trim()
                    .chars()
                    .take(FOLLOW_UP_CHARS_MAX)
                    .collect::<String>(),
            );
            lines.pop();
            while lines.len() > 1 && lines.last().is_some_and(|line| line.trim().is_empty()) {
                lines.pop();
            }
        }
        follow_ups.reverse();
        follow_ups.retain(|question| !question.is_empty());
        follow_ups.truncate(FOLLOW_UPS_MAX);
        OutgoingReply {
            text: lines.join("\n").trim().to_owned(),
            follow_ups,
        }
    }
}

/// Splits a text into pieces of at most `chars_max` characters: between paragraphs if possible,
/// else between lines, else between words, else anywhere.
pub fn split(text: &str, chars_max: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text.trim();
    while let Some((end, _)) = rest.char_indices().nth(chars_max.max(1)) {
        let cut = best_cut(&rest[..end]);
        let (piece, after) = rest.split_at(cut);
        if !piece.trim().is_empty() {
            pieces.push(piece.trim_end().to_owned());
        }
        rest = after.trim_start();
    }
    if !rest.is_empty() {
        pieces.push(rest.to_owned());
    }
    pieces
}

/// Where to cut a text that must end here: not in its first half, so that pieces stay few.
fn best_cut(text: &str) -> usize {
    let breaks = ["\n\n", "\n", "。", ". ", " "];
    let found = breaks.iter().find_map(|mark| {
        let at = text.rfind(mark)? + mark.len();
        (text.len() / 2 <= at).then_some(at)
    });
    found.unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follow_ups_leave_the_text_and_become_buttons() {
        let reply = OutgoingReply::of_text("Three goals.\n\n>> What is the deadline?\n>> Who helps?\n");
        assert_eq!(reply.text, "Three goals.");
        assert_eq!(reply.follow_ups, ["What is the deadline?", "Who helps?"]);
        let quoted = OutgoingReply::of_text(">> not at the end\nThe end.");
        assert_eq!(quoted.text, ">> not at the end\nThe end.");
        assert!(quoted.follow_ups.is_empty());
        let many = OutgoingReply::of_text("a\n>> 1\n>> 2\n>> 3\n>> 4");
        assert_eq!(many.follow_ups, ["1", "2", "3"]);
    }

    #[test]
    fn a_long_text_is_split_where_a_reader_would_pause() {
        let text = "First paragraph.\n\nSecond one, longer.\n\nThird.";
        assert_eq!(
            split(text, 40),
            ["First paragraph.\n\nSecond one, longer.", "Third."]
        );
        assert_eq!(split("short", 40), ["short"]);
        assert!(split("  ", 40).is_empty());
    }

    #[test]
    fn no_character_is_lost_and_no_piece_is_too_long() {
        let text = "数据很多。".repeat(50) + &"x".repeat(99);
        let pieces = split(&text, 20);
        assert!(pieces.iter().all(|piece| piece.chars().count() <= 20));
        assert_eq!(pieces.concat(), text);
    }
}
