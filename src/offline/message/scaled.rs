//! Cases of sales that are said by what they are made of: "80 dogs instead of 45", "and if I raise the price from 65 to 75?", "what if
//! we charge 80 a dog?" behind "60 dogs a week at 65", "and with 110 dogs a week at 75?". And a named line's: "rent 2,500 instead of
//! 3,200".

use crate::offline::message::product::{Per, Said};
use crate::wording;
use llm_client::ChatMessage;
use plan_model::field::{Field, FieldPath, Kind};
use plan_model::inputs::SALES;
use plan_model::number::Number;
use plan_reader::{Change, Heard, Intent, Mention, Slots, Texts, Understanding, Unit, Vocabulary, understand, wants};
use rust_decimal::Decimal;

/// Numbers of such a message: the two, and a price or a number of customers that stays.
const MOST: usize = 3;

/// Bytes between two numbers of which one is said to be in the other's place.
const BETWEEN: usize = 30;

/// The person's messages that are looked at for what sales are made of.
const LOOKED_AT: usize = 20;

/// What a message is read with.
#[derive(Clone, Copy)]
pub(in crate::offline) struct Known<'r> {
    pub before: &'r [ChatMessage],
    pub fields: &'r [Field],
    pub vocabulary: &'r Vocabulary,
}

impl Known<'_> {
    fn field(&self, path: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.path.as_str() == path)
    }
}

/// The case that a message supposes so.
pub(in crate::offline) fn case(
    known: Known<'_>,
    texts: &Texts<'_>,
    said: &Understanding,
    heard: &Heard,
) -> Option<Heard> {
    let message = texts.message;
    let supposes = heard.intent == Intent::WhatIf || message.contains('?') || wording::says(message, "w.supposes");
    let count = said.mentions.len();
    if !supposes || count == 0 || count > MOST {
        return None;
    }
    let pair = said
        .mentions
        .windows(2)
        .find_map(|pair| in_place(message, &pair[0], &pair[1]));
    // A raise of the price names that of wages, too.
    let is_other = |path: &&FieldPath| {
        let field = known.field(path.as_str());
        path.as_str() != SALES && field.is_some_and(|field| field.kind == Kind::Money)
    };
    let mut others = said.named.iter().filter(is_other);
    if let Some(named) = others.next() {
        let new = pair
            .map(|(new, _)| new)
            .filter(|_| others.next().is_none() && count == 2)?;
        let heard = said
            .supposed
            .iter()
            .chain(&said.candidates)
            .find(|one| one.number == new.number)?;
        let value = heard.choices.iter().find(|choice| choice.field == *named)?.value;
        return Some(of(named.clone(), Change::To(value)));
    }
    let of_price = wording::says(message, "w.price");
    let said = &Understanding {
        counts_customers: said.counts_customers || !of_price && counts_again(known, message, said),
        ..said.clone()
    };
    if !said.counts_customers && !of_price {
        // "10 a day" behind "60 dogs a week at 65" is no $10,000 of sales, and not surely 10 dogs.
        let is_unclear = is_often(message) && is_small(said) && made_before(known).is_some();
        return is_unclear.then(|| Heard::known(Intent::WhatIf, Slots::default()));
    }
    let change = match pair {
        Some((new, old)) => {
            let third = said
                .mentions
                .iter()
                .find(|one| one.number != new.number && one.number != old.number);
            let times = new.value.checked_div(old.value)?;
            // "40 dogs a week, and 95 instead of 85": of both.
            let times = match third.filter(|_| said.counts_customers) {
                Some(third) => {
                    let before = made_before(known)?;
                    let of_price = before.price == old.value;
                    let other = if of_price { before.customers } else { before.price };
                    times.checked_mul(third.value.checked_div(other)?)?
                }
                None => times,
            };
            Some(Change::Times(Number::new(times))).filter(|_| times != Decimal::ONE)?
        }
        // "What do 40 dogs at 75 come to?" asks for the product.
        None if heard.intent == Intent::WhatIf || wording::says(message, "w.supposes") => {
            made_of(known, message, said)?
        }
        None => return None,
    };
    Some(of(FieldPath::read(SALES), change))
}

fn of(field: FieldPath, change: Change) -> Heard {
    let slots = Slots {
        field: Some(field),
        change: Some(change),
        ..Slots::default()
    };
    Heard::known(Intent::WhatIf, slots)
}

