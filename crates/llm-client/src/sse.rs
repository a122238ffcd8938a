//! Server-sent events from bytes, in whatever pieces they come. Pure.
//!
//! Follows the grammar of the HTML standard (LF, CR and CRLF, one BOM, comments, several `data:` lines) and bends it where
//! servers do: a line of bare JSON or an `error:` line is handed on as well, and so is a block that the end of the body
//! cuts off before its blank line; whether that is whole is for the JSON parser to say.

/// Bytes that one line, and all the data lines of one event, may have. The last event of the Responses format repeats the whole
/// answer, with all of its encrypted reasoning.
pub(crate) const MAX_EVENT_BYTES: usize = 6 * 1024 * 1024;

/// The data of one event.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// The data lines, joined by LF.
    pub data: Vec<u8>,
    /// Named `error`, or came on an `error:` line.
    pub is_error: bool,
}

/// A line or an event beyond [`MAX_EVENT_BYTES`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct EventTooLarge;

/// The reader's state between two reads.
#[derive(Debug, Default)]
pub(crate) struct SseReader {
    /// The line that is not complete yet.
    line: Vec<u8>,
    event: Event,
    has_data: bool,
    after_cr: bool,
    past_first_line: bool,
    strange_lines: u32,
}

impl SseReader {
    /// Takes the next bytes and hands out each event they complete.
    pub(crate) fn feed(&mut self, mut bytes: &[u8], on_event: &mut dyn FnMut(&Event)) -> Result<(), EventTooLarge> {
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_cr) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = memchr::memchr2(b'\n', b'\r', bytes) else {
                self.line.extend_from_slice(bytes);
                return if self.line.len() > MAX_EVENT_BYTES {
                    Err(EventTooLarge)
                } else {
                    Ok(())
                };
            };
            self.after_cr = bytes[end] == b'\r';
            if self.line.is_empty() {
                self.end_line(&bytes[..end], on_event)?;
            } else {
                self.line.extend_from_slice(&bytes[..end]);
                let line = std::mem::take(&mut self.line);
                self.end_line(&line, on_event)?;
                self.line = line;
                self.line.clear();
            }
            bytes = &bytes[end + 1..];
        }
        Ok(())
    }

    /// The body has ended: hands out what waits for its line end or blank line.
    pub(crate) fn finish(&mut self, on_event: &mut dyn FnMut(&Event)) -> Result<(), EventTooLarge> {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.end_line(&line, on_event)?;
        }
        self.dispatch(on_event);
        Ok(())
    }

    /// Lines that were no field of an event stream, such as HTML of a proxy.
    pub(crate) fn strange_lines(&self) -> u32 {
        self.strange_lines
    }

    fn end_line(&mut self, line: &[u8], on_event: &mut dyn FnMut(&Event)) -> Result<(), EventTooLarge> {
        let line = match line.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) if !self.past_first_line => rest,
            _ => line,
        };
        self.past_first_line = true;
        if line.is_empty() {
            self.dispatch(on_event);
            return Ok(());
        }
        let (name, value) = match line.iter().position(|b| *b == b':') {
            Some(colon) => (
                &line[..colon],
                line[colon + 1..].strip_prefix(b" ").unwrap_or(&line[colon + 1..]),
            ),
            None => (line, &b""[..]),
        };
        match name {
            b"" => Ok(()),
            b"data" => {
                if self.has_data && begins_another(&self.event.data, value) {
                    self.dispatch(on_event);
                }
                self.push_data(value)
            }
            b"event" => {
                self.event.is_error |= value.trim_ascii() == b"error";
                Ok(())
            }
            b"error" => {
                self.event.is_error = true;
                self.push_data(value)
            }
            b"id" | b"retry" => Ok(()),
            _ if line.starts_with(b"{") => self.push_data(line),
            _ if line.trim_ascii().is_empty() => Ok(()),
            _ => {
                self.strange_lines = self.strange_lines.saturating_add(1);
                Ok(())
            }
        }
    }

    fn push_data(&mut self, value: &[u8]) -> Result<(), EventTooLarge> {
        if self.event.data.len() + value.len() >= MAX_EVENT_BYTES {
            return Err(EventTooLarge);
        }
        if self.has_data {
            self.event.data.push(b'\n');
        }
        self.has_data = true;
        self.event.data.extend_from_slice(value);
        Ok(())
    }

    fn dispatch(&mut self, on_event: &mut dyn FnMut(&Event)) {
        if std::mem::take(&mut self.has_data) {
            on_event(&self.event);
        }
        self.event.data.clear();
        self.event.is_error = false;
    }
}

