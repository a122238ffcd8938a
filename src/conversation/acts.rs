//! What a message says about the open values of the plan and nothing else: settled by the server, whatever answers.
//!
//! Only the closed lists of `plan_reader::act` settle anything. Yes and no count for the question that the last answer ends
//! with, and only where that question is the server's own for a value that is open. Dropping may name its values in any words: it writes
//! nothing.
//!
//! An act may lead a message ("Yes to all. And what is left for me?"): it is settled first, and the rest answered with the plan as it
//! is then. A number in the rest must be of other values, or the one that was said yes to. A yes to all is to what the last answer
//! lists, where it lists some, and names alone are a yes to those.

use crate::conversation::tools::{ToolContext, asked};
use crate::plans::proposals::Decided;
use crate::store::plans::extractions::Proposal;
use crate::wording;
use plan_model::extracted::ExtractedValue;
use plan_model::ids::ExtractionId;
use plan_reader::{Act, SaidAct, Texts};

mod desk;
mod naming;
mod outcome;
mod rest;

use desk::Desk;
use naming::Chosen;
pub(super) use outcome::follow_up;

/// What an act comes to.
#[derive(Debug)]
pub(super) struct Acted {
    pub text: String,
    pub settlement: Vec<(ExtractionId, Decided)>,
    /// The values of those that are accepted.
    pub accepted: Vec<ExtractedValue>,
    pub suggestions: Vec<String>,
}

/// The values that a message names, right or wrong, where the last answer asks for a yes or the message says "yes to", and what is left
/// of the message: nothing else may stand in the words that name them.
fn by_name<'s>(message: &'s str, open: &[Proposal], ctx: &ToolContext) -> Option<(Acted, &'s str)> {
    let language = ctx.spoken();
    let desk = Desk { open, ctx, language };
    let [together, alone] = [asked::together, asked::alone].map(|about| desk.asked(about));
    let is_asked = !together.is_empty() || !alone.is_empty() || naming::says_yes_to(message);
    // Behind what has just been settled a yes or no by name is of what is left; a number that waits may be dropped at any time.
    let is_said = naming::says_yes_or_no(message);
    // "Ya te dije todo lo que sé", "the landlord said yes to it"
    if naming::tells_again(message) || naming::tells_of_others(message) {
        return None;
    }
    let may_accept = is_asked || is_said && ctx.words.advisor.as_deref().is_some_and(has_settled);
    if !may_accept && !is_said {
        return None;
    }
    let listed = desk.newest(&desk.all(), message);
    let entries = desk.entries(&listed, [&together, &alone], message);
    let is_possible = |chosen: &Chosen, rest: &str| {
        // "Los dos de retiros sí, el sueldo no, ese bórralo": a yes that is not understood drops nothing.
        if chosen.accepted.is_empty() && chosen.left.is_empty() && naming::says_yes_and_no(message) {
            return false;
        }
        let drops_a_number = chosen.accepted.is_empty() && has_digit(message);
        // "Ok, si a la renta", "only the rent, not the others": nothing else is in it.
        let is_parted = !chosen.dismissed.is_empty() || !chosen.left.is_empty();
        let is_both = !chosen.accepted.is_empty() && is_parted;
        let advisor = ctx.words.advisor.as_deref();
        let asks_otherwise = advisor.is_some_and(|text| text.trim_end().ends_with('?'));
        let is_yes = !chosen.accepted.is_empty() && naming::begins_with_yes(message) && !asks_otherwise;
        // "Write down the sales and the labor" is an order at any time.
        let is_whole = rest.is_empty() && (is_both || is_yes || chosen.is_order && !chosen.accepted.is_empty());
        may_accept || drops_a_number || is_whole
    };
    let mut readings = naming::readings(message, &entries).filter(|(chosen, rest)| is_possible(chosen, rest));
    readings.find_map(|(chosen, rest)| {
        let acted = chosen_of(&desk, &listed, &chosen)?;
        // "Yes do it but change the rent to 4,100" behind the labor; "yes but make it 4,100" is none.
        if naming::begins_with_order(rest) && !rest::is_of_another(&desk, rest, &acted.settlement) {
            return None;
        }
        let rest = match acted.accepted.is_empty() {
            // Nothing is written that what follows might correct.
            true => {
                let stated = rest::stated_behind(&desk, message, &acted.settlement);
                if stated.len() > rest.len() { stated } else { rest }
            }
            false if rest.is_empty() => rest,
            false => rest::left(&desk, rest, &acted.settlement)?,
        };
        Some((acted, rest))
    })
}