/// The number that another one stands for, as a message says: "2,500 instead of 3,200".
pub(in crate::offline) fn replaced(message: &str, mentions: &[Mention]) -> Option<Decimal> {
    let pair = mentions
        .windows(2)
        .find_map(|pair| in_place(message, &pair[0], &pair[1]));
    pair.map(|(_, old)| old.value)
}

/// Of two numbers the new one and the one that it stands for: "80 instead of 45", "from 65 to 75".
fn in_place<'m>(message: &str, first: &'m Mention, second: &'m Mention) -> Option<(&'m Mention, &'m Mention)> {
    let is_plain = |one: &Mention| matches!(one.unit, Unit::Bare | Unit::Money) && one.value > Decimal::ZERO;
    if !is_plain(first) || !is_plain(second) {
        return None;
    }
    let between = message.get(first.number.1..second.number.0)?.to_lowercase();
    let before = message.get(..first.number.0)?.to_lowercase();
    let trimmed = |text: &str| text.trim_end_matches(['$', ' ']).to_owned();
    let ends = |text: &str, key: &str| wording::phrases(key).any(|phrase| trimmed(text).ends_with(phrase));
    if ends(&between, "w.instead") {
        return Some((first, second));
    }
    // "Instead of 120 it is 90".
    if ends(&before, "w.instead") && between.len() <= BETWEEN {
        return Some((second, first));
    }
    let is_step = wording::phrases("w.to").any(|word| trimmed(&between).trim_start() == word);
    (is_step && ends(&before, "w.from")).then_some((second, first))
}

/// Customers at a price.
#[derive(Clone, Copy)]
struct Made {
    customers: Decimal,
    price: Decimal,
    per: Option<Per>,
    /// Open on so many days of a week or a month.
    has_days: bool,
}

impl Made {
    /// How many times as much as before.
    fn times(self, before: Self) -> Option<Change> {
        let customers = self.customers.checked_div(before.customers)?;
        let price = self.price.checked_div(before.price)?;
        Some(Change::Times(Number::new(customers.checked_mul(price)?).round(12)))
    }

    /// What the number of customers is per: with days of the week it is of one of them.
    fn often(&self) -> Option<Per> {
        if self.has_days { Some(Per::Day) } else { self.per }
    }

    /// Cents a month; nothing where it is not known how often.
    fn cents_a_month(&self) -> Option<Number> {
        let per_year = match self.per? {
            Per::Day => return None,
            Per::Week => 52,
            Per::Month => 12,
            Per::Year => 1,
        };
        let a_time = self
            .customers
            .checked_mul(self.price)?
            .checked_mul(Decimal::ONE_HUNDRED)?;
        let a_year = a_time.checked_mul(Decimal::from(per_year))?;
        Some(Number::new(a_year.checked_div(Decimal::from(12))?).round(0))
    }
}

/// Sales of what a message says of customers and price, and for the other what was said of it before; so much more or less of them where
/// it is not known how often ("120 customers a day").
fn made_of(known: Known<'_>, message: &str, said: &Understanding) -> Option<Change> {
    let made = match &said.mentions[..] {
        [only] => {
            let before = made_before(known)?;
            let new = match said.counts_customers {
                true => Made {
                    customers: moved(message, only, before.customers)?,
                    ..before
                },
                false => Made {
                    price: moved(message, only, before.price)?,
                    ..before
                },
            };
            let own = per(message, said);
            // "70 a week" behind "12 a day, 6 days a week" says anew how often.
            if before.often() == Some(Per::Day) && matches!(own, None | Some(Per::Day)) {
                return new.times(before);
            }
            let per = own.or(before.per);
            Made { per, ..new }
        }
        [_, _] if said.counts_customers || is_priced(message, said) => {
            let new = made(message, said)?;
            // "What if it's only 45 dogs at 80?" behind "60 dogs a week at 65".
            let per = match new.per {
                Some(Per::Day) | None => {
                    let before = made_before(known)?;
                    if before.has_days {
                        return new.times(before);
                    }
                    before.per
                }
                per => per,
            };
            Made { per, ..new }
        }
        _ => return None,
    };
    made.cents_a_month().map(Change::To)
}

