//! A message that is nothing but a word about what is open: all, both, none, the first.
//!
//! Closed lists of words and, one a line, of phrases: what is not in them settles nothing. Of dropping the list says how it begins: what
//! it drops is looked for among what is open.

use crate::agree::{self, is_yes};
use crate::lex::is_of;
use plan_model::language::{Language, without_accent};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What becomes of open values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Yes to what was just asked, in words that the closed grammar does not read.
    Yes,
    /// No to what was just asked.
    No,
    /// Each of them.
    All,
    /// So many of them, where there are so many: "both", "yes to all three".
    Several(usize),
    /// Not one of them.
    None,
    /// One by its place in the list, from 0.
    Nth(usize),
    /// The one at the end of the list.
    Last,
    /// Those that the rest of the message names: "forget the 120k", "no to the extra cash".
    Drop,
}

static PHRASES: LazyLock<HashMap<String, (Act, Language)>> = LazyLock::new(|| {
    let mut language = Language::English;
    let mut act = Act::All;
    let mut phrases = HashMap::new();
    for line in include_str!("vocabulary/acts.txt").lines().map(str::trim) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(head) => (act, language) = section(head),
            None if line.is_empty() || line.starts_with('#') => {}
            None => drop(phrases.insert(unaccented(line), (act, language))),
        }
    }
    phrases
});

fn section(head: &str) -> (Act, Language) {
    let (name, language) = head.split_once(' ').unwrap_or((head, "en"));
    let act = match name {
        "yes" => Act::Yes,
        "no" => Act::No,
        "both" => Act::Several(2),
        "none" => Act::None,
        "drop" => Act::Drop,
        _ => Act::All,
    };
    let language = if language == "es" {
        Language::Spanish
    } else {
        Language::English
    };
    (act, language)
}

/// The act that a message is, and in which language.
pub fn act(text: &str) -> Option<(Act, Language)> {
    if text.len() > 80 || text.contains('?') {
        return None;
    }
    let is_bare = is_yes(text);
    let text = plain(text);
    if KEEPS_OPEN.iter().any(|words| text.contains(words)) {
        return None;
    }
    // "Te acabo de decir que sí a todo": what was said is no act where it does not begin with one ("te dije todo").
    if let Some(said) = said_before(&text) {
        return act(said).filter(|_| is_of("yes yeah yep si no", said.split(' ').next().unwrap_or_default()));
    }
    let core = without_courtesies(&text);
    let known = PHRASES.get(text.as_str()).or_else(|| PHRASES.get(core)).copied();
    let agrees = |language: Language, yes: &str, around: &[&str]| {
        let is_known = |word: &str| is_of(yes, word) || around.iter().any(|list| is_of(list, word));
        let is_yes = text.split(' ').all(is_known) && text.split(' ').any(|word| is_of(yes, word));
        is_yes.then_some((Act::Yes, language))
    };
    let agrees = || {
        // A bare English yes is the closed grammar's.
        let english = || agrees(Language::English, AGREES_ENGLISH, &[AROUND_YES]).filter(|_| !is_bare);
        agrees(Language::Spanish, AGREES, &[COURTESIES, "te dije"]).or_else(english)
    };
    known
        .or_else(agrees)
        .or_else(|| counted(core))
        .or_else(|| by_place(core))
        .or_else(|| none_of(core))
        .or_else(|| dropping(&text))
}

/// Words that sound like a no, and leave what is open as it is.
const KEEPS_OPEN: [&str; 14] = [
    "no problem",
    "no worries",
    "no rush",
    "no hay problema",
    "don't drop",
    "dont drop",
    "don't forget",
    "dont forget",
    "hold off on",
    "my meeting",
    "mailing list",
    "mi cita",
    "neither do i",
    "yeah right",
];

/// Words around an answer that say nothing: "si a todo pues", "va, los dos".
const COURTESIES: &str = "pues pos porfa porfavor gracias va bueno aja oye sale eso mero ya asi que hombre mujer mijo mija amor mi senor senora patron mano mana \
    compa compadre comadre jaja jajaja jajajaja lol haha q thanks thank you great perfect well ok okay alright";

