//! The faults of a provider, F20 to F36: one row each says what must come of it and what the provider does.

use crate::model::{Asked, Script};
use crate::provider_faults::{
    answer, before_the_finish, call, counted, cut, echo_of_the_key, empty_deltas, endless, framed, gzip, interleaved,
    json_200, many_calls, page, redirect, refused, refused_until, refused_with, reset_within_a_character, sets, stall,
    with_a_tool,
};
use crate::wire::{CHUNKED, END, OPEN, Step, calls, in_chunks, says, text};
use serde_json::{Value, json};

/// The required outcome of the first attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// A complete answer with exactly the text that was sent.
    Whole,
    /// A complete answer; the text may have been repaired.
    Done,
    /// An answer or an error, and no value is applied.
    NothingApplied,
    /// `LLM_UNAVAILABLE`.
    Refused,
}

/// A request and the answer that it would get without the fault.
#[derive(Debug)]
pub struct Case<'a> {
    pub script: &'a Script,
    pub asked: Asked,
}

#[derive(Debug)]
pub struct Fault {
    /// Row of `docs/FAULTS.md`.
    pub row: &'static str,
    /// Its name on the page; its random numbers follow from it, too.
    pub name: &'static str,
    pub expect: Expect,
    /// The provider's steps for a request.
    pub steps: fn(Case) -> Vec<Step>,
}

macro_rules! kinds {
    ($($row:literal { $($kind:ident $name:literal $expect:ident => $steps:expr;)* })*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind {
            $($($kind,)*)*
        }

        impl Kind {
            pub const ALL: &[Self] = &[$($(Self::$kind,)*)*];

            /// The row of the table.
            pub fn fault(self) -> Fault {
                match self {
                    $($(Self::$kind => Fault { row: $row, name: $name, expect: Expect::$expect, steps: $steps },)*)*
                }
            }
        }
    };
}

