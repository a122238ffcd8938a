//! For the fuzz targets: the two readers of a provider's bytes, fed in any pieces.

use super::{Completion, LlmError, reader::AnswerReader, sse::SseReader};

/// The data of each event and whether it is an error, the number of strange lines, and whether something was too large.
pub fn events(pieces: &[&[u8]]) -> (Vec<(Vec<u8>, bool)>, u32, bool) {
    let mut reader = SseReader::default();
    let mut seen = Vec::new();
    let fed = pieces
        .iter()
        .try_for_each(|piece| reader.feed(piece, &mut |event| seen.push((event.data.clone(), event.is_error))));
    let ended = fed.and_then(|()| reader.finish(&mut |event| seen.push((event.data.clone(), event.is_error))));
    (seen, reader.strange_lines(), ended.is_err())
}

/// The text that was shown, and how the answer ended.
pub fn answer(pieces: &[&[u8]]) -> (String, Result<Completion, LlmError>) {
    let mut reader = AnswerReader::default();
    let mut shown = String::new();
    let fed = pieces.iter().try_for_each(|piece| {
        let fed = reader.feed(piece);
        shown.push_str(&reader.take_text());
        fed
    });
    let ended = fed.and_then(|()| reader.end());
    shown.push_str(&reader.take_text());
    match ended.and_then(|()| reader.finish()) {
        Ok((rest, completion)) => (shown + &rest, Ok(completion)),
        Err(error) => (shown, Err(error)),
    }
}