/// How somebody begins who says it once more.
const SAID_BEFORE: [&str; 9] = [
    "ya te dije que ",
    "te dije que ",
    "ya le dije que ",
    "le dije que ",
    "te acabo de decir que ",
    "ya dije que ",
    "i told you ",
    "i just said ",
    "i already said ",
];

fn said_before(text: &str) -> Option<&str> {
    SAID_BEFORE.iter().find_map(|begins| text.strip_prefix(begins))
}

/// Words of which one is a Spanish yes.
const AGREES: &str = "sii aja andale orale vale dale sale sobres simon si claro perfecto correcto exacto anotalo anotela apuntalo ponlo anotala ponla \
    anotelo confirmalo confirmelo confirmala confirmela hagalo hagale hazlo escribalo pongalo confirmo adelante sip sisas listo conforme";

/// The same in English: "yes for god's sake", "yeah thats the one". "Correct it" is an order.
const AGREES_ENGLISH: &str = "k kk yes yessir yeah yea yep yup sure absolutely definitely exactly";

/// Words around an English yes that say nothing else. "Yeah right" is no yes.
const AROUND_YES: &str = "already for god's gods god sake heaven's thanks thank you sir maam ma'am man dude buddy omg jeez geez finally \
    that that's thats this one it is the ok okay great good perfect fine of course exactly correct do put write go ahead use add record \
    note in down now then crying out loud lock i said pete's petes";

fn without_courtesies(text: &str) -> &str {
    let mut core = text;
    while let Some((_, rest)) = core.split_once(' ').filter(|(first, _)| is_of(COURTESIES, first)) {
        core = rest;
    }
    while let Some((rest, _)) = core.rsplit_once(' ').filter(|(_, last)| is_of(COURTESIES, last)) {
        core = rest;
    }
    core
}

fn unaccented(text: &str) -> String {
    text.chars().map(without_accent).collect()
}

/// Whether a text is nothing but a yes, in either language.
pub fn says_yes(text: &str) -> bool {
    is_yes(text) || act(text).is_some_and(|(act, _)| act == Act::Yes)
}

/// An act with the words that say it: all of a message, or how it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaidAct<'a> {
    /// What becomes of open values.
    pub act: Act,
    /// The language that it was said in.
    pub language: Language,
    /// The words.
    pub words: &'a str,
    /// What follows them, to be answered as a message of its own; empty where the message is nothing but the act.
    pub rest: &'a str,
    /// Whether the rest has a number. It may correct what the act is about; whether it does takes the open values to say.
    pub counts: bool,
}

/// The act that a message is, or begins with: "Yes to all. And what is left for me?"
pub fn said_act(text: &str) -> Option<SaidAct<'_>> {
    let alone = |words| {
        let (act, language) = act(words)?;
        Some(SaidAct {
            act,
            language,
            words,
            rest: "",
            counts: false,
        })
    };
    let drops = |said: &SaidAct<'_>| said.act == Act::Drop;
    match alone(text) {
        // "No to all. Sales are 28,000" drops what it begins with, and not what it names.
        Some(said) if drops(&said) => leading(text).filter(|led| !drops(led)).or(Some(said)),
        None => leading(text).or_else(|| alone(closing(text)?)),
        whole => whole,
    }
}

/// "I asked you to write down the two. Yes to all.": a yes to all that ends what neither counts, nor asks, nor takes back.
fn closing(text: &str) -> Option<&str> {
    let text = text.trim();
    let body = text.trim_end_matches(['.', '!']);
    let at = body.rfind(['.', '!', '\n'])?;
    let (before, words) = (&text[..at], text[at + 1..].trim());
    let is_all = matches!(act(words), Some((Act::All | Act::Several(_), _)));
    let has_digit = before.contains(|c: char| c.is_ascii_digit());
    (is_all && !has_digit && !before.contains('?') && !takes_back(before)).then_some(words)
}

