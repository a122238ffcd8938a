//! The clauses of one sentence, each by the rule of its production.

use super::clause::Clause;
use super::fit::AmountReading;
use super::meaning::{Before, Meaning};
use super::names::NAMES;
use super::vocabulary::Vocabulary;
use crate::lex::{Amount, Period};
use plan_model::field::FieldRole;

/// Where a value goes.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Key(u16),
    Field(usize),
    LoanTerms,
    Rate,
}

#[derive(Clone, Debug)]
pub(super) enum StatedValue {
    Amount(AmountReading),
    Month(u16),
    Zero,
}

#[derive(Clone, Debug)]
pub(super) struct Raw {
    pub(super) target: Target,
    pub(super) value: StatedValue,
    pub(super) corrects: bool,
    /// A part of a line, which is only its value together with the others.
    pub(super) is_part: bool,
    /// "so 75k a month": the same value again.
    pub(super) restates: bool,
}
pub(super) struct SentenceState<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) amounts: &'a [Amount],
    pub(super) before: &'a Before,
    /// Words of correction stand in the sentence, before the value or behind it.
    pub(super) corrects: bool,
    pub(super) raws: Vec<Raw>,
    pub(super) meaning: Meaning,
    pub(super) correcting: bool,
    pub(super) topic: Option<u16>,
    pub(super) period: Option<Period>,
    pub(super) percent: bool,
    pub(super) paid: bool,
    pub(super) whole: bool,
}

