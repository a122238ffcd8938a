//! The cases of a talk, read from the answers that told them: what "save that", "and 40,000 too?" and "when would I run out?" are about.

use crate::offline::message::{ask, shown};
use crate::offline::{answers, content, is_answer};
use crate::wording;
use llm_client::ChatMessage;
use plan_model::field::Field;
use plan_reader::{Change, FieldChange};
use rust_decimal::Decimal;

/// Answers among which a case is looked for.
const LOOKED_AT: usize = 8;

/// Answers that may stand between a case and what goes on from it.
const BETWEEN: usize = 4;

/// What was said.
pub(in crate::offline) struct Talk<'t> {
    pub before: &'t [ChatMessage],
    /// Whether the message is a no to what was asked last.
    pub is_refused: bool,
    pub fields: &'t [Field],
}

impl<'t> Talk<'t> {
    /// Whether the last answer that was none of not understanding shows or keeps a case, or asks about one that is not refused.
    pub(in crate::offline) fn is_behind_case(&self) -> bool {
        let mut said = answers(self.before)
            .enumerate()
            .filter(|(at, text)| ask::are_understood([*text]) && self.is_open(*at, text));
        said.next().is_some_and(|(_, text)| ask::shows_case(text))
    }

    /// The last case that was computed, or is asked about. `None` behind one that was not understood, and where a value was written
    /// since: then the plan is meant.
    pub(in crate::offline) fn last_case(&self) -> Option<Vec<FieldChange>> {
        self.newest().filter(|case| !case.is_empty())
    }

    /// Whether the last case was not understood.
    pub(in crate::offline) fn has_lost_case(&self) -> bool {
        self.newest().is_some_and(|case| case.is_empty())
    }

    /// The last case, empty where it was not understood.
    fn newest(&self) -> Option<Vec<FieldChange>> {
        let mut open = self.since_written().filter(|(at, text)| self.is_open(*at, text));
        open.find_map(|(at, text)| {
            let case = self.case(text);
            (!case.is_empty() || self.is_lost_case(at, text)).then_some(case)
        })
    }

    /// The newest computed case whose answer shows one of some numbers.
    pub(in crate::offline) fn case_with(&self, numbers: &[Decimal]) -> Option<Vec<FieldChange>> {
        let shows = |text: &str| numbers.iter().any(|number| shown::is_number_of(text, *number));
        let mut computed = self
            .since_written()
            .filter(|(_, text)| !ask::asks_case(text) && shows(text));
        computed.find_map(|(_, text)| Some(self.case(text)).filter(|case| !case.is_empty()))
    }

    /// The newest computed case that has one of some numbers as a value: "at 45,000, when does the money run out?"
    pub(in crate::offline) fn case_at(&self, numbers: &[Decimal]) -> Option<Vec<FieldChange>> {
        let computed = self.since_written().filter(|(_, text)| !ask::asks_case(text));
        let mut cases = computed.flat_map(|(_, text)| [self.case(text), shown::sought(text, self.fields)]);
        let has = |change: &FieldChange| {
            let value = value_set(change, self.fields);
            let is_it = |said: &Decimal| {
                let thousands = said.checked_mul(Decimal::ONE_THOUSAND);
                value == Some(*said) || value.is_some() && value == thousands
            };
            numbers.iter().any(is_it)
        };
        cases.find(|case| case.iter().any(has))
    }

    /// The case that is talked about: the last one, where what came since was not understood or a figure of it.
    pub(in crate::offline) fn current_case(&self) -> Option<Vec<FieldChange>> {
        for (at, text) in answers(self.before).enumerate().take(BETWEEN) {
            if !self.is_open(at, text) {
                continue;
            }
            match self.case(text) {
                case if !case.is_empty() => return Some(case),
                _ if ask::was_missed(text) => {}
                _ => return None,
            }
        }
        None
    }

    /// What the newest computed cases change that stand behind each other, of one line the newest.
    pub(in crate::offline) fn all_cases(&self) -> Vec<FieldChange> {
        let cases = answers(self.before)
            .take(LOOKED_AT)
            .filter(|text| !ask::asks_case(text) && !ask::was_missed(text))
            .map(|text| self.case(text));
        let mut all: Vec<FieldChange> = Vec::new();
        for change in cases.take_while(|case| !case.is_empty()).flatten() {
            if !all.iter().any(|one| one.field == change.field) {
                all.push(change);
            }
        }
        all
    }

    /// The same, where it was computed: what was only asked about is no case to go on from.
    pub(in crate::offline) fn computed_case(&self) -> Option<Vec<FieldChange>> {
        let was_asked = answers(self.before).next().is_some_and(ask::asks_case);
        self.current_case().filter(|_| !was_asked)
    }

