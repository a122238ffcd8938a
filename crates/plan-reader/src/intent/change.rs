//! How values are to differ: "10 % less", "20,000 less", "double", "three months later", "without the van", "at 5,000". Which field a
//! number changes and which way is learned; what the field then holds is arithmetic.

pub(crate) mod count;
pub(crate) mod operands;
pub(crate) mod way;

use super::calendar;
use super::slots::{Change, FieldChange};
use crate::ear::spots::Spots;
use crate::ear::{Ear, likeliest};
use crate::grammar::Message;
use crate::lex::is_of;
use way::Way;

/// A message that names no field is about the last one, where its own words do not say another so likely.
const OWN_FROM: f32 = 0.5;

/// Reads the changes of one message.
pub(super) struct Changes<'m> {
    pub ear: &'m Ear,
    pub message: &'m Message<'m>,
    /// With the words that are operands of a change.
    pub spots: &'m Spots<'m>,
    /// What a change without a name is of.
    pub about: Option<usize>,
    /// How likely the message is about each field, and behind them that it is about none.
    pub subjects: Vec<f32>,
}

impl Changes<'_> {
    /// Each change, in the order of the message, and how likely they are those that are meant; none where one of them cannot be
    /// computed: half a case is another case.
    pub(super) fn all(&self) -> (Vec<FieldChange>, f32) {
        let fields = self.fields();
        // A case changes something.
        let nothing: f32 = fields.iter().map(|(_, _, none)| none).product();
        let (mut out, mut all) = (Vec::new(), 1.0 / (1.0 - nothing).max(0.001));
        let least = fields.iter().map(|(_, _, none)| *none).fold(1.0, f32::min);
        let is_one = fields.iter().all(|(_, likely, none)| none > likely);
        for (at, (field, likely, none)) in fields.into_iter().enumerate() {
            let is_none = none > likely && !(is_one && none <= least && out.is_empty());
            all *= if is_none { none } else { likely };
            if is_none {
                continue;
            }
            let change = self.change(at, field);
            let Some((change, likely)) = change else {
                return (Vec::new(), all);
            };
            all *= likely;
            for field in self.years(at, field) {
                let field = self.message.vocabulary.fields()[field].path.clone();
                let one = FieldChange { field, change };
                match out.iter().find(|known: &&FieldChange| known.field == one.field) {
                    Some(known) if *known == one => {}
                    Some(_) => return (Vec::new(), all),
                    None => out.push(one),
                }
            }
        }
        (out, all)
    }

    /// For each number the likeliest field, how likely it changes that, and how likely it changes none. What the message is about as
    /// a whole counts, too.
    fn fields(&self) -> Vec<(usize, f32, f32)> {
        // The message as a whole is of one field: of several changes it says less than each number, and where no field is named it
        // is what was talked about.
        const SEVERAL: f32 = 0.5;
        const ONE: f32 = 0.03;
        const UNNAMED: f32 = 0.002;
        let all = (0..self.spots.all.len()).map(|at| self.ear.changed(self.spots, at, self.message.vocabulary));
        let all: Vec<Vec<f32>> = all.collect();
        let changes = |own: &&Vec<f32>| own.last().is_some_and(|none| *none < 0.5);
        let has_names = self.spots.names.iter().any(|names| !names.is_empty());
        let otherwise = match all.iter().filter(changes).count() {
            0 | 1 if has_names => ONE,
            0 | 1 => UNNAMED,
            _ => SEVERAL,
        };
        let of = |(at, own): (usize, &Vec<f32>)| {
            let none = own.last().copied().unwrap_or(1.0);
            let fields = own.len().saturating_sub(1);
            // "Rent goes up 300" is no percentage a year.
            let both = own[..fields].iter().zip(&self.subjects).enumerate();
            let both = both.map(|(field, (own, subject))| match self.can_change(at, field) {
                true => own * (subject + otherwise),
                false => 0.0,
            });
            let both: Vec<f32> = both.collect();
            let sum: f32 = both.iter().sum();
            let (best, most) = likeliest(&both);
            let likely = (1.0 - none) * most / sum.max(f32::MIN_POSITIVE);
            match self.about.filter(|_| !has_names && likely < OWN_FROM * (1.0 - none)) {
                Some(about) => (about, 1.0 - none, none),
                None => (best, likely, none),
            }
        };
        all.iter().enumerate().map(of).collect()
    }

    /// Whether a number can change a field in any way.
    fn can_change(&self, at: usize, field: usize) -> bool {
        let described = &self.message.vocabulary.fields()[field];
        let range = self.message.vocabulary.range(field);
        Way::ALL
            .iter()
            .any(|way| way.change(self.spots, at, described, range).is_some())
    }

    /// The likeliest of the changes that a number can be.
    fn change(&self, at: usize, field: usize) -> Option<(Change, f32)> {
        let described = &self.message.vocabulary.fields()[field];
        let range = self.message.vocabulary.range(field);
        let ways: Vec<(Way, Change)> = Way::ALL
            .iter()
            .filter(|way| !self.is_said_otherwise(at, **way))
            .filter_map(|way| Some((*way, way.change(self.spots, at, described, range)?)))
            .collect();
        let features = way::features(self.spots, self.message, at, described);
        let classes: Vec<u8> = ways.iter().map(|(way, _)| *way as u8).collect();
        let likely = self.ear.ways(&features, &classes);
        let sum = |change: &Change| {
            let same = ways.iter().zip(&likely).filter(|((_, other), _)| other == change);
            same.map(|(_, likely)| likely).sum::<f32>()
        };
        let all = ways.iter().map(|(_, change)| (*change, sum(change)));
        let (change, likely) = all.max_by(|(_, one), (_, other)| one.total_cmp(other))?;
        Some((change, likely))
    }

    /// "Growth of 1 % every year", and no word of a year.
    fn is_of_each_year(&self) -> bool {
        const EACH: &str = "every each all a per cada todos al por";
        let word = |at: usize| self.message.tokens[at].word();
        let mut years = (0..self.message.tokens.len()).filter(|at| calendar::is_unit(&self.message.tokens[*at]));
        years.all(|at| {
            at.checked_sub(1).is_some_and(|before| {
                is_of(EACH, word(before)) || word(before) == "los" && before > 0 && is_of("todos", word(before - 1))
            })
        })
    }

    /// "Sales 10 % higher and rent down to 5,000": the comparative right behind a number says which way it goes, whatever other words
    /// say.
    fn is_said_otherwise(&self, at: usize, way: Way) -> bool {
        const HIGHER: &str = "higher above superior superiores mayor mayores";
        const LOWER: &str = "lower below inferior inferiores menor menores";
        let word = self.spots.word_at(self.spots.all[at].amount.to);
        match way {
            Way::More | Way::ShareMore => is_of(LOWER, word),
            Way::Less | Way::ShareLess => is_of(HIGHER, word),
            Way::To | Way::Times => false,
        }
    }

    /// "No growth in years 4 and 5": each year that is named; of growth that is named without a year, each that there is.
    fn years(&self, at: usize, field: usize) -> Vec<usize> {
        let vocabulary = self.message.vocabulary;
        if !vocabulary.fields()[field].is_growth() {
            return vec![field];
        }
        let spot = &self.spots.all[at];
        let growths = self.spots.growths(spot);
        let is_named = self.spots.names.iter().any(|names| !names.is_empty());
        let is_each = self.spots.years(spot) == 0 && self.is_of_each_year();
        match growths.is_empty() {
            true if is_named && is_each => (1..=5).filter_map(|year| vocabulary.growth(year)).collect(),
            true => vec![field],
            false => growths,
        }
    }
}
