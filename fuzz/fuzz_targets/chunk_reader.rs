//! A provider's answer: however the network cuts its bytes, the events, the text and the ending are the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use llm_client::fuzzing::{answer, events};

fuzz_target!(|data: &[u8]| {
    let whole = [data];
    let heard = answer_of(&whole);
    let seen = events(&whole);
    // The last bytes of the stream say where it is cut.
    let mut cuts: Vec<usize> = data
        .rchunks(2)
        .take(4)
        .map(|pair| pair.iter().fold(0, |n, byte| n * 256 + usize::from(*byte)))
        .collect();
    cuts.iter_mut().for_each(|cut| *cut %= data.len() + 1);
    cuts.sort_unstable();
    let mut pieces = Vec::new();
    let mut from = 0;
    for cut in cuts {
        pieces.push(&data[from..cut]);
        from = cut;
    }
    pieces.push(&data[from..]);
    assert_eq!(events(&pieces), seen);
    assert_eq!(answer_of(&pieces), heard);
    if data.len() <= 1_024 {
        let bytes: Vec<&[u8]> = data.chunks(1).collect();
        assert_eq!(events(&bytes), seen, "byte by byte");
        assert_eq!(answer_of(&bytes), heard, "byte by byte");
    }
});

/// Text, calls and usage, or the kind of failure.
fn answer_of(pieces: &[&[u8]]) -> (String, Result<String, &'static str>) {
    let (text, ended) = answer(pieces);
    if let Ok(completion) = &ended {
        let mut ids: Vec<&str> = completion.tool_calls.iter().map(|call| call.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert!(
            ids.len() == completion.tool_calls.len() && !ids.contains(&""),
            "ids {ids:?}"
        );
    }
    // Ids that the server left out are made up, each time anew.
    let ended = ended.map(|mut completion| {
        completion.tool_calls.iter_mut().for_each(|call| call.id.clear());
        format!("{completion:?}")
    });
    (text, ended.map_err(|error| error.class()))
}
