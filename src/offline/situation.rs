//! What the advisor can see: the last messages, the tools, the results of its own calls.

use crate::offline::message::lead::{self, Lead};
use crate::offline::message::product::Product;
use crate::offline::message::reading::{Reader, Reading, given, last_of_user, texts_at};
use crate::offline::message::{ask, parts, scaled};
use crate::offline::{answers, content};
use crate::wording;
use llm_client::{ChatMessage, LlmRequest};
use plan_model::field::{self, Bounds, Field, FieldPath};
use plan_model::language::Language;
use plan_model::tool_result::{FieldResult, FieldStatus};
use plan_reader::{
    Change, FieldChange, Heard, Intent, Line, Mention, Slots, Source, Texts, Understanding, Vocabulary, understand,
    wants,
};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use std::sync::Arc;

mod cases;

/// Earlier messages that are looked at for what "it" and "that" are.
const LOOKED_AT: usize = 6;

/// A call that was made in this turn, and what came back.
#[derive(Debug)]
pub(super) struct ToolResult {
    pub tool: String,
    /// JSON, or null where the result was none.
    pub content: Value,
}

/// One request, understood.
pub(super) struct Situation<'a> {
    pub fields: Arc<[Field]>,
    pub language: Language,
    texts: Texts<'a>,
    /// The message with all its parts.
    whole: &'a str,
    vocabulary: Arc<Vocabulary>,
    pub understanding: Understanding,
    /// What the message wants, with its slots.
    pub heard: Heard,
    /// The field that the advisor's last question asked for, by its place in `fields`.
    pub asked: Option<usize>,
    /// What the message's first words are, where they answer by themselves: all else is about what follows them.
    pub lead: Option<Lead>,
    /// Whether the message is a yes to what the advisor asked back.
    pub is_agreed: bool,
    /// Whether its changes are all of the case that is meant.
    pub is_whole_case: bool,
    /// Whether what the message wants is given, and not read from it.
    pub is_known: bool,
    /// A question of the message that no part answers.
    pub unanswered: Option<&'a str>,
    /// Products that are stated beside each other, or beside values.
    pub products: Vec<Product>,
    /// Values of the message that were only noted, where it states some beside what it wants.
    pub noted: Vec<FieldResult>,
    /// Of the calls of this part.
    pub results: Vec<ToolResult>,
    tools: Vec<&'a str>,
    messages: &'a [ChatMessage],
}

impl<'a> Situation<'a> {
    /// The message as a whole.
    pub(super) fn of(request: &'a LlmRequest) -> Self {
        let mut all = Self::read(request, |_, whole| vec![whole]);
        all.remove(0)
    }

    /// One for each part of the message that wants something of its own, at least one.
    pub(super) fn parts(request: &'a LlmRequest) -> Vec<Self> {
        Self::read(request, parts::of)
    }

    fn read(
        request: &'a LlmRequest,
        split: impl FnOnce(&Reader<'_, 'a>, Reading<'a>) -> Vec<Reading<'a>>,
    ) -> Vec<Self> {
        let messages = &request.messages;
        let last = last_of_user(messages);
        let tools: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
        let fields = match &request.fields {
            none if none.is_empty() => field::catalogue().into(),
            fields => Arc::clone(fields),
        };
        let vocabulary = Arc::new(Vocabulary::with_ranges(&fields, &request.ranges));
        let before = &messages[..last.unwrap_or(0)];
        let mut texts = texts_at(messages, last, &fields);
        let shown = wording::says(texts.message, "w.moves_it").then(|| shown_before(before, &fields, &vocabulary));
        texts.about = shown
            .flatten()
            .or_else(|| request.about.clone())
            .or_else(|| stated_before(before, &fields, &vocabulary));
        // An "aja" is of the language of the answer before it.
        let written = Language::of_message(texts.message);
        let asked_in = texts.advisor.and_then(Language::of_message);
        let asked = texts.asked.as_ref();
        let asked = asked.and_then(|path| fields.iter().position(|field| field.path == *path));
        let reader = Reader {
            before,
            fields: &fields,
            vocabulary: &vocabulary,
        };
        let readings = split(&reader, reader.read(texts));
        // A yes is answered in the language of its question.
        let is_agreed = readings.iter().any(|reading| reading.is_agreed);
        let language = written.filter(|_| !is_agreed).or(asked_in);
        let language = language.unwrap_or(request.language);
        let behind = &messages[last.map_or(0, |at| at + 1)..];
        let of_part = |(part, reading): (usize, Reading<'a>)| Self {
            language,
            lead: reading.lead,
            is_agreed: reading.is_agreed,
            is_whole_case: reading.is_whole_case,
            is_known: false,
            heard: reading.heard,
            understanding: reading.understanding,
            asked,
            fields: Arc::clone(&fields),
            texts: reading.texts,
            whole: last.map_or("", |at| content(&messages[at])),
            vocabulary: Arc::clone(&vocabulary),
            unanswered: reading.unanswered,
            noted: match reading.is_beside_values {
                true => noted(behind),
                false => Vec::new(),
            },
            products: reading.products,
            results: results(behind, part),
            tools: tools.clone(),
            messages: before,
        };
        readings.into_iter().enumerate().map(of_part).collect()
    }

    pub(super) fn message(&self) -> &'a str {
        self.texts.message
    }

