//! What a message wants, and of what: the intent is learned, its slots are read exactly.

pub(crate) mod calendar;
pub(crate) mod change;
pub(crate) mod fill;
pub(crate) mod kinds;
pub(crate) mod line;
pub(crate) mod phrasebook;
mod slots;
pub(crate) mod subject;
pub(crate) mod talked_about;
pub(crate) mod time;

pub use slots::{Change, FieldChange, Line, Place, ScenarioAct, Slots, SocialKind, Topic, Which};

use crate::ear::candidates::{LOOKED_AT, Stance, read};
use crate::ear::spots::Spots;
use crate::ear::{Ear, Hearing, sentence};
use crate::grammar::{self, Message, Vocabulary};
use crate::texts::Texts;
use crate::understanding::Wish;
use plan_model::text_enum;

/// Numbers of a message are not asked about where it is at least so likely that it only asks or acts.
const ASKS_FROM: f32 = 0.55;

/// What is plainly stated is not written where the message is less likely than this to state anything.
const HARDLY_STATES: f32 = 0.1;

/// A message that so likely states values also does where a question follows: "rent is 4,200, is that a lot?"
const SURE: f32 = 0.9;

text_enum! {
    /// What a message wants.
    pub enum Intent {
        /// States values of the plan.
        State = "state",
        /// Puts another value in the place of the one that was just written or asked about.
        Correct = "correct",
        /// Yes to what is open.
        Accept = "accept",
        /// No to what is open.
        Decline = "decline",
        /// Leaves the advisor's question for later.
        Skip = "skip",
        /// Has no answer to the advisor's question.
        DontKnow = "dont_know",
        /// Asks why the advisor asks.
        WhyAsk = "why_ask",
        /// Takes the last change back.
        Undo = "undo",
        /// What stands in the plan for a field.
        Value = "value",
        /// Who set a value, or where it comes from.
        WhoSet = "who_set",
        /// What was said before.
        Said = "said",
        /// What changed in this plan.
        Changes = "changes",
        /// What is missing or still to be confirmed.
        Open = "open",
        /// A figure of the 60 months.
        Figure = "figure",
        /// Why a figure is what it is.
        Why = "why",
        /// Figures with other values.
        WhatIf = "what_if",
        /// The value with which a target is met.
        Goal = "goal",
        /// What moves the figures most.
        Levers = "levers",
        /// A product of factors.
        Estimate = "estimate",
        /// What a word means.
        Define = "define",
        /// Whether a value is usual.
        IsHigh = "is_high",
        /// A place of the page.
        Place = "place",
        /// What the model does not have.
        NotModeled = "not_modeled",
        /// Saves, compares, adopts, lists or deletes cases.
        Scenario = "scenario",
        /// Thanks, greetings, annoyance.
        Social = "social",
        /// What the advisor can do, where to begin.
        Help = "help",
        /// Off topic or not understood.
        Other = "other",
    }
}

impl Intent {
    /// Whether what was talked about before says which field or figure is meant.
    pub(crate) fn is_about_figures(self) -> bool {
        matches!(
            self,
            Self::Figure
                | Self::Why
                | Self::Goal
                | Self::Levers
                | Self::Value
                | Self::WhoSet
                | Self::IsHigh
                | Self::Said
                | Self::WhatIf
                | Self::Estimate
        )
    }
}

/// A message's intent with what it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// The likeliest.
    pub intent: Intent,
    /// How likely, from 0 to 1.
    pub probability: f32,
    /// How likely it or one that is answered alike is: "payroll in month 2" and "why is payroll so high in month 2" have one answer.
    pub alike: f32,
    /// How likely the figure in the slots is the one that is meant; 1 where none is asked for.
    pub figure_probability: f32,
    /// What the words themselves say; nothing of it is guessed.
    pub slots: Slots,
}

impl Heard {
    /// From this certainty on the figures of an answer are likely those that were asked for.
    pub const LIKELY: f32 = 0.5;

    /// What a message is known to want.
    pub fn known(intent: Intent, slots: Slots) -> Self {
        Self {
            intent,
            probability: 1.0,
            alike: 1.0,
            figure_probability: 1.0,
            slots,
        }
    }

