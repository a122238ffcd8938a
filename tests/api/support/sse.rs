//! Reads server-sent events by the rules of the HTML standard, and keeps what it read for checks of the wire itself.

/// One dispatched event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The last event id at that moment.
    pub id: String,
    pub name: String,
    pub data: String,
}

/// An incremental parser.
#[derive(Debug, Default)]
pub struct SseParser {
    /// Everything that came.
    pub raw: Vec<u8>,
    /// Comments, without the colon.
    pub comments: Vec<String>,
    /// `retry:` values, each with the number of events dispatched before it.
    pub retries: Vec<(u64, usize)>,
    /// Blocks that held a field but no data: an event to some clients, nothing to others.
    pub blocks_without_data: usize,
    dispatched: usize,
    line: Vec<u8>,
    after_cr: bool,
    begun: bool,
    last_id: String,
    name: String,
    data: Option<String>,
    has_field: bool,
}

impl SseParser {
    /// Takes bytes, gives the events they complete.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Frame> {
        self.raw.extend_from_slice(bytes);
        let mut out = Vec::new();
        for &byte in bytes {
            let after_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => {
                    let line = std::mem::take(&mut self.line);
                    out.extend(self.take_line(&line));
                }
                other => self.line.push(other),
            }
        }
        out
    }

    fn take_line(&mut self, line: &[u8]) -> Option<Frame> {
        let line = String::from_utf8_lossy(line);
        let mut line = line.as_ref();
        if !std::mem::replace(&mut self.begun, true) {
            line = line.strip_prefix('\u{FEFF}').unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        if let Some(comment) = line.strip_prefix(':') {
            self.comments.push(comment.trim_start().to_owned());
            return None;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        self.has_field = true;
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => {
                let data = self.data.get_or_insert_default();
                data.push_str(value);
                data.push('\n');
            }
            "id" if !value.contains('\0') => value.clone_into(&mut self.last_id),
            "retry" if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) => {
                self.retries.push((value.parse().expect("digits"), self.dispatched));
            }
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Frame> {
        let name = std::mem::take(&mut self.name);
        let has_field = std::mem::take(&mut self.has_field);
        let Some(mut data) = self.data.take() else {
            self.blocks_without_data += usize::from(has_field);
            return None;
        };
        data.pop();
        self.dispatched += 1;
        let name = if name.is_empty() { "message".to_owned() } else { name };
        Some(Frame {
            id: self.last_id.clone(),
            name,
            data,
        })
    }
}

#[test]
fn the_parser_follows_the_standard() {
    let mut parser = SseParser::default();
    let text = "\u{FEFF}: hello\n\nid: 1\ndata: a\ndata:b\r\n\r\ndata\n\nevent: x\ndata: c\r\rretry: 7\n\nid: no\0\ndata: d\n\ndata: cut";
    let frames: Vec<Frame> = text.as_bytes().iter().flat_map(|byte| parser.feed(&[*byte])).collect();
    let seen: Vec<_> = frames
        .iter()
        .map(|frame| (frame.id.as_str(), frame.name.as_str(), frame.data.as_str()))
        .collect();
    assert_eq!(
        seen,
        [
            ("1", "message", "a\nb"),
            ("1", "message", ""),
            ("1", "x", "c"),
            ("1", "message", "d")
        ]
    );
    assert_eq!(parser.comments, ["hello"]);
    assert_eq!((parser.retries.clone(), parser.blocks_without_data), (vec![(7, 3)], 1));
}