    /// Whether the message asks for each month of a year, in whichever of its parts: "sales and cash, month by month".
    pub(super) fn asks_for_months(&self) -> bool {
        wording::says(self.whole, "w.month_by_month")
    }

    /// Whether the message goes back to the plan as it stands, in whichever of its parts: "no, my normal plan. What is left for me?"
    pub(super) fn is_of_plan(&self) -> bool {
        wording::says(self.whole, "w.of_plan") && !self.refers_to_case()
    }

    /// Whether the message refers to a case: "in that version", "with that".
    pub(super) fn refers_to_case(&self) -> bool {
        ["w.of_case", "w.with_that"]
            .iter()
            .any(|key| wording::says(self.texts.message, key))
    }

    /// The person's message before this one, with its numbers.
    pub(super) fn message_before(&self) -> Option<(&'a str, Vec<Mention>)> {
        let message = self.texts.previous_message?;
        let said = understand(&Texts::of(message), &self.vocabulary).with_ungrouped();
        Some((message, said.mentions))
    }

    /// Earlier messages of the person that have a number, the newest first, with what they say.
    pub(super) fn said_before(&self) -> impl Iterator<Item = (Texts<'a>, Understanding)> + '_ {
        const SAID: usize = 20;
        let said = self.texts_before(SAID);
        let numbered = said.filter(|texts| texts.message.contains(|c: char| c.is_ascii_digit()));
        numbered.map(|texts| {
            let understanding = understand(&Texts::of(texts.message), &self.vocabulary).with_ungrouped();
            (texts, understanding)
        })
    }

    /// What an earlier message wants.
    pub(super) fn wanted(&self, texts: &Texts<'_>) -> Heard {
        wants(texts, &self.vocabulary)
    }

    /// The person's messages before this one, the newest first, each with what was said before it.
    fn texts_before(&self, most: usize) -> impl Iterator<Item = Texts<'a>> + '_ {
        let places = self.messages.iter().enumerate().rev();
        let users = places.filter(|(_, message)| matches!(message, ChatMessage::User(_)));
        users
            .take(most)
            .map(|(at, _)| texts_at(self.messages, Some(at), &self.fields))
    }

    /// The years that the message names, each once.
    pub(super) fn years(&self) -> Vec<u8> {
        plan_reader::years(&self.texts, &self.vocabulary)
    }

    /// The years that the message before this one names.
    pub(super) fn years_before(&self) -> Vec<u8> {
        let before = self.texts_before(1).next();
        before.map_or_else(Vec::new, |texts| plan_reader::years(&texts, &self.vocabulary))
    }

    pub(super) fn advisor(&self) -> Option<&'a str> {
        self.texts.advisor
    }

    pub(super) fn slots(&self) -> &Slots {
        &self.heard.slots
    }