/// Whether a server forgot the blank line: no JSON document goes on like this.
fn begins_another(data: &[u8], value: &[u8]) -> bool {
    data.trim_ascii_end().ends_with(b"}") && (value.starts_with(b"{") || value.starts_with(b"[DONE]"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn events(pieces: &[&[u8]]) -> Vec<String> {
        let mut reader = SseReader::default();
        let mut seen = Vec::new();
        let mut push = |e: &Event| seen.push(String::from_utf8_lossy(&e.data).into_owned());
        for piece in pieces {
            reader.feed(piece, &mut push).expect("small");
        }
        reader.finish(&mut push).expect("small");
        seen
    }

    #[test]
    fn every_line_end_means_the_same() {
        for end in ["\n", "\r", "\r\n"] {
            let text = "\u{FEFF}: hi\ndata: a\ndata:  b\nid: 7\n\n\ndata:c\n\nevent: x\n\ndata\n\n".replace('\n', end);
            assert_eq!(events(&[text.as_bytes()]), ["a\n b", "c", ""], "{end:?}");
            let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(events(&bytes), ["a\n b", "c", ""], "{end:?} byte by byte");
        }
    }

    #[test]
    fn a_cr_ends_the_event_without_waiting_for_a_line_feed() {
        let mut reader = SseReader::default();
        let mut seen = 0;
        reader.feed(b"data: a\r\r", &mut |_| seen += 1).expect("small");
        assert_eq!(seen, 1);
        reader.feed(b"\ndata: b\n\n", &mut |_| seen += 1).expect("small");
        assert_eq!(seen, 2);
    }

    #[test]
    fn errors_are_marked_by_event_name_or_by_line() {
        for text in ["event: error\ndata: {}\n\n", "error: {}\n\n", "event:error \ndata: {}"] {
            let mut marked = Vec::new();
            let mut reader = SseReader::default();
            reader
                .feed(text.as_bytes(), &mut |e| marked.push(e.is_error))
                .expect("small");
            reader.finish(&mut |e| marked.push(e.is_error)).expect("small");
            assert_eq!(marked, [true], "{text}");
        }
    }

    #[test]
    fn bare_json_is_data_and_html_is_counted() {
        let mut reader = SseReader::default();
        let mut seen = Vec::new();
        reader
            .feed(b"{\"error\":1}\n\n<html>\n<p>\n", &mut |e| seen.push(e.data.clone()))
            .expect("small");
        assert_eq!(seen, [b"{\"error\":1}"]);
        assert_eq!(reader.strange_lines(), 2);
    }

    #[test]
    fn a_forgotten_blank_line_still_parts_two_documents() {
        assert_eq!(
            events(&[b"data: {}\ndata: {\ndata: }\ndata: [DONE]\n"]),
            ["{}", "{\n}", "[DONE]"]
        );
    }

    #[test]
    fn an_endless_line_and_an_endless_event_are_refused() {
        let kib = [b'x'; 1024];
        let mut line = SseReader::default();
        assert!(
            (0..MAX_EVENT_BYTES)
                .step_by(1000)
                .any(|_| line.feed(&kib, &mut |_| {}).is_err())
        );
        let mut event = SseReader::default();
        let data = [b"data: ".as_slice(), &kib, b"\n"].concat();
        assert!(
            (0..MAX_EVENT_BYTES)
                .step_by(1000)
                .any(|_| event.feed(&data, &mut |_| {}).is_err())
        );
    }

    proptest! {
        #[test]
        fn pieces_never_change_the_events(text in "(data: [a-c]{0,3}|: x|event: e|\r|\n|\r\n){0,24}", cut in 0usize..64) {
            let bytes = text.as_bytes();
            let cut = cut.min(bytes.len());
            prop_assert_eq!(events(&[bytes]), events(&[&bytes[..cut], &bytes[cut..]]));
        }
    }
}
