//! Benchmarks what a token costs in another protocol, beyond its native frame. `cargo bench --bench dialects`

use plan_advisor::http::dialect::event::events_of;
use plan_advisor::http::dialect::{ag_ui, ai_sdk};
use plan_model::ids::TurnId;

/// A native frame with one token.
const FRAME: &str =
    "id: 0197a000-0000-7000-8000-000000000001.1.12\ndata: {\"type\":\"token\",\"content\":\" your rent\"}\n\n";

fn main() {
    divan::main();
}

/// Target: at most 50 µs for the first token, opening included.
#[divan::bench]
fn first_token_ai_sdk() -> usize {
    let mut state = ai_sdk::State::new(TurnId::fresh(), false);
    let mut bytes = ai_sdk::begin(&state).len();
    for event in events_of(divan::black_box(FRAME.as_bytes())) {
        bytes += ai_sdk::step(&mut state, &event).len();
    }
    bytes
}

#[divan::bench]
fn first_token_ag_ui() -> usize {
    let mut state = ag_ui::State::new("thread".to_owned(), "run".to_owned(), Some(TurnId::fresh()));
    let mut bytes = ag_ui::begin(&state).len();
    for event in events_of(divan::black_box(FRAME.as_bytes())) {
        bytes += ag_ui::step(&mut state, &event).len();
    }
    bytes
}

/// A burst of a hundred tokens that came in one read.
#[divan::bench]
fn hundred_tokens_ai_sdk(bencher: divan::Bencher<'_, '_>) {
    let frames = FRAME.repeat(100);
    let mut state = ai_sdk::State::new(TurnId::fresh(), false);
    bencher.bench_local(|| {
        events_of(frames.as_bytes())
            .iter()
            .map(|event| ai_sdk::step(&mut state, event).len())
            .sum::<usize>()
    });
}
