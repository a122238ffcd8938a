"""A real PgBouncer: what the program says about each of its modes, faults under load, and all API tests through it.

    pooler.py BINARY PGBOUNCER LOGS [verdicts] [faults] [suite]

Runs in scripts/with-test-postgres.sh, which starts the PostgreSQL behind it.
"""
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

import pooled

PORT = 24690
ROLE = "pooled_advisor"
ROOT = os.geteuid() == 0
# One that prepared statements survive, and what else a deployment needs; docs/OPERATIONS.md has the same.
GOOD = {"pool_mode": "transaction", "max_prepared_statements": "500"}
LOSING = GOOD | {"max_prepared_statements": "0"}
BY_SESSION = LOSING | {"pool_mode": "session"}
POOLS = {"default_pool_size": "16", "max_client_conn": "1000", "server_idle_timeout": "20"}


class PgBouncer:
    """Runs with some settings until the end of a block, unprivileged: PgBouncer refuses root, too."""

    def __init__(self, folder, program, host, settings):
        self.log = os.path.join(folder, f"pgbouncer-{settings['pool_mode']}-{settings['max_prepared_statements']}.log")
        self.ini, users = os.path.join(folder, "pgbouncer.ini"), os.path.join(folder, "users")
        self.program = program
        self.settings = {"listen_addr": "127.0.0.1", "listen_port": PORT, "unix_socket_dir": "", "auth_type": "trust",
                         "auth_file": users, "admin_users": "postgres"} | POOLS | settings
        with open(users, "w", encoding="utf-8") as file:
            file.write(f'"postgres" ""\n"{ROLE}" ""\n')
        with open(self.ini, "w", encoding="utf-8") as file:
            file.write(f"[databases]\n* = host={host}\n\n[pgbouncer]\n")
            file.writelines(f"{name} = {value}\n" for name, value in self.settings.items())

    def start(self):
        account = pwd.getpwnam("postgres") if ROOT else None
        privileges = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []} if account else {}
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([self.program, self.ini], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                            start_new_session=True, **privileges)
        end = time.monotonic() + 20
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", PORT)) == 0:
                    return
            if self.process.poll() is not None or time.monotonic() > end:
                sys.exit(f"PgBouncer did not start: {open(self.log, encoding='utf-8').read()}")
            time.sleep(0.05)

    def stop(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def console(self, command):
        return psql(self.url("pgbouncer", "postgres"), command)

    @staticmethod
    def url(database, role=ROLE):
        return f"postgres://{role}@127.0.0.1:{PORT}/{database}"


def psql(url, statement):
    return subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement, url], check=True, timeout=60,
                          capture_output=True, text=True).stdout