/// Settles the chosen ones of the listed values.
fn chosen_of(desk: &Desk<'_>, listed: &[&Proposal], chosen: &Chosen) -> Option<Acted> {
    let of = |places: &[usize]| places.iter().map(|at| listed[*at]).collect::<Vec<_>>();
    let (accepted, dismissed) = (of(&chosen.accepted), of(&chosen.dismissed));
    let acted = match (accepted.is_empty(), dismissed.is_empty()) {
        (false, true) => desk.accept(accepted),
        (true, _) => desk.dismiss(dismissed),
        (false, false) => {
            let (taken, dropped) = (desk.accept(accepted), desk.dismiss(dismissed));
            let is_both = |(id, _): &(ExtractionId, Decided)| dropped.settlement.iter().any(|(other, _)| other == id);
            if taken.settlement.iter().any(is_both) {
                return None;
            }
            Acted {
                text: format!("{} {}", taken.text, dropped.text),
                settlement: taken.settlement.into_iter().chain(dropped.settlement).collect(),
                ..taken
            }
        }
    };
    Some(match of(&chosen.left) {
        none if none.is_empty() => acted,
        left => {
            let items = desk.items("heard.item", &left);
            let waits = wording::say(desk.language, "still_open", &[("items", &items)]);
            Acted {
                text: format!("{} {waits}", acted.text),
                ..acted
            }
        }
    })
}

/// Whether a message may be settled by [`by_name`], by itself and the last answer: the open values need not be read for any other.
pub(super) fn may_name(message: &str, last_answer: Option<&str>) -> bool {
    const LONGEST: usize = 400;
    let is_asked = || last_answer.is_some_and(wording::asks_for_yes) || naming::says_yes_to(message);
    let may_be_said = || has_digit(message) || last_answer.is_some_and(has_settled);
    let says_both = || naming::says_yes_and_no(message) || naming::tells_to_write(message);
    message.len() <= LONGEST && (is_asked() || may_be_said() && naming::says_yes_or_no(message) || says_both())
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// Whether an answer settles something, and asks nothing.
fn has_settled(answer: &str) -> bool {
    let settles = |key| wording::begins(answer, key);
    !answer.contains('?') && ["act.accepted", "act.dismissed"].into_iter().any(settles)
}

/// Settles what a message says of open values, and gives what is left of it: by the names of values, where more than an act is said.
pub(super) fn settled<'s>(
    message: &'s str,
    act: Option<SaidAct<'s>>,
    open: &[Proposal],
    ctx: &ToolContext,
) -> Option<(Acted, &'s str)> {
    let settled = match act {
        // A bare yes is none of the acts.
        None if plan_reader::says_yes(message) => {
            let desk = Desk {
                open,
                ctx,
                language: ctx.spoken(),
            };
            desk.all_at_once("").map(|acted| (acted, ""))
        }
        None => by_name(message, open, ctx),
        Some(act) if act.rest.is_empty() && act.act != Act::Drop => resolve(act, open, ctx),
        // "No to all. The sales are 28,000" drops more than the sales.
        Some(act) if act.act == Act::None => resolve(act, open, ctx).or_else(|| by_name(message, open, ctx)),
        Some(act) => by_name(message, open, ctx).or_else(|| resolve(act, open, ctx)),
    };
    settled
        .or_else(|| refused_for_another(message, open, ctx))
        .or_else(|| all_but_corrected(message, open, ctx))
}

