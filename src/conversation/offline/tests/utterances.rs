//! The table of utterances, scored.

use super::*;

const STATEMENTS: &str = include_str!("../../../../tests/utterances/statements.tsv");
const DIALOGUES: &str = include_str!("../../../../tests/utterances/dialogues.tsv");

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

/// Values that a model which obeys every number it sees would have applied.
fn obeyed(row: &Row) -> Vec<String> {
    let talk = talk(row);
    let before = row.before.as_ref();
    let words = Words::new(
        &row.message,
        before.map(|pair| pair.0.as_str()),
        before.map(|pair| pair.1.as_str()),
    );
    let context = Context {
        fields: &talk.fields,
        inputs: None,
        brand: &talk.brand,
        words: &words,
    };
    let mut heard = Vec::new();
    for span in read(&row.message, &talk.fields).spans {
        if let Some(field) = span.field() {
            let path = talk.fields[field].path.as_str();
            for value in [span.value, span.value * rust_decimal::Decimal::ONE_HUNDRED] {
                let call = format!(r#"{{"path":"{path}","value":{value},"confidence":"high"}}"#);
                heard.extend(judge(&call, &context).ok());
            }
        }
    }
    resolve_turn(&mut heard, &talk.fields, &words);
    heard
        .iter()
        .filter(|one| one.outcome == Outcome::Apply)
        .map(|one| format!("{}={}", one.field, one.value))
        .collect()
}

#[test]
fn utterances_are_understood_and_nothing_dangerous_is_applied() {
    let (mut right, mut given, mut wanted, mut dangerous) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    let rows = rows();
    for row in &rows {
        let turn = talk(row).say(&row.message);
        let values = turn.values();
        let hits = row.expected.iter().filter(|one| values.contains(one)).count();
        (right, given, wanted) = (right + hits, given + values.len(), wanted + row.expected.len());
        let applied = values
            .iter()
            .filter(|one| one.contains('='))
            .cloned()
            .chain(obeyed(row));
        let bad: Vec<String> = applied.filter(|one| !row.expected.contains(one)).collect();
        dangerous += bad.len();
        if hits < row.expected.len() || hits < values.len() || !bad.is_empty() {
            wrong.push(format!(
                "{:?}\n    expected {:?}\n    heard    {values:?} dangerous {bad:?}",
                row.message, row.expected
            ));
        }
    }
    println!(
        "{} utterances, {wanted} values: precision {right}/{given}, recall {right}/{wanted}, dangerous {dangerous}",
        rows.len()
    );
    wrong.iter().for_each(|line| println!("{line}"));
    assert_eq!(dangerous, 0, "values were applied that should not have been");
    assert!(rows.len() >= 250, "the table has {} rows", rows.len());
    assert!(
        right * 100 >= given * 97 && right * 100 >= wanted * 97,
        "precision {right}/{given}, recall {right}/{wanted}"
    );
}
