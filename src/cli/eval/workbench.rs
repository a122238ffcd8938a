//! Runs one message as a turn would, on a plan in memory.

use crate::conversation::TurnSettings;
use crate::conversation::estimate::{Calibration, Meter};
use crate::conversation::form::{PromptForm, form, output_tokens};
use crate::conversation::snapshot::brand::Prefix;
use crate::conversation::snapshot::builder::{Prompt, Prompts};
use crate::conversation::snapshot::plan::PlanView;
use crate::conversation::snapshot::window::window;
use crate::conversation::stream::turn_log::{LiveTurns, TurnSender};
use crate::conversation::tools::{EvidenceTexts, NeedsReview, Services, ToolContext};
use crate::conversation::turn::progress::Progress;
use crate::conversation::turn::second_look::{Claimed, Reviewed, Reviewer};
use crate::conversation::turn::tool_loop::ToolLoop;
use crate::store::StoreResult;
use crate::store::brands::BrandVersion;
use crate::store::plans::Revision;
use crate::store::turns::prompts::TurnLease;
use llm_client::{Asker, ChatMessage, Llm};
use plan_eval::{Case, Earlier, FixedCalls, FixedVerdicts, Mode, Run, Speaker, Written};
use plan_model::brand::Brand;
use plan_model::ids::{BrandVersionId, PlanId, TurnId};
use plan_model::inputs::FinancialInputs;
use plan_model::message::FinishReason;
use plan_reader::{Outcome, Texts, Vocabulary};
use std::sync::Arc;
use time::OffsetDateTime;
use tokio::time::Instant;

/// The demo brand, a plan at its defaults, and what turns are allowed.
pub(super) struct Workbench {
    pub settings: TurnSettings,
    brand_version: Arc<BrandVersion>,
    prefix: Arc<Prefix>,
    calibration: Calibration,
    inputs: Arc<FinancialInputs>,
}

/// What came of a turn.
struct Turned {
    /// What it would write.
    written: Vec<Written>,
    /// What it would ask about.
    asked: Vec<Written>,
    text: String,
    /// How often a model was asked, second looks included.
    requests: u32,
}

/// The prompt of one message, without a database behind it.
struct InMemory<'a> {
    llm: &'a dyn Llm,
    workbench: &'a Workbench,
    history: &'a [ChatMessage],
    message: &'a str,
}

#[async_trait::async_trait]
impl Prompts for InMemory<'_> {
    async fn messages(&self, form: PromptForm, _: Option<u32>) -> StoreResult<Vec<ChatMessage>> {
        let Workbench {
            brand_version, inputs, ..
        } = self.workbench;
        let view = PlanView::new(Revision::FIRST, brand_version, Some(inputs), form);
        let prompt = Prompt {
            prefix: &self.workbench.prefix,
            form,
            view: &view,
            about: view.conversation("Franchisee", "My plan", None),
            message: self.message,
        };
        Ok(prompt.messages(self.history))
    }
}

#[async_trait::async_trait]
impl Services for InMemory<'_> {
    fn model_name(&self) -> Arc<str> {
        self.llm.model_name()
    }
}

#[async_trait::async_trait]
impl Reviewer for FixedVerdicts<'_> {
    fn which(&self) -> NeedsReview {
        NeedsReview::Unclear
    }

    async fn review(&self, values: &[Claimed], _: &Texts<'_>) -> Reviewed {
        let verdict = |claimed: &Claimed| self.of(&claimed.field, claimed.value);
        Reviewed {
            verdicts: Some(values.iter().map(verdict).collect()),
            ..Reviewed::default()
        }
    }
}

impl Workbench {
    pub(super) fn new(settings: TurnSettings) -> Self {
        let brand = Brand::demo();
        let inputs = FinancialInputs::from_brand(&brand);
        let brand_version = BrandVersion {
            id: BrandVersionId::fresh(),
            fields: brand.fields().into(),
            brand,
        };
        Self {
            settings,
            prefix: Arc::new(Prefix::new(&brand_version)),
            calibration: Calibration::default(),
            inputs: Arc::new(inputs),
            brand_version: Arc::new(brand_version),
        }
    }

    /// Runs a message by the mode's model.
    pub(super) async fn case(&self, mode: &Mode, llm: &dyn Llm, case: &Case, reviewer: Option<&dyn Reviewer>) -> Run {
        match mode {
            Mode::Offline | Mode::Model => self.labeled(llm, case, reviewer).await,
            Mode::Calls(recorded) => match recorded.of(&case.id) {
                Some(calls) => self.labeled(&calls, case, reviewer).await,
                None => Run::Left,
            },
            Mode::Traps => self.traps(case, reviewer).await,
        }
    }