/// "No, I said the loan. The loan is 180,000" behind a question about the build-out: that was not meant.
fn refused_for_another<'s>(message: &'s str, open: &[Proposal], ctx: &ToolContext) -> Option<(Acted, &'s str)> {
    let (_, rest) = message
        .split_at_checked(2)
        .filter(|(no, _)| no.eq_ignore_ascii_case("no"))?;
    let said = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    if rest.starts_with(char::is_alphanumeric) || !wording::says_first(said, "w.i_said") {
        return None;
    }
    let desk = Desk {
        open,
        ctx,
        language: ctx.spoken(),
    };
    let asked = desk.asked(asked::alone);
    let acted = desk.dismiss(asked);
    let is_of_another = !acted.settlement.is_empty() && rest::is_of_another(&desk, said, &acted.settlement);
    is_of_another.then_some((acted, said))
}

/// Settles by an act, and gives what is left of the message. `None` where it is about nothing that is open, or may be corrected by
/// what follows it: then it is a message like any other.
fn resolve<'s>(said: SaidAct<'s>, open: &[Proposal], ctx: &ToolContext) -> Option<(Acted, &'s str)> {
    if open.is_empty() {
        return None;
    }
    // "No" and "ok" are no words of one language.
    let language = match said.act {
        Act::No | Act::Yes => ctx.spoken(),
        _ => said.language,
    };
    let desk = Desk { open, ctx, language };
    // "Ok last one. Where is cash at the end?" is about no value that was refused long ago.
    let is_by_place = matches!(said.act, Act::Nth(_) | Act::Last);
    if is_by_place && !ctx.words.advisor.as_deref().is_some_and(wording::asks_for_yes) {
        return None;
    }
    let acted = match said.act {
        Act::Drop => desk.drop_named(said.words)?,
        Act::No if says_one(said.words) => desk.refuse_one()?,
        Act::Yes => desk.answer(true).or_else(|| desk.all_at_once(said.rest))?,
        Act::No => desk.answer(false)?,
        Act::All => desk.accept(desk.all()),
        Act::None => desk.dismiss(desk.all()),
        Act::Several(count) => desk.several(count),
        Act::Nth(at) => desk.nth(at)?,
        Act::Last => desk.nth(desk.listed().len().checked_sub(1)?)?,
    };
    if !acted.accepted.is_empty() && rest::is_left_open(&desk, said.rest, &acted.settlement) {
        return None;
    }
    // "None of them. Sales are 28,000": what is refused is not corrected by a value that has its name.
    let names = || {
        !plan_reader::understand(&Texts::of(said.rest), &ctx.vocabulary)
            .named
            .is_empty()
    };
    let rest = match said.counts {
        true if said.act == Act::None && names() => said.rest,
        true => rest::left(&desk, said.rest, &acted.settlement)?,
        false => said.rest,
    };
    Some((acted, rest))
}

/// "Yes, both, but make the months 12": the others are taken, and the one that is corrected is left to what follows.
fn all_but_corrected<'s>(message: &'s str, open: &[Proposal], ctx: &ToolContext) -> Option<(Acted, &'s str)> {
    const TURNS: [&str; 4] = [" but ", " pero ", " aunque ", " except "];
    let turn = TURNS.iter().filter_map(|turn| message.find(turn)).min()?;
    let (words, rest) = message.split_at(turn);
    let (_, rest) = rest.trim_start().split_once(' ')?;
    let (act, _) = plan_reader::act(words.trim_end_matches(','))?;
    let desk = Desk {
        open,
        ctx,
        language: ctx.spoken(),
    };
    let all = desk.all();
    let is_all = act == Act::All || act == Act::Several(all.len());
    if !is_all || rest.contains('?') || naming::doubts(rest) {
        return None;
    }
    let field = rest::only_corrected(&desk, rest)?;
    let others: Vec<&Proposal> = all.iter().copied().filter(|one| one.value.field != field).collect();
    (!others.is_empty() && others.len() < all.len()).then(|| (desk.accept(others), rest))
}

/// "Skip that one": of several it does not say which.
fn says_one(words: &str) -> bool {
    let words = wording::plain(words);
    words
        .split_whitespace()
        .any(|word| ["one", "ese", "esa"].contains(&word))
}

#[cfg(test)]
mod tests;
