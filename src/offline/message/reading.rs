//! What a message says and wants: read as a whole, by what follows its first words, or by the one question in it that is understood.

use crate::offline::message::lead::{self, Lead, SURE};
use crate::offline::message::product::Product;
use crate::offline::message::{ask, scaled, written};
use crate::offline::{answers, content};
use crate::wording;
use llm_client::ChatMessage;
use plan_model::field::Field;
use plan_model::number::Number;
use plan_reader::{Heard, Intent, Mention, Slots, Texts, Understanding, Vocabulary, understand, wants, wants_case};

mod answering;
mod before;
mod behind;
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
mod replies;
mod rises;
mod starts;
mod values;
mod wants;

pub(in crate::offline) use answering::{asks_whose, has_no_sales};

pub(in crate::offline) use customers::{counts_customers_of_plan, tells_price};
pub(in crate::offline) use going_on::on_top;
pub(in crate::offline) use values::given;

use answering::{
    coverage_of_every_year, number_instead, of_months_without_sales, of_own_money, takes_back, wages_of_one,
    what_is_open, whether_coverage_is_good, whether_much, whose_numbers,
};
use customers::{customers_of_amount, customers_of_plan};
use starts::{draw_begins, why_draws_begin};

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
        // "What if we charge 80 a dog instead" behind 60 dogs a week is a case.
        let is_scaled = scaled.is_some() && wording::says(texts.message, "w.supposes");
        let price = || self.price_told(&texts, &understanding, &heard).filter(|_| !is_scaled);
        let known = lead::leaves_it(&texts)
            .or(offered)
            .or_else(|| written::product(&texts, &understanding))
            .or_else(price)
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