    /// The names of the brand's fields.
    pub(super) fn vocabulary(&self) -> &Vocabulary {
        &self.prefix.vocabulary
    }

    /// What an advisor says to a message, and how many values the turn would write.
    ///
    /// # Errors
    /// Where the turn fails.
    pub(super) async fn said(&self, llm: &dyn Llm, case: &Case) -> Result<(String, usize), String> {
        let turned = self.turn(llm, case, None).await?;
        Ok((turned.text, turned.written.len()))
    }

    async fn labeled(&self, llm: &dyn Llm, case: &Case, reviewer: Option<&dyn Reviewer>) -> Run {
        match self.turn(llm, case, reviewer).await {
            Ok(turned) => Run::Done {
                written: turned.written,
                asked: turned.asked,
                labeled: true,
                requests: turned.requests,
            },
            Err(error) => Run::Failed(error),
        }
    }

    /// Each trap in a turn of its own, so that two of them never contest each other.
    async fn traps(&self, case: &Case, reviewer: Option<&dyn Reviewer>) -> Run {
        let (mut written, mut requests) = (Vec::<Written>::new(), 0);
        for trap in &case.traps {
            match self.turn(&FixedCalls::of_trap(trap), case, reviewer).await {
                Ok(turned) => {
                    written.extend(turned.written);
                    requests += turned.requests;
                }
                Err(error) => return Run::Failed(error),
            }
        }
        Run::Done {
            written,
            asked: Vec::new(),
            labeled: false,
            requests,
        }
    }

    async fn turn(&self, llm: &dyn Llm, case: &Case, reviewer: Option<&dyn Reviewer>) -> Result<Turned, String> {
        // A conversation begins with its user: the prompt's window leaves out an answer that nothing stands before.
        let opened = case
            .context
            .first()
            .is_some_and(|first| first.role == Speaker::Assistant);
        let hello = opened.then(|| ChatMessage::User(Arc::from("Hello.")));
        let history: Vec<ChatMessage> = hello.into_iter().chain(case.context.iter().map(message_of)).collect();
        let history = window(&history, self.settings.max_context_messages);
        let prompt = InMemory {
            llm,
            workbench: self,
            history,
            message: &case.message,
        };
        let words = EvidenceTexts {
            message: case.message.clone(),
            previous_message: case.last(Speaker::User).map(str::to_owned),
            said: Vec::new(),
            advisor: case.last(Speaker::Assistant).map(str::to_owned),
            about: None,
        };
        let mut ctx = ToolContext::new(
            Arc::clone(&self.brand_version),
            Arc::clone(&self.prefix.vocabulary),
            Some(Arc::clone(&self.inputs)),
            words,
            OffsetDateTime::UNIX_EPOCH,
        );
        let live = LiveTurns::default();
        let lease = TurnLease {
            turn: TurnId::fresh(),
            attempt: 1,
            fence: 1,
        };
        let sender = TurnSender::new(live.open(PlanId::fresh(), lease), live);
        let context = llm.context_tokens();
        let output = output_tokens(context, self.settings.max_output_tokens);
        let meter = Meter::default();
        let tools = ToolLoop {
            llm,
            settings: &self.settings,
            prompts: &prompt,
            services: &prompt,
            reviewer,
            sender: &sender,
            ctx: &mut ctx,
            prefix: Arc::clone(&self.prefix),
            calibration: &self.calibration,
            form: form(self.prefix.full.tokens, context, output),
            context,
            asker: Asker::default(),
            messages: Vec::new(),
            meter: &meter,
            started: Instant::now(),
            progress: Progress::default(),
        };
        let answer = tools.run().await.map_err(|error| error.to_string())?;
        let (written, asked) = outcomes(&ctx, answer.finish);
        Ok(Turned {
            written,
            asked,
            text: sender.log().text(),
            requests: meter.requests(),
        })
    }
}

fn message_of(earlier: &Earlier) -> ChatMessage {
    match earlier.role {
        Speaker::User => ChatMessage::User(Arc::from(earlier.content.as_str())),
        Speaker::Assistant => ChatMessage::Assistant {
            content: Arc::from(earlier.content.as_str()),
            tool_calls: Vec::new(),
        },
    }
}

fn outcomes(ctx: &ToolContext, finish: FinishReason) -> (Vec<Written>, Vec<Written>) {
    let (mut written, mut asked) = (Vec::new(), Vec::new());
    for decision in ctx.decisions() {
        let value = Written {
            field: decision.field,
            value: decision.value,
        };
        match decision.outcome {
            Outcome::Apply if finish == FinishReason::Stop => written.push(value),
            Outcome::Apply | Outcome::Propose | Outcome::NeedsReview => asked.push(value),
            Outcome::Unchanged | Outcome::Superseded => {}
        }
    }
    (written, asked)
}
