//! What a message says and wants: read as a whole, by what follows its first words, or by the one question in it that is understood.

use crate::offline::message::lead::{self, Lead, SURE};
use crate::offline::message::product::Product;
use crate::offline::message::{ask, scaled, shown, written};
use crate::offline::{answers, content, is_guess};
use crate::wording;
use llm_client::ChatMessage;
use plan_model::field::{Field, FieldPath};
use plan_model::number::Number;
use plan_reader::{
    Candidate, Choice, Heard, IgnoredNumber, Intent, Mention, Slots, Source, Texts, Understanding, Vocabulary,
    understand, wants, wants_case, wants_otherwise,
};

mod answering;
mod before;
mod clauses;
mod conditions;
mod customers;
mod factors;
mod goals;
mod going_on;
mod instead;
mod less_loan;
mod neighbors;
mod partners;
mod question;
mod rises;
mod starts;

pub(in crate::offline) use answering::{asks_whose, has_no_sales};

pub(in crate::offline) use customers::{counts_customers_of_plan, tells_price};
pub(in crate::offline) use going_on::on_top;

use answering::{
    agreed, coverage_of_every_year, number_instead, of_months_without_sales, of_own_money, takes_back, wages_of_one,
    what_is_open, whether_coverage_is_good, whether_much, whose_numbers,
};
use customers::{customers_of_amount, customers_of_plan};
use starts::{draw_begins, why_draws_begin};

/// So sure a message must be by itself where what was said before makes it unsure.
const BY_ITSELF: f32 = 0.995;

/// So sure it must be that a part of a message states something.
pub(in crate::offline) const SURELY_STATED: f32 = 0.9;

/// A message, read.
#[derive(Clone)]
pub(in crate::offline) struct Reading<'a> {
    /// With the words that count: the message, or the part of it that is answered.
    pub texts: Texts<'a>,
    pub understanding: Understanding,
    pub heard: Heard,
    /// What the first words are, where they answer by themselves: all else is about what follows them.
    pub lead: Option<Lead>,
    /// Whether it is a yes to what the advisor asked back: "Is it break-even?"
    pub is_agreed: bool,
    /// A question that is added to what is answered, and not understood.
    pub unanswered: Option<&'a str>,
    /// Whether it is about a figure that an answer has shown, as a whole.
    pub is_about_shown: bool,
    /// Whether its changes are all of the case that is meant, and nothing of the one before it is added.
    pub is_whole_case: bool,
    /// Whether its clauses say the case, all of them together.
    pub is_by_clauses: bool,
    /// Whether the message states values beside it.
    pub is_beside_values: bool,
    /// Products of several lines that are stated beside each other, or beside values.
    pub products: Vec<Product>,
}

impl Reading<'_> {
    pub(in crate::offline) fn has_values(&self) -> bool {
        !self.understanding.plain.is_empty() || self.understanding.has_heard()
    }

    /// The same as a statement of one product, whose factors are no values.
    pub(in crate::offline) fn stating(&self, product: Product) -> Self {
        let mut read = self.clone();
        read.heard = Heard::known(Intent::State, Slots::default());
        read.products = vec![product];
        read.understanding.candidates.clear();
        read.understanding.shares.clear();
        read
    }

    /// Whether it wants something computed of what it supposes.
    pub(in crate::offline) fn is_case(&self) -> bool {
        matches!(self.heard.intent, Intent::WhatIf | Intent::Goal | Intent::Estimate)
    }

    /// Whether it supposes a value of some line.
    pub(in crate::offline) fn changes_something(&self) -> bool {
        self.heard.intent == Intent::WhatIf && !self.heard.slots.all_changes().is_empty()
    }

    /// "Yes its our own cash", "yea profit", "si, eso exacto": short, without a number, and a yes by its first word.
    fn agrees(&self) -> bool {
        const LONGEST: usize = 8;
        const SURELY: f32 = 0.85;
        let is_heard = self.heard.intent == Intent::Accept && self.heard.probability >= SURELY;
        let message = self.texts.message;
        let words = message.split(|c: char| !c.is_alphanumeric());
        (is_heard || wording::says_first(&plan_reader::without_drawl(message), "w.yes"))
            && words.filter(|word| !word.is_empty()).count() <= LONGEST
            && self.understanding.mentions.is_empty()
            && !message.contains('?')
    }

    /// Whether it surely asks for something of its own, in more words than a yes has.
    fn wants_more(&self) -> bool {
        const LONGEST: usize = 8;
        let asks = matches!(
            self.heard.intent,
            Intent::Goal | Intent::WhatIf | Intent::Why | Intent::Levers
        );
        let words = self.texts.message.split_whitespace().count();
        asks && words > LONGEST && self.is_heard() && self.heard.is_sure_of_figures()
    }

    pub(in crate::offline) fn is_heard(&self) -> bool {
        self.heard.intent != Intent::Other && self.heard.probability >= SURE
    }
}