/// Words behind a yes that may take it back, or part of it.
const TAKES_BACK: &str = "but except wait no not nor only unless instead actually rather change wrong meant mean sorry correction hold though \
    however maybe perhaps pero salvo excepto espera solo cambie cambia mal error aunque quizas tampoco nunca menos";

/// Words behind a no that say yes to something else: "no, but yes to the other one", "no no. write down the pay".
const AGREES_BEHIND_NO: &str = "yes si use usa write note put anota anote anotalo apunta pon ponga";

/// Words that only begin what follows, where that asks for a meaning.
const WELL: &str = "ok okay sure fine good alright va bueno well claro";

/// Whether it asks what something means.
fn asks_for_meaning(rest: &str) -> bool {
    const MEANINGS: [&str; 7] = ["mean", "means", "meant", "significa", "decir", "que es", "what is"];
    let said = format!(" {} ", plain(rest));
    MEANINGS.iter().any(|word| said.contains(&format!(" {word} ")))
}

/// Words that a question begins with, with or without its mark.
const QUESTIONS: &str = "what whats how why when where which who que cual cuales cuanto cuanta como donde porque";

/// Words before a question that only join it to what was said.
const THEN: &str = "then so now with that con eso entonces ahora";

/// Words that ask without a question.
const REQUESTS: &str = "show tell give dime muestra muestrame";

/// Words among these that a question may have: "and what did I change today?"
const ASKED_ABOUT: &str = "change mean actually maybe only though tho cambie cambia solo";

/// What a message does with open values in its first words. "Sí, te dije que sí. Anótalo y dime la cuota" says it three times.
fn leading(text: &str) -> Option<SaidAct<'_>> {
    let mut said = first(text)?;
    while said.act == Act::Yes {
        if says_yes(said.rest) {
            said.rest = "";
        }
        match first(said.rest).filter(|again| again.act == Act::Yes) {
            Some(again) => said = again,
            None => break,
        }
    }
    Some(said)
}

fn first(text: &str) -> Option<SaidAct<'_>> {
    let text = text.trim();
    let split = |end: usize| {
        let (words, rest) = text.split_at(end);
        let mut letters = rest.chars();
        letters.next();
        (words, letters.as_str().trim())
    };
    let behind_comma = || {
        let (words, rest) = split(text.find(',')?);
        led(words, rest).filter(|said| said.act == Act::None || goes_on_behind_comma(rest, said.counts))
    };
    let behind_sentence = || {
        let (words, rest) = split(text.find(['.', '!', ';', '\n'])?);
        led(words, rest)
    };
    // "None of those 🙅 dont write any of it"; "yes 🙄 says my uncle" is no yes.
    let behind_emoji = || {
        let is_emoji = |c: char| matches!(c, '\u{2600}'..='\u{27BF}' | '\u{1F000}'..='\u{1FAFF}');
        let (words, rest) = split(text.find(is_emoji)?);
        led(words, rest).filter(|said| said.act == Act::None)
    };
    // "Anótalo y dime cuánto pago", "yes and what is left for me?"; "ok and is 5,000 right?" is no yes.
    let behind_word = || {
        let joins = [" and ", " y "].iter().filter_map(|join| text.find(join));
        let (words, rest) = text.split_at(joins.min()?);
        let said = led(words, rest.trim())?;
        (said.act != Act::Drop && !said.counts && goes_on_behind_comma(said.rest, false)).then_some(said)
    };
    behind_sentence()
        .or_else(behind_comma)
        .or_else(behind_emoji)
        .or_else(behind_word)
}

/// Behind a comma only a number, or what is added with one, or as a question: "yes, 4,250", "yes to all, and the loan is 120,000",
/// "yes, and what is left for me?"
fn goes_on_behind_comma(rest: &str, counts: bool) -> bool {
    let said = plain(rest);
    let mut said = said.split(' ').skip_while(|word| is_of(COURTESIES, word));
    let is_added = matches!(said.next(), Some("and" | "y"));
    // "Y con eso cómo queda la caja", "and then what is left"
    let asks = said
        .find(|word| !is_of(THEN, word))
        .is_some_and(|word| is_of(QUESTIONS, word) || is_of(REQUESTS, word));
    is_added && (counts || asks || rest.ends_with('?'))
        || rest.trim_start_matches('$').starts_with(|c: char| c.is_ascii_digit())
}

