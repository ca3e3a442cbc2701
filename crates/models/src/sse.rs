//! Server-sent events, out of bytes that arrive in any pieces.

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SseEvent {
    pub(crate) name: String,
    pub(crate) data: String,
}

/// Puts events together. An event may be cut anywhere, even within a character; what is no UTF-8 is
/// replaced. Crates for this hold an event of any length, and one that never ends would fill the
/// memory.
#[derive(Debug)]
pub(crate) struct SseParser {
    /// The most bytes that may come without an event.
    bytes_max: usize,
    line: Vec<u8>,
    event: SseEvent,
    has_data: bool,
    after_return: bool,
}

impl SseParser {
    /// Begins a stream of events of at most `bytes_max` bytes.
    pub(crate) fn new(bytes_max: usize) -> SseParser {
        SseParser {
            bytes_max,
            line: Vec::new(),
            event: SseEvent::default(),
            has_data: false,
            after_return: false,
        }
    }

    /// Takes more bytes, and gives the events that they complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, String> {
        let mut events = Vec::new();
        for &byte in bytes {
            // A line ends with \n, \r or both.
            let second_half = byte == b'\n' && self.after_return;
            self.after_return = byte == b'\r';
            if second_half {
                continue;
            }
            if byte == b'\n' || byte == b'\r' {
                events.extend(self.end_line());
            } else {
                self.line.push(byte);
            }
        }
        match self.line.len() + self.event.data.len() <= self.bytes_max {
            true => Ok(events),
            false => Err(format!("an event of more than {} bytes", self.bytes_max)),
        }
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return std::mem::take(&mut self.has_data).then_some(event);
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.has_data = true;
                self.event.data.push_str(value);
            }
            "event" => self.event.name = value.to_owned(),
            // Comments (an empty field), ids and pauses mean nothing here.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BYTES_MAX: usize = 1000;

    fn all(text: &str) -> Vec<(String, String)> {
        let events = SseParser::new(BYTES_MAX).push(text.as_bytes()).unwrap();
        events.into_iter().map(|event| (event.name, event.data)).collect()
    }

    fn event(name: &str, data: &str) -> (String, String) {
        (name.to_owned(), data.to_owned())
    }

    #[test]
    fn lines_end_in_any_way_and_comments_are_skipped() {
        assert_eq!(
            all("data: 1\n\n: hi\r\ndata:2\r\rdata: 3\r\n\r\n"),
            [event("", "1"), event("", "2"), event("", "3")]
        );
        assert_eq!(
            all("event: a\ndata: x\ndata: y\nid: 7\n\n\n\n"),
            [event("a", "x\ny")]
        );
        assert_eq!(all("event: a\n\ndata: unfinished"), []);
        assert_eq!(all("\n\nretry: 3\n\n: ping\n\n"), []);
    }

    #[test]
    fn what_has_no_end_is_refused() {
        let mut parser = SseParser::new(BYTES_MAX);
        let piece = vec![b'x'; BYTES_MAX];
        assert!(parser.push(&piece).is_ok());
        assert!(parser.push(b"x").is_err());
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(cuts in prop::collection::vec(0_usize..60, 0..8)) {
            let text = "event: e\ndata: grüße\r\ndata: 你好\r\n\r\n: c\n\ndata: z\n\n".as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut <= text.len()).collect();
            cuts.sort_unstable();
            cuts.push(text.len());
            let (mut parser, mut events, mut from) = (SseParser::new(BYTES_MAX), Vec::new(), 0);
            for cut in cuts {
                events.extend(parser.push(&text[from..cut]).unwrap());
                from = cut;
            }
            prop_assert_eq!(events, SseParser::new(BYTES_MAX).push(text).unwrap());
        }
    }
}
