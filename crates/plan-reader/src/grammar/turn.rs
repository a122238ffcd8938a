//! A turn's words: the message, and what it agrees to or completes.

use super::advisor::Advisor;
use super::mentions::mentions;
use super::message::Message;
use super::vocabulary::Vocabulary;
use super::{candidates, plain_yes};
use crate::texts::{Source, Texts};
use crate::understanding::{Statement, Understanding, Wish};

/// Reads the texts of a turn. Work is linear in their length.
pub fn understand(texts: &Texts<'_>, vocabulary: &Vocabulary) -> Understanding {
    let message = Message::read(texts, vocabulary);
    let names = candidates::names(&message);
    let mut out = Understanding {
        wish: plain_yes::wish(&message),
        work: message.work,
        mentions: mentions(&message, Source::Message),
        named: candidates::named(&message, &names),
        ..Understanding::default()
    };
    out.plain = message.plain();
    let found = candidates::candidates(&message, &names, &out.plain, Source::Message);
    (out.candidates, out.ignored) = (found.candidates, found.ignored);
    out.work += found.work;
    if message.amounts.is_empty() && out.plain.is_empty() {
        recall(&message, texts, vocabulary, &mut out);
    }
    out
}

/// A message without a number may agree to the advisor's, or complete the one before.
fn recall(message: &Message<'_>, texts: &Texts<'_>, vocabulary: &Vocabulary, out: &mut Understanding) {
    let advisor = plain_yes::agreed_to(message, texts, vocabulary);
    let stated = advisor
        .as_ref()
        .and_then(|advisor| plain_yes::stated(advisor, vocabulary));
    let offered = match &stated {
        Some(one) => Some((one.field.clone(), one.number)),
        None => advisor.as_ref().and_then(Advisor::offered),
    };
    if let Some((field, number)) = offered {
        let text = Texts::of(texts.advisor.unwrap_or_default());
        let said = mentions(&Message::read(&text, vocabulary), Source::Advisor);
        let said = said.into_iter().filter(|mention| mention.number == number);
        out.mentions.extend(said);
        out.agreed = Some(field);
    }
    if let Some(stated) = stated {
        out.plain.push(stated);
        return;
    }
    let period = plain_yes::period(message, texts, vocabulary);
    if let (Some(period), Some(previous)) = (period, texts.previous_message) {
        let mut before = Message::start(&Texts::of(previous), vocabulary);
        before.before.period = Some(period);
        before.read_all(previous);
        out.mentions.extend(mentions(&before, Source::PreviousMessage));
        for mention in &mut out.mentions {
            mention.period = mention.period.or(Some(period));
        }
        let plain = before.plain().into_iter();
        out.plain.extend(plain.map(|one| Statement {
            source: Source::PreviousMessage,
            ..one
        }));
        out.work += before.work;
    } else if out.wish == Some(Wish::Yes) {
        let offered = Message::read(&Texts::of(texts.advisor.unwrap_or_default()), vocabulary);
        let found = candidates::candidates(&offered, &candidates::names(&offered), &[], Source::Advisor);
        out.candidates = found.candidates;
        out.work += offered.work + found.work;
    }
}
