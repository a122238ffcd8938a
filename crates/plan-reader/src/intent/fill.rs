//! The slots of an intent, from the words alone.

mod estimate;
mod free_words;
mod goal;

use super::calendar::{self, When};
use super::change::Changes;
use super::line;
use super::phrasebook::{SLOTS, words};
use super::{Intent, Line, Place, ScenarioAct, Slots, SocialKind, Which};
use crate::ear::Ear;
use crate::ear::names::Named;
use crate::ear::spots::Spots;
use crate::grammar::Message;
use crate::texts::Texts;
use plan_model::field::{FieldPath, FieldRole};

/// What a message says about its intent, and how likely the figure is the one that is meant; 1 where none is asked for.
pub(super) fn slots(
    ear: &Ear,
    intent: Intent,
    texts: &Texts<'_>,
    (message, spots): (&Message<'_>, &Spots<'_>),
) -> (Slots, f32) {
    let words = words(message);
    let (lines, figure) = match intent {
        Intent::Figure | Intent::Why | Intent::Goal | Intent::Levers => {
            let lines = lines(&words);
            let features = line::features(message, spots, intent, &lines);
            (lines, ear.line(&features, line::NO_LINE + 1))
        }
        _ => (Vec::new(), (line::NO_LINE, 1.0)),
    };
    let reader = Reader {
        ear,
        lines,
        figure,
        words,
        when: calendar::when(message),
        texts,
        message,
        spots,
    };
    let mut out = Slots::default();
    let (mut agrees, mut names_cash) = (true, false);
    match intent {
        Intent::Accept | Intent::Decline => reader.which(&mut out),
        Intent::Value | Intent::WhoSet | Intent::Said | Intent::IsHigh => {
            out.field = reader
                .named()
                .or_else(|| reader.about())
                .filter(|_| intent != Intent::Said || reader.named().is_some());
            if intent == Intent::IsHigh {
                out.field = reader.of_number(out.field);
            }
        }
        Intent::Figure | Intent::Why => {
            out.line = reader.line(intent);
            agrees = line::class_of(out.line.as_ref()) == figure.0;
            // "Why does the account go negative in month 8": the balance of that month.
            let is_negative = out.line == Some(Line::FirstNegativeMonth);
            if intent == Intent::Why && is_negative && reader.when.month.is_some() {
                out.line = Some(Line::Cash);
            }
            // "Why is break-even only in month 17": such a figure is a month itself.
            let is_a_month = matches!(
                out.line,
                Some(Line::BreakEvenMonth | Line::FirstNegativeMonth | Line::Payback)
            );
            if !is_a_month {
                (out.year, out.month) = match (reader.when.year, reader.when.month) {
                    (None, None) => calendar::at_the_end_of(message, &reader.words).unwrap_or_default(),
                    named => named,
                };
            }
            // "Why is cash low": without a time its lowest point is meant.
            names_cash =
                intent == Intent::Why && out.line == Some(Line::Cash) && matches!(reader.lines[..], [Line::Cash]);
            if names_cash && out.year.is_none() && out.month.is_none() {
                out.line = Some(Line::LowestCash);
            }
        }
        Intent::WhatIf => reader.changes(&mut out),
        Intent::Goal => reader.goal(&mut out),
        Intent::Levers => out.metric = reader.metric(intent),
        Intent::Estimate => {
            out.product = reader.factors();
            out.field = reader.named().or_else(|| reader.sold());
        }
        Intent::Define => out.term = reader.term(),
        Intent::Place => out.place = SLOTS.first("place", &reader.words).and_then(Place::parse),
        Intent::NotModeled => out.topic = SLOTS.first("topic", &reader.words).map(str::to_owned),
        Intent::Scenario => {
            out.act = SLOTS.first("act", &reader.words).and_then(ScenarioAct::parse);
            out.name = reader.name();
        }
        Intent::Social => out.kind = SLOTS.first("social", &reader.words).and_then(SocialKind::parse),
        _ => {}
    }
    let probability = match intent {
        Intent::Levers if out.metric.is_none() => 1.0,
        Intent::Goal if out.metric == Some(Line::Dscr) && reader.names_a_ratio() => 1.0,
        Intent::Why if names_cash => 1.0,
        // The words name one figure and the ear hears another.
        Intent::Figure | Intent::Why if !agrees => figure.1 * DOUBTED,
        // "Payback inside 36 months" is a target.
        Intent::Figure if reader.has_target(out.line.as_ref()) => figure.1 * DOUBTED,
        _ => figure.1,
    };
    (out, probability)
}

/// The learned ear is asked which figure is meant; below it phrases decide.
const LINE_FROM: f32 = 0.5;

/// So sure it must be where the words name another figure or a field.
const AGAINST_WORDS: f32 = 0.9;

/// A figure that may be a target or another one is asked back, however likely it is.
const DOUBTED: f32 = 0.6;

/// The figures that phrases name, the longest first.
pub(super) fn lines(words: &str) -> Vec<Line> {
    SLOTS.all("line", words).into_iter().map(Line::read).collect()
}

