//! The slots of an intent, from the words alone.

pub(crate) mod estimate;
mod free_words;
pub(crate) mod goal;

use super::calendar::{self, When};
use super::change::operands::operands;
use super::change::{Changes, count};
use super::kinds;
use super::line;
use super::phrasebook::{SLOTS, lines, words};
use super::subject::Subject;
use super::talked_about::{Origin, TalkedAbout};
use super::time::{self, TimeQuestion};
use super::{FieldChange, Intent, Line, Slots, Which};
use crate::ear::candidates::LOOKED_AT;
use crate::ear::spots::Spots;
use crate::ear::{Ear, likeliest};
use crate::grammar::Message;
use crate::lex::is_of;
use crate::texts::Texts;
use plan_model::field::FieldPath;

/// What a message says about its intent, and how likely the figure is the one that is meant; 1 where none is asked for.
pub(super) fn slots(
    ear: &Ear,
    intent: Intent,
    texts: &Texts<'_>,
    (message, spots): (&Message<'_>, &Spots<'_>),
) -> (Slots, f32) {
    let words = words(message);
    let before = if intent.is_about_figures() {
        TalkedAbout::of(texts, message.vocabulary)
    } else {
        TalkedAbout::default()
    };
    let (lines, figure) = match intent {
        Intent::Figure | Intent::Why | Intent::Goal | Intent::Levers => {
            let lines = lines(&words);
            let features = line::features(message, spots, intent, (&lines, &before));
            let mut choices = line::choices(message, spots, intent, (&lines, &before));
            if intent == Intent::Goal && lines.is_empty() {
                goal::leave_reachable(ear, message, &mut choices);
            }
            let figure = ear.figure(&features, &choices, |one, other| {
                intent == Intent::Figure && line::answers_alike(one, other)
            });
            (lines, figure.unwrap_or((line::NO_LINE, 0.0)))
        }
        _ => (Vec::new(), (line::NO_LINE, 1.0)),
    };
    let reader = Reader {
        ear,
        lines,
        figure,
        before,
        words,
        when: calendar::when(message),
        texts,
        message,
        spots,
    };
    let mut out = Slots::default();
    let mut subject = 1.0;
    match intent {
        Intent::Accept | Intent::Decline => reader.which(intent, &mut out),
        Intent::Value | Intent::WhoSet | Intent::Said | Intent::IsHigh => {
            let (field, likely) = reader.subject(intent);
            subject = if intent == Intent::Value {
                reader.of_list(likely)
            } else {
                likely
            };
            out.field = field.or_else(|| reader.about().filter(|_| intent != Intent::Said));
        }
        Intent::Figure | Intent::Why => {
            (out.line, subject) = reader.line(intent);
            // "Why is break-even only in month 17": such a figure is a month itself.
            if time::has_one(out.line.as_ref()) {
                let likely = reader.time(intent, &mut out);
                // "In year 1 and year 3" is of both, whichever comes first.
                let is_of_several = out.month.is_none() && calendar::years(message).len() > 1;
                subject *= if is_of_several { 1.0 } else { likely };
            }
        }
        Intent::WhatIf => {
            subject = reader.changes(&mut out);
            out.name = reader.name_of_changes();
            reader.figure_of_case(&mut out);
        }
        Intent::Goal => subject = reader.goal(&mut out),
        Intent::Levers => out.metric = reader.metric(),
        Intent::Estimate => {
            (out.product, subject) = reader.factors();
            out.field = reader.subject(intent).0;
        }
        Intent::Define => out.term = reader.term(),
        Intent::Scenario => {
            reader.kind(intent, &mut out);
            out.name = reader.name();
        }
        Intent::Place | Intent::Social | Intent::NotModeled => reader.kind(intent, &mut out),
        _ => {}
    }
    // What matters most, of nothing that was talked about, is of the plan.
    let is_of_plan = intent == Intent::Levers && out.metric.is_none() && reader.before.is_empty();
    let of_figure = if is_of_plan { 1.0 } else { figure.1 };
    let taken_over = if reader.is_taken_over() { TAKEN_OVER } else { 1.0 };
    (out, of_figure * subject * taken_over)
}

