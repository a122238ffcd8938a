"""Three PostgreSQL nodes under Patroni, etcd, a relay per node and HAProxy, all of them unprivileged processes."""
import contextlib
import http.client
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = 24600
ETCD, ETCD_PEER, HAPROXY, MODEL = BASE, BASE + 1, BASE + 30, BASE + 40
NODES = (1, 2, 3)
# The one that Patroni's package needs: another one may be in a home directory that the account may not enter.
PYTHON = "/usr/bin/python3"
PACKET_FILTER = "plan_advisor_cluster"
ROOT = os.geteuid() == 0
PASSWORD = "only-for-this-cluster-7f3a"
PACE = {"ttl": 20, "loop_wait": 5, "retry_timeout": 5}


def relay_port(node):
    return BASE + 1 + node


def postgres_port(node):
    return BASE + 10 + node


def patroni_port(node):
    return BASE + 20 + node


def wait_until(what, holds, seconds):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.1)


def ask(port, path, method="GET", body=None, seconds=2):
    """Status and JSON of an answer; status 0 where there is none."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)) as connection:
        try:
            connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"})
            response = connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException):
            return 0, None
    with contextlib.suppress(ValueError):
        return response.status, json.loads(text)
    return response.status, None


def signal_all(pids, number):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def children(parents):
    """The processes below the given ones, from /proc."""
    parent_of = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as stat:
                parent_of[int(name)] = int(stat.read().rpartition(")")[2].split()[1])
    found = set(parents)
    while more := {pid for pid, parent in parent_of.items() if parent in found} - found:
        found |= more
    return found


def title(pid):
    with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
        return file.read().replace(b"\0", b" ").decode(errors="replace")
    return ""


class Cluster:
    def __init__(self, folder, postgres_bin):
        self.folder, self.bin = folder, postgres_bin
        # PostgreSQL refuses root.
        self.account = pwd.getpwnam("postgres") if ROOT else None
        self.processes, self.stopped = {}, set()
        for name in ("conf", "run", "log", "pg", "etcd"):
            os.makedirs(os.path.join(folder, name), mode=0o700)
            self.own(os.path.join(folder, name))
        self.own(folder)
        self.is_primary, self.turned_primary, self.is_over = {}, [], threading.Event()

    def own(self, path):
        if self.account:
            os.chown(path, self.account.pw_uid, self.account.pw_gid)

    def run(self, name, command, env=None):
        """Starts a process without privileges, with its output in log/<name>."""
        path = os.path.join(self.folder, "log", name)
        privileges = {"user": self.account.pw_uid, "group": self.account.pw_gid, "extra_groups": []} if ROOT else {}
        base = {"PATH": f"{self.bin}:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "HOME": f"{self.folder}/run"}
        with open(path, "ab") as log:
            # A session of its own: Ctrl-C must reach only the script, which ends the processes in order.
            self.processes[name] = subprocess.Popen(
                command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=base | (env or {}), cwd=self.folder,
                start_new_session=True, **privileges)

    def write(self, name, text):
        path = os.path.join(self.folder, "conf", name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o600)
        self.own(path)
        return path

    # --- starting

    def start(self):
        for port in (ETCD, ETCD_PEER, HAPROXY, MODEL, *map(relay_port, NODES), *map(postgres_port, NODES), *map(patroni_port, NODES)):
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(("127.0.0.1", port))
        for node in NODES:
            self.write(f"n{node}.yml", json.dumps(self.patroni_settings(node)))
        self.write("haproxy.cfg", haproxy_settings())
        self.start_etcd()
        for node in NODES:
            self.run(f"relay{node}", [PYTHON, f"{self.folder}/relay.py", str(relay_port(node)), str(ETCD)])
        wait_until("etcd answers", lambda: ask(relay_port(1), "/health")[0] == 200, 30)
        self.start_patroni(1)
        wait_until("the first node leads", lambda: self.primary() == 1, 120)
        self.start_patroni(2)
        self.start_patroni(3)
        self.start_haproxy()
        for statement in (f"CREATE ROLE advisor LOGIN PASSWORD '{PASSWORD}'", "CREATE DATABASE advisor OWNER advisor"):
            self.psql(statement)
        self.wait_until_whole(is_synchronous=True)
        for node in NODES:
            threading.Thread(target=self.watch, args=(node,), daemon=True).start()

    def patroni_settings(self, node):
        parameters = {
            "wal_level": "replica", "hot_standby": "on", "max_connections": 100, "max_wal_senders": 8,
            "max_replication_slots": 8, "wal_keep_size": "128MB", "wal_log_hints": "on", "shared_buffers": "64MB",
            "max_wal_size": "256MB", "synchronous_commit": "on",
        }
        dcs = PACE | {
            "maximum_lag_on_failover": 1048576, "synchronous_mode": True, "synchronous_mode_strict": False,
            "postgresql": {"use_pg_rewind": True, "use_slots": True, "parameters": parameters},
        }
        users = {"superuser": "postgres", "replication": "replicator", "rewind": "rewinder"}
        return {
            "scope": "advisor", "namespace": "/service/", "name": f"n{node}",
            "restapi": dict.fromkeys(("listen", "connect_address"), f"127.0.0.1:{patroni_port(node)}"),
            # With `host:` Patroni would use the address that etcd advertises, past the relay. The third version of etcd's
            # interface lets Patroni 3.0 take the leadership back at a thaw.
            "etcd": {"hosts": f"127.0.0.1:{relay_port(node)}", "use_proxies": True},
            "bootstrap": {
                "dcs": dcs,
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
                "pg_hba": ["local all all trust", "host replication replicator 127.0.0.1/32 scram-sha-256",
                           "host all all 127.0.0.1/32 scram-sha-256"],
            },
            "postgresql": {
                **dict.fromkeys(("listen", "connect_address"), f"127.0.0.1:{postgres_port(node)}"),
                "data_dir": f"{self.folder}/pg/n{node}", "bin_dir": self.bin, "pgpass": f"{self.folder}/run/pgpass{node}",
                "authentication": {kind: {"username": name, "password": PASSWORD} for kind, name in users.items()},
                "parameters": {"unix_socket_directories": f"{self.folder}/run"},
            },
            "watchdog": {"mode": "off"},
        }

    def start_etcd(self):
        client, peer = f"http://127.0.0.1:{ETCD}", f"http://127.0.0.1:{ETCD_PEER}"
        self.run("etcd", [
            "etcd", "--enable-v2=true", "--name", "e1", "--data-dir", f"{self.folder}/etcd/data", "--listen-client-urls", client,
            "--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", f"e1={peer}", "--log-level", "warn"])

    def start_patroni(self, node):
        self.run(f"patroni{node}", [shutil.which("patroni"), f"{self.folder}/conf/n{node}.yml"])

    def start_haproxy(self):
        self.run("haproxy", ["haproxy", "-f", f"{self.folder}/conf/haproxy.cfg", "-db"])

    def psql(self, statement):
        subprocess.run(
            [f"{self.bin}/psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(postgres_port(1)), "-U",
             "postgres", "-c", statement], check=True, timeout=60, env={"PGPASSWORD": PASSWORD, "PATH": "/usr/bin:/bin"})

    # --- observing

    def primary(self):
        return next((node for node in NODES if ask(patroni_port(node), "/primary")[0] == 200), None)

    def synchronous_standby(self):
        return next((node for node in NODES if ask(patroni_port(node), "/sync")[0] == 200), None)

    def is_whole(self, is_synchronous):
        members = (ask(patroni_port(self.primary() or 1), "/cluster")[1] or {}).get("members", [])
        running = [member for member in members if member["state"] in ("running", "streaming")]
        roles = {member["role"] for member in running}
        has_standby = bool(roles & {"sync_standby", "quorum_standby"})
        return len(running) == len(NODES) and "leader" in roles and has_standby == is_synchronous

    def wait_until_whole(self, is_synchronous):
        wait_until("three nodes with a leader", lambda: self.is_whole(is_synchronous), 180)

    def watch(self, node):
        """Notes when the node begins to accept writes: Patroni asks PostgreSQL itself for its role."""
        while not self.is_over.wait(0.2):
            status, body = ask(patroni_port(node), "/patroni", seconds=1)
            if not body:
                continue
            is_primary = body.get("role") in ("master", "primary") and body.get("state") == "running"
            if is_primary and not self.is_primary.get(node):
                self.turned_primary.append((time.monotonic(), node))
            self.is_primary[node] = is_primary

    def accepted_writes_after(self, begun):
        return next((at for at, _ in self.turned_primary if at > begun), None)

    # --- faults

    def pids(self, node):
        with contextlib.suppress(OSError), open(f"{self.folder}/pg/n{node}/postmaster.pid", encoding="utf-8") as file:
            return {self.processes[f"patroni{node}"].pid, int(file.readline())}
        return {self.processes[f"patroni{node}"].pid}

    def stop(self, pids):
        """SIGSTOP. Their kernel goes on acknowledging packets."""
        self.stopped |= set(pids)
        signal_all(pids, signal.SIGSTOP)
        return pids

    def thaw(self, pids):
        signal_all(pids, signal.SIGCONT)
        self.stopped -= set(pids)

    def kill_node(self, node):
        # The backends end by themselves when their postmaster is gone.
        signal_all(self.pids(node), signal.SIGKILL)
        self.processes[f"patroni{node}"].wait()

    def wal_senders(self, node):
        return {pid for pid in children(self.pids(node)) if "walsender" in title(pid)}

    def end(self, name, number=signal.SIGTERM):
        self.processes[name].send_signal(number)
        self.processes[name].wait()

    def configure(self, **settings):
        status, body = ask(patroni_port(self.primary()), "/config", "PATCH", settings, 10)
        assert status == 200, body

    def switch_over(self):
        leader, standby = self.primary(), self.synchronous_standby()
        status, _ = ask(patroni_port(leader), "/switchover", "POST", {"leader": f"n{leader}", "candidate": f"n{standby}"}, 60)
        assert status == 200, status

    def vanish(self, node):
        ports = f"{{ {postgres_port(node)}, {patroni_port(node)} }}"
        nft(f"add table inet {PACKET_FILTER}; add chain inet {PACKET_FILTER} i {{ type filter hook input priority 0; }}; "
            f"add rule inet {PACKET_FILTER} i tcp dport {ports} drop; add rule inet {PACKET_FILTER} i tcp sport {ports} drop")

    def reappear(self):
        nft(f"delete table inet {PACKET_FILTER}")

    # --- the end

    def down(self):
        self.is_over.set()
        if ROOT:
            subprocess.run(["nft", "delete", "table", "inet", PACKET_FILTER], stderr=subprocess.DEVNULL, check=False)
        postmasters = {pid for node in NODES if f"patroni{node}" in self.processes for pid in self.pids(node)}
        all_pids = {process.pid for process in self.processes.values() if process.poll() is None}
        signal_all(self.stopped, signal.SIGCONT)
        # Patroni first, or it would start PostgreSQL again.
        signal_all(all_pids, signal.SIGKILL)
        for process in self.processes.values():
            process.wait()
        servers = {pid for pid in postmasters if self.folder in title(pid)}
        signal_all(servers, signal.SIGQUIT)
        wait_until("PostgreSQL has ended", lambda: not any(os.path.exists(f"/proc/{pid}") for pid in servers), 30)


def nft(commands):
    subprocess.run(["nft", commands], check=True, timeout=10)


def can_filter_packets():
    if not ROOT or not shutil.which("nft"):
        return False
    made = subprocess.run(["nft", f"add table inet {PACKET_FILTER}; delete table inet {PACKET_FILTER}"],
                          stderr=subprocess.DEVNULL, check=False)
    return made.returncode == 0


def haproxy_settings():
    servers = "".join(
        f"  server n{node} 127.0.0.1:{postgres_port(node)} maxconn 100 check port {patroni_port(node)}\n" for node in NODES)
    return f"""global
  maxconn 400
  log stdout format raw local0 notice
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
  retries 1
listen primary
  bind 127.0.0.1:{HAPROXY}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
{servers}"""
