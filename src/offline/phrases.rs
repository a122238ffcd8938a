//! Phrases by which a wish is known, in lower case without marks, parted by bars.

pub const INTERNALS: &str = "system prompt|your prompt|your instructions|your rules|api key|developer mode|ignore all previous|\
    ignore previous|ignore your|ignore the rules|jailbreak";
pub const CORRECTS: &str = "actually|make it|make that|change it|change that|i meant|no wait|wait|sorry|correction|rather|instead|\
    should be|should have been";
pub const SUPPOSES: &str = "what if|what happens|what would|what will happen|suppose|supposing|say we|say i|if i|if we|if my|if our|if the|if rent|\
    how would|how bad would|would happen|imagine|let's say|hypothetically";
pub const ADVICE: &str = "should i|should we|do you recommend|would you recommend|would you suggest|you suggest|suggest a|recommend a|\
    what's a good|what is a good|what's normal|is normal|what's reasonable|reasonable|is good|is that good|is this good|is it good|good enough|typical|average|\
    usual|best number|too high|too low|too much|enough|what would you|your advice|advise";
pub const CLEAR: &str = "clear the conversation|clear this conversation|clear our conversation|clear the chat|clear chat|clear my chat|\
    clear this chat|clear the history|clear history|delete the chat|delete this chat|delete the conversation|\
    delete this conversation|delete our conversation|delete the history|erase the conversation|erase the chat|\
    erase this chat|wipe the chat|wipe this chat|clear conversation|forget this conversation|delete chat history|\
    clear our chat";
pub const RESET: &str = "reset|back to default|back to the default|back to defaults|back to the defaults|back to the placeholder|\
    back to the placeholders|restore the default|restore defaults|restore the defaults|start over|\
    start from scratch";
pub const PERFORMANCE: &str = "how much will i make|how much will i earn|how much can i make|how much can i earn|\
    how much do franchisees make|how much money will|what will i make|what will i earn|what do franchisees make|\
    how much do owners make|will i be rich|how much profit will|guarantee";
pub const MISSING: &str = "missing|what's left|what is left|what's next|what is next|what else do you need|still need|what do you need|\
    left to do|not filled|what next|next question|keep going|continue|let's go on|go on|let's start|let's begin|\
    get started";
pub const RESULTS: &str = "break even|breakeven|payback|pay back|paid back|cash flow|cashflow|lowest cash|run out of|run out|profit|\
    profitable|projection|projections|results|dscr|debt coverage|coverage ratio|how am i doing|how do i look|\
    where am i|how does my plan look|bottom line|how does it look|summary|overview|the numbers look|\
    return on investment|roi";
pub const MEANING: &str = "what is|what's|what are|what does|what do you mean by|explain|define|the meaning of";
pub const LEVERS: &str = "what matters|matters most|matter most|biggest lever|biggest levers|strongest lever|strongest levers|\
    what are the levers|which levers|moves the most|move the most|sensitivity|most sensitive|what drives";
pub const ONE_LESS: &str =
    "one less|one fewer|one person less|one person fewer|fewer people|fewer staff|less staff|less people";
pub const STATUS: &str = "are you online|are you working|is the server|system status|service status|status|is the database|are you up|\
    is everything working";
pub const IDENTITY: &str = "who are you|what are you|are you human|are you a human|are you a person|are you a bot|are you a robot|\
    are you real|are you an ai|are you ai|are you chatgpt|are you a computer|is this a bot|is this a person|\
    your name|account manager|talk to a human|real person";
pub const PRIVACY: &str = "franchisor see|who can see|who sees|is this private|is it private|confidential|share this|shared with|\
    share my|see this chat|see this conversation|read this|privacy|who reads";
pub const EXPANSION: &str = "second unit|second location|another unit|another location|more units|should i sign|haven't signed|not signed|\
    thinking of buying|buy a franchise|buy another|renew|open another|second store|before i sign";
pub const OTHER_PEOPLE: &str = "other franchisees|other franchisee|other owners|other plans|other users|another franchisee|competitors|\
    other brands|industry average";
pub const COUNSEL: &str = "legal advice|tax advice|lawyer say|will the bank approve|get approved|get the loan|approve my loan|\
    qualify for|is it legal|invest|sue|tax deductible|write off";
pub const THANKS: &str = "thanks|thank you|thx|great job|awesome|perfect|bye|goodbye|good bye";
pub const HELP: &str = "help|what can you do|how does this work|how do i use|what do you do|what can i ask";
pub const GREETING: &str = "hi|hello|hey|good morning|good afternoon|good evening|howdy|yo";

/// A message in plain lower-case words between blanks.
pub struct Words(pub String);

impl Words {
    pub fn new(text: &str) -> Self {
        let text = text.to_lowercase().replace('’', "'");
        let words: Vec<&str> = text
            .split(|c: char| !(c.is_alphanumeric() || c == '\''))
            .filter(|word| !word.is_empty())
            .take(200)
            .collect();
        Self(format!(" {} ", words.join(" ")))
    }

    /// Whether one of the phrases, parted by bars, occurs as whole words.
    pub fn any(&self, phrases: &str) -> bool {
        phrases.split('|').any(|phrase| {
            self.0.match_indices(phrase).any(|(at, _)| {
                let end = at + phrase.len();
                self.0.as_bytes()[at - usize::from(at > 0)] == b' '
                    && self.0.as_bytes().get(end).is_none_or(|byte| *byte == b' ')
            })
        })
    }
}