/// The figures that a question may be about, the likeliest first.
pub(super) fn figures(ear: &Ear, texts: &Texts<'_>, (message, spots): (&Message<'_>, &Spots<'_>)) -> Vec<(Line, f32)> {
    let words = words(message);
    let before = TalkedAbout::of(texts, message.vocabulary);
    let (intent, lines) = (Intent::Figure, lines(&words));
    let features = line::features(message, spots, intent, (&lines, &before));
    let choices = line::choices(message, spots, intent, (&lines, &before));
    let named = |class: u8| Line::NAMED.get(usize::from(class)).map(|(_, line)| line.clone());
    let all = ear.figures(&features, &choices).into_iter();
    let mut figures: Vec<(Line, f32)> = all
        .filter_map(|(class, likely)| Some((named(class)?, likely)))
        .collect();
    figures.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    figures
}

/// Of the answers to questions that name nothing themselves 5 % have other figures than asked for, of the others 2 (folds of
/// `train-reader`).
const TAKEN_OVER: f32 = 0.95;

struct Reader<'m> {
    ear: &'m Ear,
    /// The figures that phrases name, the longest first; none where no figure is asked for.
    lines: Vec<Line>,
    /// The class of the figure, and how likely it is.
    figure: (u8, f32),
    before: TalkedAbout<'m>,
    words: String,
    when: When,
    texts: &'m Texts<'m>,
    message: &'m Message<'m>,
    spots: &'m Spots<'m>,
}