impl SentenceState<'_> {
    pub(super) fn add(&mut self, clause: &Clause) -> Option<()> {
        let names = &*NAMES;
        match clause.rule {
            rule if rule == names.statement => {
                let key = self.one_key(clause)?;
                self.state(Target::Key(key), clause)?;
                self.meaning.last = Some(key);
            }
            rule if rule == names.start => self.start(clause)?,
            rule if rule == names.more => self.more(clause)?,
            rule if rule == names.yearly => self.yearly(clause)?,
            rule if rule == names.none => {
                let key = self.one_key(clause)?;
                let value = StatedValue::Zero;
                self.push(Target::Key(key), value);
                self.meaning.last = Some(key);
            }
            rule if rule == names.shared => self.shared(clause)?,
            rule if rule == names.answer => self.answer(clause)?,
            rule if rule == names.correct => self.correcting = true,
            rule if rule == names.starred => {
                self.before.stated.as_ref()?;
                self.correcting = true;
            }
            rule if rule == names.changed => self.changed(clause)?,
            rule if rule == names.all_of_it => self.all_of_it(clause)?,
            rule if rule == names.denied => {
                self.meaning.denied.extend(&clause.amounts);
                self.topic = clause.keys.first().copied().or(self.topic);
            }
            rule if rule == names.settled => self.settled(clause)?,
            rule if rule == names.topic => self.topic = Some(self.one_key(clause)?),
            rule if rule == names.paid => self.paid = true,
            rule if rule == names.parts => self.parts(clause)?,
            rule if rule == names.restated => {
                let before = self.before.stated.as_ref().map(|stated| Target::Field(stated.field));
                let target = self.raws.last().map(|raw| raw.target.clone()).or(before)?;
                self.state(target, clause)?;
                self.raws.last_mut()?.restates = true;
            }
            _ => return None,
        }
        Some(())
    }

    /// The one name of a clause; parts of a line are its name only together.
    pub(super) fn one_key(&self, clause: &Clause) -> Option<u16> {
        let key = *clause.keys.first()?;
        let first = |key: u16| self.vocabulary.key(key).fields.first().map(|field| field.path.as_str());
        let alike = clause.keys.iter().all(|other| first(*other) == first(key));
        (alike && clause.parts != 1).then_some(key)
    }

    pub(super) fn state(&mut self, target: Target, clause: &Clause) -> Option<()> {
        if clause.zero {
            self.push(target, StatedValue::Zero);
            return Some(());
        }
        let as_said = AmountReading {
            amount: *clause.amounts.first()?,
            period: clause.period,
            base: clause.base,
            years: clause.years,
            percent: false,
            past: clause.past,
            sure: false,
            asked: false,
        };
        self.push(target, StatedValue::Amount(as_said));
        Some(())
    }

    pub(super) fn push(&mut self, target: Target, value: StatedValue) {
        let corrects = std::mem::take(&mut self.correcting);
        self.raws.push(Raw {
            target,
            value,
            corrects,
            is_part: false,
            restates: false,
        });
    }

    /// "electric 820, water 310": parts of one line.
    pub(super) fn parts(&mut self, clause: &Clause) -> Option<()> {
        let first = |key: u16| self.vocabulary.key(key).fields.first().map(|field| field.path.clone());
        let key = *clause.keys.first()?;
        if clause.keys.len() != clause.amounts.len() || !clause.keys.iter().all(|other| first(*other) == first(key)) {
            return None;
        }
        for amount in &clause.amounts {
            let as_said = AmountReading {
                amount: *amount,
                period: clause.period,
                base: clause.base,
                years: 0,
                percent: false,
                past: false,
                sure: false,
                asked: false,
            };
            self.push(Target::Key(key), StatedValue::Amount(as_said));
            self.raws.last_mut()?.is_part = true;
        }
        self.meaning.last = Some(key);
        Some(())
    }

    /// "The tech fee went from 299 to 339 a month", "rent was 4,000, now it's 4,200".
    pub(super) fn changed(&mut self, clause: &Clause) -> Option<()> {
        let [former, latter] = clause.amounts[..] else {
            return None;
        };
        let key = self.one_key(clause)?;
        self.meaning.denied.push(former);
        let as_said = AmountReading {
            amount: latter,
            period: clause.period,
            base: clause.base,
            years: clause.years,
            percent: false,
            past: false,
            sure: false,
            asked: false,
        };
        self.push(Target::Key(key), StatedValue::Amount(as_said));
        self.meaning.last = Some(key);
        Some(())
    }

    /// "that's all the utilities per month": of the line whose parts were given.
    pub(super) fn all_of_it(&mut self, clause: &Clause) -> Option<()> {
        let path = |key: u16| {
            let first = self.vocabulary.key(key).fields.first();
            first.map(|field| field.path.as_str())
        };
        if let Some(named) = clause.keys.first() {
            let last = self.meaning.last.or(self.before.last);
            last.is_none_or(|last| path(*named) == path(last)).then_some(())?;
        }
        match clause.period {
            Some(_) => self.shared(clause),
            None => Some(()),
        }
    }

    /// "The manager starts in month 4", "starting month 7".
    pub(super) fn start(&mut self, clause: &Clause) -> Option<()> {
        let asked = self.before.answered().map(|asked| asked.field);
        let is_start = |field: &usize| self.vocabulary.fields()[*field].role == FieldRole::StartMonth;
        if let Some(field) = asked.filter(|field| clause.keys.is_empty() && self.raws.is_empty() && is_start(field)) {
            self.push(Target::Field(field), StatedValue::Month(clause.month?));
            return Some(());
        }
        let key = if clause.keys.is_empty() {
            self.meaning.last.or(self.before.last)?
        } else {
            self.one_key(clause)?
        };
        let field = self.vocabulary.start_month(self.vocabulary.key(key))?;
        self.meaning.last = Some(key);
        self.push(Target::Field(field), StatedValue::Month(clause.month?));
        Some(())
    }

    /// Behind a loan: "at 10.5% over 10 years".
    pub(super) fn more(&mut self, clause: &Clause) -> Option<()> {
        let key = self.meaning.last?;
        let named = self.vocabulary.key(key).fields.iter();
        let is_loan = named
            .filter_map(|field| self.vocabulary.position(&field.path))
            .any(|at| self.vocabulary.fields()[at].role.is_of_loan());
        let target = if clause.rate_at {
            Target::Rate
        } else {
            Target::LoanTerms
        };
        if is_loan { self.state(target, clause) } else { None }
    }

    pub(super) fn yearly(&mut self, clause: &Clause) -> Option<()> {
        let key = self.meaning.last.or(self.before.last).or(self.before.topic)?;
        if !self.vocabulary.key(key).is_growth() {
            return None;
        }
        self.meaning.last = Some(key);
        self.state(Target::Key(key), clause)
    }

    /// "…, all per month": of what has no period yet.
    pub(super) fn shared(&mut self, clause: &Clause) -> Option<()> {
        if self.raws.is_empty() {
            return None;
        }
        for raw in &mut self.raws {
            if let StatedValue::Amount(as_said) = &mut raw.value {
                as_said.period = as_said.period.or(clause.period);
                as_said.percent |= clause.percent;
            }
        }
        Some(())
    }

    /// A value without a name: it corrects, or belongs to what was asked or brought up.
    pub(super) fn answer(&mut self, clause: &Clause) -> Option<()> {
        if self.correcting {
            let target = self.raws.last().map(|raw| raw.target.clone());
            let stated = self.before.stated.as_ref().map(|stated| Target::Field(stated.field));
            // Never the field that was asked for next: "correction: 7 percent" is about what was just written.
            let noted = self.before.noted;
            let target = target
                .or_else(|| self.topic.map(Target::Key))
                .or(stated)
                .or(noted.map(Target::Field))?;
            return self.state(target, clause);
        }
        if let Some(topic) = self.topic.or(self.before.topic).filter(|_| self.raws.is_empty()) {
            self.meaning.last = Some(topic);
            return self.state(Target::Key(topic), clause);
        }
        let asked = self
            .before
            .answered()
            .filter(|_| self.before.first && self.raws.is_empty() && !self.corrects)?;
        self.state(Target::Field(asked.field), clause)
    }

    pub(super) fn settled(&mut self, clause: &Clause) -> Option<()> {
        let target = if clause.keys.is_empty() {
            let topic = self.topic.or(self.before.topic);
            let asked = self.before.answered().map(|asked| Target::Field(asked.field));
            topic.map(Target::Key).or(asked)?
        } else {
            Target::Key(self.one_key(clause)?)
        };
        self.state(target, clause)
    }
}
