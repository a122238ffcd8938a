"""Sends one message with the types of ag-ui-protocol and reads every event of the run with them.

    read_run.py URL COOKIE THREAD TEXT

Prints the types of the events, the text and the outcome as JSON.
"""
import json
import sys
import urllib.request

from ag_ui.core import Event, RunAgentInput, UserMessage
from pydantic import TypeAdapter

url, cookie, thread, text = sys.argv[1:]
message = UserMessage(id="m1", role="user", content=text)
run = RunAgentInput(
    thread_id=thread, run_id="python-1", state={}, messages=[message], tools=[], context=[], forwarded_props={}
)
request = urllib.request.Request(
    url,
    data=run.model_dump_json(by_alias=True, exclude_none=True).encode(),
    headers={"Content-Type": "application/json", "Accept": "text/event-stream", "Cookie": cookie},
)
reader = TypeAdapter(Event)
with urllib.request.urlopen(request, timeout=60) as response:
    lines = response.read().decode().splitlines()
events = [reader.validate_json(line[6:]) for line in lines if line.startswith("data: ")]
json.dump(
    {
        "types": [event.type.value for event in events],
        "text": "".join(event.delta for event in events if event.type.value == "TEXT_MESSAGE_CONTENT"),
        "outcome": events[-1].outcome.type,
        "delta": [operation.model_dump() if hasattr(operation, "model_dump") else operation
                  for event in events if event.type.value == "STATE_DELTA" for operation in event.delta],
    },
    sys.stdout,
)