impl Reader<'_> {
    /// Whether it names neither a figure nor a field, and what was talked about before is meant.
    fn is_taken_over(&self) -> bool {
        let mut names = self.spots.names.iter().flatten();
        self.lines.is_empty() && names.next().is_none() && !self.before.is_empty()
    }

    fn path(&self, field: usize) -> FieldPath {
        self.message.vocabulary.fields()[field].path.clone()
    }

    /// The field that the question is about, and how likely.
    fn subject(&self, intent: Intent) -> (Option<FieldPath>, f32) {
        let (at, likely) = likeliest(&self.subjects(intent));
        (self.field_of(at), likely)
    }

    /// How likely a value is one of those that are named, where several are: "the rent, the insurance and the utilities" asks for each.
    fn of_list(&self, likely: f32) -> f32 {
        let subjects = self.subjects(Intent::Value);
        let mut named: Vec<usize> = Vec::new();
        for name in self.spots.names.iter().flatten() {
            named.extend(
                name.fields
                    .first()
                    .map(|(field, _)| *field)
                    .filter(|field| !named.contains(field)),
            );
        }
        match named.len() {
            0 | 1 => likely,
            _ => likely.max(named.iter().filter_map(|field| subjects.get(*field)).sum()),
        }
    }

    /// The field at a place of the vocabulary; none behind its last one.
    fn field_of(&self, at: usize) -> Option<FieldPath> {
        let field = self.message.vocabulary.fields().get(at);
        field.map(|field| field.path.clone())
    }

    /// How likely the question is about each field, and behind them that it is about none.
    fn subjects(&self, intent: Intent) -> Vec<f32> {
        let subject = Subject {
            message: self.message,
            spots: self.spots,
            when: &self.when,
            intent,
            before: &self.before,
        };
        self.ear.subjects(&subject.features(), &subject.choices())
    }

    /// The time of the figure, and how likely it is that one.
    fn time(&self, intent: Intent, out: &mut Slots) -> f32 {
        let question = TimeQuestion::of(self.message, intent, out.line.as_ref(), &self.before);
        let (time, likely) = question.answer(self.ear);
        (out.year, out.month) = time;
        likely
    }

    /// What "it" is: what was written or asked about last.
    fn about(&self) -> Option<FieldPath> {
        let before = &self.message.before;
        let field = before.noted.or(before.asked.as_ref().map(|asked| asked.field));
        self.texts.about.clone().or(field.map(|field| self.path(field)))
    }

    /// Which of the open values is meant, by its place or by its name.
    fn which(&self, intent: Intent, out: &mut Slots) {
        out.which = SLOTS.first("which", &self.words).and_then(Which::parse);
        let has_names = self.spots.names.iter().any(|names| !names.is_empty());
        if out.which.is_none() && has_names {
            out.field = self.subject(intent).0;
        }
        if out.which.is_none() && out.field.is_none() {
            out.which = Some(Which::One);
        }
    }

    /// The slot of few values that an intent has.
    fn kind(&self, intent: Intent, out: &mut Slots) {
        let features = line::features(self.message, self.spots, intent, (&[], &self.before));
        if let Some((class, _)) = self.ear.class(&features, &kinds::classes(intent)) {
            kinds::set(class, out);
        }
    }

    /// The figure that is to reach a target, or to be moved.
    fn metric(&self) -> Option<Line> {
        Line::NAMED
            .get(usize::from(self.figure.0))
            .map(|(_, line)| line.clone())
    }

    /// The figure that is asked about: one that the engine computes, or the line of a field. With how likely it is that field.
    fn line(&self, intent: Intent) -> (Option<Line>, f32) {
        if self.figure.0 != line::OF_FIELD {
            return (self.metric(), 1.0);
        }
        let (at, likely) = likeliest(&self.subjects(intent));
        (self.field_of(at).map(Line::Field), likely)
    }

    /// How likely a case has so many changes: half of one is another.
    fn count_of(&self, changes: usize, spots: &Spots<'_>) -> f32 {
        let features = count::features(spots, self.message);
        let (count, likely) = self
            .ear
            .class(&features, &kinds::classes(Intent::WhatIf))
            .unwrap_or_default();
        let is_so = (count == kinds::ONE_CHANGE) == (changes == 1);
        if is_so { likely } else { 1.0 - likely }
    }

    /// "What do I make in year 2 without the manager?": the figure that is asked of a case, where its words name one.
    fn figure_of_case(&self, out: &mut Slots) {
        const SURELY: f32 = 0.6;
        let lines = lines(&self.words);
        let (features, choices) = (
            line::features(self.message, self.spots, Intent::Figure, (&lines, &self.before)),
            line::choices(self.message, self.spots, Intent::Figure, (&lines, &self.before)),
        );
        let asked = self.ear.figure(&features, &choices, |_, _| false);
        let asked = asked.filter(|(_, likely)| *likely >= SURELY);
        let asked = asked.and_then(|(class, _)| Line::NAMED.get(usize::from(class)));
        // What a case changes is none of its figures: "sales 10 % lower", "15,000 more of my own cash".
        let is_changed = |line: &Line| matches!(line, Line::Sales | Line::OwnCash | Line::MoneyToOpen | Line::Cash);
        let Some((_, line)) = asked.filter(|(_, line)| lines.contains(line) && !is_changed(line)) else {
            return;
        };
        out.line = Some(line.clone());
        if time::has_one(Some(line)) {
            let question = TimeQuestion::of(self.message, Intent::Figure, Some(line), &self.before);
            let (time, likely) = question.answer(self.ear);
            (out.year, out.month) = if likely >= SURELY { time } else { (None, None) };
        }
    }

    /// "Were that rate two points higher": how likely "that" is what is changed, where another line was talked about.
    fn of_that(&self, changes: &[FieldChange]) -> f32 {
        const THAT: &str = "that this those these esa ese esta este";
        const OF_ANOTHER: f32 = 0.6;
        let word_before = |at: usize| at.checked_sub(1).map_or("", |at| self.message.tokens[at].word());
        let mut names = self.spots.names.iter().flatten();
        let refers = names.any(|name| is_of(THAT, word_before(name.range.start)));
        let path = |(field, _): &(usize, Origin)| self.path(*field);
        let mut known = self.before.fields.iter().map(path);
        let is_known = known.any(|path| changes.iter().any(|one| one.field == path));
        match refers && !is_known && !self.before.fields.is_empty() {
            true => OF_ANOTHER,
            false => 1.0,
        }
    }

    /// The changes of a case, or the field that one is of which is not understood; with how likely they are those that are meant.
    fn changes(&self, out: &mut Slots) -> f32 {
        let vocabulary = self.message.vocabulary;
        let about = self.about().and_then(|path| vocabulary.position(path.as_str()));
        let spots = operands(self.message, LOOKED_AT);
        let changes = Changes {
            ear: self.ear,
            message: self.message,
            spots: &spots,
            about,
            subjects: self.subjects(Intent::WhatIf),
        };
        let (mut all, likely) = changes.all();
        // "In years 2 and 3" says itself how many there are, and growth "each year" is of all of them.
        let is_growth = |one: &FieldChange| {
            let at = vocabulary.position(one.field.as_str());
            at.is_some_and(|at| vocabulary.fields()[at].is_growth()) && one.change == all[0].change
        };
        let says_years = all.len() > 1 && all.iter().all(is_growth);
        let of_count = if says_years {
            1.0
        } else {
            self.count_of(all.len(), &spots)
        };
        // Half a case is another case.
        if of_count < 0.5 {
            all.clear();
        }
        let likely = likely * of_count * self.of_that(&all);
        if all.len() == 1 {
            let one = all.remove(0);
            (out.field, out.change) = (Some(one.field), Some(one.change));
        } else if all.is_empty() {
            out.field = self.field_of(likeliest(&changes.subjects).0);
        } else {
            out.changes = all;
        }
        likely
    }
}
