//! The steps of each fault of a provider.

use crate::kinds::{
    CHUNKED, END, Kind, OPEN, Step, calls, chunk, delta, end, finish, in_chunks, pieces, plain, reply, says, text,
};
use crate::model::{Asked, Script, arguments};
use serde_json::{Value, json};

const SET: &str = "set_financial_field";
const RENT: &str = "operatingCosts.rentMonthly";

/// The provider's steps for this request.
pub fn steps(kind: &Kind, script: &Script, asked: Asked) -> Vec<Step> {
    if let Some(steps) = refusal(kind.name, &asked) {
        return steps;
    }
    match kind.row {
        "F24" | "F25" | "F26" | "F27" => broken(kind.name, script, asked),
        "F32" | "F33" | "F35" | "S20" => tools(kind.name, script, &asked),
        "F30" | "F31" => endless(kind.name, script),
        "F34" => counted(kind.name, script),
        _ => framed(kind.name, script, &asked),
    }
}

fn status(code: u16, more: &str, body: &str) -> Vec<Step> {
    let length = body.len();
    vec![text(format!(
        "HTTP/1.1 {code} X\r\ncontent-type: application/json\r\n{more}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    ))]
}

fn refusal(name: &str, asked: &Asked) -> Option<Vec<Step>> {
    let body = json!({"error": {"message": "internal words of the provider", "type": "x", "code": null}}).to_string();
    let plainly = |code| Some(status(code, "", &body));
    match name {
        "reset at once" => Some(vec![Step::Reset]),
        "closed at once" => Some(Vec::new()),
        "429 after 0" => Some(status(429, "retry-after: 0\r\n", &body)),
        "429 after 1" => Some(status(429, "retry-after: 1\r\n", &body)),
        "429 after 86400" => Some(status(429, "retry-after: 86400\r\n", &body)),
        "429 after a date" => Some(status(429, "retry-after: Fri, 01 Jan 2100 00:00:00 GMT\r\n", &body)),
        "429 after nonsense" => Some(status(429, "retry-after: soon\r\n", &body)),
        "error as JSON with 200" => Some(vec![Step::Send(reply(200, "application/json", &body))]),
        "page with 200" => Some(vec![Step::Send(reply(
            200,
            "text/html",
            "<html><body>Bad gateway</body></html>",
        ))]),
        "redirect" => Some(status(
            307,
            &format!("location: http://{}/v1/chat/completions\r\n", asked.elsewhere),
            "",
        )),
        "echoes the key" => {
            let body = json!({"error": {"message": format!("Incorrect key: {}", asked.authorization), "code": asked.authorization}});
            Some(status(401, "", &body.to_string()))
        }
        code => code.parse().ok().and_then(plainly),
    }
}

/// The complete answer as one string, and the position of its finish.
fn whole(script: &Script) -> (String, usize) {
    let said: String = pieces(&script.text, script.pieces)
        .iter()
        .map(|piece| says(piece))
        .collect();
    let length = said.len();
    (said + &end("stop"), length)
}

fn broken(name: &str, script: &Script, mut asked: Asked) -> Vec<Step> {
    let (all, said) = whole(script);
    let words = |count: usize| (0..count).map(|_| says("word ")).collect::<String>();
    match name {
        "first word late" => vec![text(OPEN), Step::Pause(1_000), text(all)],
        "first word too late" => vec![text(OPEN), Step::Pause(3_000), text(all)],
        "stall before the first word" => vec![text(OPEN), Step::Stall(None)],
        "stall after one word" => vec![text(OPEN), text(words(1)), Step::Stall(None)],
        "stall after fifty words" => vec![text(OPEN), text(words(50)), Step::Stall(None)],
        "stall with heartbeats" => vec![text(OPEN), text(words(1)), Step::Stall(Some(": still here\n\n"))],
        "no end mark behind the finish" => vec![text(OPEN), text(all.replace(END, ""))],
        "reset within a character" => {
            let cut = says("Grüße").into_bytes();
            let at = cut.iter().position(|byte| *byte > 127).unwrap_or(0) + 1;
            vec![
                text(OPEN),
                text(words(1)),
                Step::Send(cut[..at].to_vec()),
                Step::Pause(30),
                Step::Reset,
            ]
        }
        _ => {
            // Anywhere before the finish: after it the answer would be complete.
            let at = asked.rng.place_in(said);
            let part = all.as_bytes()[..at].to_vec();
            match name {
                "body ends anywhere" => vec![text(CHUNKED), Step::Send(in_chunks(&part)), text("0\r\n\r\n")],
                "connection ends anywhere" => vec![text(CHUNKED), Step::Send(in_chunks(&part))],
                _ => vec![text(OPEN), Step::Send(part), Step::Pause(30), Step::Reset],
            }
        }
    }
}

fn framed(name: &str, script: &Script, asked: &Asked) -> Vec<Step> {
    let (all, _) = whole(script);
    let open = |body: Vec<u8>| vec![text(OPEN), Step::Send(body)];
    match name {
        "byte by byte" => {
            let mut steps = vec![text(OPEN)];
            steps.extend(all.bytes().map(|byte| Step::Send(vec![byte])));
            steps
        }
        "CRLF" => open(all.replace('\n', "\r\n").into_bytes()),
        "CR" => open(all.replace('\n', "\r").into_bytes()),
        "byte order mark" => open(format!("\u{feff}{all}").into_bytes()),
        "comments" => open(all.replace("data:", ": a comment\n\ndata:").into_bytes()),
        "event lines" => open(all.replace("data:", "event: completion\nid: 7\ndata:").into_bytes()),
        "empty data" => open(all.replace("data: {", "data:\n\ndata: {").into_bytes()),
        "invalid UTF-8" => {
            let mut body =
                b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"half \xe2\x82 a sign \"}}]}\n\n".to_vec();
            body.extend(all.into_bytes());
            open(body)
        }
        "NUL" => open(
            (r#"data: {"choices":[{"index":0,"delta":{"content":"nothing \u0000 here "}}]}"#.to_owned()
                + "\n\n"
                + &all)
                .into_bytes(),
        ),
        "lone surrogates" => open(
            (r#"data: {"choices":[{"index":0,"delta":{"content":"half \ud83d a pair "}}]}"#.to_owned() + "\n\n" + &all)
                .into_bytes(),
        ),
        "echoes the key in its text" => open(
            all.replacen("data:", &format!(": {}\ndata:", asked.authorization), 1)
                .into_bytes(),
        ),
        unknown => panic!("no fault is named {unknown}"),
    }
}

fn endless(name: &str, script: &Script) -> Vec<Step> {
    let (all, _) = whole(script);
    match name {
        "giant line" => vec![
            text(OPEN),
            text("data: {\"choices\":[{\"delta\":{\"content\":\""),
            Step::Endless(vec![b'a'; 65_536]),
        ],
        "endless text" => vec![text(OPEN), Step::Endless(says(&"on and on ".repeat(400)).into_bytes())],
        "endless comments" => vec![text(OPEN), Step::Endless(": nothing\n\n".repeat(500).into_bytes())],
        "a hundred thousand empty deltas" => {
            let mut steps = vec![text(OPEN)];
            steps.extend((0..100).map(|_| text(delta(&json!({})).repeat(1_000))));
            steps.push(text(all));
            steps
        }
        "unrequested gzip" => vec![
            text(
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n",
            ),
            Step::Send([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3].repeat(2_000)),
        ],
        unknown => panic!("no fault is named {unknown}"),
    }
}

fn counted(name: &str, script: &Script) -> Vec<Step> {
    let usage = |usage: Value| {
        let said: String = pieces(&script.text, script.pieces)
            .iter()
            .map(|piece| says(piece))
            .collect();
        let count = if usage.is_null() {
            String::new()
        } else {
            chunk(&json!([]), &usage)
        };
        vec![text(OPEN), text(said + &finish("stop") + &count + END)]
    };
    match name {
        "no usage" => usage(Value::Null),
        "negative usage" => usage(json!({"prompt_tokens": -5, "completion_tokens": -7, "total_tokens": -12})),
        "enormous usage" => {
            let many = 1_000_000_000_000_000_000_i64;
            usage(json!({"prompt_tokens": many, "completion_tokens": many, "total_tokens": many}))
        }
        "usage in words" => usage(json!({"prompt_tokens": "many", "completion_tokens": [], "total_tokens": "12"})),
        unknown => panic!("no fault is named {unknown}"),
    }
}

/// Arguments of a call that must not be applied.
const SETS: &[(&str, &str)] = &[
    (
        "broken arguments",
        r#"{"path": "operatingCosts.rentMonthly", "value": 41"#,
    ),
    (
        "a key twice",
        r#"{"path":"operatingCosts.rentMonthly","value":4100,"value":9,"confidence":"high"}"#,
    ),
    ("a list for arguments", r#"["operatingCosts.rentMonthly",4100]"#),
    (
        "a huge number",
        r#"{"path":"operatingCosts.rentMonthly","value":1e300,"confidence":"high"}"#,
    ),
    (
        "not a number",
        r#"{"path":"operatingCosts.rentMonthly","value":"NaN","confidence":"high"}"#,
    ),
    (
        "percent for dollars",
        r#"{"path":"financing.interestRate","value":4100,"confidence":"high"}"#,
    ),
    (
        "another plan's id",
        r#"{"planId":"01a2008e-4204-70ea-bb4b-7141aea9cef1","path":"operatingCosts.rentMonthly","value":1,"confidence":"high"}"#,
    ),
    (
        "a field outside the list",
        r#"{"path":"users.password_hash","value":1,"confidence":"high"}"#,
    ),
    (
        "extra keys",
        r#"{"path":"operatingCosts.rentMonthly","value":4100,"confidence":"high","planId":"x","force":true}"#,
    ),
];

fn tools(name: &str, script: &Script, asked: &Asked) -> Vec<Step> {
    let call = |events: String| vec![text(OPEN), text(events + &end("tool_calls"))];
    if name == "tools without end" {
        return call(calls(0, "get_plan_summary", "{}"));
    }
    if name.starts_with("cut by") {
        let reason = if name == "cut by length" {
            "length"
        } else {
            "content_filter"
        };
        let said = calls(0, SET, &arguments(RENT, "4100")) + &says("And then");
        return vec![text(OPEN), text(said + &end(reason))];
    }
    if asked.round > 0 {
        return plain(script, asked.round);
    }
    if let Some((_, arguments)) = SETS.iter().find(|(of, _)| *of == name) {
        return call(calls(0, SET, arguments));
    }
    match name {
        "unknown tool" => call(calls(0, "transfer_money", r#"{"to":"me"}"#)),
        "ten thousand calls" => call(
            (0..10_000)
                .map(|index| calls(index, "get_plan_summary", "{}"))
                .collect(),
        ),
        "gaps in the indexes" => call(calls(7, "get_plan_summary", "{}") + &calls(900, "nothing_of_ours", "{}")),
        "interleaved calls" => {
            let piece = |index: usize, part: &str| {
                delta(&json!({"tool_calls": [{"index": index, "function": {"arguments": part}}]}))
            };
            call(
                calls(0, SET, "{\"path\":")
                    + &calls(1, "what_is_this", "{\"a\":")
                    + &piece(0, "\"x\"}")
                    + &piece(1, "1}"),
            )
        }
        "clears the conversation" => call(calls(0, "clear_conversation", "{}")),
        "confirms for the user" => call(
            calls(0, "clear_conversation", "{\"confirmed\":true,\"confirmation\":\"yes\"}")
                + &calls(1, "approve", "{}"),
        ),
        "a figure that was not said" => call(calls(0, SET, &arguments(RENT, "87654"))),
        unknown => panic!("no fault is named {unknown}"),
    }
}