    /// What earlier messages wanted, the newest first.
    pub(super) fn earlier(&self) -> impl Iterator<Item = Heard> + '_ {
        self.texts_before(LOOKED_AT).map(|texts| self.wanted(&texts))
    }

    /// The lines that the message names, or the one that it surely asks for.
    pub(super) fn lines_named(&self) -> Vec<Line> {
        let mut named: Vec<Line> = Vec::new();
        for line in self
            .message()
            .split([',', '&'])
            .flat_map(|part| part.split(" and "))
            .flat_map(|part| part.split(" y "))
        {
            let line = plan_reader::lines_named(line, &self.vocabulary).into_iter().next();
            named.extend(line.filter(|line| !named.contains(line)));
        }
        let sure = self.slots().line.clone().filter(|_| self.heard.is_sure_of_figures());
        if named.is_empty() {
            sure.into_iter().collect()
        } else {
            named
        }
    }

    /// The figures that the message may be about, where it is not understood.
    pub(super) fn lines_near(&self) -> Vec<Line> {
        plan_reader::figures_near(&self.texts, &self.vocabulary)
    }

    /// Whether the message says no to what was asked last.
    pub(super) fn refuses(&self) -> bool {
        self.lead == Some(Lead::No) || lead::begins_with_no(self.texts.message)
    }

    /// What a customer pays, as an earlier message says.
    pub(super) fn price_before(&self) -> Option<Decimal> {
        scaled::price_before(scaled::Known {
            before: self.messages,
            fields: &self.fields,
            vocabulary: &self.vocabulary,
        })
    }

    /// The price at which an earlier answer counts customers.
    pub(super) fn price_counted(&self) -> Option<&'a str> {
        answers(self.messages).find_map(ask::price_counted)
    }

    /// The words of a span of one of the turn's texts, at most 200 characters of them.
    pub(super) fn quote(&self, source: Source, start: usize, end: usize) -> String {
        let text = self.texts.text(source);
        text.get(start..end).unwrap_or_default().chars().take(200).collect()
    }

    pub(super) fn field(&self, path: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.path.as_str() == path)
    }

    /// The field that the message is about, or the last one that was talked about.
    pub(super) fn field_meant(&self) -> Option<&Field> {
        let named = self.slots().field.as_ref().or_else(|| self.understanding.named.first());
        let earlier = || self.earlier().find_map(|heard| heard.slots.field);
        let path: Option<FieldPath> = named.cloned().or_else(|| self.texts.about.clone()).or_else(earlier);
        self.field(path?.as_str())
    }

    /// What is usual for a field: disclosed, else typical.
    pub(super) fn range(&self, path: &FieldPath) -> Option<Bounds> {
        let mut fields = self.vocabulary.fields().iter().zip(self.vocabulary.ranges().iter());
        let (field, disclosed) = fields.find(|(field, _)| field.path == *path)?;
        disclosed.or(field.soft)
    }

    pub(super) fn offers(&self, tool: &str) -> bool {
        self.tools.contains(&tool)
    }

    /// The result of the last call of a tool.
    pub(super) fn result(&self, tool: &str) -> Option<&Value> {
        let mut results = self.results.iter().rev();
        results.find(|result| result.tool == tool).map(|result| &result.content)
    }

    pub(super) fn has_called(&self, tool: &str) -> bool {
        self.results.iter().any(|result| result.tool == tool)
    }

    pub(super) fn say(&self, key: &str, slots: &[(&str, &str)]) -> String {
        wording::say(self.language, key, slots)
    }

    pub(super) fn name(&self, field: &Field) -> String {
        wording::name(self.language, field)
    }

    /// The name of a field by its path.
    pub(super) fn named(&self, path: &str) -> String {
        self.field(path)
            .map_or_else(|| self.say("that_line", &[]), |field| self.name(field))
    }

    /// The name of a line or a result by its key.
    pub(super) fn label(&self, key: &str, english: &str) -> String {
        wording::named(self.language, key, || english.to_owned())
    }

    /// The name of a figure that was asked for.
    pub(super) fn line_label(&self, line: &Line) -> String {
        match line {
            Line::Field(path) => self.named(path.as_str()),
            line => wording::line(self.language, line.as_str()),
        }
    }

    /// A value as tools write it, in the units of the language.
    pub(super) fn figure(&self, shown: &str) -> String {
        wording::figure(self.language, shown)
    }

    /// The same of a field: the number of a month is "month 13", not "13 months".
    pub(super) fn value(&self, path: &str, shown: &str) -> String {
        match self.field(path) {
            Some(field) => wording::shown(self.language, field, shown),
            None => self.figure(shown),
        }
    }

    /// A text about a field and a value of it as tools write it.
    pub(super) fn item(&self, key: &str, field: &FieldPath, shown: &str) -> String {
        let (name, value) = (self.named(field.as_str()), self.value(field.as_str(), shown));
        self.say(key, &[("name", &name), ("value", &value)])
    }

    pub(super) fn list(&self, items: &[String]) -> String {
        wording::list(self.language, items)
    }

    /// What a field or a result means, by its key.
    pub(super) fn help(&self, key: &str, english: &str) -> String {
        match self.language {
            Language::English => english.to_owned(),
            Language::Spanish => wording::help(key).map_or_else(|| english.to_owned(), str::to_owned),
        }
    }

    /// Changes of a case as the tools take them.
    pub(super) fn as_arguments(&self, changes: &[FieldChange]) -> Vec<Value> {
        let argument = |one: &FieldChange| {
            let field = self.field(one.field.as_str())?;
            Some(match one.change {
                Change::To(value) => json!({"path": field.path, "value": field.kind.show(value)}),
                Change::By(by) => json!({"path": field.path, "by": field.kind.in_words(by).0}),
                Change::Times(times) => json!({"path": field.path, "times": times}),
            })
        };
        changes.iter().filter_map(argument).collect()
    }

    /// Messages that one could send next.
    pub(super) fn suggest(&self, keys: &[&str]) -> Vec<String> {
        keys.iter().map(|key| self.say(key, &[])).collect()
    }

    /// The compliance sentence, below what shows results.
    pub(super) fn footer(&self) -> String {
        format!("\n\n{}", self.say("footer", &[]))
    }
}

