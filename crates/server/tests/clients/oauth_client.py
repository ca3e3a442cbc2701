"""Signs in to recalld with the OAuth client of the official Python SDK, and calls tools. The user's part is played here.

pip install mcp==2.3.0
python oauth_client.py PATH_TO_RECALLD
"""

import asyncio
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import OAuthClientMetadata

from served import served

REDIRECT = "http://localhost:33418/callback"


class Storage:
    """Tokens for as long as the script runs."""

    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Stay(urllib.request.HTTPRedirectHandler):
    """Shows a redirect instead of following it."""

    def redirect_request(self, *_):
        return None


def consent(page, url, key):
    """Does what the browser and the console do: follows the page, asks the user, sends the answer."""
    try:
        urllib.request.build_opener(Stay).open(page)
        raise AssertionError("the page redirects")
    except urllib.error.HTTPError as answer:
        assert answer.code == 302, answer.read()
        place = urllib.parse.urlsplit(answer.headers["location"])
    assert place.fragment.startswith("/authorize?"), place
    asked = dict(urllib.parse.parse_qsl(place.fragment.split("?", 1)[1]))
    body = json.dumps({**asked, "allow": True}).encode()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{url}/v1/oauth/grants", body, headers)
    to = json.loads(urllib.request.urlopen(request).read())["redirect_to"]
    assert to.startswith(REDIRECT), to
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(to).query))


async def main():
    with served(sys.argv[1]) as (url, key):
        storage, answer = Storage(), {}

        async def redirected(page):
            answer.update(await asyncio.to_thread(consent, page, url, key))

        async def called_back():
            return AuthorizationCodeResult(code=answer["code"], state=answer.get("state"), iss=answer.get("iss"))

        metadata = OAuthClientMetadata(client_name="A script", redirect_uris=[REDIRECT], scope="read write")

        async def use():
            auth = OAuthClientProvider(f"{url}/mcp", metadata, storage, redirected, called_back)
            http = create_mcp_http_client(auth=auth)
            async with Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client:
                memory = {"key": "seat", "value": "Prefers window seats", "category": "preference", "durability": "durable"}
                stored = await client.call_tool("write_memory", memory)
                assert not stored.is_error, stored
                return await client.call_tool("read_memory", {})

        found = await use()
        assert "window" in found.content[0].text, found
        assert storage.tokens.access_token.startswith("rk_") and storage.tokens.refresh_token.startswith("rr_")
        print("signed in with the Python SDK, stored and recalled")


asyncio.run(main())
