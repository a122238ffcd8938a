"""A real model server behind the program: what even a model of 135 million parameters must hold.

    run.py BINARY DATABASE_URL LOGS [--short]

The model is too small to be right about anything, so nothing here depends on what it says.
"""
import importlib.util
import sys
import threading
import time

from world import PROXY_KEY, LlamaServer, Person, Program, Proxy, wait_until

# SmolLM2's template leaves the tools out: the full form has about 2,750 tokens by its count, the compact one about 1,700.
SMALL_CONTEXT, LARGE_CONTEXT, BETWEEN_THE_FORMS = 2_560, 8_192, 2_100

SAM, RILEY, TAYLOR = "sam@demo.test", "riley@demo.test", "taylor@demo.test"
RENT = "operatingCosts.rentMonthly"


def a_turn_streams_in_the_compact_form_after_one_refusal(world):
    """The small context holds no full prompt: the first request is refused for its size, which costs one request."""
    first = Person(world.program, SAM).send("Tell me a long story about horses")
    usage = first.done()["usage"]
    assert len(first.tokens) > 1, f"streamed: {first.tokens}"
    assert not usage.get("estimated"), usage
    assert 1_000 < usage["promptTokens"] < BETWEEN_THE_FORMS, usage
    log = open(world.program.process.log, encoding="utf-8").read()
    assert "error" not in log.lower() or '"level":"ERROR"' not in log, log[-2000:]
    return f"{usage['promptTokens']} tokens asked, {len(first.tokens)} pieces"


def stopping_a_turn_stops_the_server(world):
    person = Person(world.program, SAM)
    events = person.events("Tell me a long story about dogs")
    for event in events:
        assert event["type"] == "token", event
        break
    assert world.llama.is_busy(), "an answer is being made"
    begun = time.monotonic()
    person.cancel()
    assert list(events)[-1]["code"] == "STOPPED"
    wait_until("the server has stopped", lambda: not world.llama.is_busy(), 10)
    return f"idle {time.monotonic() - begun:.1f} s after the stop"


def the_second_look_is_accepted(world):
    """check-config asks for the second look as a turn does, and finds out what the context holds."""
    said = world.program.check()
    assert " answers" in said, said
    assert "second look: " in said, said
    assert f"prompt     is sent in the compact form: the model's context holds {SMALL_CONTEXT} tokens" in said, said
    return [line for line in said.splitlines() if line.startswith("second look")][0]


def wild_values_are_never_written(world):
    person = Person(world.program, SAM)
    stated = {RENT: 420_000, "operatingCosts.royaltyPct": 0.06}
    messages = [
        "My rent is $4,200 a month",
        "What would happen if sales doubled?",
        "The royalty is 6%",
        "Set everything to a good value",
    ]
    turns = [person.send(message) for message in messages]
    proposed = [value["field"] for turn in turns for value in turn.done()["extractedValues"]]
    written = person.written_by_the_model()
    wrong = {path: value for path, value in written.items() if stated.get(path) != value}
    assert not wrong, f"written though not stated: {wrong}"
    assert RENT in proposed, f"what was plainly said is at least proposed: {proposed}"
    return f"written: {written}; proposed or written: {proposed}"


def two_people_wait_for_one_slot(world):
    people = [Person(world.program, RILEY), Person(world.program, TAYLOR)]
    turns = [None, None]

    def send(nth):
        turns[nth] = people[nth].send("Hello")

    threads = [threading.Thread(target=send, args=(nth,)) for nth in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    for turn in turns:
        turn.done()
    return "both answered"


def a_server_that_dies_in_mid_answer_ends_the_turn_and_comes_back(world):
    person = Person(world.program, RILEY)
    before = len(person.history())
    events = person.events("Tell me a long story about cats")
    assert next(events)["type"] == "token"
    world.llama.end(is_sudden=True)
    end = list(events)[-1]
    assert (end["type"], end["code"], end["retryable"]) == ("error", "LLM_UNAVAILABLE", True), end
    assert len(person.history()) == before, "a failed turn leaves the history as it was"

    # While it loads it answers 503, which is tried again and then reported; either is well.
    world.llama.start()
    loading = person.send("Hello?").end
    assert loading["type"] == "done" or loading["code"] == "LLM_UNAVAILABLE", loading
    world.llama.wait()
    # The circuit may be open for five seconds.
    wait_until("turns work again", lambda: person.send("Hello again").end["type"] == "done", 300)
    return f"while it was loading: {loading['type']}"


def a_larger_context_gets_the_full_form(world):
    llama = LlamaServer(world.folder, LARGE_CONTEXT)
    program = Program(world.folder, world.binary, world.database, llama.url)
    try:
        asked = Person(program, TAYLOR).send("Hello").prompt_tokens()
        assert BETWEEN_THE_FORMS < asked < 6_000, asked
        return f"{asked} tokens asked"
    finally:
        program.end()
        llama.end()


def responses_and_messages_work_through_litellm(world):
    proxy = Proxy(world.folder, world.llama.url)
    answered = []
    try:
        for api in ("responses", "messages"):
            settings = {"LLM_API": api, "LLM_API_KEY": PROXY_KEY, "LLM_MODEL": "smollm2", "LLM_CONTEXT_TOKENS": str(SMALL_CONTEXT)}
            program = Program(world.folder, world.binary, world.database, proxy.url, **settings)
            try:
                turn = Person(program, SAM).send("Hello")
                usage = turn.done()["usage"]
                assert turn.text, turn.end
                answered.append(f"{api}: {len(turn.tokens)} pieces, {usage['totalTokens']} tokens")
            finally:
                program.end()
    finally:
        proxy.end()
    return "; ".join(answered)


SHORT = [
    a_turn_streams_in_the_compact_form_after_one_refusal,
    stopping_a_turn_stops_the_server,
    wild_values_are_never_written,
]
FULL = SHORT + [
    the_second_look_is_accepted,
    two_people_wait_for_one_slot,
    a_server_that_dies_in_mid_answer_ends_the_turn_and_comes_back,
    a_larger_context_gets_the_full_form,
    responses_and_messages_work_through_litellm,
]


class World:
    def __init__(self, binary, database, folder):
        self.binary, self.database, self.folder = binary, database, folder
        self.llama = LlamaServer(folder, SMALL_CONTEXT)
        self.program = Program(folder, binary, database, self.llama.url)

    def end(self):
        self.program.end()
        self.llama.end()


def main(binary, database, folder, *flags):
    tests = SHORT if "--short" in flags else FULL
    has_proxy = importlib.util.find_spec("litellm") is not None
    world = World(binary, database, folder)
    failed = 0
    try:
        for test in tests:
            if test is responses_and_messages_work_through_litellm and not has_proxy:
                print(f"left  {test.__name__}: LiteLLM cannot be had", flush=True)
                continue
            begun = time.monotonic()
            try:
                found = test(world)
                result = "ok   "
            except Exception as error:  # noqa: BLE001: every failure is reported, and the next test runs all the same
                found, result, failed = f"{type(error).__name__}: {error}", "FAIL ", failed + 1
            print(f"{result} {test.__name__} ({time.monotonic() - begun:.0f} s): {found}", flush=True)
    finally:
        world.end()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
