"""Uses every tool, resource and prompt of recalld with the official Python SDK.

pip install mcp==2.3.0
python mcp_client.py PATH_TO_RECALLD
"""

import asyncio
import json
import pathlib
import subprocess
import sys
import tempfile

from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

BINARY = sys.argv[1]
CALLS = json.loads(pathlib.Path(__file__).with_name("calls.json").read_text())
MODES = ("legacy", "auto", "2026-07-28")


async def use(name, connect):
    """Calls everything once in each revision of the protocol."""
    for mode in MODES:
        async with Client(connect(), mode=mode) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == {tool for tool, _ in CALLS}, tools
            for tool, arguments in CALLS:
                answer = await client.call_tool(tool, arguments)
                assert not answer.is_error, (tool, answer)
                assert answer.structured_content is None
            resources = (await client.list_resources()).resources
            for resource in resources:
                assert (await client.read_resource(resource.uri)).contents
            assert (await client.list_resource_templates()).resource_templates
            for prompt in (await client.list_prompts()).prompts:
                assert (await client.get_prompt(prompt.name, {"topic": "Lisbon"})).messages
            wrong = await client.call_tool("store_memory", {"content": "x", "user_id": "bob"})
            assert wrong.is_error, wrong
        print(f"{name} {mode}: {len(tools)} tools, {len(resources)} resources")


async def main():
    with tempfile.TemporaryDirectory() as home:
        alone, served = f"{home}/alone", f"{home}/served"
        serve = [BINARY, "serve", "--json", "--listen", "127.0.0.1:0", "--data", served]
        server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
        try:
            text = ""
            while not text.rstrip().endswith("}"):
                text += server.stdout.readline()
            url = json.loads(text)["url"]
            key = json.loads(pathlib.Path(served, "keys.json").read_text())["local"]

            def http():
                client = create_mcp_http_client(headers={"Authorization": f"Bearer {key}"})
                return streamable_http_client(f"{url}/mcp", http_client=client)

            def stdio(*arguments):
                return lambda: StdioServerParameters(command=BINARY, args=["mcp", *arguments])

            await use("http", http)
            await use("stdio", stdio("--data", alone))
            await use("stdio through a server", stdio("--data", served))
            await use("stdio to a remote server", stdio("--url", url, "--key", key))
        finally:
            server.terminate()
            server.wait()


asyncio.run(main())
