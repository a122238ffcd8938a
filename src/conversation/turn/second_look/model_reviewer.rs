//! The second look by a model.

use super::{Claimed, Reviewed, Reviewer};
use crate::conversation::engine::ReviewSettings;
use crate::conversation::estimate::tokens_of;
use crate::conversation::tools::NeedsReview;
use llm_client::{Asker, Attempts, ChatMessage, Completion, FinishReason, Llm, LlmError, LlmEvent, LlmRequest, tokens};
use plan_reader::Texts;
use plan_reader::review::{self, Claim, Verdict};
use std::sync::Arc;
use tokio::time::timeout;
use tokio_stream::StreamExt;

/// The configured model, asked in an ordinary call without tools.
pub(crate) struct ModelReviewer<'a> {
    pub llm: &'a dyn Llm,
    pub settings: &'a ReviewSettings,
    /// On whose behalf.
    pub asker: Asker,
}

#[async_trait::async_trait]
impl Reviewer for ModelReviewer<'_> {
    fn which(&self) -> NeedsReview {
        self.settings.which
    }

    async fn review(&self, values: &[Claimed], texts: &Texts<'_>) -> Reviewed {
        let claims: Vec<Claim> = values.iter().map(|value| value.claim.clone()).collect();
        let (system, user) = review::request(&claims, texts);
        let asked = tokens(&system) + tokens(&user);
        let request = LlmRequest {
            model: self.settings.model.clone(),
            messages: vec![
                ChatMessage::System(Arc::from(system)),
                ChatMessage::User(Arc::from(user)),
            ],
            temperature: Some(0.0),
            max_output_tokens: self.settings.max_output_tokens,
            attempts: Attempts::Once,
            asker: self.asker.clone(),
            ..LlmRequest::default()
        };
        let mut answer = String::new();
        let result = timeout(self.settings.timeout, read(self.llm, request, &mut answer)).await;
        let spent = || tokens_of(asked, tokens(&answer));
        let (outcome, verdicts, usage) = match result {
            Ok(Ok(completion)) if completion.finish == FinishReason::Stop => {
                let verdicts = review::parse(&answer, claims.len());
                ("answered", Some(verdicts), completion.usage.unwrap_or_else(spent))
            }
            // The last word of a cut answer may have lost its continuation.
            Ok(Ok(completion)) => ("cut", None, completion.usage.unwrap_or_else(spent)),
            Ok(Err(error)) => {
                tracing::info!(llm.error = error.class(), "The second look failed: {error}");
                let begun = !answer.is_empty();
                let usage = error.usage().or_else(|| begun.then(spent)).unwrap_or_default();
                (error.class(), None, usage)
            }
            Err(_) => {
                tracing::info!("The second look took too long");
                ("timeout", None, spent())
            }
        };
        count(outcome, verdicts.as_deref());
        Reviewed { verdicts, usage }
    }
}

/// Reads the whole answer.
async fn read(llm: &dyn Llm, request: LlmRequest, answer: &mut String) -> Result<Completion, LlmError> {
    let mut stream = llm.stream(request).await?;
    while let Some(event) = stream.next().await {
        match event? {
            LlmEvent::Text(text) => answer.push_str(&text),
            LlmEvent::Completed(completion) => return Ok(completion),
        }
    }
    Err(LlmError::Cut)
}

fn count(outcome: &'static str, verdicts: Option<&[Verdict]>) {
    metrics::counter!("plan_advisor_reviews_total", "outcome" => outcome).increment(1);
    for verdict in verdicts.unwrap_or_default() {
        let verdict = match verdict {
            Verdict::Stated => "stated",
            Verdict::Unsure => "unsure",
            Verdict::Wrong => "wrong",
        };
        metrics::counter!("plan_advisor_review_verdicts_total", "verdict" => verdict).increment(1);
    }
}