/// An act in the words where what follows takes nothing back. That is needed of a yes alone.
fn led<'a>(words: &'a str, rest: &'a str) -> Option<SaidAct<'a>> {
    let yes = || is_yes(words).then_some((Act::Yes, Language::English));
    let (act, language) = act(words).or_else(yes)?;
    let counts = Language::ALL.iter().any(|language| {
        let numbers = crate::numbers(rest, *language);
        numbers.is_none_or(|numbers| !numbers.is_empty())
    });
    let drops = matches!(act, Act::No | Act::None | Act::Drop);
    // "No, but yes to the other one" says more than its first word.
    let agrees = || {
        let said = plain(rest);
        let denies = |word: &str| is_of("no not never dont don't nunca", word);
        let words = std::iter::once("").chain(said.split(' ')).zip(said.split(' '));
        let mut told = words.filter(|(before, _)| !denies(before));
        // "The 18 months is right"
        let is_right = |(before, word): (&str, &str)| {
            is_of("is are s es son esta estan", before) && is_of("right correct correcto correcta bien", word)
        };
        told.any(|(before, word)| is_of(AGREES_BEHIND_NO, word) || !rest.ends_with('?') && is_right((before, word)))
    };
    // "No to both. Put the loan at 220" says no yes to what it drops.
    let is_other = act == Act::None && counts;
    let is_plain = if drops {
        is_other || !agrees()
    } else {
        !takes_back(rest)
    };
    // "Sure, what does it even mean" is no yes.
    let is_well = act == Act::Yes && plain(words).split(' ').all(|word| is_of(WELL, word)) && asks_for_meaning(rest);
    (is_plain && !is_well && !rest.is_empty()).then_some(SaidAct {
        act,
        language,
        words,
        rest,
        counts,
    })
}

/// Whether what follows a yes may take it back, or part of it.
pub fn takes_back(rest: &str) -> bool {
    let said = without_negative_numbers(&plain(rest));
    let mut said = said.split(' ').peekable();
    // "But what is left for me?" asks, and leaves the yes as it is; so does "what do you mean by that".
    let ends = rest.trim_end_matches('?').matches(['.', '!', ';', '?', '\n']).count();
    let first = said
        .clone()
        .find(|word| !is_of(COURTESIES, word) && !is_of("a ver and y", word));
    let asks = rest.ends_with('?') || first.is_some_and(|word| is_of(QUESTIONS, word) || is_of(REQUESTS, word));
    let is_one_question = asks && ends == 0;
    said.next_if(|word| is_one_question && matches!(*word, "but" | "pero"));
    let is_conditional = matches!(
        said.peek(),
        Some(&("if" | "si" | "cuando" | "when" | "once" | "as" | "")) | None
    );
    // "Is it good or bad", "¿está bien o mal?"
    let said: Vec<&str> = said.collect();
    let befores = std::iter::once("").chain(said.iter().copied());
    let takes_back = |(before, word): (&str, &&str)| {
        let is_asked = is_one_question && (is_of(ASKED_ABOUT, word) || matches!(before, "or" | "o"));
        !is_asked && (word.ends_with("n't") || is_of(TAKES_BACK, word))
    };
    is_conditional && !rest.ends_with('?') || befores.zip(&said).any(takes_back)
}

/// "Hasta menos 232 mil": below zero, and nothing is excepted.
fn without_negative_numbers(text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    for at in (1..words.len()).rev() {
        let is_number = words[at].starts_with(|c: char| c.is_ascii_digit());
        // What begins with it excepts.
        if is_number && at > 1 && words[at - 1] == "menos" {
            words.remove(at - 1);
        }
    }
    words.join(" ")
}

