//! Whether a prompt of our size reaches the model whole. Servers with a small context refuse it, or drop its beginning, where
//! the rules are, without a word.

use crate::config::LlmConfig;
use crate::conversation::form::{self, PromptForm, output_tokens};
use crate::conversation::snapshot::brand::Prefix;
use crate::conversation::snapshot::plan::PlanView;
use crate::store::brands::BrandVersion;
use crate::store::plans::Revision;
use llm_client::{Asker, ChatMessage, Completion, Llm, LlmError, LlmEvent, LlmRequest, ToolDefinition, tokens};
use plan_model::brand::Brand;
use plan_model::ids::BrandVersionId;
use plan_model::inputs::FinancialInputs;
use std::sync::Arc;
use tokio_stream::StreamExt;

/// Stands at the very beginning.
const CODE_WORD: &str = "marigold";
const QUESTION: &str = "What is the code word in the first line of the text above? Answer with that word alone.";

/// Enough for a model that thinks before it answers with one word.
const OUTPUT_TOKENS: u32 = 2_048;

/// How an operator gives a model more context.
const MORE: &str = "give the model more (llama.cpp: --ctx-size 16384; Ollama: OLLAMA_CONTEXT_LENGTH=16384; vLLM: --max-model-len 16384)";

/// What was found out, for the operator.
pub(super) struct Finding {
    pub line: String,
    pub is_fit: bool,
}

impl Finding {
    fn fit(line: impl Into<String>) -> Self {
        Self {
            line: line.into(),
            is_fit: true,
        }
    }

    fn unfit(line: impl Into<String>) -> Self {
        Self {
            line: line.into(),
            is_fit: false,
        }
    }
}

/// Asks for a word at the beginning of a prompt as long as ours.
pub(super) async fn finding(llm: &dyn Llm, config: &LlmConfig) -> Finding {
    let brand_version = demo();
    let prefix = Prefix::new(&brand_version);
    let form = form(llm, config, &prefix);
    let tools = &prefix.form(form).tools;
    let text = prompt(&prefix, form, &brand_version);
    let asked = tokens(&text) + tools.iter().map(ToolDefinition::tokens).sum::<usize>();
    let (answer, completion) = match ask(llm, config, &text, Arc::clone(tools)).await {
        Ok(answered) => answered,
        Err(error) => return refused(llm, &error, asked),
    };
    if is_cut(&completion, asked) {
        return cut(asked);
    }
    if knows(&answer) {
        return Finding::fit(match form {
            PromptForm::Full => format!("reaches the model whole (about {asked} tokens)"),
            PromptForm::Compact => format!(
                "reaches the model whole in the compact form (about {asked} tokens); for the full form {MORE} and set LLM_CONTEXT_TOKENS"
            ),
        });
    }
    let control = format!("The code word is {CODE_WORD}.");
    match ask(llm, config, &control, [].into()).await {
        Ok((answer, _)) if knows(&answer) => cut(asked),
        _ => Finding::fit(
            "is answered; whether its beginning arrives could not be found out, the model does not repeat a word",
        ),
    }
}

fn form(llm: &dyn Llm, config: &LlmConfig, prefix: &Prefix) -> PromptForm {
    let context = llm.context_tokens();
    let output = output_tokens(context, config.max_output_tokens);
    form::form(prefix.full.tokens, context, output)
}

fn demo() -> BrandVersion {
    let brand = Brand::demo();
    BrandVersion {
        id: BrandVersionId::fresh(),
        fields: brand.fields().into(),
        brand,
    }
}

/// The code word, then what a first request has.
fn prompt(prefix: &Prefix, form: PromptForm, brand_version: &BrandVersion) -> String {
    let inputs = FinancialInputs::from_brand(&brand_version.brand);
    let plan = PlanView::new(Revision::FIRST, brand_version, Some(&inputs), form);
    let (brand, plan) = (prefix.form(form).text.as_str(), plan.text.as_str());
    format!("The code word is {CODE_WORD}.\n\n{brand}\n\n{plan}")
}

/// A server that counts far fewer tokens than we sent has dropped some.
fn is_cut(completion: &Completion, asked: usize) -> bool {
    let counted = completion.usage.map(|usage| usage.prompt_tokens);
    counted.is_some_and(|counted| counted > 0 && usize::try_from(counted).is_ok_and(|counted| counted * 10 < asked * 6))
}

fn cut(asked: usize) -> Finding {
    Finding::unfit(format!(
        "loses its beginning, and the rules with it, in the model's context: about {asked} tokens are too many; {MORE}, or set LLM_CONTEXT_TOKENS=4096"
    ))
}

fn refused(llm: &dyn Llm, error: &LlmError, asked: usize) -> Finding {
    if error.is_context_length() {
        let holds = llm
            .context_tokens()
            .map_or_else(|| "too little".to_owned(), |tokens| format!("{tokens} tokens"));
        let set = llm.context_tokens().map_or_else(
            || "LLM_CONTEXT_TOKENS".to_owned(),
            |tokens| format!("LLM_CONTEXT_TOKENS={tokens}"),
        );
        return Finding::fit(format!(
            "is sent in the compact form: the model's context holds {holds}, the full form has about {asked}; set {set}, or {MORE}"
        ));
    }
    let hint = match error {
        LlmError::FirstToken(_) => "; set LLM_TIMEOUT_SECONDS higher",
        _ => "",
    };
    Finding::unfit(format!("of about {asked} tokens is not answered: {error}{hint}"))
}

fn knows(answer: &str) -> bool {
    answer.to_lowercase().contains(CODE_WORD)
}

async fn ask(
    llm: &dyn Llm,
    config: &LlmConfig,
    text: &str,
    tools: Arc<[ToolDefinition]>,
) -> Result<(String, Completion), LlmError> {
    let request = LlmRequest {
        messages: vec![ChatMessage::System(Arc::from(text)), ChatMessage::User(QUESTION.into())],
        tools,
        temperature: Some(0.0),
        max_output_tokens: config.max_output_tokens.min(OUTPUT_TOKENS),
        asker: Asker::program(),
        ..LlmRequest::default()
    };
    let mut stream = llm.stream(request).await?;
    let mut answer = String::new();
    while let Some(event) = stream.next().await {
        match event? {
            LlmEvent::Text(text) => answer.push_str(&text),
            LlmEvent::Completed(completion) => return Ok((answer, completion)),
        }
    }
    Err(LlmError::Cut)
}
