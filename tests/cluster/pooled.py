"""Two instances under load through PgBouncer, and what happens to it: every acknowledged turn and edit is looked for."""
import contextlib
import os
import subprocess
import time

from load import Load, Pair
from nodes import BASE, HERE, MODEL, PYTHON, ask, wait_until
from oracle import Oracle, line

MODEL_KEY = "sk-pooler-0123456789abcdef"
PORTS = (BASE + 55, BASE + 56)


# --- Faults. A sleep is the length of the fault itself.

def killed(world):
    """PgBouncer is killed and is back after a second."""
    world.pooler.stop()
    time.sleep(1)
    world.pooler.start()


def cut(world):
    """PostgreSQL ends all connections that PgBouncer has to it."""
    world.check.psql(world.check.direct, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{world.database}'")


def paused(world):
    """PAUSE for three seconds, as for a switchover behind it, then RESUME."""
    # It returns when no transaction runs any more.
    world.pooler.console("PAUSE")
    time.sleep(3)
    world.pooler.console("RESUME")


def replaced(world):
    """RECONNECT: every connection to PostgreSQL is replaced."""
    world.pooler.console("RECONNECT")


def full(world):
    """Other clients use all of its connections for twelve seconds."""
    hold = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT pg_sleep(12); COMMIT; RESET ALL"
    holders = [subprocess.Popen(["psql", "-XAtq", "-c", hold, world.url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for _ in range(int(world.pooler.settings["default_pool_size"]))]
    [holder.wait() for holder in holders]


FAULTS = (killed, cut, paused, replaced, full)


class World:
    def __init__(self, check, pooler, database, url):
        self.check, self.pooler, self.database, self.url = check, pooler, database, url
        self.processes = []

    def start(self):
        self.run("model", [PYTHON, os.path.join(HERE, "model.py"), str(MODEL)], {})
        self.pair = Pair("PgBouncer", PORTS)
        for port in PORTS:
            self.run(f"instance{port}", [self.check.binary, "serve"], {
                "DATABASE_URL": self.url, "ALLOW_DEMO_LOGINS": "true", "BIND_ADDR": f"127.0.0.1:{port}", "LLM_BASE_URL": f"http://127.0.0.1:{MODEL}/v1",
                "LLM_API_KEY": MODEL_KEY, "LLM_API": "chat", "LLM_MODEL": "script", "LLM_REVIEW": "off",
                "RATE_LIMIT_TURNS_PER_MINUTE": "0", "RATE_LIMIT_RUNNING_TURNS_PER_USER": "0", "RUST_LOG": "info"})
            wait_until(f"instance {port} is ready", lambda port=port: ask(port, "/readyz")[0] == 200, 60)
        self.pair.make_plans()
        logs = [self.log(f"instance{port}") for port in PORTS]
        self.oracle = Oracle([self.pair], logs, [MODEL_KEY, *{plan.cookie.partition("=")[2] for plan in self.pair.plans}])
        self.load = Load([self.pair])

    def log(self, name):
        return os.path.join(self.check.folder, f"pooler-{name}.log")

    def run(self, name, command, env):
        with open(self.log(name), "ab") as log:
            self.processes.append(subprocess.Popen(command, env={"PATH": os.environ["PATH"]} | env, stdout=log, stderr=log,
                                                   stdin=subprocess.DEVNULL, start_new_session=True))

    def end(self):
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            process.wait()

    def is_settled_since(self, moment):
        return self.pair.is_served_since(moment) and self.pair.running(time.monotonic())

    def play(self, fault):
        self.load.resume()
        settled = time.monotonic()
        wait_until("normal service", lambda: self.is_settled_since(settled), 60)
        begun = time.monotonic()
        running = self.pair.running(begun)
        fault(self)
        healed = time.monotonic()
        wait_until("normal service after the fault", lambda: self.pair.is_served_since(healed), 90)
        observed = time.monotonic()
        self.load.pause()
        found, outlived = self.oracle.new_findings(), sum(request.result == "done" for request in running)
        since = self.pair.full_service(begun, healed)
        refused = ", ".join(f"{what} x{times}" for what, times in self.pair.refusals(begun).items()) or "nothing"
        print(f"  {fault.__name__:<9}{line(found)}  no write {self.pair.longest_gap('PATCH', begun, observed):.1f} s, full service "
              f"{max(0.0, (since or healed) - healed):.1f} s after its end, {outlived} of {len(running)} running turns outlived it; "
              f"refused: {refused}", flush=True)
        return found


def faults(check, pooler, database, url):
    """Whether nothing was lost, and in numbers what was done."""
    world = World(check, pooler, database, url)
    try:
        world.start()
        found = [finding for fault in FAULTS for finding in world.play(fault)]
        world.load.over.set()
        turns, edits = (sum(len(getattr(plan, kind)) for plan in world.pair.plans) for kind in ("turns", "edits"))
        for what in (*world.pair.stuck, *found):
            print(f"  FOUND {what}", flush=True)
        return not found and not world.pair.stuck, f"faults={len(FAULTS)} turns={turns} edits={edits} {line(found)}"
    finally:
        world.end()
