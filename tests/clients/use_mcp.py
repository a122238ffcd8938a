"""Uses a plan as PyPI's mcp does: lists, reads, proposes, asks.

    PLAN_TOKEN=pat_… use_mcp.py URL MODE PLAN FIELD QUOTE

Prints what it saw as JSON. The client checks every structured result against the schema of its tool. MODE is its mode: `auto` for the
revisions without a handshake, `legacy` for those with one.
"""
import asyncio
import json
import os
import sys

from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

url, mode, plan, field, quote = sys.argv[1:]


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['PLAN_TOKEN']}"}
    async with create_mcp_http_client(headers=headers) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            json.dump(await seen_by(client), sys.stdout)


async def seen_by(client: Client) -> dict:
    tools = await client.list_tools()
    resources = await client.list_resources()
    prompts = await client.list_prompts()
    found = await client.call_tool("get_plan", {"planId": plan})
    value = {"planId": plan, "path": field, "value": 4200, "unit": "dollars", "quote": quote}
    proposal = await client.call_tool("propose_value", value)
    answer = await client.call_tool("ask_advisor", {"planId": plan, "message": "How long does the cash last?"})
    return {
        "revision": client.protocol_version,
        "tools": sorted(tool.name for tool in tools.tools),
        "resources": [str(resource.uri) for resource in resources.resources],
        "prompts": [prompt.name for prompt in prompts.prompts],
        "fields": len(found.structured_content["fields"]),
        "proposalFailed": bool(proposal.is_error),
        "answer": json.dumps(answer.structured_content),
    }


asyncio.run(main())
