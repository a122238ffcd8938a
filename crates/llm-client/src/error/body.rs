//! What a server's error says, read by the shapes that are known. Its text is searched for known phrases and is passed on to
//! nobody but an operator who asked with words of ours.

mod echo;
mod refuses;
mod shapes;
mod sizes;
mod wordings;

use crate::StatusReason;
pub(crate) use echo::Echo;
use serde_json::value::RawValue;
use sizes::{NOT_TOO_LONG, PACE, TOO_LONG, TOO_LONG_PARTS, Wording};
use std::fmt;
use wordings::{CODES, OF_ACCOUNT, OF_REQUEST, OTHERS, REFUSES, VAGUE_CODES};

/// Bytes of a sentence that an operator is shown.
const MAX_SHOWN: usize = 300;
/// A context that does not hold the compact prompt is of no use, and most probably none.
const MIN_CONTEXT: u32 = 1_024;

/// What a server's error says: its codes, the parameter it is about, its sentence. Nothing else of the body is read, so
/// nothing of what it repeats of the request (`input`) or of the model's answer (`failed_generation`).
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ErrorBody {
    /// The HTTP status it names.
    pub(crate) status: Option<u16>,
    /// Code, type and status, as [`CODES`] has them.
    codes: Vec<String>,
    param: Option<String>,
    sentence: String,
    /// llama.cpp's member for the size of its context.
    n_ctx: Option<u32>,
    /// What was asked, while the error is judged.
    echo: Echo,
    /// The size of the context that this error names, where it can be believed.
    pub(crate) context_tokens: Option<u32>,
    /// The sentence is the answer to words of ours, and may be shown.
    is_shown: bool,
}

impl ErrorBody {
    /// Whether nothing was read.
    pub(crate) fn is_empty(&self) -> bool {
        self.codes.is_empty() && self.sentence.is_empty() && self.param.is_none()
    }

    /// From here on what the request says itself teaches nothing; nor does a sentence with its key.
    pub(crate) fn judge(&mut self, request: &Echo, key: &str) {
        self.echo = request.clone();
        if self.echo.is_in(&self.sentence) || (!key.is_empty() && self.sentence.contains(key)) {
            self.sentence.clear();
        }
    }

    /// Lets the operator read the sentence, which answers words of ours.
    pub(crate) fn show(&mut self) {
        self.is_shown = self.own_sentence().is_some();
    }

    /// The sentence, where it holds neither words of a person nor what the model wrote.
    pub(crate) fn own_sentence(&self) -> Option<&str> {
        let is_of_model = self.codes.iter().any(|code| code == "toolusefailed");
        let sentence = self.sentence();
        (!is_of_model && !sentence.is_empty() && !self.echo.is_near(sentence)).then_some(sentence)
    }

    /// The server's own sentence, for an operator.
    fn sentence(&self) -> &str {
        &self.sentence[..self.sentence.floor_char_boundary(MAX_SHOWN)]
    }

    /// What it is about: by its codes, where they say something, else by its sentence.
    pub(crate) fn reason(&self) -> Option<StatusReason> {
        let has = |known: &&str| self.codes.iter().any(|code| code == known);
        let by_code = |codes: &[(StatusReason, &[&str])]| {
            let found = codes.iter().find(|(_, known)| known.iter().any(has));
            found.map(|(reason, _)| *reason)
        };
        if let Some(telling) = by_code(CODES) {
            return Some(telling);
        }
        if self.too_long().is_some() {
            return Some(StatusReason::ContextLength);
        }
        let words = self.sentence.to_ascii_lowercase();
        let is_of_account = OF_ACCOUNT.iter().any(|sign| words.contains(sign));
        let signs = OTHERS
            .iter()
            .filter(|(reason, _)| *reason != StatusReason::ContentFilter || !is_of_account)
            .flat_map(|(reason, signs)| signs.iter().map(move |sign| (*reason, *sign)));
        let said = signs.into_iter().find(|(_, sign)| self.says(&words, sign));
        said.map(|(reason, _)| reason).or_else(|| by_code(VAGUE_CODES))
    }