/// What it takes to read a message.
pub(in crate::offline) struct Reader<'r, 'a> {
    pub before: &'a [ChatMessage],
    pub fields: &'r [Field],
    pub vocabulary: &'r Vocabulary,
}

impl<'a> Reader<'_, 'a> {
    /// Whether no answer has shown a case yet.
    pub(in crate::offline) fn shows_no_case(&self) -> bool {
        !answers(self.before).any(ask::shows_case)
    }

    pub(in crate::offline) fn read(&self, texts: Texts<'a>) -> Reading<'a> {
        let mut reading = self.behind_case(self.without_case_before(texts));
        reading.unanswered = reading.unanswered.or_else(|| self.amount_left_out(&reading));
        reading
    }

    /// With what the case before adds to it.
    fn behind_case(&self, mut reading: Reading<'a>) -> Reading<'a> {
        if let Some(heard) = self
            .part_of_case(&reading)
            .or_else(|| self.taken_part(&reading))
            .or_else(|| self.all_together(&reading))
            .or_else(|| self.instead_of_before(&reading))
            .or_else(|| self.ordered_case(&reading))
            .or_else(|| self.times_that(&reading))
        {
            return Reading {
                heard,
                is_whole_case: true,
                ..reading
            };
        }
        if let Some(heard) = self.stated_in_case(&reading) {
            reading.heard = heard;
            reading.understanding.candidates.clear();
            reading.understanding.plain.clear();
        }
        if let Some(slots) = self
            .in_percent_as_before(&reading)
            .or_else(|| self.by_as_before(&reading))
            .or_else(|| self.same_line_again(&reading))
            .or_else(|| self.goal_within(&reading))
            .or_else(|| self.goal_in_case(&reading))
        {
            reading.heard.slots = slots;
        }
        if matches!(reading.heard.intent, Intent::Figure | Intent::Why)
            && wording::says(reading.texts.message, "w.same_year")
        {
            reading.heard.slots.year = self.year_before().or(reading.heard.slots.year);
        }
        if reading.heard.intent == Intent::WhatIf {
            rises::of_rent(&mut reading);
            self.by_neighbors(&mut reading);
            if let Some(slots) = self.moved_by(&reading).or_else(|| self.with_start(&reading)) {
                reading.heard.slots = slots;
            }
            reading.heard = less_loan::of(&reading).unwrap_or(reading.heard);
        }
        if reading.heard.intent == Intent::WhatIf && !reading.is_agreed {
            let slots = std::mem::take(&mut reading.heard.slots);
            let (said, texts) = (&reading.understanding, &reading.texts);
            reading.heard.slots = lead::case_in_thousands(slots, said, texts, self.vocabulary);
        }
        if let Some(heard) = self.of_named_case(&reading) {
            // "Go back to lean" takes nothing back.
            reading.understanding.wish = None;
            reading.heard = heard;
        }
        if let Some(heard) = self.goal_again(&reading).or_else(|| self.goal_by_other(&reading)) {
            return Reading {
                heard,
                is_whole_case: true,
                ..reading
            };
        }
        match self.with_case_before(&reading) {
            Some(slots) => Reading {
                heard: Heard { slots, ..reading.heard },
                ..reading
            },
            None => reading,
        }
    }

    fn without_case_before(&self, texts: Texts<'a>) -> Reading<'a> {
        let whole = self.whole(texts);
        if let Some(product) = self.factor_again(&whole) {
            return product;
        }
        if whole.has_values() || whole.is_about_shown {
            return whole;
        }
        if let Some(product) = self.line_of_product(&whole) {
            return product;
        }
        let advisor = whole.texts.advisor;
        let asks = advisor.is_some_and(ask::asks);
        // "No. Is my 120k still enough?" drops nothing that was not asked about.
        let settles = matches!(whole.heard.intent, Intent::Accept | Intent::Decline);
        if advisor.is_some_and(is_guess) && whole.agrees() {
            let heard = Heard::known(Intent::Accept, Slots::default());
            return Reading { heard, ..whole };
        }
        let parts = lead::split(whole.texts.message, self.vocabulary).filter(|_| asks || settles || !whole.is_heard());
        let message = whole.texts.message;
        let is_case = |text: &str| ask::asks_case(text) && text.contains(message.trim());
        let is_yes = parts.is_some_and(|(lead, _)| lead == Lead::Yes)
            || plan_reader::says_yes(message)
            || advisor.is_some_and(|text| ask::asks_back(text) || ask::asks_case(text)) && whole.agrees()
            || message.ends_with('?') && advisor.is_some_and(is_case);
        let guessed = is_yes.then(|| self.guessed_before()).flatten();
        // "Yes but with 260", "sure, but leave the 58 out" is a yes to another case.
        let is_of_case = guessed.as_ref().is_some_and(|guessed| guessed.intent == Intent::WhatIf);
        let turns = [" but ", " pero "].iter().any(|word| message.contains(word));
        let is_asked = |one: &Mention| advisor.is_some_and(|asked| shown::is_number_of(asked, one.value));
        let changes = is_of_case && whole.understanding.mentions.iter().any(|one| turns || !is_asked(one));
        let asked_case = guessed.as_ref().filter(|_| is_of_case && !turns).cloned();
        let guessed = guessed.filter(|_| !changes && !whole.wants_more());
        // "Yes, that is what I mean."
        let confirms = |rest: &str| guessed.is_some() && wording::says_first(rest, "w.means_it") && whole.agrees();
        let goes_on = parts.filter(|(_, rest)| !confirms(rest));
        let goes_on = goes_on.and_then(|(first, rest)| Some((first, self.rest(&whole.texts, rest)?)));
        match (guessed, goes_on, parts) {
            (Some(mut guessed), Some((_, rest)), _) => {
                self.in_year_said(&mut guessed, &rest.texts);
                let heard = agreed(&guessed, rest.heard.clone());
                Reading {
                    is_agreed: heard == guessed,
                    heard,
                    ..rest
                }
            }
            (Some(mut heard), None, _) => {
                self.in_year_said(&mut heard, &whole.texts);
                Reading {
                    heard,
                    is_agreed: true,
                    ..whole
                }
            }
            (None, Some((first, rest)), _) => Reading {
                lead: Some(first).filter(|_| asks),
                heard: with_asked(asked_case, rest.heard),
                ..rest
            },
            (None, None, Some((first, _))) if !whole.is_heard() => Reading {
                heard: first.alone(advisor).unwrap_or(whole.heard),
                ..whole
            },
            (None, None, _) => self.question(&whole).unwrap_or(whole),
        }
    }

    /// "Yep, the first year.", "ese mero, pero del tercer año": what is agreed to, in the year that is said with it.
    fn in_year_said(&self, guessed: &mut Heard, texts: &Texts<'_>) {
        let years = plan_reader::years(texts, self.vocabulary);
        if let ([year], true) = (&years[..], guessed.slots.line.is_some()) {
            (guessed.slots.year, guessed.slots.month) = (Some(*year), None);
        }
    }

    /// The values of a message, less those that are not meant.
    fn understood(&self, texts: &Texts<'a>) -> Understanding {
        let mut understanding = understand(texts, self.vocabulary).with_ungrouped();
        if lead::is_of_another(&understanding, texts) {
            understanding = understand(&Texts::of(texts.message), self.vocabulary).with_ungrouped();
        }
        // A yes is to a value that was asked about, and not to one of an example.
        if !texts.advisor.is_some_and(wording::asks_for_yes) {
            understanding.candidates.retain(|one| one.source != Source::Advisor);
        }
        lead::without_corrected(&mut understanding, texts.message);
        lead::without_denied(&mut understanding, texts.message, self.fields);
        lead::without_months(&mut understanding, self.fields);
        lead::as_named(&mut understanding, self.fields);
        lead::as_salary(&mut understanding.candidates, texts.message, self.fields);
        lead::without_absurd(&mut understanding, texts, self.vocabulary);
        shown::without_shown(&mut understanding, texts, (self.before, self.fields), self.vocabulary);
        lead::in_thousands(&mut understanding, texts, self.vocabulary);
        lead::without_aside(&mut understanding, texts.message, self.fields);
        self.in_each_year(&mut understanding, texts);
        understanding
    }

    /// "Growth of 3 percent every year": a value of each of them. Years that are named are the ear's.
    fn in_each_year(&self, understanding: &mut Understanding, texts: &Texts<'_>) {
        let is_each = || plan_reader::years(texts, self.vocabulary).is_empty();
        if !wording::says(texts.message, "w.every_year") || !is_each() {
            return;
        }
        let is_growth = |choice: &Choice| self.field(choice.field.as_str()).is_some_and(Field::is_growth);
        let is_of_growth = |one: &Candidate| one.choices.first().is_some_and(is_growth);
        let candidates = &mut understanding.candidates;
        let mut found = (0..candidates.len()).filter(|at| is_of_growth(&candidates[*at]));
        // "4 % in year 2 and 3 % in year 3" says which is of which.
        let (Some(at), None) = (found.next(), found.next()) else {
            return;
        };
        let one = candidates[at].clone();
        let years = self.fields.iter().filter(|field| field.is_growth());
        let of_year = |field: &Field| Candidate {
            choices: vec![Choice {
                field: field.path.clone(),
                ..one.choices[0].clone()
            }],
            ..one.clone()
        };
        candidates.splice(at..=at, years.map(of_year));
    }

    fn whole(&self, texts: Texts<'a>) -> Reading<'a> {
        let mut understanding = self.understood(&texts);
        self.of_case_before(&texts, &mut understanding);
        let guess = texts.asked.as_ref();
        let guess = guess.and_then(|asked| lead::guess(&texts, &understanding, asked));
        let instead = || number_instead(&texts, &understanding, self.vocabulary);
        let heard = match guess.or_else(instead) {
            Some(guess) => {
                understanding.candidates.push(guess);
                Heard::known(Intent::State, Slots::default())
            }
            None => self.heard(&texts, &understanding),
        };
        let heard = self.why_so_low(&texts, &mut understanding, heard);
        let mut heard = self.why_of_it(&texts, heard);
        // What was taken back in the same breath multiplies nothing.
        if !heard.slots.product.is_empty() && wording::says(texts.message, "w.corrects") {
            let said = understand(&texts, self.vocabulary).with_ungrouped().mentions;
            let kept = &understanding.mentions;
            let is_left = |one: &Mention| kept.iter().any(|other| other.number == one.number);
            let dropped: Vec<Number> = said
                .iter()
                .filter(|one| !is_left(one))
                .map(|one| Number::new(one.value))
                .collect();
            heard.slots.product.retain(|factor| !dropped.contains(factor));
        }
        let (heard, is_about_shown) = self.of_shown(&texts, &mut understanding, heard);
        let scaled = scaled::case(self.known(), &texts, &understanding, &heard);
        let offered = ask::line_offered(texts.message, self.fields).map(|line| {
            let slots = Slots {
                line: Some(line),
                ..Slots::default()
            };
            Heard::known(Intent::Figure, slots)
        });
        let known = lead::leaves_it(&texts)
            .or(offered)
            .or_else(|| written::product(&texts, &understanding))
            .or_else(|| self.price_told(&texts, &understanding, &heard))
            .or_else(|| partners::of_partner(&texts, &understanding, &heard))
            .or_else(|| of_own_money(&texts, &understanding, &heard))
            .or_else(|| takes_back(&texts, &understanding))
            .or_else(|| what_is_open(&texts, &heard))
            .or_else(|| self.extra_cash(&texts))
            .or_else(|| draw_begins(&texts, &understanding, &heard))
            .or_else(|| wages_of_one(&texts, &understanding, &heard))
            .or_else(|| of_months_without_sales(&texts, &heard))
            .or_else(|| customers_of_plan(&texts))
            .or_else(|| customers_of_amount(&texts, &understanding, &heard))
            .or_else(|| whose_numbers(&texts))
            .or_else(|| why_draws_begin(&texts))
            .or_else(|| whether_coverage_is_good(&texts, &understanding, &heard))
            .or_else(|| coverage_of_every_year(&texts, &understanding))
            .or_else(|| whether_much(&texts, &understanding, &heard))
            .or(scaled)
            .or_else(|| self.conditioned(&texts, &heard));
        let is_known = known.is_some();
        let (known, left_out) = self.else_by_clauses(&texts, &heard, known);
        let is_by_clauses = known.is_some() && !is_known;
        let left_out = left_out.or_else(|| self.condition_left_out(&texts, known.as_ref().unwrap_or(&heard)));
        if known.is_some() {
            understanding.candidates.clear();
            understanding.shares.clear();
        }
        Reading {
            texts,
            understanding,
            heard: known.unwrap_or(heard),
            lead: None,
            is_agreed: false,
            unanswered: left_out,
            is_about_shown,
            is_whole_case: false,
            is_by_clauses,
            is_beside_values: false,
            products: Vec::new(),
        }
    }

    /// What a message is known to be, else what its clauses suppose, with one that is not understood.
    fn else_by_clauses(
        &self,
        texts: &Texts<'a>,
        heard: &Heard,
        known: Option<Heard>,
    ) -> (Option<Heard>, Option<&'a str>) {
        match known.is_none().then(|| self.by_clauses(texts, heard)).flatten() {
            Some(read) => (Some(read.heard), read.left_out),
            None => (known.or_else(|| self.without_also(texts, heard)), None),
        }
    }

    fn part(&self, texts: &Texts<'a>, message: &'a str) -> Reading<'a> {
        self.read_part(texts, message, None)
    }

    fn known(&self) -> scaled::Known<'_> {
        scaled::Known {
            before: self.before,
            fields: self.fields,
            vocabulary: self.vocabulary,
        }
    }

    pub(in crate::offline) fn field(&self, path: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.path.as_str() == path)
    }

    /// A piece of a message that says what it wants without what was said before.
    pub(in crate::offline) fn piece(&self, texts: &Texts<'a>, message: &'a str) -> Reading<'a> {
        let by_itself = wants(&Texts::of(message), self.vocabulary);
        // "Push it to month 25" is said of what was talked about.
        let is_of_it = wording::says_first(message, "w.moves_it") && texts.about.is_some();
        let is_plain =
            !is_of_it && (lead::goes_on(&by_itself) || matches!(by_itself.intent, Intent::State | Intent::Correct));
        self.read_part(texts, message, Some(by_itself).filter(|_| is_plain))
    }

    fn read_part(&self, texts: &Texts<'a>, message: &'a str, heard: Option<Heard>) -> Reading<'a> {
        let texts = Texts {
            message,
            ..texts.clone()
        };
        let mut understanding = self.understood(&texts);
        let heard = heard.unwrap_or_else(|| self.heard(&texts, &understanding));
        let (heard, is_about_shown) = self.of_shown(&texts, &mut understanding, heard);
        let known = lead::leaves_it(&texts)
            .or_else(|| scaled::case(self.known(), &texts, &understanding, &heard))
            .or_else(|| self.conditioned(&texts, &heard));
        let is_known = known.is_some();
        let (known, unanswered) = self.else_by_clauses(&texts, &heard, known);
        let is_by_clauses = known.is_some() && !is_known;
        let heard = known.unwrap_or(heard);
        self.behind_case(Reading {
            texts,
            understanding,
            heard,
            lead: None,
            is_agreed: false,
            unanswered,
            is_about_shown,
            is_whole_case: false,
            is_by_clauses,
            is_beside_values: false,
            products: Vec::new(),
        })
    }

    /// Takes what a piece states for a case, where it surely is one.
    pub(in crate::offline) fn suppose(&self, piece: &mut Reading<'a>) {
        let case = wants_case(&piece.texts, self.vocabulary);
        if case.is_sure_of_figures() && !case.slots.all_changes().is_empty() {
            piece.heard = case;
            piece.understanding.candidates.clear();
            piece.understanding.plain.clear();
        }
    }

    /// What follows the first words, where it wants something of its own.
    fn rest(&self, texts: &Texts<'a>, rest: &'a str) -> Option<Reading<'a>> {
        let rest = self.part(texts, rest);
        (lead::goes_on(&rest.heard) && !rest.has_values()).then_some(rest)
    }

    /// What a message wants. What was said before helps to understand an answer, and misleads where it is none ("print it" after a
    /// value was written): then the message is read by itself, and nothing is taken back unless it says so by itself.
    fn heard(&self, texts: &Texts<'_>, understanding: &Understanding) -> Heard {
        let vocabulary = self.vocabulary;
        let heard = wants(texts, vocabulary);
        // "Not that, I meant interest only for 15 months" behind a case corrects the case.
        if heard.intent == Intent::Correct && texts.advisor.is_some_and(ask::shows_case) {
            let otherwise = wants_otherwise(texts, vocabulary);
            if otherwise.intent == Intent::WhatIf && !otherwise.slots.all_changes().is_empty() {
                return otherwise;
            }
        }
        // "Keep that but rent 5,000" keeps nothing under a name.
        let keeps_but = wording::says_first(texts.message, "w.keep_but");
        if heard.intent == Intent::Figure && wording::says(texts.message, "w.supposes") || keeps_but {
            let case = wants_case(texts, vocabulary);
            if !case.slots.all_changes().is_empty() && case.is_likely() {
                return case;
            }
        }
        // "I think sales of 55k or 65k", "my sister pays herself 3k": it is said why nothing is noted.
        if is_left_alone(texts.message, understanding, &heard) {
            return Heard::known(Intent::State, Slots::default());
        }
        let states = matches!(heard.intent, Intent::State | Intent::Correct);
        let has_values =
            !understanding.plain.is_empty() || understanding.has_heard() || !understanding.ignored.is_empty();
        // Nothing in it could be recorded: what else does it want?
        let is_change = understanding.ignored.contains(&IgnoredNumber::Change)
            && understanding.plain.is_empty()
            && !understanding.has_heard();
        if states && (!has_values || is_change) {
            let otherwise = wants_otherwise(texts, vocabulary);
            // "The landlord wants to raise us 400": a case to ask back, where it can be one.
            let changes = otherwise.slots.all_changes();
            let is_named = changes.iter().all(|one| understanding.named.contains(&one.field));
            let is_case = otherwise.intent == Intent::WhatIf && !changes.is_empty() && is_named;
            let supposes = wording::says(texts.message, "w.supposes");
            return if is_change && !is_case && !supposes {
                heard
            } else {
                otherwise
            };
        }
        let has_numbers = !understanding.plain.is_empty() || !understanding.mentions.is_empty();
        let is_sure = |heard: &Heard| {
            // Without a number or a word such as "double" nothing is supposed.
            let is_empty_case = heard.intent == Intent::WhatIf && heard.slots.all_changes().is_empty();
            heard.probability >= SURE
                && !is_empty_case
                && !matches!(heard.intent, Intent::State | Intent::Correct | Intent::Other)
        };
        if has_numbers || is_sure(&heard) && heard.is_sure_of_figures() && heard.intent != Intent::Undo {
            return heard;
        }
        let by_itself = wants(&Texts::of(texts.message), vocabulary);
        let is_surer = heard.intent == Intent::Undo || !is_sure(&heard) || by_itself.certainty() >= BY_ITSELF;
        match (is_sure(&by_itself) && is_surer, heard.intent) {
            (true, _) => by_itself,
            (false, Intent::Undo) => Heard {
                intent: Intent::Other,
                ..heard
            },
            (false, _) => heard,
        }
    }
}