/// "What if I only do 10 a day", "2 more dogs a day" behind "12 dogs a day at 80": small, and of the same time.
fn counts_again(known: Known<'_>, message: &str, said: &Understanding) -> bool {
    let is_like = |before: Made| per(message, said) == before.often() || before.has_days;
    is_small(said) && is_often(message) && made_before(known).is_some_and(is_like)
}

/// Whether its only number may count customers.
fn is_small(said: &Understanding) -> bool {
    let least = Decimal::ONE_THOUSAND;
    let is_count = |one: &Mention| one.unit == Unit::Bare && one.value.fract().is_zero() && one.value < least;
    matches!(&said.mentions[..], [only] if is_count(only)) && said.named.is_empty()
}

fn is_often(message: &str) -> bool {
    ["w.daily", "w.weekly"].iter().any(|key| wording::says(message, key))
}

/// What a number makes of another one: itself, or so much more or less ("if we charge 5 dollars less", "10 more dogs a week"). `None`
/// where nothing would be left, or it is not clear.
fn moved(message: &str, said: &Mention, before: Decimal) -> Option<Decimal> {
    let is_target = message.get(..said.number.0).is_some_and(|text| {
        let text = wording::plain(text);
        let last = text.trim_end().rsplit(' ').next().unwrap_or_default();
        wording::phrases("w.to").any(|word| word == last)
    });
    let says = |key: &str| !is_target && wording::says(message, key);
    let moved = match (says("w.more"), says("w.less")) {
        (false, false) => Some(said.value),
        (true, false) => before.checked_add(said.value),
        (false, true) => before.checked_sub(said.value),
        (true, true) => None,
    };
    // "Raise the price, 75" is no 75 more of 65.
    let is_step = said.value < before || moved == Some(said.value);
    moved.filter(|moved| *moved > Decimal::ZERO && is_step)
}

/// The last product of customers and a price that was said.
fn made_before(known: Known<'_>) -> Option<Made> {
    let said = known.before.iter().rev().filter_map(|message| match message {
        ChatMessage::User(text) => Some(&**text),
        _ => None,
    });
    // "Insurance is 450. 25 jobs a week at 140": each sentence by itself.
    let sentences = said.take(LOOKED_AT).flat_map(|message| {
        let parts = message
            .split_inclusive(['.', ';', '\n'])
            .filter(move |part| part.len() < message.len());
        std::iter::once(message).chain(parts)
    });
    sentences.take(LOOKED_AT.saturating_mul(4)).find_map(|message| {
        let texts = Texts::of(message);
        let read = understand(&texts, known.vocabulary).with_ungrouped();
        let is_product = || wants(&texts, known.vocabulary).intent == Intent::Estimate;
        made(message, &read).filter(|_| read.counts_customers && is_product())
    })
}

/// What a customer pays, as an earlier message says.
pub(in crate::offline) fn price_before(known: Known<'_>) -> Option<Decimal> {
    made_before(known).map(|made| made.price)
}

/// Two numbers of a message beside those of days: the price is the one in dollars, else the second.
fn made(message: &str, said: &Understanding) -> Option<Made> {
    let is_of_days = |mention: &&Mention| matches!(mention.unit, Unit::Days | Unit::Weeks);
    let (days, factors): (Vec<&Mention>, Vec<&Mention>) = said.mentions.iter().partition(is_of_days);
    let [first, second] = factors[..] else {
        return None;
    };
    let is_turned = first.unit == Unit::Money && second.unit != Unit::Money || is_priced(message, said);
    let (customers, price) = if is_turned { (second, first) } else { (first, second) };
    Some(Made {
        customers: customers.value,
        price: price.value,
        per: per(message, said),
        has_days: !days.is_empty(),
    })
}

/// "If we charge 85 a dog and wash 60 a week": the price is said first.
fn is_priced(message: &str, said: &Understanding) -> bool {
    let until = said.mentions.first().map_or(0, |first| first.number.0);
    wording::says(message.get(..until).unwrap_or_default(), "w.price")
}

fn per(message: &str, said: &Understanding) -> Option<Per> {
    let product = Said {
        message,
        mentions: &said.mentions,
        factors: &[],
        counts_customers: said.counts_customers,
    };
    product
        .per()
        .or_else(|| Some(Per::Month).filter(|_| wording::says(message, "w.monthly")))
}
