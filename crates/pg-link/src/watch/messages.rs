//! The messages in a stream of PostgreSQL's protocol: a type, a length, a body
//! (<https://www.postgresql.org/docs/current/protocol-overview.html#PROTOCOL-MESSAGE-CONCEPTS>).

/// Type and length of a message.
const HEADER: usize = 5;
/// Bytes of an error's body that are kept: severity, in the server's language and in English, and the code come first.
const KEPT: usize = 128;

/// Splits one direction of the protocol into messages, however the bytes arrive.
#[derive(Debug, Default)]
pub(super) struct MessageSplitter {
    /// Header, and of errors the beginning of the body.
    head: Vec<u8>,
    /// Bytes of the body still to come.
    left: usize,
}

impl MessageSplitter {
    /// A client's first message has a length only.
    pub(super) fn from_client() -> Self {
        Self { head: vec![0], left: 0 }
    }

    /// Gives each message's type, and of errors the beginning of the body, when its last byte has come.
    pub(super) fn read(&mut self, mut bytes: &[u8], mut each: impl FnMut(u8, &[u8])) {
        while !bytes.is_empty() {
            let in_header = self.head.len() < HEADER;
            let wanted = if in_header { HEADER - self.head.len() } else { self.left };
            let (piece, rest) = bytes.split_at(wanted.min(bytes.len()));
            bytes = rest;
            if in_header {
                self.head.extend_from_slice(piece);
                let Some(length) = self.head.get(1..HEADER).and_then(|length| length.try_into().ok()) else {
                    continue;
                };
                // The length counts itself.
                self.left = usize::try_from(u32::from_be_bytes(length))
                    .unwrap_or(usize::MAX)
                    .saturating_sub(4);
            } else {
                let space = (HEADER + KEPT).saturating_sub(self.head.len());
                if self.head.first() == Some(&b'E') {
                    self.head.extend_from_slice(&piece[..piece.len().min(space)]);
                }
                self.left -= piece.len();
            }
            if self.left == 0 && self.head.len() >= HEADER {
                each(self.head[0], &self.head[HEADER..]);
                self.head.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READY: &[u8] = b"Z\0\0\0\x05I";

    #[test]
    fn messages_are_found_however_the_bytes_arrive() {
        let stream = [b"C\0\0\0\x06a\0".as_slice(), READY, b"E\0\0\0\x0dSERROR\0\0\0", READY].concat();
        for size in 1..=stream.len() {
            let (mut messages, mut kinds) = (MessageSplitter::default(), Vec::new());
            for piece in stream.chunks(size) {
                messages.read(piece, |kind, _| kinds.push(kind));
            }
            assert_eq!(kinds, b"CZEZ", "in pieces of {size}");
        }
    }
}