/// The one field that the message before states a value for, where the caller does not know what was written.
fn stated_before(before: &[ChatMessage], fields: &[Field], vocabulary: &Vocabulary) -> Option<FieldPath> {
    let understood = understand(&texts_at(before, Some(last_of_user(before)?), fields), vocabulary);
    let mut stated = given(&understood);
    let first = stated.next()?;
    stated.all(|other| other == first).then(|| first.clone())
}

/// The one field whose value the message before asked for, and the answer to it gives: "seems high, make it 50k" is about that.
fn shown_before(before: &[ChatMessage], fields: &[Field], vocabulary: &Vocabulary) -> Option<FieldPath> {
    let last = last_of_user(before)?;
    let heard = wants(&texts_at(before, Some(last), fields), vocabulary);
    let is_of_value = matches!(
        heard.intent,
        Intent::Value | Intent::IsHigh | Intent::WhoSet | Intent::Define
    ) && heard.is_likely();
    let answer = answers(&before[last..]).next().unwrap_or_default();
    let is_shown = is_of_value && !ask::was_missed(answer) && !wording::asks_for_yes(answer);
    heard.slots.field.filter(|_| is_shown)
}

/// The id of a call that is made for these parts.
pub(super) fn call_id(parts: &[usize], count: usize) -> String {
    let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
    format!("offline-{}-{count}", parts.join("."))
}

fn is_of_part(call_id: &str, part: usize) -> bool {
    let parts = call_id.split('-').nth(1).unwrap_or_default();
    parts.split('.').any(|of| of.parse() == Ok(part))
}

/// Values that this turn has noted, for whatever part of the message.
fn noted(messages: &[ChatMessage]) -> Vec<FieldResult> {
    let texts = messages.iter().filter_map(|message| match message {
        ChatMessage::Tool { content, .. } => serde_json::from_str(content).ok(),
        _ => None,
    });
    texts
        .filter(|one: &FieldResult| one.status == FieldStatus::Proposed)
        .collect()
}

/// Calls behind the last user message that were made for a part of it, each with its result.
fn results(messages: &[ChatMessage], part: usize) -> Vec<ToolResult> {
    let mut calls = Vec::new();
    let mut out = Vec::new();
    for message in messages {
        match message {
            ChatMessage::Assistant { tool_calls, .. } => calls.extend(tool_calls),
            ChatMessage::Tool { call_id, content } if is_of_part(call_id, part) => {
                let Some(call) = calls.iter().rev().find(|call| &call.id == call_id) else {
                    continue;
                };
                out.push(ToolResult {
                    tool: call.name.clone(),
                    content: serde_json::from_str(content).unwrap_or_default(),
                });
            }
            _ => {}
        }
    }
    out
}
