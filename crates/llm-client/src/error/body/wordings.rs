//! How servers say in words what they have no code for, and their codes, as data with its sources.

use crate::StatusReason;

/// The model, or the server as it was started, takes no tools.
pub(super) const NO_TOOLS: [&str; 9] = [
    // Ollama: https://github.com/ollama/ollama/issues/6027
    "does not support tools",
    // vLLM without `--enable-auto-tool-choice`
    "auto\" tool choice requires",
    "auto tool choice requires",
    // Bedrock
    "support the toolconfig",
    // OpenRouter, with 404
    "support tool use",
    // Groq and others
    "tool calling is not supported",
    "does not support function calling",
    // LiteLLM, as a list and with all that was sent: BerriAI/litellm, `UnsupportedParamsError`
    "parameters: ['tools'",
    "parameters: {'tools'",
];

/// What a sentence holds that says so in other words: tools, and that they are not taken.
pub(super) const NO_TOOLS_PARTS: [&[&str]; 2] = [
    &[
        "tools",
        "tool use",
        "tool call",
        "tool-call",
        "tool choice",
        "function call",
        "function-call",
        "functions",
    ],
    &[
        "not support",
        "n't support",
        "no support",
        "unsupported",
        "not enabled",
        "not available",
        "not allowed",
        "disabled",
        "only supported",
        // llama.cpp, with 500: "tools param requires --jinja flag"
        "requires --",
        // SGLang: "Tool call parser is not set"
        "is not set",
        "not configured",
        // Hugging Face: "template not found for tools"
        "template not found",
        "no template",
    ],
];

/// A sentence with these is about one tool's schema.
pub(super) const OF_SCHEMA: [&str; 6] = ["schema", "tools.", "tools[", "parameters", "keyword", "property"];

/// Words of a refusal.
pub(super) const REFUSES: [&str; 14] = [
    "extra",
    "unknown",
    "unrecognized",
    "not recogni",
    "unsupported",
    "not support",
    "n't support",
    "only supported",
    "not implemented",
    "not be mapped",
    "not permitted",
    "unexpected",
    "not allowed",
    "invalid",
];

/// Words by which a server that says it has failed refuses what was sent.
pub(super) const OF_REQUEST: [&str; 5] = [
    "unexpected keyword argument",
    "unrecognized request argument",
    "validation error",
    "extra inputs are not permitted",
    "is not implemented",
];

/// Words for a limit of the answer that is below what was asked for: OpenAI's "supports at most" (enoch3712/ExtractThinker#346),
/// Ark's "expected a value <=" (Gitlawb/openclaude#331), Groq's "less than or equal
/// to", DeepSeek's "the valid range is", Gemini's "supported range", Amazon's "exceeds the model limit".
pub(super) const OUTPUT_LIMIT_SIGNS: [&str; 14] = [
    "too large",
    "too high",
    "too big",
    "at most",
    "less than",
    "greater than",
    "exceed",
    "maximum",
    "range",
    "should be in",
    "between",
    "limit of",
    " > ",
    "<=",
];

/// The server has no such model.
pub(super) const UNKNOWN_MODEL: [&str; 11] = [
    "not found",
    "not_found",
    "does not exist",
    "no such model",
    "unknown model",
    "invalid model",
    "try pulling",
    // DeepSeek
    "not exist",
    // OpenRouter
    "not a valid model",
    // llama-swap
    "could not find",
    // Together
    "unable to access model",
];

/// A provider that has blocked an account says so with the words of its filter.
pub(super) const OF_ACCOUNT: [&str; 6] = [
    "organization",
    "account",
    "api access",
    "your api key",
    "further requests",
    "terminated",
];