/// "Yes, and over 7 years" is of the case that was asked about, too.
fn with_asked(asked: Option<Heard>, heard: Heard) -> Heard {
    match asked.filter(|_| heard.intent == Intent::WhatIf && !heard.slots.all_changes().is_empty()) {
        Some(asked) => Heard {
            slots: on_top(
                asked.slots.all_changes(),
                heard.slots.all_changes(),
                heard.slots.clone(),
            ),
            ..heard
        },
        None => heard,
    }
}

/// Whether a message tells a number that is no value, and asks nothing.
fn is_left_alone(message: &str, understanding: &Understanding, heard: &Heard) -> bool {
    let is_either = understanding.ignored.contains(&IgnoredNumber::Either);
    let is_told = match heard.intent {
        Intent::State | Intent::Correct | Intent::Other | Intent::Accept | Intent::Decline => true,
        Intent::Figure | Intent::Estimate => is_either || understanding.ignored == [IgnoredNumber::Others],
        _ => false,
    };
    let is_why = |why: &IgnoredNumber| !matches!(why, IgnoredNumber::Change | IgnoredNumber::Foreign);
    let has_values = !understanding.plain.is_empty() || understanding.has_heard();
    let is_why = understanding.ignored.iter().any(is_why);
    is_told && is_why && !has_values && !message.contains('?') && !wording::says_first(message, "w.asks")
}

