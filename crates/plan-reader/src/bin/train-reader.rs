//! Makes the weights of the ear from the labeled messages below `tests`:
//! `cargo run --release -p plan-reader --bin train-reader`. `--without NAME` leaves files out, to measure on them, and
//! `--folds FOLDER` learns without each fourth message in turn, writes what was learned and what was left out, and says how often
//! what was heard was right. `--out FILE --without NAME` keeps those weights for `plan-advisor eval --wants --weights FILE`. `--hear TEXT` says what the
//! weights that it was built with make of a text, `--unseen` counts what is heard of the files that were set aside.

use plan_reader::training::{
    IntentHeard, Labeled, data_of, files, folds, hear, intents_heard, messages, missed, numbers_heard, reliability,
    train,
};
use plan_reader::{Intent, Slots};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("train-reader: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<String, String> {
    let (out, arguments) = match arguments {
        [flag, out, rest @ ..] if flag == "--out" => (Some(Path::new(out)), rest),
        _ => (None, arguments),
    };
    let without: Vec<&str> = match arguments {
        [] => Vec::new(),
        [flag, texts @ ..] if flag == "--hear" => {
            let started = std::time::Instant::now();
            let heard: String = texts.iter().map(|text| hear(text)).collect();
            return Ok(format!("{heard}{:?}", started.elapsed()));
        }
        [flag, folder] if flag == "--folds" => return in_folds(Path::new(folder)),
        [flag] if flag == "--unseen" => Vec::new(),
        [flag, names @ ..] if flag == "--without" => names.iter().map(String::as_str).collect(),
        _ => {
            return Err(
                "usage: train-reader [[--out FILE] --without NAME… | --folds FOLDER | --unseen | --hear TEXT…]"
                    .to_owned(),
            );
        }
    };
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = files(&home.join("../../tests")).map_err(|error| error.to_string())?;
    let is_left = |name: &str| without.iter().any(|part| name.contains(part));
    let left: Vec<Labeled> = texts
        .iter()
        .filter(|(name, _)| is_left(name))
        .flat_map(|(name, text)| messages(name, text).unwrap_or_default())
        .collect();
    texts.retain(|(name, _)| !is_left(name));
    let mut all = Vec::new();
    for (name, text) in &texts {
        all.extend(messages(name, text)?);
    }
    let weights = train(&all, data_of(&texts));
    if let Some(out) = out {
        return std::fs::write(out, &weights).map_or_else(|error| Err(error.to_string()), |()| Ok(String::new()));
    }
    if !without.is_empty() {
        return Ok(measure(&weights, &left) + &misses(&weights, &left));
    }
    if !arguments.is_empty() {
        return unseen(&weights, &home.join("../../tests/intents"));
    }
    let out = home.join("src/ear/weights.bin");
    std::fs::write(&out, &weights).map_err(|error| format!("{}: {error}", out.display()))?;
    Ok(format!(
        "{} messages of {} files, {} bytes",
        all.len(),
        texts.len(),
        weights.len()
    ))
}

fn in_folds(folder: &Path) -> Result<String, String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let folds = folds(&files(&tests).map_err(|error| error.to_string())?)?;
    for (nth, fold) in folds.iter().enumerate() {
        let write = |extension: &str, bytes: &[u8]| std::fs::write(folder.join(format!("{nth}.{extension}")), bytes);
        let missed = misses(&fold.weights, &messages("left.jsonl", &fold.left)?);
        let written = write("bin", &fold.weights)
            .and_then(|()| write("jsonl", fold.left.as_bytes()))
            .and_then(|()| write("misses", missed.as_bytes()));
        written.map_err(|error| error.to_string())?;
    }
    reliability(&folds)
}

/// Counts for the files that were set aside; nothing of them is shown.
fn unseen(weights: &[u8], folder: &Path) -> Result<String, String> {
    let mut left = Vec::new();
    for name in ["first-unseen.jsonl", "second-unseen.jsonl", "third-unseen.jsonl"] {
        let text = std::fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
        left.extend(messages(name, &text)?);
    }
    Ok(measure(weights, &left))
}

/// What the weights make of messages that they were not made of.
fn measure(weights: &[u8], left: &[Labeled]) -> String {
    let mut out = String::new();
    let spanish: Vec<Labeled> = left.iter().filter(|one| one.lang == "es").cloned().collect();
    for (name, left) in [("all", left), ("Spanish", &spanish)] {
        for at in numbers_heard(
            Some(weights),
            left,
            &[0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8],
        ) {
            out += &format!(
                "{name} {:.2}: landed {} asked {} of {}; {} of {} proposals wrong; wrong written {}\n",
                at.asked_from, at.landed, at.asked, at.plain, at.wrong, at.proposals, at.wrong_written
            );
        }
    }
    let heard = intents_heard(Some(weights), left);
    for intent in Intent::ALL {
        let of: Vec<_> = heard.iter().filter(|one| one.intent == *intent).collect();
        let right = of.iter().filter(|one| one.is_right()).count();
        let another = of.iter().filter(|one| one.is_another()).count();
        let exact = of.iter().filter(|one| one.is_exact()).count();
        out += &format!(
            "{:12} {right} right, {exact} exact of {}, {another} with another question's figures\n",
            intent.as_str(),
            of.len()
        );
    }
    let spanish = heard.iter().filter(|one| one.lang == "es");
    let right = |one: &&IntentHeard| one.is_right();
    out += &format!(
        "all {} of {}; Spanish {} of {}\n",
        heard.iter().filter(right).count(),
        heard.len(),
        spanish.clone().filter(right).count(),
        spanish.count()
    );
    out
}

/// Each value and each intent that was missed.
/// Misses are shown as from the threshold that is used.
const ASKED_FROM: f32 = 0.15;

fn misses(weights: &[u8], left: &[Labeled]) -> String {
    let mut out = String::new();
    for line in missed(Some(weights), left, ASKED_FROM) {
        out += &format!("{line}\n");
    }
    let heard = intents_heard(Some(weights), left);
    for one in heard
        .iter()
        .filter(|one| !one.is_exact() && one.intent != Intent::State)
    {
        let json = |value: &Slots| serde_json::to_string(value).unwrap_or_default();
        let (wanted, got) = (json(&one.slots), json(&one.heard.slots));
        out += &format!(
            "{:?} {wanted} <> {:?} {got} {:.2}: {}\n",
            one.intent,
            one.heard.intent,
            one.heard.certainty(),
            one.message
        );
    }
    out
}
