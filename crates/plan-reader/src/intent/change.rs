//! How values are to differ: "10 % less", "20,000 less", "double", "three months later", "without the van", "at 5,000". Which field a
//! number changes and which way is learned; what the field then holds is arithmetic.

pub(crate) mod count;
pub(crate) mod operands;
pub(crate) mod way;

use super::slots::{Change, FieldChange};
use crate::ear::spots::Spots;
use crate::ear::{Ear, likeliest};
use crate::grammar::Message;
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

    /// "No growth in years 4 and 5": each year that is named.
    fn years(&self, at: usize, field: usize) -> Vec<usize> {
        let is_growth = self.message.vocabulary.fields()[field].is_growth();
        let growths = self.spots.growths(&self.spots.all[at]);
        match is_growth && !growths.is_empty() {
            true => growths,
            false => vec![field],
        }
    }
}
