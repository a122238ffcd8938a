//! Tokens with a timestamp of when they were sent: nine letters and a space, about as long as a word.

/// Length of a token in bytes.
pub const LENGTH: usize = 10;
const LETTERS: u64 = 26;

/// Writes the timestamp into `place`, which has [`LENGTH`] bytes.
pub fn stamp(place: &mut [u8], mut nanos: u64) {
    let (space, letters) = place.split_last_mut().expect("a token's place");
    *space = b' ';
    for letter in letters.iter_mut().rev() {
        *letter = b'a' + u8::try_from(nanos % LETTERS).expect("below 26");
        nanos /= LETTERS;
    }
}

/// The timestamps of the tokens in a text; `None` if the text does not consist of whole tokens.
pub fn stamps(text: &[u8]) -> Option<impl Iterator<Item = u64>> {
    let whole = text.len().is_multiple_of(LENGTH)
        && text.chunks(LENGTH).all(|token| {
            token
                .split_last()
                .is_some_and(|(space, letters)| *space == b' ' && letters.iter().all(u8::is_ascii_lowercase))
        });
    let read = |token: &[u8]| {
        token[..LENGTH - 1]
            .iter()
            .fold(0, |sum, letter| sum * LETTERS + u64::from(letter - b'a'))
    };
    whole.then(|| text.chunks(LENGTH).map(read))
}
