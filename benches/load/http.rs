//! A minimal HTTP/1.1 client: one head, a body by length or chunked. No allocation per read.

use anyhow::{Context, Result, bail};

/// The parsed head of a response.
#[derive(Debug)]
pub struct Head {
    pub status: u16,
    framing: Framing,
}

#[derive(Debug)]
enum Framing {
    Length(usize),
    Chunks(Place),
}

/// The position in a chunked body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Size(usize),
    SizeEnd(usize),
    Data(usize),
    DataEnd,
    Trailer,
    Over,
}

/// Length of the head including the blank line, once it is complete.
pub fn head_length(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4)
}

/// The value of a header.
pub fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.trim())
}

impl Head {
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let text = std::str::from_utf8(bytes)?;
        let status = text.split(' ').nth(1).and_then(|code| code.parse().ok());
        let chunked = header(text, "transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked"));
        let framing = if chunked {
            Framing::Chunks(Place::Size(0))
        } else {
            Framing::Length(header(text, "content-length").unwrap_or("0").parse()?)
        };
        Ok(Self {
            status: status.context("a status line")?,
            framing,
        })
    }

    /// Decodes bytes of the body into `out`.
    pub fn body(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
        match &mut self.framing {
            Framing::Length(left) => {
                *left = left.checked_sub(bytes.len()).context("more body than announced")?;
                out.extend_from_slice(bytes);
                Ok(())
            }
            Framing::Chunks(place) => chunks(place, bytes, out),
        }
    }

    pub fn is_over(&self) -> bool {
        matches!(self.framing, Framing::Length(0) | Framing::Chunks(Place::Over))
    }
}

fn chunks(place: &mut Place, mut bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
    while let Some(&byte) = bytes.first() {
        let mut used = 1;
        *place = match (*place, byte) {
            (Place::Data(left), _) => {
                used = left.min(bytes.len());
                out.extend_from_slice(&bytes[..used]);
                if used == left {
                    Place::DataEnd
                } else {
                    Place::Data(left - used)
                }
            }
            (Place::Size(size), b'\r') => Place::SizeEnd(size),
            (Place::Size(size), digit) => {
                let digit = char::from(digit).to_digit(16).context("a chunk's size")?;
                Place::Size(size * 16 + digit as usize)
            }
            (Place::SizeEnd(0), b'\n') => Place::Trailer,
            (Place::SizeEnd(size), b'\n') => Place::Data(size),
            (Place::DataEnd | Place::Trailer, b'\r') => *place,
            (Place::DataEnd, b'\n') => Place::Size(0),
            (Place::Trailer, b'\n') => Place::Over,
            (at, _) => bail!("byte {byte} at {at:?} of a chunked body"),
        };
        bytes = &bytes[used..];
    }
    Ok(())
}
