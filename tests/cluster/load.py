"""Four instances under load: people who chat and edit, and the ledger of what was acknowledged to them."""
import contextlib
import http.client
import json
import threading
import time
from collections import Counter

from nodes import ask, wait_until

DEMO_PASSWORD = "demo-password-1"
PEOPLE = ("sam@demo.test", "riley@demo.test", "taylor@demo.test")
RENT, UTILITIES = "operatingCosts.rentMonthly", "operatingCosts.utilitiesMonthly"
PLANS_PER_PAIR = 6
# A healthy request answers far sooner, also on a busy machine; a slower one counts as not served.
SLOW = 2.0
# The app sends a comment every 15 s.
SILENCE = 25


def call(port, method, path, body=None, cookie=None, headers=None, seconds=15):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    fields = {"Content-Type": "application/json", **({"Cookie": cookie} if cookie else {}), **(headers or {})}
    connection.request(method, path, body and json.dumps(body), fields)
    return connection, connection.getresponse()


def read(port, path, cookie, seconds=60):
    connection, response = call(port, "GET", path, cookie=cookie, seconds=seconds)
    with contextlib.closing(connection):
        text = response.read()
        assert response.status == 200, f"GET {path}: {response.status} {text[:300]}"
        return json.loads(text)


def log_in(port, email):
    connection, response = call(port, "POST", "/api/auth/login", {"email": email, "password": DEMO_PASSWORD})
    with contextlib.closing(connection):
        text = response.read()
        assert response.status == 200, text
        return response.headers["Set-Cookie"].split(";")[0]


class Request:
    """One attempt of a turn, or one edit: when, how long, and what came of it."""

    def __init__(self, port, kind):
        self.port, self.kind, self.begun, self.head, self.ended, self.result = port, kind, time.monotonic(), None, None, None

    def finish(self, result):
        self.ended, self.result = time.monotonic(), result
        self.head = self.head or self.ended

    @property
    def is_served(self):
        return self.result in ("200", "done") and self.head - self.begun < SLOW


class Plan:
    def __init__(self, pair, nth, cookie):
        self.pair, self.nth, self.cookie = pair, nth, cookie
        connection, response = call(pair.ports[0], "GET", "/api/brands", cookie=cookie)
        with contextlib.closing(connection):
            brand = json.loads(response.read())["data"][0]["id"]
        body = {"name": f"{pair.name} {nth}", "brandId": brand}
        connection, response = call(pair.ports[0], "POST", "/api/plans", body, cookie)
        with contextlib.closing(connection):
            self.id = json.loads(response.read())["data"]["id"]
        self.path = f"/api/plans/{self.id}"
        self.turns, self.edits, self.turns_sent, self.edits_sent = {}, [], 0, 0
        self.lock = threading.Lock()

    def turn(self):
        """Sends a message until it is answered, each attempt at the other instance, under one key."""
        self.turns_sent += 1
        nth, begun = self.turns_sent, time.monotonic()
        message = f"My rent is ${3000 + nth:,} a month"
        for attempt in range(1000):
            done = self.attempt(self.pair.ports[(self.nth + attempt) % 2], nth, message)
            if done:
                self.turns[nth] = {"message": message, "value": (3000 + nth) * 100, "done": done}
                self.pair.worst_turn = max(self.pair.worst_turn, time.monotonic() - begun)
                return
            if time.monotonic() - begun > 180:
                self.pair.stuck.append(f"{self.pair.name}: turn {nth} of plan {self.id} has no answer")
                return
            time.sleep(0.5)

    def attempt(self, port, nth, message):
        request, end = self.pair.note(Request(port, "POST")), None
        try:
            connection, response = call(port, "POST", f"{self.path}/conversation", {"message": message}, self.cookie,
                                        {"Idempotency-Key": f"{self.id}-{nth}"}, SILENCE)
            with contextlib.closing(connection):
                request.head = time.monotonic()
                if response.status != 200:
                    request.finish(f"{response.status}")
                    return None
                for line in response:
                    if line.startswith(b"data:"):
                        end = json.loads(line[5:])
        except (OSError, http.client.HTTPException):
            request.finish("silent")
            return None
        request.finish("done" if end and end["type"] == "done" else (end or {}).get("code") or "cut")
        return end if request.result == "done" else None

    def edit(self, port):
        with self.lock:
            self.edits_sent += 1
            value = 20_000 + self.edits_sent
            request = self.pair.note(Request(port, "PATCH"))
            try:
                connection, response = call(port, "PATCH", f"{self.path}/financial-inputs", {UTILITIES: value}, self.cookie)
                with contextlib.closing(connection):
                    response.read()
                request.finish(f"{response.status}")
            except (OSError, http.client.HTTPException):
                request.finish("silent")
            if request.result == "200":
                self.edits.append(value)


