#!/usr/bin/env python3
"""Fills the demo database of an earlier build and dumps it: the fixture of tests/api/upgrade.rs.

    git worktree add ../earlier cbb8d9a && (cd ../earlier && cargo build)
    scripts/with-test-postgres.sh scripts/make-upgrade-fixture.py ../earlier/target/debug/plan-advisor

Writes tests/fixtures/upgrade/dump.sql (the database, without its tables of the moment), and expected.json beside it: what that build's own API
answered of each plan, for the test to compare. The build must be the one whose database is to be upgraded. One plan has 83 turns,
so that blocks of older messages exist.
"""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from http.cookiejar import CookieJar

TURNS = 80
FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "upgrade"
PASSWORD = "demo-password-1"


class Api:
    """One signed-in person."""

    def __init__(self, base, email):
        self.base = base
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.call("POST", "/api/auth/login", {"email": email, "password": PASSWORD})

    def call(self, method, path, body=None, headers=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers or {}, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        try:
            with self.opener.open(request, timeout=60) as answer:
                text = answer.read().decode()
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")
        return json.loads(text) if text.startswith("{") else text

    def say(self, plan, message, **headers):
        """One turn; its events as the stream sent them."""
        return self.call("POST", f"/api/plans/{plan}/conversation", {"message": message}, headers)


def serve(binary, environment):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([binary, "serve", "--migrate"], env={**environment, "BIND_ADDR": f"127.0.0.1:{port}", "RUST_LOG": "warn"})
    base = f"http://127.0.0.1:{port}"
    while True:
        try:
            urllib.request.urlopen(base + "/readyz", timeout=5).read()
            return process, base
        except OSError:
            if process.poll() is not None:
                sys.exit("the server did not start")
            time.sleep(0.1)


def fill(base):
    """Something of everything that is stored."""
    sam, riley, admin = (Api(base, f"{name}@demo.test") for name in ("sam", "riley", "admin"))
    plan = sam.call("GET", "/api/plans")["data"][0]["id"]
    other = sam.call("POST", "/api/plans", {"brandId": sam.call("GET", "/api/brands")["data"][0]["id"], "name": "Second plan"})["data"]["id"]
    sam.say(plan, "My rent is $4,200/month", **{"Idempotency-Key": "fixture-1"})
    sam.say(plan, "Maybe I will borrow around 200k, not sure")
    sam.say(plan, "I plan 310 grooming visits a month at $74 each")
    for n in range(TURNS):
        sam.say(plan, f"What is my rent? ({n})")
    sam.call("PATCH", f"/api/plans/{other}/financial-inputs", {"operatingCosts.rentMonthly": 512345})
    sam.say(other, "We pay the groomers $19.50 an hour")
    sam.say(other, "Clear our conversation, please")
    sam.call("POST", f"/api/plans/{plan}/scenarios", {"name": "Lean", "overrides": {"operatingCosts.rentMonthly": 390000}})
    changes = sam.call("GET", f"/api/plans/{plan}/changes")["data"]
    sam.call("POST", f"/api/plans/{plan}/changes/{changes[0]['id']}/undo")
    sam.call("POST", "/api/me/tokens", {"name": "notebook", "scopes": ["read"]})
    admin.call("POST", "/api/admin/invitations", {"email": "new@demo.test", "role": "franchisee"})
    riley_plan = riley.call("GET", "/api/plans")["data"][0]["id"]
    riley.say(riley_plan, "Our insurance is $560 a month")
    return [(sam, plan), (sam, other), (riley, riley_plan)]


def conversation(api, plan):
    """All messages, oldest first, page by page."""
    messages, before = [], ""
    while True:
        page = api.call("GET", f"/api/plans/{plan}/conversation?limit=50{before}")
        messages = page["data"] + messages
        if not page["meta"]["nextBefore"]:
            return messages
        before = f"&before={page['meta']['nextBefore']}"


def expected(plans):
    found = {}
    for api, plan in plans:
        found[plan] = {
            "plan": api.call("GET", f"/api/plans/{plan}")["data"],
            "messages": conversation(api, plan),
            "changes": api.call("GET", f"/api/plans/{plan}/changes")["data"],
            "scenarios": api.call("GET", f"/api/plans/{plan}/scenarios")["data"],
        }
    api, plan = plans[0]
    replayed = api.say(plan, "My rent is $4,200/month", **{"Idempotency-Key": "fixture-1"})
    found["replayed"] = replayed
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    server = os.environ["TEST_DATABASE_URL"]
    database = f"fixture_{os.getpid()}"
    subprocess.run(["psql", server, "-qXc", f"CREATE DATABASE {database}"], check=True)
    url = f"{server.rsplit('/', 1)[0]}/{database}"
    environment = {**os.environ, "DATABASE_URL": url, "LLM_PROVIDER": "offline"}
    for limit in ("TURNS_PER_MINUTE", "RUNNING_TURNS_PER_USER", "WRITES_PER_MINUTE", "STREAMS_PER_USER"):
        environment[f"RATE_LIMIT_{limit}"] = "0"
    process, base = serve(binary, environment)
    try:
        subprocess.run([binary, "seed"], env=environment, check=True, stdout=subprocess.DEVNULL)
        plans = fill(base)
        answers = expected(plans)
    finally:
        process.terminate()
        process.wait()
    dump = subprocess.run(
        ["pg_dump", "--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=100", "--exclude-table-data=sessions", "--exclude-table-data=instances", url],
        check=True, capture_output=True, text=True,
    ).stdout
    # Commands of newer versions of psql, which no driver reads.
    dump = re.sub(r"^\\.*\n", "", dump, flags=re.MULTILINE)
    FIXTURES.mkdir(parents=True, exist_ok=True)
    (FIXTURES / "dump.sql").write_text(dump)
    (FIXTURES / "expected.json").write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(dump)} bytes of dump, {sum(len(found.get('messages', [])) for found in answers.values() if isinstance(found, dict))} messages")


main()