/// From two on, what so many are called.
const COUNTS: [[&str; 3]; 9] = [
    ["2", "two", "dos"],
    ["3", "three", "tres"],
    ["4", "four", "cuatro"],
    ["5", "five", "cinco"],
    ["6", "six", "seis"],
    ["7", "seven", "siete"],
    ["8", "eight", "ocho"],
    ["9", "nine", "nueve"],
    ["10", "ten", "diez"],
];

/// How a number of values is said: "3", "three", "tres".
pub fn words_of_count(count: usize) -> Option<[&'static str; 3]> {
    COUNTS.get(count.checked_sub(2)?).copied()
}

/// Words that agree to what a message counts or takes as a whole: "use both", "yes to all five", "anota los dos".
const ORDERS: [&str; 2] = [
    "yes ok okay sure yeah yep do use accept confirm save take write put",
    "si usa usar usalos usalas uselos acepta acepto aceptar confirma confirmo anota anote anotalo anotalos anotalas",
];

/// Words beside these that say nothing else.
const BESIDE_ORDERS: [&str; 2] = [
    "to of the them em those these things are right correct cool good fine great down in too",
    "a los las ellos ellas cosas pendiente estan esta bien correctos correctas asi son va",
];

/// "Yes to all five", "use both", "sí a todo": how many of what was listed, in words that are all known.
fn counted(text: &str) -> Option<(Act, Language)> {
    let words = || text.split(' ');
    let is_both = |word: &str| matches!(word, "both" | "ambos" | "ambas");
    let is_all = |word: &str| matches!(word, "all" | "everything" | "todo" | "todos" | "todas");
    let count_of = |word: &str| match is_both(word) {
        true => Some(2),
        false => COUNTS.iter().position(|names| names.contains(&word)).map(|at| at + 2),
    };
    let has = |lists: [&str; 2]| words().any(|word| lists.iter().any(|list| is_of(list, word)));
    let is_known = |word: &str| {
        let mut lists = ORDERS.iter().chain(&BESIDE_ORDERS);
        is_all(word) || count_of(word).is_some() || lists.any(|list| is_of(list, word))
    };
    // "Are both right" asks, "all right" is no yes to all.
    let asks = words()
        .next()
        .is_some_and(|first| matches!(first, "are" | "esta" | "estan" | "son"));
    if asks || !words().all(is_known) {
        return None;
    }
    let spanish = [ORDERS[1], BESIDE_ORDERS[1]];
    let is_spanish = words().any(|word| spanish.iter().any(|list| is_of(list, word)) || word.starts_with("amb"));
    let language = if is_spanish {
        Language::Spanish
    } else {
        Language::English
    };
    let mut counts = words().filter_map(count_of);
    let is_bare = words().all(|word| is_all(word) || is_of(BESIDE_ALL, word));
    let act = match (counts.next(), counts.next()) {
        (Some(count), None) if has(ORDERS) || words().any(|word| is_both(word) || is_all(word)) => Act::Several(count),
        (None, None) if words().any(is_all) && (has(ORDERS) || is_bare) && !text.ends_with("all right") => Act::All,
        _ => return None,
    };
    Some((act, language))
}

/// Words beside "all" and "everything" where nothing agrees: "all of them", "they are all correct".
const BESIDE_ALL: &str = "of them those these it they're they are correct ellos ellas";

/// Places in a list.
const PLACES: [(&str, Act); 4] = [
    ("first 1st primero primera", Act::Nth(0)),
    ("second 2nd segundo segunda", Act::Nth(1)),
    ("third 3rd tercero tercera", Act::Nth(2)),
    ("last ultimo ultima", Act::Last),
];

/// Words beside a place that say nothing else.
const BESIDE_PLACE: [&str; 2] = [
    "the one just only yes to use accept take write down note",
    "el la solo nomas si al a usa anota",
];

/// "Only the second one", "sí a la primera".
fn by_place(text: &str) -> Option<(Act, Language)> {
    let place = |word: &str| PLACES.iter().find(|(names, _)| is_of(names, word));
    let mut places = text.split(' ').filter_map(place);
    let (Some((_, act)), None) = (places.next(), places.next()) else {
        return None;
    };
    let others = || text.split(' ').filter(|word| place(word).is_none());
    let language = language_of(others(), BESIDE_PLACE)?;
    let is_spanish = text
        .split(' ')
        .any(|word| word.ends_with(['o', 'a']) && place(word).is_some());
    Some((*act, if is_spanish { Language::Spanish } else { language }))
}

