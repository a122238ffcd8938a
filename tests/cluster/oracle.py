"""Compares what was acknowledged with what the database has: histories, values, audit trails and token counts."""
import os
from collections import Counter

from load import RENT, UTILITIES, read

COUNTS = ("lost", "duplicated", "partial", "stale", "leaked")


def changes(port, plan):
    """The audit trail of a plan, oldest first."""
    found, total = [], 1
    while len(found) < total:
        page = read(port, f"{plan.path}/changes?limit=500&offset={len(found)}", plan.cookie)
        total = page["meta"]["total"]
        found += page["data"]
        if not page["data"]:
            break
    return found[::-1]


def of_plan(port, plan):
    """Findings as (count, what)."""
    history = read(port, f"{plan.path}/conversation", plan.cookie)
    said = [(message["role"], message["content"]) for message in history["data"]]
    answers = {text: said[at + 1][1] for at, (role, text) in enumerate(said[:-1]) if role == "user" and said[at + 1][0] != "user"}
    times_said = Counter(text for role, text in said if role == "user")
    trail = {field: [c for c in changes(port, plan) if c["field"] == field] for field in (RENT, UTILITIES)}
    written = {field: Counter(change["newValue"] for change in trail[field]) for field in trail}

    for nth, turn in plan.turns.items():
        has_pair = answers.get(turn["message"]) == turn["done"]["fullResponse"]
        applied = [value for value in turn["done"]["extractedValues"] if value["status"] == "applied"]
        has_value = not applied or written[RENT][turn["value"]] > 0
        if not has_pair and (not has_value or not applied):
            yield "lost", f"turn {nth}"
        elif not has_pair or not has_value:
            yield "partial", f"turn {nth}"
    yield from (("lost", f"edit {value}") for value in plan.edits if not written[UTILITIES][value])
    yield from (("duplicated", text) for text, times in times_said.items() if times > 1)
    yield from (("duplicated", f"{f} {v}") for f in written for v, times in written[f].items() if times > 1)
    yield from (("partial", f"no answer to {text}") for text in times_said if text not in answers)

    inputs = read(port, plan.path, plan.cookie)["data"]["financialInputs"]
    for field, rows in trail.items():
        for before, after in zip(rows, rows[1:]):
            if before["newValue"] != after["oldValue"]:
                yield "stale", f"{field}: {before['newValue']}, then {after['oldValue']} to {after['newValue']}"
        if rows and rows[-1]["newValue"] != inputs[field]["currentValue"]:
            yield "stale", f"{field}: {inputs[field]['currentValue']} against {rows[-1]['newValue']} in the trail"


def tokens(port, plan):
    """To be asked only where nothing was lost: a lost turn takes its tokens along."""
    counted = read(port, f"{plan.path}/conversation?limit=1", plan.cookie)["meta"]["totalTokensUsed"]
    acknowledged = sum(turn["done"]["usage"]["totalTokens"] for turn in plan.turns.values())
    if counted != acknowledged:
        yield ("duplicated" if counted > acknowledged else "partial"), f"{counted} tokens, {acknowledged} acknowledged"


class Oracle:
    """Reports each finding once."""

    def __init__(self, pairs, logs, secrets):
        self.pairs, self.logs, self.secrets, self.known = pairs, logs, secrets, set()

    def findings(self):
        for pair in self.pairs:
            for plan in pair.plans:
                # Through the other pair, whose memory of the plan is the older one.
                port = next(other for other in self.pairs if other is not pair or len(self.pairs) == 1).ports[0]
                found = list(of_plan(port, plan))
                yield from ((count, f"{plan.id} {what}") for count, what in found or tokens(port, plan))
                running = read(port, f"/api/prompts?state=running&planId={plan.id}", plan.cookie)["data"]
                yield from (("stale", f"{plan.id} still running: {prompt['id']}") for prompt in running)
        for log in self.logs:
            with open(log, encoding="utf-8", errors="replace") as file:
                text = file.read()
            yield from (("leaked", f"{os.path.basename(log)}: secret {nth}") for nth, s in enumerate(self.secrets) if s in text)

    def new_findings(self):
        found = [finding for finding in dict.fromkeys(self.findings()) if finding not in self.known]
        self.known |= set(found)
        return found


def line(found):
    counts = Counter(count for count, _ in found)
    return " ".join(f"{name}={counts[name]}" for name in COUNTS)
