//! Finds out at the start, and once a day, whether the model may take the second look. Nothing waits for it: until it is
//! known, what is not plain waits for the franchisee.

use crate::conversation::Engine;
use crate::conversation::turn::second_look::Fitness;
use crate::store::StoreResult;
use crate::store::turns::reviewer_checks;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

/// How often the table is asked: an instance learns so of a day that is over, and of what another one has measured.
const LOOK_EVERY: Duration = Duration::from_secs(600);

/// How soon a model that did not answer is asked again; each time twice as long, because it may still be loading.
const AGAIN_AFTER: Duration = Duration::from_secs(15);

/// Runs until `end` is cancelled; at once where there is nothing to find out.
pub(super) async fn keep(engine: &Engine, end: CancellationToken) {
    let mut pause = AGAIN_AFTER;
    while engine.review.is_measured() && engine.llm.is_configured() && engine.settings.review.is_some() {
        let is_known = match look(engine).await {
            Ok(is_known) => is_known,
            Err(error) => {
                warn!(error = %error.chain(), "Whether the model is fit for the second look could not be read");
                false
            }
        };
        pause = match is_known {
            true => LOOK_EVERY,
            false => (pause * 2).min(LOOK_EVERY),
        };
        tokio::select! {
            () = end.cancelled() => break,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Whether it is known now.
async fn look(engine: &Engine) -> StoreResult<bool> {
    let Some(settings) = &engine.settings.review else {
        return Ok(false);
    };
    let model = settings.model.clone().unwrap_or_else(|| engine.llm.model_name());
    let key = engine.review.key(&model);
    let known = reviewer_checks::find(&*engine.db.conn().await?, &key).await?;
    let is_fit = match known {
        Some(is_fit) => is_fit,
        None => {
            let Some(fitness) = Fitness::measure(&*engine.llm, settings).await else {
                info!(llm.model = %model, "{model} did not answer the claims that show whether it is fit for the second look");
                return Ok(false);
            };
            reviewer_checks::keep(&*engine.db.conn().await?, &key, fitness.is_fit()).await?;
            fitness.is_fit()
        }
    };
    if !is_fit {
        warn!(llm.model = %model, "{model} confirms wrong values: it takes no second look. Set LLM_REVIEW_MODEL or LLM_REVIEW=off");
    }
    engine.review.found(is_fit);
    Ok(true)
}