kinds! {
    "F20" {
        ResetAtOnce "reset at once" Refused => |_| vec![Step::Reset];
        ClosedAtOnce "closed at once" Refused => |_| Vec::new();
    }
    "F22" {
        Status400 "400" Refused => |_| refused(400);
        TeachesASize "400 that would teach everybody a size" Refused =>
            |_| refused_with("context_length_exceeded", "This model's maximum context length is 10 tokens.");
        TeachesALimit "400 that would teach everybody a limit" Refused =>
            |_| refused_with("invalid_request_error", "max_tokens is too large: 4096. This model supports at most 1 completion tokens.");
        TeachesToTalkOnly "400 that would take everybody's tools" Refused =>
            |_| refused_with("invalid_request_error", "tools is not supported with this model.");
        Status401 "401" Refused => |_| refused(401);
        Status403 "403" Refused => |_| refused(403);
        Status404 "404" Refused => |_| refused(404);
        Status429 "429" Refused => |_| refused(429);
        RetryAtOnce "429 after 0" Refused => |_| refused_until("0");
        RetryInASecond "429 after 1" Refused => |_| refused_until("1");
        RetryInADay "429 after 86400" Refused => |_| refused_until("86400");
        RetryAtADate "429 after a date" Refused => |_| refused_until("Fri, 01 Jan 2100 00:00:00 GMT");
        RetryAtNonsense "429 after nonsense" Refused => |_| refused_until("soon");
        Status500 "500" Refused => |_| refused(500);
        Status502 "502" Refused => |_| refused(502);
        Status503 "503" Refused => |_| refused(503);
        Status529 "529" Refused => |_| refused(529);
    }
    "F23" {
        ErrorAsJson "error as JSON with 200" Refused => |_| json_200();
        Page "page with 200" Refused => |_| page();
    }
    "F24" {
        FirstWordLate "first word late" Done =>
            |case| vec![text(OPEN), Step::Pause(1_000), text(answer(case.script))];
        FirstWordTooLate "first word too late" Refused =>
            |case| vec![text(OPEN), Step::Pause(3_000), text(answer(case.script))];
    }
    "F25" {
        StallAtFirst "stall before the first word" Refused => |_| stall(0, None);
        StallAfterOne "stall after one word" Refused => |_| stall(1, None);
        StallAfterFifty "stall after fifty words" Refused => |_| stall(50, None);
        StallWithHeartbeats "stall with heartbeats" Refused => |_| stall(1, Some(": still here\n\n"));
    }
    "F26" {
        BodyEnds "body ends anywhere" Refused =>
            |case| vec![text(CHUNKED), Step::Send(in_chunks(&before_the_finish(case))), text("0\r\n\r\n")];
        ConnectionEnds "connection ends anywhere" Refused =>
            |case| vec![text(CHUNKED), Step::Send(in_chunks(&before_the_finish(case)))];
        NoEndMark "no end mark behind the finish" Whole => |case| framed(answer(case.script).replace(END, ""));
    }
    "F27" {
        ResetInMidAnswer "reset in mid-answer" Refused =>
            |case| vec![text(OPEN), Step::Send(before_the_finish(case)), Step::Pause(30), Step::Reset];
        ResetWithinCharacter "reset within a character" Refused => |_| reset_within_a_character();
    }
    "F28" {
        ByteByByte "byte by byte" Whole => |case| {
            let bytes = answer(case.script).into_bytes();
            [text(OPEN)].into_iter().chain(bytes.into_iter().map(|byte| Step::Send(vec![byte]))).collect()
        };
        Crlf "CRLF" Whole => |case| framed(answer(case.script).replace('\n', "\r\n"));
        Cr "CR" Whole => |case| framed(answer(case.script).replace('\n', "\r"));
        ByteOrderMark "byte order mark" Whole => |case| framed(format!("\u{feff}{}", answer(case.script)));
        Comments "comments" Whole => |case| framed(answer(case.script).replace("data:", ": a comment\n\ndata:"));
        EventLines "event lines" Whole =>
            |case| framed(answer(case.script).replace("data:", "event: completion\nid: 7\ndata:"));
        EmptyData "empty data" Whole => |case| framed(answer(case.script).replace("data: {", "data:\n\ndata: {"));
    }
    "F29" {
        InvalidUtf8 "invalid UTF-8" Done => |case| {
            let bad = b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"half \xe2\x82 a sign \"}}]}\n\n";
            framed([&bad[..], answer(case.script).as_bytes()].concat())
        };
        Nul "NUL" Done => |case| {
            let bad = r#"data: {"choices":[{"index":0,"delta":{"content":"nothing \u0000 here "}}]}"#;
            framed(format!("{bad}\n\n{}", answer(case.script)))
        };
        LoneSurrogates "lone surrogates" Done => |case| {
            let bad = r#"data: {"choices":[{"index":0,"delta":{"content":"half \ud83d a pair "}}]}"#;
            framed(format!("{bad}\n\n{}", answer(case.script)))
        };
    }
    "F30" {
        GiantLine "giant line" Refused =>
            |_| endless("data: {\"choices\":[{\"delta\":{\"content\":\"", "a".repeat(65_536));
        EndlessText "endless text" Refused => |_| endless("", says(&"on and on ".repeat(400)));
        EndlessComments "endless comments" Refused => |_| endless("", ": nothing\n\n".repeat(500));
        EmptyDeltas "a hundred thousand empty deltas" NothingApplied => |case| empty_deltas(case.script);
    }
    "F31" {
        Gzip "unrequested gzip" Refused => |_| gzip();
    }
    "F32" {
        UnknownTool "unknown tool" NothingApplied =>
            |case| with_a_tool(&case, calls(0, "transfer_money", r#"{"to":"me"}"#));
        BrokenArguments "broken arguments" NothingApplied =>
            |case| sets(&case, r#"{"path": "operatingCosts.rentMonthly", "value": 41"#);
        KeyTwice "a key twice" NothingApplied =>
            |case| sets(&case, r#"{"path":"operatingCosts.rentMonthly","value":4100,"value":9,"confidence":"high"}"#);
        ExtraKeys "extra keys" NothingApplied => |case| sets(
            &case,
            r#"{"path":"operatingCosts.rentMonthly","value":4100,"confidence":"high","planId":"x","force":true}"#,
        );
        ListForArguments "a list for arguments" NothingApplied =>
            |case| sets(&case, r#"["operatingCosts.rentMonthly",4100]"#);
        TenThousandCalls "ten thousand calls" NothingApplied => |case| many_calls(&case);
        GapsInIndexes "gaps in the indexes" NothingApplied =>
            |case| with_a_tool(&case, calls(7, "get_plan_summary", "{}") + &calls(900, "nothing_of_ours", "{}"));
        InterleavedCalls "interleaved calls" NothingApplied => |case| interleaved(&case);
        HugeNumber "a huge number" NothingApplied =>
            |case| sets(&case, r#"{"path":"operatingCosts.rentMonthly","value":1e300,"confidence":"high"}"#);
        NotANumber "not a number" NothingApplied =>
            |case| sets(&case, r#"{"path":"operatingCosts.rentMonthly","value":"NaN","confidence":"high"}"#);
        PercentForDollars "percent for dollars" NothingApplied =>
            |case| sets(&case, r#"{"path":"financing.interestRate","value":4100,"confidence":"high"}"#);
    }
    "F33" {
        ToolsWithoutEnd "tools without end" NothingApplied => |_| call(calls(0, "get_plan_summary", "{}"));
    }
    "F34" {
        NoUsage "no usage" Whole => |case| counted(case.script, &Value::Null);
        NegativeUsage "negative usage" Whole => |case| {
            let usage = json!({"prompt_tokens": -5, "completion_tokens": -7, "total_tokens": -12});
            counted(case.script, &usage)
        };
        EnormousUsage "enormous usage" Whole => |case| {
            let many = 1_000_000_000_000_000_000_i64;
            let usage = json!({"prompt_tokens": many, "completion_tokens": many, "total_tokens": many});
            counted(case.script, &usage)
        };
        UsageInWords "usage in words" Whole => |case| {
            let usage = json!({"prompt_tokens": "many", "completion_tokens": [], "total_tokens": "12"});
            counted(case.script, &usage)
        };
    }
    "F35" {
        CutByLength "cut by length" NothingApplied => |_| cut("length");
        CutByFilter "cut by the filter" NothingApplied => |_| cut("content_filter");
    }
    "F36" {
        Redirect "redirect" Refused => |case| redirect(case.asked.elsewhere);
    }
    "S20" {
        AnotherPlan "another plan's id" NothingApplied => |case| sets(
            &case,
            r#"{"planId":"01a2008e-4204-70ea-bb4b-7141aea9cef1","path":"operatingCosts.rentMonthly","value":1,"confidence":"high"}"#,
        );
        UnsaidFigure "a figure that was not said" NothingApplied =>
            |case| sets(&case, r#"{"path":"operatingCosts.rentMonthly","value":87654,"confidence":"high"}"#);
        ForeignField "a field outside the list" NothingApplied =>
            |case| sets(&case, r#"{"path":"users.password_hash","value":1,"confidence":"high"}"#);
        ClearsConversation "clears the conversation" NothingApplied =>
            |case| with_a_tool(&case, calls(0, "clear_conversation", "{}"));
        ConfirmsForTheUser "confirms for the user" NothingApplied => |case| {
            let clear = calls(0, "clear_conversation", "{\"confirmed\":true,\"confirmation\":\"yes\"}");
            with_a_tool(&case, clear + &calls(1, "approve", "{}"))
        };
    }
    "S10" {
        EchoesTheKey "echoes the key" Refused => |case| echo_of_the_key(&case.asked.authorization);
        EchoesTheKeyInItsText "echoes the key in its text" Done => |case| {
            let comment = format!(": {}\ndata:", case.asked.authorization);
            framed(answer(case.script).replacen("data:", &comment, 1))
        };
    }
}
