//! The table of utterances, scored.

use super::*;

const STATEMENTS: &str = include_str!("../../../tests/utterances/statements.tsv");
const DIALOGUES: &str = include_str!("../../../tests/utterances/dialogues.tsv");

struct Row {
    before: Option<(String, String)>,
    message: String,
    expected: Vec<String>,
}

fn rows() -> Vec<Row> {
    let expected = |text: &str| {
        text.split(' ')
            .filter(|one| *one != "-")
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let statement = |line: &str| {
        let (message, values) = line.split_once('\t').expect("two columns");
        Row {
            before: None,
            message: message.replace("\\n", "\n"),
            expected: expected(values),
        }
    };
    let dialogue = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [user, advisor, message, values] = columns[..] else {
            panic!("four columns: {line}")
        };
        Row {
            before: Some((user.to_owned(), advisor.to_owned())),
            message: message.to_owned(),
            expected: expected(values),
        }
    };
    STATEMENTS
        .lines()
        .map(statement)
        .chain(DIALOGUES.lines().map(dialogue))
        .collect()
}

fn talk(row: &Row) -> Talk {
    row.before
        .as_ref()
        .map_or_else(Talk::new, |(user, advisor)| Talk::after(user, advisor))
}

/// Values that a model which calls every number it sees for every field nearby would have applied.
fn obeyed(row: &Row) -> Vec<String> {
    let talk = talk(row);
    let before = row.before.as_ref();
    let texts = Texts {
        message: &row.message,
        previous_message: before.map(|pair| pair.0.as_str()),
        advisor: before.map(|pair| pair.1.as_str()),
        asked: None,
        about: None,
    };
    let understanding = understand(&texts, &Vocabulary::of(&talk.brand));
    let context = Context {
        fields: &talk.fields,
        inputs: None,
        brand: &talk.brand,
        texts: &texts,
        understanding: &understanding,
    };
    let mut decisions = Vec::new();
    for mention in &understanding.mentions {
        for path in &understanding.named {
            for value in [mention.value, mention.value * rust_decimal::Decimal::ONE_HUNDRED] {
                let call = format!(r#"{{"path":"{path}","value":{value},"confidence":"high"}}"#);
                decisions.extend(decide(&call, &context).ok());
            }
        }
    }
    resolve_turn(&mut decisions);
    let applied = decisions.iter().filter(|one| one.outcome == Outcome::Apply);
    applied.map(|one| format!("{}={}", one.field, one.value)).collect()
}

#[test]
fn utterances_are_written_or_asked_about_and_nothing_dangerous_is_applied() {
    let (mut written, mut asked, mut wanted, mut dangerous) = (0, 0, 0, 0);
    let rows = rows();
    for row in &rows {
        let values = talk(row).say(&row.message).values();
        let asks = |one: &&String| values.contains(&one.replacen('=', "~", 1));
        written += row
            .expected
            .iter()
            .filter(|one| one.contains('=') && values.contains(one))
            .count();
        asked += row.expected.iter().filter(asks).count();
        wanted += row.expected.len();
        let applied = values
            .iter()
            .filter(|one| one.contains('='))
            .cloned()
            .chain(obeyed(row));
        let bad: Vec<String> = applied.filter(|one| !row.expected.contains(one)).collect();
        dangerous += bad.len();
        if !bad.is_empty() {
            println!(
                "{:?}\n    expected {:?}\n    heard    {values:?} dangerous {bad:?}",
                row.message, row.expected
            );
        }
    }
    println!(
        "{} utterances, {wanted} values: {written} written, {asked} asked about, {dangerous} dangerous",
        rows.len()
    );
    assert_eq!(dangerous, 0, "values were applied that should not have been");
    assert!(rows.len() >= 250, "the table has {} rows", rows.len());
    assert!(
        (written + asked) * 100 >= wanted * 60,
        "{written} and {asked} of {wanted}"
    );
}