/// Other words of servers that give no code.
pub(super) const OTHERS: &[(StatusReason, &[&str])] = &[
    (
        StatusReason::ContentFilter,
        &[
            // DeepSeek: 666ghj/BettaFish#108
            "content exists risk",
            // Azure
            "content management policy",
            // xAI
            "usage guidelines",
            // OpenAI
            "usage polic",
            "content polic",
            "safety system",
            "flagged as",
            // OpenRouter
            "was flagged",
            "requires moderation",
            // Bedrock
            "blocked by guardrail",
            "blocked by content filter",
            // DashScope
            "inappropriate content",
            // Kimi
            "considered high risk",
            // Gemini
            "prohibited content",
            "prohibited_content",
            "responsible ai",
            // LiteLLM's guardrails: BerriAI/litellm PR#29194
            "guardrail",
            "content blocked",
            // Cloudflare's gateway
            "prompt blocked",
            "blocked by our content filter",
            // MiniMax
            "new_sensitive",
            // Qianfan
            "security risk",
            // Spark
            "涉嫌违规",
            "敏感",
        ],
    ),
    (
        StatusReason::Quota,
        &[
            "insufficient_quota",
            "insufficient_balance",
            "insufficient balance",
            "billing_hard_limit",
            "credit balance",
        ],
    ),
    (
        StatusReason::RateLimited,
        &["rate_limit", "rate limit", "resource_exhausted", "too many requests"],
    ),
    (
        StatusReason::Timeout,
        &["stream disconnected", "request_timeout", "request timed out"],
    ),
    (
        StatusReason::Server,
        &["overloaded", "server_error", "internal_error", "unavailable"],
    ),
];

/// Codes, types and statuses, in lower case and without underscores, dashes and blanks. The more telling ones first:
/// some servers call everything an invalid request.
pub(super) const CODES: &[(StatusReason, &[&str])] = &[
    (
        StatusReason::ContextLength,
        &[
            "contextlengthexceeded",
            "exceedcontextsizeerror",
            "contextwindowexceedederror",
            "modelcontextwindowexceeded",
            "requesttoolarge",
            // Qianfan
            "tokenstoolong",
            // GitHub's models
            "tokenslimitreached",
            // Copilot
            "modelmaxprompttokensexceeded",
            // Z.ai
            "1261",
        ],
    ),
    (
        StatusReason::ContentFilter,
        &[
            "contentfilter",
            "contentpolicyviolation",
            "responsibleaipolicyviolation",
            "datainspectionfailed",
            "contentblocked",
            "contentpolicy",
            "moderationblocked",
            // OpenAI
            "invalidprompt",
            "cyberpolicyviolation",
            // StepFun
            "censorshipblocked",
            // Portkey
            "hooksfailed",
            // Volcengine
            "sensitivecontentdetected",
            "inputtextsensitivecontentdetected",
            // Cloudflare's gateway
            "2016",
            "2017",
            // Spark
            "10013",
            // MiniMax
            "1026",
            "1027",
            // Amazon
            "guardrailexception",
            // Zhipu
            "1301",
        ],
    ),
    (
        StatusReason::Quota,
        &[
            "insufficientquota",
            "insufficientbalance",
            "billinghardlimitreached",
            "billingerror",
            "insufficientcredits",
        ],
    ),
    (
        StatusReason::Timeout,
        &["requesttimeout", "timeouterror", "timeout", "deadlineexceeded"],
    ),
    (
        StatusReason::RateLimited,
        &[
            "ratelimitexceeded",
            "ratelimiterror",
            "resourceexhausted",
            "toomanyrequests",
            "throttlingexception",
        ],
    ),
    (
        StatusReason::Unauthorized,
        &["invalidapikey", "authenticationerror", "unauthenticated"],
    ),
    (
        StatusReason::Forbidden,
        &["permissionerror", "organizationrestricted", "accessterminated"],
    ),
    // Groq: the model's call was none.
    (StatusReason::MalformedCall, &["toolusefailed"]),
    (StatusReason::NotFound, &["modelnotfound", "notfounderror"]),
    (
        StatusReason::Server,
        &[
            "overloadederror",
            "overloaded",
            "engineoverloaded",
            "queuefull",
            "unavailable",
            "serviceunavailable",
        ],
    ),
];

/// Codes that some servers give to everything: the sentence says more.
pub(super) const VAGUE_CODES: &[(StatusReason, &[&str])] = &[
    (StatusReason::Forbidden, &["permissiondenied"]),
    (
        StatusReason::Server,
        &[
            "servererror",
            "internalservererror",
            "internalerror",
            "internal",
            "apierror",
        ],
    ),
    (
        StatusReason::BadRequest,
        &[
            "invalidrequesterror",
            "invalidargument",
            "badrequest",
            "badrequesterror",
            "invalidparameter",
            "unsupportedparameter",
            "unsupportedvalue",
            "validationerror",
        ],
    ),
];
