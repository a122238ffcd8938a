//! What the advisor's last text asked for, and what it noted.

use super::class_set::ClassSet;
use super::edges::{Edge, EdgePayload, Edges, amounts_in};
use super::language::{LANGUAGES, Language, language_of};
use super::meaning::Asked;
use super::productions::GRAMMAR;
use super::sentences::{Sentence, sentences};
use super::vocabulary::Vocabulary;
use crate::lex::{Amount, Kind as TokenKind, Period, Token, Unit, amounts};
use plan_model::field::{FieldPath, Kind};
use std::cell::OnceCell;

/// The advisor's text, read.
pub(crate) struct Advisor<'a> {
    vocabulary: &'a Vocabulary,
    language: &'static Language,
    tokens: Vec<Token>,
    amounts: Vec<Amount>,
    sentences: Vec<Sentence>,
    /// Of the last question.
    asking: OnceCell<Option<Edges>>,
}

impl<'a> Advisor<'a> {
    pub(crate) fn of(text: &str, vocabulary: &'a Vocabulary) -> Self {
        let language = language_of(text);
        let tokens = turned(language.tokens(text));
        Self {
            vocabulary,
            language,
            amounts: amounts(&tokens, language.units),
            sentences: sentences(text, &tokens),
            tokens,
            asking: OnceCell::new(),
        }
    }

    pub(crate) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    pub(crate) fn amounts(&self) -> &[Amount] {
        &self.amounts
    }

    /// The edges of one sentence. "I've written down" names no down payment.
    pub(crate) fn edges(&self, sentence: &Sentence) -> Edges {
        let range = sentence.tokens.clone();
        let inside: Vec<(u16, &Amount)> = amounts_in(&self.amounts, &range).collect();
        let tokens = &self.tokens[range.clone()];
        let mut edges = Edges::of(tokens, &inside, range.start, self.language, self.vocabulary);
        let writes = |word: &str| matches!(word, "write" | "written" | "wrote" | "put" | "note" | "noted");
        for at in 1..tokens.len() {
            if tokens[at].word() == "down" && writes(tokens[at - 1].word()) {
                edges.at[at].clear();
            }
        }
        edges
    }

    /// The last question of the text.
    pub(crate) fn question(&self) -> Option<&Sentence> {
        self.sentences.iter().rev().find(|sentence| sentence.asks)
    }