/// The fields that values are given for: what is plain, and the likeliest of what is heard.
pub(in crate::offline) fn given(understanding: &Understanding) -> impl Iterator<Item = &FieldPath> {
    let heard = understanding.candidates.iter().filter_map(|one| one.choices.first());
    let plain = understanding.plain.iter().map(|one| &one.field);
    let shares = understanding.shares.iter().map(|one| &one.field);
    plain.chain(heard.map(|choice| &choice.field)).chain(shares)
}

pub(in crate::offline) fn last_of_user(messages: &[ChatMessage]) -> Option<usize> {
    messages
        .iter()
        .rposition(|message| matches!(message, ChatMessage::User(_)))
}

/// The user's message at a place, with what was said before it.
pub(in crate::offline) fn texts_at<'a>(messages: &'a [ChatMessage], at: Option<usize>, fields: &[Field]) -> Texts<'a> {
    let before = &messages[..at.unwrap_or(0)];
    let advisor = answers(before).next();
    let asked = advisor.and_then(|text| ask::asked(text, fields));
    Texts {
        message: at.map_or("", |at| content(&messages[at])),
        previous_message: last_of_user(before).map(|at| content(&messages[at])),
        advisor,
        asked: asked.map(|at| fields[at].path.clone()),
        about: None,
    }
}