    /// Whether its answer shows figures.
    pub(crate) fn shows_figures(&self) -> bool {
        // Who set a value says the value.
        let is_of_value = self.intent == Intent::WhoSet && self.slots.field.is_some();
        is_of_value
            || matches!(
                self.intent,
                Intent::Figure
                    | Intent::Why
                    | Intent::WhatIf
                    | Intent::Goal
                    | Intent::Levers
                    | Intent::Estimate
                    | Intent::Value
                    | Intent::IsHigh
            )
    }

    /// How likely the figures of its answer are those that were asked for.
    pub fn certainty(&self) -> f32 {
        self.alike * self.figure_probability
    }

    /// Whether it may be answered with figures. Below that the answer would too often be to another question (`train-reader --folds`,
    /// docs/TRUTH.md): of ten that are 0.69 to 0.8 likely three are, between 0.8 and 0.9 two. A question that is less sure is answered as a
    /// guess, or asked back.
    pub fn is_sure_of_figures(&self) -> bool {
        const FROM: f32 = 0.93;
        // A case and a product are asked back whole.
        const COMPUTED_FROM: f32 = 0.9;
        let from = match self.intent {
            Intent::WhatIf | Intent::Estimate => COMPUTED_FROM,
            _ => FROM,
        };
        !self.shows_figures() || self.certainty() >= from
    }

    /// Whether it is answered, if only as a guess.
    pub fn is_answered(&self) -> bool {
        self.is_sure_of_figures() || self.is_likely()
    }

    /// Whether a question may be answered with figures that are said to be a guess: an answer shows sooner than a question back what it is
    /// about, and names it first (docs/TRUTH.md has how many of them were meant so).
    pub fn is_likely(&self) -> bool {
        const OF_CASE: f32 = 0.6;
        const OF_GOAL: f32 = 0.55;
        let from = match self.intent {
            Intent::WhatIf => OF_CASE,
            Intent::Goal | Intent::Levers | Intent::Estimate => OF_GOAL,
            _ => Self::LIKELY,
        };
        self.shows_figures() && self.certainty() >= from
    }
}

/// What a message wants. It proposes: what is written is decided elsewhere.
pub fn wants(texts: &Texts<'_>, vocabulary: &Vocabulary) -> Heard {
    wants_by(Hearing::chosen(), texts, vocabulary)
}

/// What a message wants that is known to state nothing, though it sounds so: how likely each is among the others, somewhat less.
pub fn wants_otherwise(texts: &Texts<'_>, vocabulary: &Vocabulary) -> Heard {
    const LESS: f32 = 0.85;
    let heard = wants_of(Hearing::chosen(), texts, vocabulary, |intent| !states(intent));
    Heard {
        probability: heard.probability * LESS,
        alike: heard.alike * LESS,
        ..heard
    }
}

/// What a message wants if it is a case, as sure of that as a figure is asked for in it: "what if I pay no manager, what is left for me?"
pub fn wants_case(texts: &Texts<'_>, vocabulary: &Vocabulary) -> Heard {
    let case = wants_of(Hearing::chosen(), texts, vocabulary, |intent| intent == Intent::WhatIf);
    Heard {
        probability: 1.0,
        alike: 1.0,
        ..case
    }
}

/// The figures that a message that is not understood may ask for, the likeliest first; none that is hardly likely.
pub fn figures_near(texts: &Texts<'_>, vocabulary: &Vocabulary) -> Vec<Line> {
    const HARDLY: f32 = 0.04;
    let hearing = Hearing::chosen();
    let message = read(hearing, texts, vocabulary);
    let spots = Spots::of(&message, LOOKED_AT);
    let near = fill::figures(hearing.ear, texts, (&message, &spots)).into_iter();
    near.take_while(|(_, likely)| *likely >= HARDLY)
        .map(|(line, _)| line)
        .collect()
}

/// The years of the plan that a message names, each once.
pub fn years(texts: &Texts<'_>, vocabulary: &Vocabulary) -> Vec<u8> {
    calendar::years(&Message::read(texts, vocabulary))
}

/// The figures that a text names in the words of the vocabulary, the longest phrase first.
pub fn lines_named(text: &str, vocabulary: &Vocabulary) -> Vec<Line> {
    lines(&Message::read(&Texts::of(text), vocabulary))
}