/// Words that refuse. "No" does only before "to": "no, all" refuses nothing.
const REFUSING: [&str; 2] = [
    "none neither drop forget discard remove ignore throw toss reject dismiss out",
    "ninguno ninguna ignora ignore descarta descarte descartar olvida olvide",
];

/// What is refused: more than one.
const REFUSED: [&str; 2] = [
    "none neither all both them those these everything two three four",
    "ninguno ninguna todo todos todas ambos ambas dos tres cuatro",
];

/// Words beside these that say nothing else.
const BESIDE_REFUSED: [&str; 2] = [
    "no to of it that the ones just please use take leave any",
    "no a de ellos ellas los las eso por favor",
];

/// "None of them", "drop both", "no to all of those", "leave them out".
fn none_of(text: &str) -> Option<(Act, Language)> {
    let says_no_to = ["no to ", "no a "].iter().any(|no| text.starts_with(no));
    (0..2).find_map(|at| {
        let has = |list: &str| text.split(' ').any(|word| is_of(list, word));
        let lists = [REFUSING[at], REFUSED[at], BESIDE_REFUSED[at]];
        let is_known = |word: &str| lists.iter().any(|list| is_of(list, word));
        let is_refusal = (says_no_to || has(REFUSING[at])) && has(REFUSED[at]) && text.split(' ').all(is_known);
        is_refusal.then_some((Act::None, [Language::English, Language::Spanish][at]))
    })
}

/// The language whose list has each word; English where there is none.
fn language_of<'w>(words: impl Iterator<Item = &'w str> + Clone, lists: [&str; 2]) -> Option<Language> {
    let has_all = |list: &str| words.clone().all(|word| is_of(list, word));
    let languages = [Language::English, Language::Spanish];
    let mut known = languages.into_iter().zip(lists).filter(|(_, list)| has_all(list));
    known.next().map(|(language, _)| language)
}

/// What may stand before a word that drops: "actually forget the insurance".
const BEFORE_DROPPING: &str = "actually ok okay hmm hm well oh wait nah nope and please y bueno pues ah mejor oye";

/// The longest beginning of a message that drops what follows it.
fn dropping(text: &str) -> Option<(Act, Language)> {
    let begins = |word: &&str| is_of(BEFORE_DROPPING, word);
    let led: usize = text.split(' ').take_while(begins).map(|word| word.len() + 1).sum();
    let text = text.get(led..)?;
    let ends = text.match_indices(' ').map(|(at, _)| at).rev();
    let mut known = ends.filter_map(|at| PHRASES.get(&text[..at]).copied());
    known.find(|(act, _)| *act == Act::Drop)
}

/// As an answer, without accents and drawl, and without a polite end in Spanish.
fn plain(text: &str) -> String {
    let text = unaccented(&without_drawl(&agree::plain(text)));
    let polite = [" por favor", " por ahora"]
        .iter()
        .find_map(|end| text.strip_suffix(end));
    polite.unwrap_or(&text).to_owned()
}

