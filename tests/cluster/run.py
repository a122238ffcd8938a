"""A highly available PostgreSQL, four instances under load, and the faults that such a cluster meets.

    run.py BINARY POSTGRES_BIN LOGS [--short] [ROW …]
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from load import Load, Pair
from nodes import BASE, HAPROXY, HERE, MODEL, NODES, PASSWORD, PYTHON, Cluster, ask, can_filter_packets, children, postgres_port, wait_until
from oracle import COUNTS, Oracle, line

MODEL_KEY = "sk-cluster-0123456789abcdef"
LONGEST_WITHOUT_SERVICE = 5.0


# --- Faults. A sleep is the length of the fault itself.

def kill(world):
    node = world.cluster.primary()
    world.cluster.kill_node(node)
    time.sleep(35)
    world.cluster.start_patroni(node)


def freeze(world, node=None, seconds=90):
    cluster = world.cluster
    node = node or cluster.primary()
    stopped = cluster.stop(children(cluster.pids(node)))
    time.sleep(seconds)
    cluster.thaw(stopped)


def vanish(world):
    cluster, node = world.cluster, world.cluster.primary()
    relay = cluster.stop({cluster.processes[f"relay{node}"].pid})
    cluster.vanish(node)
    time.sleep(80)
    cluster.reappear()
    cluster.thaw(relay)


def switchover(world):
    world.cluster.switch_over()


def cut(world):
    cluster = world.cluster
    relay = cluster.stop({cluster.processes[f"relay{cluster.primary()}"].pid})
    time.sleep(40)
    cluster.thaw(relay)


def etcd(world):
    world.cluster.end("etcd", signal.SIGKILL)
    time.sleep(24)
    world.cluster.start_etcd()


def failsafe(world):
    etcd(world)


def standby(world):
    freeze(world, world.cluster.synchronous_standby(), 80)


def haproxy(world):
    world.cluster.end("haproxy")
    time.sleep(1)
    world.cluster.start_haproxy()


def lag(world):
    """Commits of the last two seconds are acknowledged, but no standby has them."""
    cluster, node = world.cluster, world.cluster.primary()
    senders = cluster.stop(cluster.wal_senders(node))
    time.sleep(2)
    for pid in senders:
        os.kill(pid, signal.SIGKILL)
    kill(world)


# name: fault, what Patroni is set to, whether a node must begin to accept writes
ROWS = {
    "kill": (kill, {}, True),
    "freeze": (freeze, {}, True),
    "vanish": (vanish, {}, True),
    "switchover": (switchover, {}, True),
    "cut": (cut, {}, True),
    "etcd": (etcd, {}, True),
    "failsafe": (failsafe, {"failsafe_mode": True}, False),
    "standby": (standby, {}, False),
    "haproxy": (haproxy, {}, False),
    "unsent": (lag, {}, True),
    "lag": (lag, {"synchronous_mode": False}, True),
}
SHORT = ("kill", "freeze", "switchover", "haproxy", "lag")


class World:
    def __init__(self, binary, postgres_bin, folder):
        self.cluster = Cluster(folder, postgres_bin)
        for file in ("relay.py", "model.py"):
            shutil.copy(os.path.join(HERE, file), folder)
        # The account that everything runs as may not reach the folder of the build.
        self.binary = os.path.join(folder, "plan-advisor")
        shutil.copy(binary, self.binary)
        os.chmod(self.binary, 0o755)

    def start(self):
        cluster = self.cluster
        cluster.start()
        login = f"postgres://advisor:{PASSWORD}@"
        hosts = ",".join(f"127.0.0.1:{postgres_port(node)}" for node in NODES)
        proxied, listed = f"{login}127.0.0.1:{HAPROXY}/advisor", f"{login}{hosts}/advisor?target_session_attrs=read-write"
        # A starting HAProxy takes every node for the primary until its first check.
        wait_until("migrated", lambda: self.program("migrate", proxied), 60)
        wait_until("seeded", lambda: self.program("seed", proxied), 60)
        cluster.run("model", [PYTHON, f"{cluster.folder}/model.py", str(MODEL)])
        self.pairs = [Pair("HAProxy", (BASE + 51, BASE + 52)), Pair("multi-host", (BASE + 53, BASE + 54))]
        for pair, url in zip(self.pairs, (proxied, listed)):
            for port in pair.ports:
                cluster.run(f"instance{port}", [self.binary, "serve"], {
                    "DATABASE_URL": url, "ALLOW_DEMO_LOGINS": "true", "BIND_ADDR": f"127.0.0.1:{port}", "LLM_BASE_URL": f"http://127.0.0.1:{MODEL}/v1",
                    "LLM_API_KEY": MODEL_KEY, "LLM_API": "chat", "LLM_MODEL": "script", "LLM_REVIEW": "off",
                    "RATE_LIMIT_TURNS_PER_MINUTE": "0", "RATE_LIMIT_RUNNING_TURNS_PER_USER": "0", "RUST_LOG": "info"})
                wait_until(f"instance {port} is ready", lambda port=port: ask(port, "/readyz")[0] == 200, 60)
        [pair.make_plans() for pair in self.pairs]
        logs = [f"{cluster.folder}/log/instance{port}" for pair in self.pairs for port in pair.ports]
        cookies = {plan.cookie.partition("=")[2] for pair in self.pairs for plan in pair.plans}
        self.oracle = Oracle(self.pairs, logs, [PASSWORD, MODEL_KEY, *cookies])
        self.load = Load(self.pairs)

    def program(self, command, url):
        account = self.cluster.account
        privileges = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []} if account else {}
        with open(f"{self.cluster.folder}/log/{command}", "ab") as log:
            return subprocess.run([self.binary, command], env={"DATABASE_URL": url}, stdout=log, stderr=log, timeout=120,
                                  check=False, **privileges).returncode == 0

    def play(self, name):
        fault, settings, needs_primary = ROWS[name]
        cluster, is_synchronous = self.cluster, "synchronous_mode" not in settings
        cluster.wait_until_whole(is_synchronous=True)
        if settings:
            cluster.configure(**settings)
            # Patroni reads its settings once per round.
            time.sleep(2 * 5)
            cluster.wait_until_whole(is_synchronous)
        self.load.resume()
        settled = time.monotonic()
        wait_until("normal service", lambda: all(pair.is_served_since(settled) and pair.running(time.monotonic()) for pair in self.pairs), 60)

        begun = time.monotonic()
        running = {pair.name: pair.running(begun) for pair in self.pairs}
        fault(self)
        healed = time.monotonic()
        if needs_primary:
            wait_until("a new primary", lambda: cluster.accepted_writes_after(begun), 120)
        cluster.wait_until_whole(is_synchronous)
        calm = time.monotonic()
        wait_until("normal service after the fault", lambda: all(pair.is_served_since(calm) for pair in self.pairs), 90)
        observed = time.monotonic()
        self.load.pause()
        found = self.oracle.new_findings()
        if settings:
            cluster.configure(**dict.fromkeys(settings) | {"synchronous_mode": True})
        return self.report(name, (begun, healed, observed), cluster.accepted_writes_after(begun) if needs_primary else None, running, found)

    def report(self, name, times, primary, running, found):
        begun, healed, observed = times
        row = {"row": name, "findings": found, "pairs": {}}
        row["newPrimary"] = primary and round(primary - begun, 1)
        print(f"{name:<11}{line(found)}" + (f"  new primary after {row['newPrimary']} s" if primary else "") +
              f"  ({time.monotonic() - begun:.0f} s)", flush=True)
        for pair in self.pairs:
            # What a node does that comes back is reported apart: only a request that began before counts.
            full = pair.full_service(begun, max(healed, primary or 0))
            outlived = sum(r.result == "done" for r in running[pair.name])
            result = {
                "noWrite": round(pair.longest_gap("PATCH", begun, observed), 1),
                "noTurn": round(pair.longest_gap("POST", begun, observed), 1),
                "fullService": full and round(full - begun, 1),
                "afterPrimary": full and primary and round(max(0.0, full - primary), 1),
                "running": len(running[pair.name]), "outlived": outlived, "worstTurn": round(pair.worst_turn, 1),
                "slowestReadiness": round(pair.slowest_readiness(begun), 2), "refused": dict(pair.refusals(begun)),
            }
            pair.worst_turn = 0.0
            row["pairs"][pair.name] = result
            since = f"{result['afterPrimary']} s after the new primary" if result["afterPrimary"] is not None else f"after {result['fullService'] or 0} s"
            is_late = (result["afterPrimary"] or 0) > LONGEST_WITHOUT_SERVICE
            print(f"  {pair.name:<11}no write {result['noWrite']} s, no turn {result['noTurn']} s, full service {since}"
                  f"{' (LATE)' if is_late else ''}, {outlived} of {len(running[pair.name])} running turns outlived it, "
                  f"worst turn {result['worstTurn']} s, readyz within {result['slowestReadiness']} s; refused: "
                  + (", ".join(f"{what} x{times}" for what, times in result["refused"].items()) or "nothing"), flush=True)
        for pair in self.pairs:
            row["stuck"] = [*row.get("stuck", []), *pair.stuck]
            pair.stuck = []
        for what in row["stuck"]:
            print(f"  STUCK {what}", flush=True)
        return row


def interrupt(*_):
    raise KeyboardInterrupt


def chosen_rows(arguments):
    names = [argument for argument in arguments if not argument.startswith("-")]
    if unknown := set(names) - set(ROWS):
        sys.exit(f"no such row: {', '.join(unknown)}; there are {', '.join(ROWS)}")
    rows = names or (SHORT if "--short" in arguments else list(ROWS))
    if "vanish" in rows and not can_filter_packets():
        print("vanish is left out: a packet filter needs root and nft")
        rows = [name for name in rows if name != "vanish"]
    return rows


def verdict(results, world):
    turns = sum(len(plan.turns) for pair in world.pairs for plan in pair.plans)
    edits = sum(len(plan.edits) for pair in world.pairs for plan in pair.plans)
    synchronous = [finding for row in results if row["row"] != "lag" for finding in row["findings"]]
    print(f"faults={len(results)} turns={turns} edits={edits} {line(synchronous)}")
    is_good = not synchronous and not any(row["stuck"] for row in results)
    for row in results:
        if row["row"] == "lag":
            lost = sum(count == "lost" for count, _ in row["findings"])
            print(f"asynchronous replication lost {lost} acknowledged turns and edits" if lost else
                  "The oracle found no loss under asynchronous replication, where there must be some: it proves nothing")
            is_good = is_good and lost > 0
    return 0 if is_good else 1


def main(binary, postgres_bin, logs, *arguments):
    rows = chosen_rows(arguments)
    signal.signal(signal.SIGTERM, interrupt)
    folder = tempfile.mkdtemp(prefix="plan-advisor-cluster.", dir="/tmp")
    world, results = None, []
    try:
        world = World(binary, postgres_bin, folder)
        begun = time.monotonic()
        world.start()
        print(f"The cluster and four instances are ready after {time.monotonic() - begun:.0f} s", flush=True)
        results = [world.play(name) for name in rows]
        return verdict(results, world)
    except KeyboardInterrupt:
        return 130
    finally:
        # A second Ctrl-C must not leave processes behind.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        pathlib.Path(logs, "result.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
        if world:
            world.cluster.down()
        shutil.copytree(f"{folder}/log", f"{logs}/log", dirs_exist_ok=True)
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