    /// The words of the last question.
    pub(crate) fn question_words(&self) -> Vec<String> {
        let words = self.words(self.question());
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    fn question_edges(&self) -> Option<&Edges> {
        let asking = self.asking.get_or_init(|| Some(self.edges(self.question()?)));
        asking.as_ref()
    }

    /// The one field that the last question asks for; `known` is what the advisor is known to have asked.
    pub(crate) fn asked(&self, known: Option<&FieldPath>) -> Option<Asked> {
        let question = self.question();
        let edges = self.question_edges();
        let (period, unit, kinds) = edges.map_or((None, None, Vec::new()), |edges| {
            (self.period(edges), self.unit(question), self.kinds(question))
        });
        if let Some(field) = known.and_then(|path| self.vocabulary.position(path.as_str())) {
            return Some(Asked {
                field,
                period,
                unit,
                is_plain: true,
            });
        }
        // Two questions ask for two things.
        if self.sentences.iter().filter(|sentence| sentence.asks).count() != 1 {
            return None;
        }
        let edges = edges?;
        Some(Asked {
            field: self.one_field(edges, &kinds)?,
            period,
            unit,
            is_plain: is_understood(edges),
        })
    }

    /// Whether the last question is about somebody or something else: "What multiple did the seller want?"
    pub(crate) fn asks_about_others(&self) -> bool {
        self.question_edges().is_some_and(is_about_others)
    }

    /// The field of the values that the text names, where it is one: "Royalty is at 7% (it was 6%). What do you plan for
    /// supplies?"
    pub(crate) fn noted(&self) -> Option<usize> {
        let mut found = None;
        for sentence in &self.sentences {
            let inside: Vec<Unit> = amounts_in(&self.amounts, &sentence.tokens)
                .map(|(_, amount)| amount.unit)
                .collect();
            let Some(unit) = inside.first() else { continue };
            let field = self.one_field(&self.edges(sentence), &kinds_of(*unit))?;
            if found.replace(field).is_some_and(|known| known != field) {
                return None;
            }
        }
        found
    }

    /// The one field and the bytes of the one number of a last question that asks to record or to confirm, in whatever words.
    pub(crate) fn offered(&self) -> Option<(FieldPath, (usize, usize))> {
        let question = self.question()?;
        let [(_, amount)] = amounts_in(&self.amounts, &question.tokens).collect::<Vec<_>>()[..] else {
            return None;
        };
        let edges = self.question_edges()?;
        let class = |name: &str| GRAMMAR.known(name);
        let asks = |at: &Vec<Edge>| {
            at.iter()
                .any(|edge| [class("ASKING"), class("ISIT")].contains(&Some(edge.class)))
        };
        let tail = |edge: &Edge| Some(edge.class) == class("ASKTAIL") && edge.end + 1 == edges.at.len();
        if !edges.at.iter().take(4).any(asks) && !edges.at.iter().flatten().any(tail) {
            return None;
        }
        let field = self.one_field(edges, &kinds_of(amount.unit))?;
        let bytes = (self.tokens[amount.from].start, self.tokens[amount.to - 1].end);
        Some((self.vocabulary.fields()[field].path.clone(), bytes))
    }

    /// The longest names of a sentence, from left to right, and whether they are forms of a question.
    fn names(&self, edges: &Edges) -> (Vec<u16>, bool) {
        let class = |name: &str| GRAMMAR.known(name);
        let (question, named) = (
            class("QUESTION"),
            ["NAME", "PART", "PAYEE", "AFTER", "LANDLORD"].map(class),
        );
        let pick = |wanted: &dyn Fn(u8) -> bool| {
            let (mut out, mut at) = (Vec::new(), 0);
            while at < edges.at.len() {
                let longest = edges.at[at]
                    .iter()
                    .filter(|edge| wanted(edge.class))
                    .max_by_key(|edge| edge.end);
                match longest {
                    Some(edge) => {
                        if let EdgePayload::Key(key) = edge.payload {
                            out.push(key);
                        }
                        at = edge.end;
                    }
                    None => at += 1,
                }
            }
            out
        };
        let asked = pick(&|class| Some(class) == question);
        if asked.is_empty() {
            (pick(&|class| named.contains(&Some(class))), false)
        } else {
            (asked, true)
        }
    }

    fn one_field(&self, edges: &Edges, kinds: &[Kind]) -> Option<usize> {
        let mut found: Option<usize> = None;
        let (names, is_question) = self.names(edges);
        for key in names {
            if self.vocabulary.key(key).is_growth() {
                let field = self.growth(edges)?;
                if found.replace(field).is_some_and(|known| known != field) {
                    return None;
                }
                continue;
            }
            let fields = self.vocabulary.key(key).fields.iter().filter(|field| !field.is_guess);
            let fields = fields.filter_map(|field| self.vocabulary.position(&field.path));
            let mut fitting: Vec<usize> = fields.collect();
            let fits = |at: &usize| kinds.contains(&self.vocabulary.fields()[*at].kind);
            if fitting.iter().any(fits) {
                fitting.retain(fits);
            } else if !kinds.is_empty() && (!is_question || kinds == [Kind::Count]) {
                return None;
            } else {
                fitting.truncate(1);
            }
            let [field] = fitting[..] else { return None };
            if found.is_some_and(|known| known != field) {
                return None;
            }
            found = Some(field);
        }
        found
    }

    /// The growth rate of the one year that is named.
    fn growth(&self, edges: &Edges) -> Option<usize> {
        let years = edges.at.iter().flatten().filter_map(|edge| match edge.payload {
            EdgePayload::Years(years) => Some(years),
            _ => None,
        });
        let all = years.fold(0, |all, years| all | years);
        let year = (1..=5).find(|year| all == 1 << year)?;
        self.vocabulary.growth(year)
    }

    fn period(&self, edges: &Edges) -> Option<Period> {
        let mut all = edges.at.iter().flatten().filter_map(|edge| match edge.payload {
            EdgePayload::Period(period) => Some(period),
            _ => None,
        });
        let first = all.next()?;
        all.all(|other| other == first).then_some(first)
    }

    fn words<'s>(&'s self, question: Option<&'s Sentence>) -> impl Iterator<Item = &'s str> {
        let range = question.map_or(0..0, |question| question.tokens.clone());
        self.tokens[range].iter().map(Token::word)
    }

    /// "how many months"
    fn unit(&self, question: Option<&Sentence>) -> Option<Unit> {
        let words: Vec<&str> = self.words(question).collect();
        let many = words.windows(3).find(|words| words[0] == "how" && words[1] == "many")?;
        LANGUAGES[0]
            .units
            .unit(many[2])
            .filter(|unit| matches!(unit, Unit::Days | Unit::Months | Unit::Years | Unit::Weeks))
    }

    /// The kinds of values that the question's own words ask for.
    fn kinds(&self, question: Option<&Sentence>) -> Vec<Kind> {
        match self.unit(question) {
            Some(Unit::Days | Unit::Weeks) => return vec![Kind::Days],
            Some(Unit::Years) => return vec![Kind::Years, Kind::Months],
            Some(Unit::Months) => return vec![Kind::Months],
            _ => {}
        }
        let words: Vec<&str> = self.words(question).collect();
        let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
        if has(&["percent", "percentage", "share", "rate"]) {
            vec![Kind::Percent]
        } else if words.windows(2).any(|words| words == ["how", "much"]) {
            vec![Kind::Money]
        } else if words.windows(2).any(|words| words == ["how", "many"]) {
            vec![Kind::Count]
        } else if words.windows(2).any(|words| words == ["how", "long"]) {
            vec![Kind::Months, Kind::Years, Kind::Days]
        } else {
            Vec::new()
        }
    }
}

/// Whether every word of a question is known to ask for a value of the plan: "How many groomers left you?" asks for something
/// else than "How many groomers do you have?".
fn is_understood(edges: &Edges) -> bool {
    const ASKING: [&str; 30] = [
        "ASKWORD",
        "QUESTION",
        "NAME",
        "PART",
        "PAYEE",
        "AFTER",
        "LANDLORD",
        "OWN",
        "DET",
        "ADJ",
        "WE",
        "HELP",
        "BE",
        "PERIOD",
        "PERIODADJ",
        "MONTHNO",
        "YEARNO",
        "AMOUNT",
        "SALES",
        "WAGES",
        "PROJECT",
        "PLACE",
        "TRADE",
        "FOR",
        "OF",
        "AND",
        "AT",
        "IN",
        "TO",
        "OPENER",
    ];
    if is_about_others(edges) {
        return false;
    }
    let classes: ClassSet = ASKING.iter().filter_map(|name| GRAMMAR.known(name)).collect();
    let mut reached = vec![false; edges.at.len()];
    reached[0] = true;
    for at in 0..edges.at.len() {
        let known = |edge: &&Edge| classes.contains(edge.class);
        for edge in edges.at[at].iter().filter(known) {
            reached[edge.end] |= reached[at];
        }
    }
    reached.last() == Some(&true)
}

fn is_about_others(edges: &Edges) -> bool {
    let doubted = ["OTHERS", "AHEAD", "ALLDOUBT"].map(|name| GRAMMAR.known(name));
    doubted.into_iter().any(|class| edges.has(class))
}

/// The kinds of values that a number with this unit can be.
fn kinds_of(unit: Unit) -> Vec<Kind> {
    match unit {
        Unit::Money => vec![Kind::Money],
        Unit::Percent => vec![Kind::Percent],
        Unit::Months | Unit::Years => vec![Kind::Months, Kind::Years],
        Unit::Days => vec![Kind::Days],
        _ => Vec::new(),
    }
}

/// As the user would say it: "your rent" is "our rent".
fn turned(mut tokens: Vec<Token>) -> Vec<Token> {
    for token in &mut tokens {
        let ours = match token.word() {
            "your" => "our",
            "you" => "we",
            "yourself" => "myself",
            _ => continue,
        };
        token.kind = TokenKind::Word(ours.to_owned());
    }
    tokens
}
