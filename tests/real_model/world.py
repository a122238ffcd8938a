"""A model server, the program in front of it, and people who log in: started, used and ended."""
import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
PASSWORD = "demo-password-1"
# Protects nothing: LiteLLM wants a long one to start.
PROXY_KEY = "sk-only-for-this-machine-and-this-test-0123456789"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(what, holds, seconds=90):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError(f"{what}: not within {seconds} s")


def get(url, seconds=10):
    """Status and JSON; status 0 where nothing answers."""
    try:
        with urllib.request.urlopen(url, timeout=seconds) as response:
            return response.status, json.loads(response.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, None
    except (OSError, ValueError, http.client.HTTPException):
        return 0, None


class Process:
    """A child process with its output in a file."""

    def __init__(self, name, command, folder, env=None):
        self.log = os.path.join(folder, f"{name}.log")
        with open(self.log, "ab") as log:
            self.child = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=env)

    def is_running(self):
        return self.child.poll() is None

    def end(self, is_sudden=False):
        if self.is_running():
            self.child.kill() if is_sudden else self.child.terminate()
            try:
                self.child.wait(30)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()


class LlamaServer:
    """llama.cpp's HTTP server with one slot on one thread."""

    def __init__(self, folder, context):
        self.folder, self.context, self.port = folder, context, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()
        self.wait()

    def start(self):
        command = [sys.executable, os.path.join(HERE, "llama_server.py"), str(self.port), str(self.context)]
        self.process = Process("llama", command, self.folder)

    def wait(self):
        wait_until("the model is loaded", lambda: get(self.url + "/health")[0] == 200)

    def is_busy(self):
        _, slots = get(self.url + "/slots")
        return any(slot["is_processing"] for slot in slots or [])

    def end(self, is_sudden=False):
        self.process.end(is_sudden)


class Proxy:
    """LiteLLM in front of a model server: offers /v1/responses and /v1/messages."""

    def __init__(self, folder, upstream):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        config = os.path.join(folder, "litellm.yaml")
        model = {"model": "openai/smollm2", "api_base": f"{upstream}/v1", "api_key": "none"}
        with open(config, "w", encoding="utf-8") as file:
            models = [{"model_name": "smollm2", "litellm_params": model}]
            json.dump({"model_list": models, "general_settings": {"master_key": PROXY_KEY}}, file)
        command = [os.path.join(os.path.dirname(sys.executable), "litellm"), "--config", config]
        command += ["--host", "127.0.0.1", "--port", str(port)]
        env = {name: value for name, value in os.environ.items() if "DATABASE_URL" not in name}
        env |= {"LITELLM_TELEMETRY": "False", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
        self.process = Process("litellm", command, folder, env)
        wait_until("LiteLLM is ready", lambda: get(self.url + "/health/liveliness")[0] == 200, 180)

    def end(self):
        self.process.end()


class Program:
    """plan-advisor with a model's address and nothing else that a local server would need."""

    def __init__(self, folder, binary, database, model_url, **settings):
        self.port = free_port()
        self.env = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("LLM_", "OPENAI_"))},
            "DATABASE_URL": database,
            "ALLOW_DEMO_LOGINS": "true",
            "BIND_ADDR": f"127.0.0.1:{self.port}",
            "LLM_BASE_URL": model_url + "/v1",
            # One thread reads about 40 tokens in a second.
            "LLM_TIMEOUT_SECONDS": "180",
            "LLM_REVIEW_TIMEOUT_SECONDS": "120",
            "LLM_MAX_OUTPUT_TOKENS": "48",
            "RUST_LOG": "info",
            **settings,
        }
        self.binary = binary
        self.process = Process("program", [binary, "serve"], folder, self.env)
        url = f"http://127.0.0.1:{self.port}/healthz"
        wait_until("the program is ready", lambda: get(url)[0] == 200)

    def check(self):
        done = subprocess.run([self.binary, "check-config"], env=self.env, capture_output=True, text=True, timeout=600)
        return done.stdout + done.stderr

    def end(self):
        self.process.end()


class Person:
    """A user with a plan."""

    def __init__(self, program, email):
        self.port, self.cookie = program.port, None
        _, headers = self.call("POST", "/api/auth/login", {"email": email, "password": PASSWORD})
        self.cookie = headers["Set-Cookie"].split(";")[0]
        body, _ = self.call("GET", "/api/plans")
        self.plan = f"/api/plans/{body['data'][0]['id']}"

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        headers = {"Content-Type": "application/json", **({"Cookie": self.cookie} if self.cookie else {})}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        return connection.getresponse()

    def call(self, method, path, body=None):
        response = self.request(method, path, body)
        text = response.read()
        assert response.status < 300, f"{method} {path}: {response.status} {text[:300]}"
        return (json.loads(text) if text else None), response.headers

    def events(self, message):
        """The events of a turn as they come."""
        response = self.request("POST", f"{self.plan}/conversation", {"message": message})
        assert response.status == 200, f"{response.status} {response.read()[:300]}"
        with contextlib.closing(response):
            for line in response:
                if line.startswith(b"data:"):
                    yield json.loads(line[5:])

    def send(self, message):
        return Turn(self.events(message))

    def cancel(self):
        self.call("POST", f"{self.plan}/conversation/cancel")

    def history(self):
        return self.call("GET", f"{self.plan}/conversation")[0]["data"]

    def written_by_the_model(self):
        inputs = self.call("GET", self.plan)[0]["data"]["financialInputs"] or {}
        return {path: value["currentValue"] for path, value in inputs.items() if value["source"] == "ai_populated"}


class Turn:
    """A turn that has ended."""

    def __init__(self, events):
        events = list(events)
        self.tokens = [event["content"] for event in events if event["type"] == "token"]
        self.text = "".join(self.tokens)
        self.end = events[-1]
        endings = [event for event in events if event["type"] in ("done", "error")]
        assert endings == [self.end], f"one ending: {endings}"

    def done(self):
        assert self.end["type"] == "done", self.end
        return self.end

    def prompt_tokens(self):
        return self.done()["usage"]["promptTokens"]