/// "Yesss" as "yes".
pub fn without_drawl(message: &str) -> String {
    let letters: Vec<char> = message.chars().collect();
    let runs = letters.chunk_by(|one, other| one == other);
    let is_drawn = |run: &[char]| run.len() > 2 && run.iter().all(|letter| letter.is_alphabetic());
    runs.flat_map(|run| if is_drawn(run) { &run[..1] } else { run })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_are_known_and_nothing_else_is() {
        let of = |text: &str| act(text).map(|(act, _)| act);
        for text in ["Yes to all!", "all of them, please", "use all", "Sí a todo", "todas"] {
            assert_eq!(of(text), Some(Act::All), "{text}");
        }
        for text in ["yes to both", "both cool", "do both", "yeah do both of those"] {
            assert_eq!(of(text), Some(Act::Several(2)), "{text}");
        }
        for text in [
            "Yes to all five.",
            "yes, all 5 of them",
            "use all five",
            "yes, all five of those are right, please write them down too",
            "sí a los cinco",
        ] {
            assert_eq!(of(text), Some(Act::Several(5)), "{text}");
        }
        for text in ["Si, los dos estan bien", "va, los dos", "Si a los dos pues"] {
            assert_eq!(of(text), Some(Act::Several(2)), "{text}");
        }
        for text in [
            "Siii",
            "que si mujer",
            "Si, te dije que si jaja",
            "te acabo de decir que si!",
            "si anotala asi por ahora",
            "yesss",
            "kk do it",
            "Correcto, confírmelo.",
            "aja, andale",
            "eso mero, si",
            "si pues",
            "si esta bien",
            "Va, dale.",
            "si mi amor, ponlo",
            "si señor",
            "eso, hágale",
            "sisas, anótelo",
            "ta bien",
            "Yes, for god's sake!",
            "yeah thats the one",
            "yes already, write it down",
        ] {
            assert_eq!(of(text), Some(Act::Yes), "{text}");
        }
        for text in [
            "Si a todo pues",
            "Te acabo de decir que si a todo!",
            "I told you yes to all",
        ] {
            assert_eq!(of(text), Some(Act::All), "{text}");
        }
        assert_eq!(of("Ignore it."), Some(Act::No));
        assert_eq!(of("the second one"), Some(Act::Nth(1)));
        assert_eq!(of("el primero"), Some(Act::Nth(0)));
        assert_eq!(of("Sí, por favor"), Some(Act::Yes));
        for text in [
            "no, drop both 120k ones",
            "Forget about the rent.",
            "no to the extra owner cash",
            "actually forget the insurance",
            "bueno olvida el seguro",
            "olvida los 120 mil extra",
        ] {
            assert_eq!(of(text), Some(Act::Drop), "{text}");
        }
        for text in [
            "yes",
            "all?",
            "all but rent",
            "not all of them",
            "yes to all of that except rent",
            "is that all",
            "",
            "the first of May",
            "yes that one is wrong",
            "yes in the other one",
            "correct it",
            "correct that one please",
            "yeah right",
            "por que los dos",
            "both wrong",
            "are both right",
            "do they both fit",
            "are all of them right",
            "all right",
            "ok all right",
            "esta todo",
            "todo esta mal",
            "keep all of it as it is",
            "do I need both",
            "si por que",
            "ya te dije todo",
            "I told you everything",
            "I told you all of them",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
        let led = |text| said_act(text).map(|one| one.act);
        assert_eq!(led("none of those 🙅 dont write any of it"), Some(Act::None));
        assert_eq!(led("yes 🙄 says my uncle"), None);
    }

    #[test]
    fn what_sounds_like_a_no_or_a_yes_may_leave_all_as_it_is() {
        for text in [
            "kk so what is it",
            "confirm it with my bank",
            "no problem",
            "don't drop it yet",
            "hold off on dropping it",
            "cancel my meeting tomorrow",
            "yeah right",
        ] {
            assert_eq!(act(text), None, "{text}");
        }
    }

    #[test]
    fn several_are_refused_or_one_is_meant_by_its_place() {
        let of = |text: &str| act(text).map(|(act, _)| act);
        for text in [
            "None of those.",
            "Ignore all",
            "ignore these, please",
            "drop them",
            "ignore todos",
        ] {
            assert_eq!(of(text), Some(Act::None), "{text}");
        }
        for text in [
            "take all of them out",
            "no to both",
            "no to all of those",
            "leave them all out",
            "drop all three",
            "no a todo",
            "ninguno de los dos",
        ] {
            assert_eq!(of(text), Some(Act::None), "{text}");
        }
        assert_eq!(of("nomas la primera"), Some(Act::Nth(0)));
        assert_eq!(of("just the last one please"), Some(Act::Last));
        for text in [
            "no, all",
            "no, both",
            "not both",
            "leave them",
            "first the rent",
            "the first and the second",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn a_yes_to_all_may_end_a_message() {
        let of = |text| said_act(text).filter(|one| one.rest.is_empty()).map(|one| one.act);
        assert_eq!(
            of("Le pedí que anotara los dos: el arriendo y los meses de gracia. Sí a todo."),
            Some(Act::All)
        );
        assert_eq!(of("I told you already. Yes to both!"), Some(Act::Several(2)));
        for text in [
            "Rent is 4,000. Yes to all.",
            "Not the rent. Yes to all.",
            "Is it right? Yes to all.",
            "I told you already. Yes.",
            "He would say yes to all.",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn every_phrase_reads_as_itself() {
        for (phrase, expected) in PHRASES.iter() {
            assert_eq!(act(phrase).as_ref(), Some(expected), "{phrase}");
        }
        assert!(PHRASES.len() > 60);
    }

    #[test]
    fn an_act_may_lead_a_message_whose_rest_neither_counts_nor_takes_back() {
        let of = |text| {
            said_act(text)
                .filter(|one| !one.rest.is_empty())
                .map(|one| (one.act, one.rest))
        };
        assert_eq!(
            of("Yes. And what is left for me?"),
            Some((Act::Yes, "And what is left for me?"))
        );
        assert_eq!(of("Yes to all. I am glad!"), Some((Act::All, "I am glad!")));
        assert_eq!(
            of("Sí, anótelo. ¿Cuánto necesito para abrir?").map(|one| one.0),
            Some(Act::Yes)
        );
        assert_eq!(of("no, not yet. how do I print this?").map(|one| one.0), Some(Act::No));
        assert_eq!(
            of("yes, and what is left for me?"),
            Some((Act::Yes, "and what is left for me?"))
        );
        assert_eq!(
            of("sí a todo. y que cambie hoy en el plan?"),
            Some((Act::All, "y que cambie hoy en el plan?"))
        );
        assert_eq!(
            of("Yes. But what is left for me?"),
            Some((Act::Yes, "But what is left for me?"))
        );
        for (text, rest) in [
            (
                "Si, te dije que si jaja. anotalo y dime otra vez la mensualidad",
                "y dime otra vez la mensualidad",
            ),
            ("Siii. Cuanto pago al mes de eso?", "Cuanto pago al mes de eso?"),
            (
                "Si anotala asi por ahora. Y ya con eso cuanto me queda?",
                "Y ya con eso cuanto me queda?",
            ),
            ("yes and what is left for me", "and what is left for me"),
        ] {
            assert_eq!(of(text), Some((Act::Yes, rest)), "{text}");
        }
        for text in [
            "Si a todo. Como esta mi cobertura, bien o mal?",
            "Si a todo. A ver dime si esta bien o mal",
        ] {
            assert_eq!(of(text).map(|one| one.0), Some(Act::All), "{text}");
        }
        let counts = |text| said_act(text).is_some_and(|one| one.counts);
        for text in ["yes, 4,250. compare them", "Yes to both. And insurance is 400."] {
            assert!(counts(text), "{text}");
        }
        assert!(!counts("Yes. Thank you!"));
        for text in [
            "Yes.",
            "Yes. Rent is 4,000 though.",
            "Yes. But make it five hundred more.",
            "Yes. If it is a month.",
            "Yes. But is it right? I think not.",
            "Yes, once the bank agrees.",
            "yes, what does it mean?",
            "Yes to all. Except the rent.",
            "yes and no?",
            "yes and the rent too",
            "ok and is 5,000 right?",
            "Sí a todo. ¿Está mal?",
            "Yes to all. Good or bad, not the rent.",
            "Yes to all. No, wait.",
            "Yes to all. Not the loan.",
            "Yes to all. I don't want the sign.",
            "Sí. Pero la renta está mal.",
            "Sí. Quizás.",
            "Sí, anótelo. Sólo la renta.",
            "How much is it. Yes.",
            "Yes? Really.",
            "No, but yes to the other one.",
            "No. Yes to the rent.",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
