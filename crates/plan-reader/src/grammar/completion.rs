//! The end of a sentence: values get the field, period and unit that the sentence leaves to the vocabulary.

use super::fit::{AmountReading, fits};
use super::language::{Key, KeyField, LANGUAGES};
use super::meaning::{Meaning, Stated};
use super::rules::{Raw, SentenceState, StatedValue, Target};
use crate::lex::{Amount, Period, Unit};
use plan_model::number::Number;

impl SentenceState<'_> {
    pub(super) fn finish(mut self) -> Option<Meaning> {
        for raw in std::mem::take(&mut self.raws) {
            let stated = self.stated(&raw)?;
            if self.paid && !stated.iter().all(|stated| self.is_once(stated.field)) {
                return None;
            }
            if raw.restates {
                let known = self.meaning.stated.last().or(self.before.stated.as_ref());
                let again = stated.first().zip(known);
                again.filter(|(again, known)| again.field == known.field && again.value == known.value)?;
            } else if raw.is_part {
                self.add_part(stated.into_iter().next()?)?;
            } else {
                self.meaning.stated.extend(stated);
            }
        }
        self.meaning.topic = self.topic;
        self.meaning.correcting = self.correcting;
        Some(self.meaning)
    }

    /// Adds a part to the parts of its line; only where they are said to be all of it.
    fn add_part(&mut self, part: Stated) -> Option<()> {
        let asked = self
            .before
            .asked
            .as_ref()
            .is_some_and(|asked| asked.field == part.field);
        if !(self.whole || asked) {
            return None;
        }
        match self.meaning.stated.iter_mut().find(|known| known.field == part.field) {
            Some(known) => {
                known.value = Number::new(known.value.decimal().checked_add(part.value.decimal())?);
                self.meaning.denied.extend(part.amount);
            }
            None => self.meaning.stated.push(part),
        }
        Some(())
    }

    fn is_once(&self, field: usize) -> bool {
        self.vocabulary.fields()[field].period == Some(Period::Once)
    }

    fn stated(&self, raw: &Raw) -> Option<Vec<Stated>> {
        let key = match &raw.target {
            Target::Key(key) => self.vocabulary.key(*key).clone(),
            Target::Field(field) => Key {
                fields: vec![KeyField {
                    path: self.vocabulary.fields()[*field].path.to_string(),
                    is_guess: false,
                    is_related: false,
                }],
            },
            Target::LoanTerms => LANGUAGES[0].loan_terms.clone(),
            Target::Rate => LANGUAGES[0].rate.clone(),
        };
        let related = key.fields.iter().filter(|field| field.is_related);
        let related: Vec<usize> = related
            .filter_map(|field| self.vocabulary.position(&field.path))
            .collect();
        let stated = |field: usize, value: Number, amount: Option<u16>| Stated {
            field,
            value,
            amount,
            corrects: raw.corrects,
            related: related.clone(),
            period: match &raw.value {
                StatedValue::Amount(as_said) => as_said.period,
                StatedValue::Month(_) | StatedValue::Zero => None,
            },
        };
        match &raw.value {
            StatedValue::Zero => {
                let field = self.vocabulary.position(&key.fields.first()?.path)?;
                // "No interest" is talk, unless the field is often zero.
                let is_usual = self.vocabulary.range(field)?.contains(Number::ZERO);
                is_usual.then(|| vec![stated(field, Number::ZERO, None)])
            }
            StatedValue::Month(month) => {
                let field = self.vocabulary.position(&key.fields.first()?.path)?;
                Some(vec![stated(field, Number::whole(i64::from(*month)), None)])
            }
            StatedValue::Amount(as_said) => {
                let amount = &self.amounts[as_said.amount as usize];
                let (as_said, amount) = self.completed(raw, as_said, amount);
                let found = fits(&key, &as_said, &amount, self.vocabulary);
                let is_one = found.len() == 1 || (key.is_growth() && !found.is_empty());
                is_one.then(|| {
                    found
                        .into_iter()
                        .map(|(field, value)| stated(field, value, Some(as_said.amount)))
                        .collect()
                })
            }
        }
    }

    /// With the period and the unit that a heading or the advisor's question gave.
    fn completed(&self, raw: &Raw, as_said: &AmountReading, amount: &Amount) -> (AmountReading, Amount) {
        let (mut as_said, mut amount) = (as_said.clone(), amount.clone());
        as_said.period = as_said.period.or(self.period);
        // "4,200 a month. Sorry, 4,500": what corrects a value or repeats it is of the same period.
        if let (Target::Field(field), Some(stated)) = (&raw.target, &self.before.stated)
            && (raw.corrects || raw.restates)
            && stated.field == *field
        {
            as_said.period = as_said.period.or(stated.period);
        }
        as_said.percent |= self.percent;
        as_said.sure = self.before.sure;
        if let (Target::Field(field), Some(asked)) = (&raw.target, &self.before.asked)
            && asked.field == *field
        {
            as_said.asked = true;
            as_said.period = as_said.period.or(asked.period);
            if amount.unit == Unit::Bare {
                amount.unit = asked.unit.unwrap_or(Unit::Bare);
            }
        }
        (as_said, amount)
    }
}
