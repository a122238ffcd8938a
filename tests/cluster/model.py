"""A scripted model: streaming chat completions. It sets the rent that the message states, then talks for three seconds."""
import json
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WORDS, SECONDS_PER_WORD = 30, 0.1
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def deltas(messages):
    """The deltas of an answer, then its finish reason."""
    said = next(m["content"] for m in reversed(messages) if m["role"] == "user")
    dollars = re.search(r"\$([\d,]+)", said if isinstance(said, str) else json.dumps(said))
    if dollars and messages[-1]["role"] != "tool":
        value = int(dollars[1].replace(",", ""))
        arguments = {"path": "operatingCosts.rentMonthly", "value": value, "unit": "dollars", "confidence": "high"}
        arguments["quote"] = f"My rent is ${value:,}"
        function = {"name": "set_financial_field", "arguments": json.dumps(arguments)}
        yield {"tool_calls": [{"index": 0, "id": f"call_{value}", "type": "function", "function": function}]}
        return "tool_calls"
    for nth in range(WORDS):
        time.sleep(SECONDS_PER_WORD)
        yield {"content": f"word{nth} "}
    yield {"content": f"about {dollars[0] if dollars else 'nothing'}"}
    return "stop"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def chunk(self, delta, finish=None, usage=None):
        choices = [] if usage else [{"index": 0, "delta": delta, "finish_reason": finish}]
        body = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "script", "choices": choices}
        self.wfile.write(f"data: {json.dumps(body | ({'usage': usage} if usage else {}))}\n\n".encode())
        self.wfile.flush()

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        try:
            answer = deltas(request["messages"])
            while True:
                try:
                    self.chunk({"role": "assistant"} | next(answer))
                except StopIteration as end:
                    self.chunk({}, end.value)
                    break
            self.chunk({}, usage=USAGE)
            self.wfile.write(b"data: [DONE]\n\n")
        except OSError:
            pass  # The reader has gone.


if __name__ == "__main__":
    ThreadingHTTPServer.request_queue_size = 128
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