    /// The saved case that a message names as one: "what if in Downside10 the rent is 5,000?"
    pub(in crate::offline) fn named(&self, message: &str) -> Option<Vec<FieldChange>> {
        let kept = answers(self.before).flat_map(|text| shown::named(text, self.fields));
        let meant = kept.filter(|(name, case)| !case.is_empty() && says_case(message, name));
        // Of one name the newest.
        let longest = meant.reduce(|one, other| if other.0.len() > one.0.len() { other } else { one });
        longest.map(|(_, case)| case)
    }

    fn case(&self, text: &str) -> Vec<FieldChange> {
        // A comparison shows cases that are kept already.
        match ask::shows_case(text) && !wording::begins(text, "compared") {
            true => shown::case(text, self.fields),
            false => Vec::new(),
        }
    }

    /// The newest answers, to the one that says what was written; that one, too, where a case stands behind it.
    fn since_written(&self) -> impl Iterator<Item = (usize, &'t str)> + '_ {
        let writes = |text: &str| ["act.accepted", "written"].iter().any(|key| wording::begins(text, key));
        let mut is_written = false;
        answers(self.before)
            .enumerate()
            .take(LOOKED_AT)
            .take_while(move |(_, text)| {
                let was_written = is_written;
                is_written = is_written || writes(text);
                !was_written
            })
    }

    /// Whether a case that an answer asks about may be meant: it was asked last, and the message is no no.
    fn is_open(&self, at: usize, text: &str) -> bool {
        !ask::asks_case(text) || at == 0 && !self.is_refused
    }

    /// Whether an answer did not understand a case with numbers of its own: what was told before it is not what is kept then.
    fn is_lost_case(&self, at: usize, text: &str) -> bool {
        let mut places = (0..self.before.len()).rev().filter(|at| is_answer(&self.before[*at]));
        let place = places.nth(at).unwrap_or_default();
        let mut earlier = self.before[..place].iter().rev();
        let asked = earlier.find(|message| matches!(message, ChatMessage::User(_)));
        let has_numbers = asked.is_some_and(|asked| content(asked).contains(|c: char| c.is_ascii_digit()));
        has_numbers
            && ["whatif.unclear", "unsure"]
                .iter()
                .any(|key| wording::begins(text, key))
    }
}

/// The value that a change sets, as people say it: dollars, points of a percentage, months.
pub(in crate::offline) fn value_set(change: &FieldChange, fields: &[Field]) -> Option<Decimal> {
    let field = fields.iter().find(|field| field.path == change.field)?;
    match change.change {
        Change::To(value) => Some(field.kind.in_words(value).0.decimal()),
        Change::By(_) | Change::Times(_) => None,
    }
}

/// Whether a message has a name as that of a case: "lean" may be a word like any other.
fn says_case(message: &str, name: &str) -> bool {
    const BEFORE: [&str; 16] = [
        "in",
        "with",
        "on",
        "under",
        "to",
        "of",
        "from",
        "case",
        "scenario",
        "rerun",
        "take",
        "en",
        "con",
        "caso",
        "a",
        "escenario",
    ];
    // "I see that it is Slow start. What if we borrow less?" speaks of it, and not of what is supposed.
    let sentences = message
        .split_inclusive(['.', '!', '?', '\n'])
        .map(|sentence| (sentence, wording::plain(sentence)));
    let mut sentences = sentences.filter(|(_, plain)| !plain.is_empty()).peekable();
    let first = sentences.peek().map(|(sentence, _)| *sentence);
    let plain_name = wording::plain(name);
    let found = sentences.find(|(_, plain)| format!(" {plain} ").contains(&format!(" {plain_name} ")));
    let Some((sentence, plain)) = found else {
        return false;
    };
    let is_aside = first == Some(sentence) && sentences.next().is_some() && !sentence.contains('?');
    let said = format!(" {plain} ");
    let Some((before, behind)) = said.split_once(&format!(" {plain_name} ")) else {
        return false;
    };
    let is_no_word = name.contains(|c: char| c.is_ascii_digit()) || name.contains(' ');
    let is_capital = message.contains(name) && name.chars().any(char::is_uppercase);
    let is_led = BEFORE.contains(&before.rsplit(' ').next().unwrap_or_default());
    let mut next = behind.split(' ');
    let is_called = match next.next() {
        Some("case" | "scenario" | "version") => true,
        // "No. Good with 40k", "what if good but sales 40k"
        Some("with" | "con" | "but" | "pero") => {
            let is_supposed = ["if", "si"].contains(&before.rsplit(' ').next().unwrap_or_default());
            is_supposed
                || next
                    .next()
                    .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        }
        _ => false,
    };
    !is_aside && (is_no_word || is_capital) || is_led || is_called
}
