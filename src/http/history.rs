//! A conversation as a JSON array, block by block: what a reader costs does not grow with its length.

use crate::conversation::history::History;
use crate::http::error::AppError;
use crate::http::reads::{Blocks, LongRead, Reads};
use crate::store::{StoreError, StoreResult};
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use plan_model::ids::UserId;
use plan_model::message::Message;
use serde::Serialize;

/// Shows a message; the flag says that it is the last one.
type Show<T> = Box<dyn Fn(Message, bool) -> T + Send + Sync>;

/// The elements of the array with commas between them.
pub(crate) struct Elements<T> {
    history: History,
    show: Show<T>,
    /// Comes behind the history.
    extra: Option<T>,
    /// The first block, until it is sent.
    first: Option<Vec<u8>>,
    has_begun: bool,
    blocks: Blocks,
    /// Held while more than one block is to be sent.
    place: Option<LongRead>,
}

impl<T: Serialize> Elements<T> {
    /// Reads the first block.
    ///
    /// # Errors
    /// 429 if there is more and the person receives as many long answers as allowed.
    pub(crate) async fn open(
        history: History,
        reads: &Reads,
        person: UserId,
        show: Show<T>,
        extra: Option<T>,
    ) -> Result<Self, AppError> {
        let mut elements = Self {
            history,
            show,
            extra,
            first: None,
            has_begun: false,
            blocks: reads.blocks(person),
            place: None,
        };
        elements.first = elements.read().await?;
        if !elements.history.is_read() {
            elements.place = Some(reads.enter_long(person)?);
        }
        Ok(elements)
    }

    /// The next ones; `None` behind the last. A call that is given up changes nothing.
    ///
    /// # Errors
    /// If the database fails; the array is not whole then.
    pub(crate) async fn next(&mut self) -> StoreResult<Option<Bytes>> {
        match self.first.take() {
            Some(first) => Ok(Some(first.into())),
            None => Ok(self.read().await?.map(Bytes::from)),
        }
    }

    async fn read(&mut self) -> StoreResult<Option<Vec<u8>>> {
        let _turn = self.blocks.turn().await;
        let mut shown: Vec<T> = Vec::new();
        if let Some(block) = self.history.block().await? {
            let (count, is_read) = (block.len(), self.history.is_read());
            shown.extend(
                (1..)
                    .zip(block)
                    .map(|(nth, message)| (self.show)(message, is_read && nth == count)),
            );
        }
        if self.history.is_read() {
            shown.extend(self.extra.take());
        }
        let mut text = Vec::new();
        for element in &shown {
            if std::mem::replace(&mut self.has_begun, true) {
                text.push(b',');
            }
            // Our own plain types always serialize.
            serde_json::to_writer(&mut text, element).map_err(|_| StoreError::NotFound)?;
        }
        Ok((!text.is_empty()).then_some(text))
    }

    /// Whether nothing is left but what [`Self::next`] has at hand.
    fn is_whole(&self) -> bool {
        self.history.is_read()
    }
}

/// `{"data": […], "meta": …}`: with its length if it is one block, else streamed.
///
/// # Errors
/// If the database fails before anything is sent.
pub(crate) async fn respond<T: Serialize + Send + 'static>(
    mut elements: Elements<T>,
    meta: &impl Serialize,
) -> Result<Response, AppError> {
    let tail = format!(
        "],\"meta\":{}}}",
        serde_json::to_string(meta).map_err(AppError::internal)?
    );
    let mut head = b"{\"data\":[".to_vec();
    head.extend(elements.next().await?.unwrap_or_default());
    let body = if elements.is_whole() {
        head.extend(tail.into_bytes());
        Body::from(head)
    } else {
        streamed(head, elements, tail)
    };
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}

/// A client that reads slowly holds no connection to the database. An answer that ends early is an aborted one.
fn streamed<T: Serialize + Send + 'static>(head: Vec<u8>, elements: Elements<T>, tail: String) -> Body {
    let state = (Some(Bytes::from(head)), elements, Some(Bytes::from(tail)));
    Body::from_stream(stream::try_unfold(state, async |(head, mut elements, mut tail)| {
        let piece = match head {
            Some(head) => Some(head),
            None => match elements.next().await {
                Ok(Some(piece)) => Some(piece),
                Ok(None) => tail.take(),
                Err(error) => {
                    tracing::warn!(error = %error.chain(), "A history was cut short");
                    return Err(error);
                }
            },
        };
        Ok::<_, StoreError>(piece.map(|piece| (piece, (None, elements, tail))))
    }))
}