/// Figures whose words stand in those of others, too.
fn is_vague(line: &Line) -> bool {
    matches!(line, Line::Sales | Line::Cash | Line::NetProfit)
}

struct Reader<'m> {
    ear: &'m Ear,
    /// The figures that phrases name, the longest first; none where no figure is asked for.
    lines: Vec<Line>,
    /// The class of the figure, and how likely it is.
    figure: (usize, f32),
    words: String,
    when: When,
    texts: &'m Texts<'m>,
    message: &'m Message<'m>,
    spots: &'m Spots<'m>,
}

impl Reader<'_> {
    fn path(&self, field: usize) -> FieldPath {
        self.message.vocabulary.fields()[field].path.clone()
    }

    /// The field of the longest name, of several the first; growth by its year, a month by the words "which month".
    fn named(&self) -> Option<FieldPath> {
        // "Down for on the buildout": the word says little beside another name.
        let is_down = |name: &&Named| name.range.len() == 1 && self.message.tokens[name.range.start].word() == "down";
        let all = self.spots.names.iter().flatten();
        // "What other people plan for royalty": a field that no result uses is meant only where it stands alone.
        let fields = self.message.vocabulary.fields();
        let is_used = |name: &&Named| fields[name.fields[0].0].affects_results();
        let others = all.clone().filter(|name| !is_down(name) && is_used(name));
        let name = others
            .rev()
            .max_by_key(|name| name.range.len())
            .or_else(|| all.clone().next())?;
        let (first, _) = name.fields[0];
        let field = &self.message.vocabulary.fields()[first];
        let asks_month = ["which month", "what month", "que mes"]
            .iter()
            .any(|asked| self.words.contains(asked));
        if let Some(start) = field.start_month.as_ref().filter(|_| asks_month) {
            return Some(start.clone());
        }
        // "How long is the loan, in months?"
        let asks_time = ["how long", " months ", " years ", " meses ", " anos ", "que plazo"]
            .iter()
            .any(|asked| self.words.contains(asked));
        if field.role == FieldRole::Loan && asks_time {
            return Some(FieldPath::from_static("financing.loanTermMonths"));
        }
        let year = self.when.year.filter(|_| field.is_growth());
        let grown = year.and_then(|year| self.message.vocabulary.growth(year));
        Some(self.path(grown.unwrap_or(first)))
    }

    /// What "it" is: what was written or asked about last.
    fn about(&self) -> Option<FieldPath> {
        let before = &self.message.before;
        let field = before.noted.or(before.asked.as_ref().map(|asked| asked.field));
        self.texts.about.clone().or(field.map(|field| self.path(field)))
    }

    fn which(&self, out: &mut Slots) {
        let said = SLOTS.first("which", &self.words).and_then(Which::parse);
        match (said, self.named()) {
            (Some(which), _) => out.which = Some(which),
            (None, Some(field)) => out.field = Some(field),
            (None, None) => out.which = Some(Which::One),
        }
    }

    /// The class of the figure, where the learned ear is sure enough of it.
    fn heard(&self, intent: Intent) -> Option<usize> {
        let lines = &self.lines;
        let (class, probability) = self.figure;
        // "The low point of cash" is no cash at the end of a time.
        let is_vaguer = Line::NAMED.get(class).is_some_and(|(_, line)| is_vague(line))
            && lines.first().is_some_and(|line| !is_vague(line));
        let is_said = !is_vaguer && lines.iter().any(|line| line::class_of(Some(line)) == class);
        let says_other = !lines.is_empty() || intent != Intent::Goal && self.named().is_some();
        let least = if says_other && !is_said {
            AGAINST_WORDS
        } else {
            LINE_FROM
        };
        (probability >= least).then_some(class)
    }

    /// The figure that is to reach a target, or to be moved.
    fn metric(&self, intent: Intent) -> Option<Line> {
        match self.heard(intent) {
            Some(line::NO_LINE | line::OF_FIELD) => None,
            Some(class) => Some(Line::NAMED[class].1.clone()),
            None => self.lines.iter().find(|line| **line != Line::Sales).cloned(),
        }
    }

    /// The figure that is asked about: one that the engine computes, else the line of a field.
    fn line(&self, intent: Intent) -> Option<Line> {
        match self.heard(intent) {
            Some(line::OF_FIELD | line::NO_LINE) | None => {}
            Some(class) => return Some(Line::NAMED[class].1.clone()),
        }
        let lines = &self.lines;
        let exact = lines.iter().find(|line| !is_vague(line)).cloned();
        let field = self
            .named()
            .filter(|path| path.as_str() != "revenue.monthlyAuv")
            .map(Line::Field);
        exact.or_else(|| lines.first().cloned()).or(field)
    }

    fn changes(&self, out: &mut Slots) {
        let about = self
            .about()
            .and_then(|path| self.message.vocabulary.position(path.as_str()));
        let changes = Changes::new(self.ear, &self.when, about, (self.message, self.spots));
        let mut all = changes.all();
        if all.len() == 1 {
            let one = all.remove(0);
            (out.field, out.change) = (Some(one.field), Some(one.change));
        } else if all.is_empty() {
            out.field = self.named();
        } else {
            out.changes = all;
        }
    }
}
