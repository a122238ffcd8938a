//! The three wire formats in which a model can be asked. Each writes a body and folds the frames of an answer.

pub(crate) mod chat;
pub(crate) mod messages;
pub(crate) mod responses;
pub(crate) mod shared;

use super::{
    ApiKind, LlmError, LlmRequest,
    answer::Answer,
    answer::json_repair::{HalfCharacter, mended, readable},
    answer::wire::Word,
    error::body::ErrorBody,
    quirks::Quirks,
    settings::ModelOptions,
    sse::Event,
};
use serde::{Deserialize, de::IgnoredAny};

/// The body of a request.
pub(crate) fn body(model: &str, request: &LlmRequest, options: &ModelOptions, quirks: Quirks) -> String {
    match quirks.api() {
        ApiKind::Chat => chat::body::body(model, request, options, quirks),
        ApiKind::Responses => responses::body::body(model, request, options, quirks),
        ApiKind::Messages => messages::body::body(model, request, options, quirks),
    }
}

/// Folds the frames of one answer. A server that answers in another format than it was asked in is understood as well.
#[derive(Debug)]
pub(crate) struct Frames {
    format: Format,
    /// Of a character that the next frame ends.
    half: HalfCharacter,
    /// The first frame of the answer has shown its format.
    is_settled: bool,
}

#[derive(Debug)]
enum Format {
    Chat(chat::reader::Frames),
    Responses(responses::reader::Frames),
    Messages(Box<messages::reader::Frames>),
}

impl Frames {
    pub(crate) fn new(api: ApiKind) -> Self {
        Self {
            format: Format::new(api),
            half: HalfCharacter::default(),
            is_settled: false,
        }
    }

    /// Folds one event of the stream.
    pub(crate) fn event(&mut self, answer: &mut Answer, event: &Event) -> Result<(), LlmError> {
        if answer.is_done() {
            return Ok(());
        }
        let payload = strip_prefixes(&event.data);
        if payload == b"[DONE]" {
            answer.done();
            return Ok(());
        }
        match self.payload(answer, payload, event.is_error) {
            // The answer was whole already; what cannot be read behind it costs nothing.
            Err(LlmError::Malformed(_)) if answer.is_finished() => {
                answer.ignore();
                Ok(())
            }
            folded => folded,
        }
    }

    fn payload(&mut self, answer: &mut Answer, payload: &[u8], is_error: bool) -> Result<(), LlmError> {
        match payload.first() {
            None => return Ok(()),
            Some(b'{' | b'[') => {}
            Some(_) if is_error => return Err(ErrorBody::read(&readable(payload)).into()),
            // A bare word is no frame, so no text is lost with it.
            Some(_) => {
                answer.ignore();
                return Ok(());
            }
        }
        let payload = &*self.half.join(payload);
        let json = readable(payload);
        let folded = self
            .json(answer, &json, is_error)
            .or_else(|| self.json(answer, &mended(&json), is_error));
        folded.unwrap_or(Err(LlmError::Malformed("frame is no JSON")))
    }

    /// The answer has ended: a character that was cut in two stays broken, and is seen where the text ends in it.
    pub(crate) fn end(&self, answer: &mut Answer) {
        if self.half.is_open() && answer.has_text() && answer.calls.is_empty() {
            answer.show("\u{FFFD}");
        }
    }

    /// A whole answer, or an error, as one JSON document instead of a stream.
    pub(crate) fn document(&mut self, answer: &mut Answer, body: &[u8]) -> Result<(), LlmError> {
        let json = readable(body.trim_ascii());
        self.json(answer, &json, false)
            .unwrap_or(Err(LlmError::NotAStream("neither events nor one JSON document")))?;
        answer.end_document()
    }

    /// `None`: no JSON.
    fn json(&mut self, answer: &mut Answer, json: &str, is_error: bool) -> Option<Result<(), LlmError>> {
        if !self.is_settled
            && let Some(api) = format_of(json)
        {
            self.is_settled = true;
            if self.format.api() != api {
                self.format = Format::new(api);
            }
        }
        answer.replay.api = self.format.api();
        match &mut self.format {
            Format::Chat(chat) => chat.json(answer, json, is_error),
            Format::Responses(responses) => responses.json(answer, json),
            Format::Messages(messages) => messages.json(answer, json),
        }
    }
}

impl Format {
    fn new(api: ApiKind) -> Self {
        match api {
            ApiKind::Chat => Self::Chat(chat::reader::Frames::default()),
            ApiKind::Responses => Self::Responses(responses::reader::Frames::default()),
            ApiKind::Messages => Self::Messages(Box::default()),
        }
    }

    fn api(&self) -> ApiKind {
        match self {
            Self::Chat(_) => ApiKind::Chat,
            Self::Responses(_) => ApiKind::Responses,
            Self::Messages(_) => ApiKind::Messages,
        }
    }
}

/// The format of a frame, where it is plain.
fn format_of(json: &str) -> Option<ApiKind> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Head<'a> {
        #[serde(borrow)]
        r#type: Word<'a>,
        #[serde(borrow)]
        object: Word<'a>,
        choices: Option<IgnoredAny>,
    }
    let head = serde_json::from_str::<Head>(json).ok()?;
    match (head.r#type.get(), head.object.get()) {
        _ if head.choices.is_some() => Some(ApiKind::Chat),
        (Some(kind), _) if kind.starts_with("response.") => Some(ApiKind::Responses),
        (_, Some("response")) => Some(ApiKind::Responses),
        (Some("message_start" | "message"), _) => Some(ApiKind::Messages),
        _ => None,
    }
}

/// What some servers write in front of the data: white space, a second `data:`.
fn strip_prefixes(data: &[u8]) -> &[u8] {
    let data = data.trim_ascii();
    data.strip_prefix(b"data:").map_or(data, <[u8]>::trim_ascii)
}
