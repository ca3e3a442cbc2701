//! Server-sent events, as far as the protocol uses them: the data of each event is one message.

/// The most bytes of an event.
const EVENT_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Puts events together from pieces of a stream.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    data: Vec<u8>,
}

/// An event that no honest server sends.
#[derive(Debug)]
pub(super) struct TooLong;

impl Events {
    /// Takes a piece, and gives the data of the events that it ends.
    pub(super) fn take(&mut self, piece: &[u8]) -> Result<Vec<Vec<u8>>, TooLong> {
        let mut ended = Vec::new();
        for &byte in piece {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = line.strip_suffix(b"\r").unwrap_or(&line);
            if line.is_empty() && !self.data.is_empty() {
                ended.push(std::mem::take(&mut self.data));
            } else if let Some(data) = line.strip_prefix(b"data:") {
                if !self.data.is_empty() {
                    self.data.push(b'\n');
                }
                self.data
                    .extend_from_slice(data.strip_prefix(b" ").unwrap_or(data));
            }
        }
        match EVENT_BYTES_MAX < self.line.len() + self.data.len() {
            true => Err(TooLong),
            false => Ok(ended),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a stream in pieces of every size.
    fn check(stream: &str, expected: &[&str]) {
        for size in 1..=stream.len() {
            let mut events = Events::default();
            let read: Vec<Vec<u8>> = stream
                .as_bytes()
                .chunks(size)
                .flat_map(|piece| events.take(piece).unwrap())
                .collect();
            let read: Vec<&str> = read
                .iter()
                .map(|data| std::str::from_utf8(data).unwrap())
                .collect();
            assert_eq!(read, expected, "in pieces of {size}");
        }
    }

    #[test]
    fn events_are_found_however_the_stream_is_cut() {
        check("data: one\n\n", &["one"]);
        check(
            ": ping\n\nid: 3\r\nevent: message\r\ndata:one\r\n\r\ndata: two\ndata: lines\n\n",
            &["one", "two\nlines"],
        );
        check("data: never ends\n", &[]);
        check("\n\nretry: 3\n\n", &[]);
    }

    #[test]
    fn an_event_without_end_is_given_up() {
        let mut events = Events::default();
        let piece = vec![b'x'; EVENT_BYTES_MAX / 2];
        assert!(events.take(&piece).is_ok() && events.take(&piece).is_ok());
        assert!(events.take(b"more").is_err());
    }
}