    /// What a refusal with this status is about.
    pub(crate) fn refusal_reason(&self, status: u16) -> StatusReason {
        use StatusReason as R;
        let by_status = R::of_status(status);
        match (by_status, self.reason()) {
            (R::RateLimited | R::Forbidden, Some(R::Quota)) => R::Quota,
            (R::BadRequest | R::Server, Some(R::ContextLength)) => R::ContextLength,
            (R::BadRequest | R::Forbidden, Some(R::ContentFilter)) => R::ContentFilter,
            (R::BadRequest, Some(R::MalformedCall)) => R::MalformedCall,
            (R::Server, _) if self.is_about_request() => R::BadRequest,
            _ => by_status,
        }
    }

    /// What it is about where it came inside of an answer.
    pub(crate) fn event_reason(&self) -> StatusReason {
        match self.reason().or(self.status.map(StatusReason::of_status)) {
            Some(StatusReason::Server) | None if self.is_about_request() => StatusReason::BadRequest,
            None if self.param.is_some() && self.says_any(&REFUSES) => StatusReason::BadRequest,
            reason => reason.unwrap_or(StatusReason::Other),
        }
    }

    /// Whether a server that says it has failed means that it does not take what we sent.
    fn is_about_request(&self) -> bool {
        self.says_any(&OF_REQUEST) || self.refuses_tools()
    }

    fn says(&self, words: &str, sign: &str) -> bool {
        words
            .find(sign)
            .is_some_and(|at| !self.echo.has(words, at..at + sign.len()))
    }

    /// The wording by which the sentence says that the request is too long, and the size it names.
    #[expect(clippy::option_option, reason = "a wording may name no size")]
    fn too_long(&self) -> Option<Option<u32>> {
        let words = self.sentence.to_ascii_lowercase();
        if PACE.iter().any(|sign| words.contains(sign)) {
            return None;
        }
        let found = TOO_LONG.iter().filter_map(|wording: &Wording| wording.find(&words));
        let own = found.filter(|(part, _)| !self.echo.has(&words, part.clone()));
        // A wording with a number says more than one without.
        let known = own.map(|(_, size)| size).max();
        known.or_else(|| self.says_too_long(&words).then(|| self.smaller_number(&words)))
    }

    /// Whether it says so in words that no row has: what is too long, in which measure, and that it is.
    fn says_too_long(&self, words: &str) -> bool {
        let says = |signs: &[&str]| signs.iter().any(|sign| self.says(words, sign));
        let [what, measure, too_much] = TOO_LONG_PARTS;
        says(what) && says(measure) && says(too_much) && !NOT_TOO_LONG.iter().any(|sign| words.contains(sign))
    }

    /// The smaller of two numbers: the limit, beside what was over it.
    fn smaller_number(&self, words: &str) -> Option<u32> {
        let mut numbers: Vec<u32> = self.own_numbers(words).filter(|n| *n >= MIN_CONTEXT).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.first().copied().filter(|_| numbers.len() > 1)
    }

    /// The numbers in it that are not of the request.
    fn own_numbers<'a>(&'a self, words: &'a str) -> impl Iterator<Item = u32> + 'a {
        let own = sizes::numbers(words).filter(|(part, _)| !self.echo.has(words, part.clone()));
        own.map(|(_, number)| number)
    }

    /// How many tokens question and answer may have together, where the error names it.
    pub(crate) fn size(&self) -> Option<u32> {
        let size = self.n_ctx.or(self.too_long()?);
        size.filter(|tokens| *tokens >= MIN_CONTEXT)
    }
}

/// Never the server's words, unless they answer ours.
impl fmt::Debug for ErrorBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ErrorBody({:?})", self.reason())
    }
}

impl fmt::Display for ErrorBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_shown && !self.sentence.is_empty() {
            true => write!(f, ": {}", self.sentence()),
            false => Ok(()),
        }
    }
}

/// The HTTP status that a code stands for, if it is that of an error.
pub(crate) fn http_status(code: &str) -> Option<u16> {
    code.parse().ok().filter(|status| (400..=599).contains(status))
}

/// An error value that is more than a placeholder.
pub(crate) fn says_something(error: &RawValue) -> bool {
    !matches!(error.get().trim(), "null" | "\"\"" | "{}" | "[]" | "false")
}

#[cfg(test)]
mod tests;
