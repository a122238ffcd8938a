//! "Actually, make it 4,300": a number without a name that corrects the one before.

use crate::offline::phrases::{self, Words};
use plan_model::field::FieldPath;
use plan_reader::{Texts, Understanding, Vocabulary, understand};

/// The message read as an answer about the field of the message before, where it corrects that one, names no field itself
/// and states nothing plainly. Whatever it states is to be asked back, never written down. `previous` is only called for
/// such a message.
pub fn of<'v>(
    texts: &Texts<'_>,
    message: &Understanding,
    previous: impl FnOnce() -> (Understanding, &'v Vocabulary),
) -> Option<Understanding> {
    let is_clear = !message.plain.is_empty() || !message.named.is_empty();
    if is_clear || !Words::new(texts.message).any(phrases::CORRECTS) {
        return None;
    }
    let (previous, vocabulary) = previous();
    let about = Texts {
        asked: Some(only_field(&previous)?),
        ..texts.clone()
    };
    Some(understand(&about, vocabulary))
}

/// The one field that a message states a number for.
fn only_field(message: &Understanding) -> Option<FieldPath> {
    let plain = message.plain.iter().map(|one| &one.field);
    let heard = message
        .candidates
        .iter()
        .filter_map(|one| Some(&one.choices.first()?.field));
    let mut fields = plain.chain(heard);
    let field = fields.next()?;
    fields.all(|other| other == field).then(|| field.clone())
}