class Check:
    def __init__(self, binary, pgbouncer, logs, folder):
        self.binary, self.logs, self.folder = binary, logs, folder
        self.direct = os.environ["TEST_DATABASE_URL"]
        self.host = urllib.parse.unquote(urllib.parse.urlsplit(self.direct.replace("postgresql://", "http://")).netloc.rpartition("@")[2])
        # The account that PgBouncer runs as may not reach the folder of the build.
        unpacked = os.path.join(os.path.dirname(pgbouncer), "lib")
        if os.path.isfile(os.path.join(unpacked, "pgbouncer")):
            shutil.copytree(os.path.dirname(pgbouncer), os.path.join(folder, "program"))
            pgbouncer = os.path.join(folder, "program", "pgbouncer")
        self.pgbouncer = pgbouncer
        self.failures = 0
        self.psql(self.direct, f"CREATE ROLE {ROLE} LOGIN")
        self.psql(self.direct, f"CREATE DATABASE {ROLE} OWNER {ROLE}")
        self.url, self.straight = PgBouncer.url(ROLE), f"postgres://{ROLE}@{urllib.parse.quote(self.host, safe='')}/{ROLE}"

    def run_with(self, settings):
        return PgBouncer(self.folder, self.pgbouncer, self.host, settings)

    @staticmethod
    def psql(url, statement):
        return psql(url, statement)

    def program(self, command, url, direct=""):
        env = {"DATABASE_URL": url, "DATABASE_DIRECT_URL": direct, "LLM_PROVIDER": "offline", "BIND_ADDR": "127.0.0.1:0"}
        done = subprocess.run([self.binary, command], env=env, capture_output=True, text=True, timeout=120, check=False)
        return done.returncode == 0, done.stdout + done.stderr

    def expect(self, what, result, succeeded, said):
        is_good = succeeded in (None, result[0]) and said in result[1]
        self.failures += not is_good
        print(f"  {'ok    ' if is_good else 'WRONG '} {what}" + ("" if is_good else f": {result}"), flush=True)

    def under_load(self, url, what, said):
        """The same answer each time, while six clients use the pooler without a pause."""
        script = os.path.join(self.folder, "load.sql")
        with open(script, "w", encoding="utf-8") as file:
            file.write("BEGIN;\nSELECT pg_sleep(0.001);\nEND;\n")
        with open(os.path.join(self.folder, "pgbench.log"), "ab") as log:
            load = subprocess.Popen(["pgbench", "-n", "-c", "6", "-T", "600", "-f", script, url], stdout=log, stderr=log)
        try:
            answers = [self.program("check-config", url)[1] for _ in range(20)]
        finally:
            is_running = load.poll() is None
            load.kill()
            load.wait()
        times = sum(said in answer for answer in answers)
        # A machine that is too busy to connect in time says that; it must not say anything else.
        wrong = sorted({answer for answer in answers if said not in answer and "cannot be reached" not in answer})
        self.expect(f"{what}, {times} of 20 times under load", (is_running and times > 0, str(wrong)), True, "[]")

    def verdicts(self):
        url, straight = self.url, self.straight
        no, lost, kept = (f"transaction mode {mode}, prepared statements kept {statements}"
                          for mode, statements in (("no", "yes"), ("yes", "no"), ("yes", "yes")))
        print("pool_mode = session", flush=True)
        with self.run_with(BY_SESSION):
            self.under_load(url, "check-config sees no transaction mode", no)
        print("pool_mode = transaction, max_prepared_statements = 0, as before 1.21", flush=True)
        with self.run_with(LOSING):
            self.expect("serve refuses it", self.program("serve", url), False, "loses prepared statements: use PgBouncer 1.21 or newer")
            self.expect("check-config refuses it", self.program("check-config", url), False, lost)
            self.under_load(url, "check-config sees that statements are lost", lost)
        print("pool_mode = transaction, max_prepared_statements = 500", flush=True)
        with self.run_with(GOOD) as pooler:
            self.expect("migrate refuses it", self.program("migrate", url), False, "set DATABASE_DIRECT_URL to PostgreSQL itself")
            self.expect("serve wants the settings of the role", self.program("serve", url, straight), False, "plan-advisor migrate")
            self.expect("migrate goes past it", self.program("migrate", url, straight), True, "migrations were run")
            pooler.console("RECONNECT")
            setting = self.psql(url, "SELECT reset_val FROM pg_settings WHERE name = 'statement_timeout'").strip()
            self.expect("its new sessions begin with our settings", (True, f"statement_timeout {setting}"), True, "statement_timeout 5000")
            # Not with fsync off, which the tests' PostgreSQL has.
            self.expect("check-config is content with it", self.program("check-config", url, straight), None, f"{kept}\ndirect     reached")
            self.under_load(url, "check-config sees that statements are kept", kept)

    def faults(self):
        print("Two instances through it, turns and edits under load", flush=True)
        with self.run_with(GOOD) as pooler:
            self.program("migrate", self.url, self.straight)
            pooler.console("RECONNECT")
            self.expect("the demo data", self.program("seed", self.url), True, "")
            held, numbers = pooled.faults(self, pooler, ROLE, self.url)
            self.expect(numbers, (held, ""), True, "")

    def suite(self):
        has_nextest = subprocess.run(["cargo", "nextest", "--version"], capture_output=True, check=False).returncode == 0
        command = ["cargo", "nextest", "run"] if has_nextest else ["cargo", "test"]
        with self.run_with(GOOD) as pooler, open(os.path.join(self.logs, "pooler-tests.log"), "wb") as log:
            print("The API tests through it", flush=True)
            env = os.environ | {"TEST_POOLER_URL": PgBouncer.url("postgres", "postgres"), "RUST_BACKTRACE": "0"}
            done = subprocess.run([*command, "--locked", "--features", "failpoints", "--test", "api", "--no-fail-fast"],
                                  env=env, stdout=log, stderr=log, check=False)
            version = pooler.console("SHOW VERSION").split()[1]
        # PgBouncer forgets the counts of a database soon after that is dropped, so they are taken from its log.
        with open(os.path.join(self.folder, "pgbouncer-transaction-500.log"), encoding="utf-8", errors="replace") as file:
            logins = len(set(re.findall(r"(test_[0-9a-f]{32})/postgres@\S+ login attempt", file.read())))
        with open(log.name, encoding="utf-8", errors="replace") as file:
            text = file.read()
        found = re.findall(r"(\d+) tests? run: (\d+) passed|test result: \w+\. (\d+) passed", text)
        passed = sum(int(nextest or test) for _, nextest, test in found)
        self.expect(f"{passed} tests passed with PgBouncer {version}; servers of {logins} of them connected through it",
                    (done.returncode == 0 and logins > 0, ""), True, "")
        for line in re.findall(r"^\s+(?:FAIL|TIMEOUT).*|^test .* FAILED$", text, re.MULTILINE)[:40]:
            print(line, flush=True)


def interrupt(*_):
    raise KeyboardInterrupt


def main(binary, pgbouncer, logs, *parts):
    signal.signal(signal.SIGTERM, interrupt)
    folder = tempfile.mkdtemp(prefix="plan-advisor-pooler.", dir="/tmp")
    os.chmod(folder, 0o755)
    check = Check(binary, pgbouncer, logs, folder)
    try:
        for part in parts or ("verdicts", "faults", "suite"):
            getattr(check, part)()
    except KeyboardInterrupt:
        return 130
    finally:
        for name in filter(lambda name: name.endswith(".log"), os.listdir(folder)):
            shutil.copy(os.path.join(folder, name), logs)
        shutil.rmtree(folder)
    print("pooler: " + ("everything held" if not check.failures else f"{check.failures} expectations did not hold"))
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