/// As [`wants`], with weights of one's own.
pub(crate) fn wants_by(hearing: Hearing<'_>, texts: &Texts<'_>, vocabulary: &Vocabulary) -> Heard {
    wants_of(hearing, texts, vocabulary, |_| true)
}

fn states(intent: Intent) -> bool {
    matches!(intent, Intent::State | Intent::Correct)
}

pub(crate) fn wants_of(
    hearing: Hearing<'_>,
    texts: &Texts<'_>,
    vocabulary: &Vocabulary,
    can_be: impl Fn(Intent) -> bool,
) -> Heard {
    let ear = hearing.ear;
    let message = read(hearing, texts, vocabulary);
    let spots = Spots::of(&message, LOOKED_AT);
    let wish = grammar::wish(&message);
    let features = sentence::features(&message, &spots, wish, !message.plain().is_empty());
    let intents = likely(ear, &features, can_be);
    let (intent, probability) = likeliest(&intents);
    let (slots, figure_probability) = fill::slots(ear, intent, texts, (&message, &spots));
    // What has to be sold to break even is a figure and a goal.
    let is_of_both = |one: Intent| matches!(one, Intent::Figure | Intent::Goal);
    let seeks_sales = slots.line.as_ref().or(slots.metric.as_ref()) == Some(&Line::BreakEvenSales);
    let is_alike =
        |other: Intent| answers_alike(intent, other) || seeks_sales && is_of_both(intent) && is_of_both(other);
    let alike = intents.iter().filter(|(other, _)| is_alike(*other));
    let alike = alike.map(|(_, probability)| probability).sum();
    Heard {
        intent,
        probability,
        alike,
        figure_probability,
        slots,
    }
}

/// The figures that a message names, the longest phrase first.
pub(crate) fn lines(message: &Message<'_>) -> Vec<Line> {
    phrasebook::lines(&phrasebook::words(message))
}

/// What a message does with its numbers. What is plainly stated is so, but where the message as a whole hardly states anything: "Give
/// me the ugly one. Interest at 11.75." The ear may hold back what the grammar would write, never the other way around.
pub(crate) fn stance(
    ear: &Ear,
    message: &Message<'_>,
    spots: &Spots<'_>,
    wish: Option<Wish>,
    is_plain: bool,
) -> Stance {
    let features = sentence::features(message, spots, wish, is_plain);
    let intents = likely(ear, &features, |_| true);
    if is_plain {
        let stating = intents
            .iter()
            .filter(|(intent, _)| states(*intent) || *intent == Intent::Accept);
        let stating: f32 = stating.map(|(_, probability)| probability).sum();
        return if stating < HARDLY_STATES {
            Stance::Asks
        } else {
            Stance::States
        };
    }
    let (intent, probability) = likeliest(&intents);
    match intent {
        Intent::Correct => Stance::Corrects,
        Intent::State if probability >= SURE => Stance::SurelyStates,
        Intent::State | Intent::Accept | Intent::Other => Stance::States,
        _ if probability >= ASKS_FROM => Stance::Asks,
        _ => Stance::States,
    }
}

/// Whether the answers to both show the same figures.
pub(crate) fn answers_alike(intent: Intent, other: Intent) -> bool {
    const ALIKE: [[Intent; 2]; 2] = [[Intent::Figure, Intent::Why], [Intent::Value, Intent::IsHigh]];
    intent == other
        || ALIKE
            .iter()
            .any(|alike| alike.contains(&intent) && alike.contains(&other))
}

/// The intents that can be, each with its probability among them.
fn likely(ear: &Ear, features: &[u32], can_be: impl Fn(Intent) -> bool) -> Vec<(Intent, f32)> {
    let mut classes = [0; 256];
    ear.intents.add(features, &mut classes);
    let all = Intent::ALL.iter().copied().zip(classes);
    let (intents, sums): (Vec<Intent>, Vec<i32>) = all.filter(|(intent, _)| can_be(*intent)).unzip();
    intents.into_iter().zip(ear.intents.probabilities(&sums)).collect()
}

fn likeliest(intents: &[(Intent, f32)]) -> (Intent, f32) {
    let most = intents
        .iter()
        .copied()
        .max_by(|(_, one), (_, other)| one.total_cmp(other));
    most.unwrap_or((Intent::Other, 0.0))
}
