//! Lines, events, bytes.

use super::{case, events, quirks};

const HI: &str = r#"{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}"#;
const YOU: &str = r#"{"choices":[{"index":0,"delta":{"content":" you"},"finish_reason":null}]}"#;
const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;

quirks! {
    plain_stream: "OpenAI", "read",
        case(include_str!("../../fixtures/openai_text.sse")).says("I've noted your rent of $4,200 per month.").counts(1204, 12, 1216);
    comments_between_events: "OpenRouter, proxies", "skipped; they never keep a silent call alive",
        case(format!(": OPENROUTER PROCESSING\n\n:\n\ndata: {HI}\n\n: ping - 2026\n\ndata: {STOP}\n\ndata: [DONE]\n\n")).says("Hi");
    no_space_after_the_colon: "Baseten, llamafile", "read",
        case(format!("data:{HI}\n\ndata:{STOP}\n\ndata:[DONE]\n\n")).says("Hi");
    byte_order_mark: "gateways on Windows", "stripped",
        case(format!("\u{FEFF}data: {HI}\n\ndata: {STOP}\n\n")).says("Hi");
    blanks_before_the_first_line: "templates with a stray indent", "skipped, in whatever pieces they come",
        case(format!(" \n\t data: {HI}\n\ndata: {STOP}\n\n")).says("Hi");
    carriage_returns_only: "the standard allows it", "read without waiting for a line feed",
        case(format!("data: {HI}\r\rdata: {STOP}\r\rdata: [DONE]\r\r")).says("Hi");
    mixed_line_ends: "proxies that add lines of their own", "read",
        case(format!(": hb\r\n\r\ndata: {HI}\n\ndata: {YOU}\r\rdata: {STOP}\r\n\r\n")).says("Hi you");
    event_and_id_lines: "Azure, Cloudflare", "skipped",
        case(format!("event: message\nid: 1\nretry: 10\ndata: {HI}\n\nevent: completion\ndata: {STOP}\n\n")).says("Hi");
    ping_events: "Anthropic's compatible API", "skipped",
        case(format!("event: ping\ndata: {{}}\n\ndata: {HI}\n\nevent: ping\ndata: {{\"type\":\"ping\"}}\n\ndata: {STOP}\n\n")).says("Hi").ignores(1);
    data_over_several_lines: "the standard allows it", "joined",
        case("data: {\"choices\": [\ndata: {\"delta\": {\"content\": \"Hi\"}}\ndata: ]}\n\ndata: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n").says("Hi");
    one_line_feed_between_events: "small self-made servers", "parted",
        case(format!("data: {HI}\ndata: {YOU}\ndata: {STOP}\ndata: [DONE]\n")).says("Hi you");
    no_blank_line_at_the_end: "small self-made servers", "read, if the JSON is whole",
        case(format!("data: {HI}\n\ndata: {STOP}")).says("Hi");
    data_prefix_twice: "proxies that wrap a stream in a stream", "read",
        case(format!("data: data: {HI}\n\ndata: data: {STOP}\n\n")).says("Hi");
    empty_data: "keep-alive of some proxies", "skipped",
        case(format!("data:\n\ndata\n\ndata: {HI}\n\ndata: \n\ndata: {STOP}\n\n")).says("Hi");
    done_with_spaces: "LocalAI, proxies", "read",
        case(format!("data: {HI}\n\ndata: {STOP}\n\ndata:  [DONE] \n\n")).says("Hi");
    words_that_are_no_json: "proxies", "skipped and counted",
        events(&["ping", HI, "keepalive", STOP]).says("Hi").ignores(2);
    html_line_in_the_stream: "a proxy that fails half-way", "skipped and counted; without a finish it is a cut answer",
        case(format!("data: {HI}\n\n<hr>nginx\n\ndata: {STOP}\n\n")).says("Hi").ignores(1);
    an_array_of_chunks: "Gemini's own format through a proxy", "each is read",
        events(&[&format!("[{HI},{YOU}]"), STOP]).says("Hi you");
    characters_split_between_reads: "every server", "joined before decoding",
        events(&[r#"{"choices":[{"delta":{"content":"Größe 💶 中"}}]}"#, STOP]).says("Größe 💶 中");
    invalid_utf_8: "llama.cpp with half a token of an emoji", "replaced by U+FFFD",
        case([b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xF0\x9Fb\"}}]}\n\ndata: ".as_slice(), STOP.as_bytes(), b"\n\n"].concat()).says("a\u{FFFD}b");
    lone_surrogates: "Python servers with ensure_ascii", "replaced by U+FFFD, pairs kept",
        events(&[r#"{"choices":[{"delta":{"content":"a\ud83d \ud83d\ude00"}}]}"#, STOP]).says("a\u{FFFD} 😀");
    a_character_in_two_frames: "Python servers with ensure_ascii", "joined",
        events(&[r#"{"choices":[{"delta":{"content":"Great \ud83d"}}]}"#, r#"{"choices":[{"delta":{"content":"\ude00 news"}}]}"#, STOP]).says("Great 😀 news");
    escaped_nul: "small models", "replaced by U+FFFD, which a database can hold",
        events(&[r#"{"choices":[{"delta":{"content":"a\u0000b"}}]}"#, STOP]).says("a\u{FFFD}b");
    raw_control_characters_in_strings: "servers that build JSON by hand", "mended",
        events(&["{\"choices\":[{\"delta\":{\"content\":\"a\tb\u{0}c\"}}]}", STOP]).says("a\tb\u{FFFD}c");
    not_a_number: "Python servers with log probabilities", "read as null",
        events(&[r#"{"choices":[{"delta":{"content":"Hi"},"logprobs":{"a":-Infinity,"b":NaN,"c":[Infinity]}}]}"#, STOP]).says("Hi");
}