class Pair:
    """Two instances with one kind of URL, and the people who use them."""

    def __init__(self, name, ports):
        self.name, self.ports = name, ports
        self.requests, self.readiness, self.stuck, self.worst_turn = [], [], [], 0.0
        self.plans = []

    def make_plans(self):
        cookies = [log_in(self.ports[0], email) for email in PEOPLE]
        self.plans = [Plan(self, nth, cookies[nth % len(cookies)]) for nth in range(PLANS_PER_PAIR)]

    def note(self, request):
        self.requests.append(request)
        return request

    def running(self, at):
        return [r for r in self.requests if r.kind == "POST" and r.head and r.head <= at < (r.ended or at + 1)]

    def is_served_since(self, begun):
        """Whether each instance has served four edits in a row that began after this moment."""
        for port in self.ports:
            edits = [r for r in self.requests if r.kind == "PATCH" and r.port == port and r.begun > begun and r.ended]
            if len(edits) < 4 or not all(r.is_served for r in edits[-4:]):
                return False
        return True

    def full_service(self, begun, until):
        """When the last of the two instances had served everything again that began before `until`, or None."""
        moments = []
        for port in self.ports:
            mine = [r for r in self.requests if r.port == port and r.ended and r.ended > begun]
            for failed in (r for r in mine if not r.is_served and r.begun < until):
                if failed.result in ("200", "done"):
                    moments.append(failed.head)
                else:
                    moments.append(min((r.head for r in mine if r.begun > failed.begun and r.is_served), default=failed.ended))
        return max(moments, default=None)

    def longest_gap(self, kind, begun, until):
        """The longest time between two acknowledgments."""
        served = sorted(r.ended for r in self.requests if r.kind == kind and r.ended and r.result in ("200", "done"))
        times = [begun, *(t for t in served if begun < t < until), until]
        return max(after - before for before, after in zip(times, times[1:]))

    def refusals(self, begun):
        late = [r for r in self.requests if r.ended and r.ended > begun and r.result not in ("200", "done")]
        return Counter(f"{r.kind} {r.result}" for r in late)

    def slowest_readiness(self, begun):
        return max((took for at, took in self.readiness if at > begun), default=0.0)


class Load:
    """Turns without a pause on each plan, edits and readiness probes on each instance."""

    def __init__(self, pairs):
        self.pairs, self.go, self.over = pairs, threading.Event(), threading.Event()
        self.idle = Counter()
        jobs = [(pair, plan.turn, 0) for pair in pairs for plan in pair.plans]
        for pair in pairs:
            jobs += [(pair, self.editor(pair, port), 0.3) for port in pair.ports]
            jobs += [(pair, self.prober(pair, port), 0.5) for port in pair.ports]
        self.workers = [threading.Thread(target=self.work, args=(nth, *job), daemon=True) for nth, job in enumerate(jobs)]
        [worker.start() for worker in self.workers]

    def work(self, nth, pair, act, pace):
        while not self.over.is_set():
            self.idle[nth] = not self.go.is_set()
            if not self.go.wait(0.2):
                continue
            self.idle[nth] = False
            try:
                act()
            except Exception as error:  # noqa: BLE001: a worker that dies in silence would look like a quiet one
                pair.stuck.append(f"{pair.name}: {type(error).__name__}: {error}")
                return
            self.over.wait(pace)

    def editor(self, pair, port):
        # Each instance has its own plans to edit, so that an edit without an answer holds up no other instance.
        mine, turn = [plan for plan in pair.plans if plan.nth % 2 == pair.ports.index(port)], iter(range(10**9))
        return lambda: mine[next(turn) % len(mine)].edit(port)

    def prober(self, pair, port):
        def probe():
            begun = time.monotonic()
            ask(port, "/readyz", seconds=20)
            pair.readiness.append((begun, time.monotonic() - begun))
        return probe

    def pause(self):
        """Returns when all that was begun has ended."""
        self.go.clear()
        alive = [nth for nth, worker in enumerate(self.workers) if worker.is_alive()]
        wait_until("all turns have ended", lambda: all(self.idle[nth] for nth in alive), 240)

    def resume(self):
        self.go.set()
