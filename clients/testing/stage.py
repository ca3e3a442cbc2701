"""Starts recalld with a scripted model and a data directory of its own, for the time of a `with`.

RECALLD_BIN names the binary. With RECALLD_TEST_DATABASE_URL the memories are in that PostgreSQL database, which has
the schema already; else in SQLite.

As a program, for tests in other languages: prints the stage as JSON and waits for the end of its input.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request
import uuid
from collections.abc import Iterator
from typing import Any

import model


@dataclasses.dataclass
class Stage:
    """A running server."""

    url: str
    admin: str
    model_url: str

    def key(self, user: str | None = None, kind: str = "user") -> str:
        """Makes a key, of a new user if none is named."""
        body: dict[str, Any] = {"kind": kind}
        if kind == "user":
            body["user"] = user or f"user-{uuid.uuid4().hex[:12]}"
        return str(self._post("/v1/admin/keys", body)["key"])

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.admin}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return dict(json.loads(answer.read()))


@contextlib.contextmanager
def staged(rules: list[dict[str, Any]] | None = None, *options: str) -> Iterator[Stage]:
    """Gives a server for the time of a `with`."""
    binary = os.environ["RECALLD_BIN"]
    database = os.environ.get("RECALLD_TEST_DATABASE_URL")
    answering = model.start(rules)
    model_url = f"http://127.0.0.1:{answering.server_address[1]}/v1"
    with tempfile.TemporaryDirectory(prefix="recalld-") as home:
        place = ["--data", home, *(["--database-url", database] if database else [])]
        serve = [binary, "serve", "--quiet", "--listen", "127.0.0.1:0", *place, "-o", f"openai.url={model_url}", *options]
        # The keys and addresses of the person at the desk have no business here.
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "ANTHROPIC_"))}
        server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, env=environment)
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            if not url:
                raise RuntimeError(f"the server ended with {server.wait()}")
            if database:
                create = [binary, "keys", "create", "--kind", "admin", "--quiet", *place]
                admin = subprocess.run(create, check=True, capture_output=True, text=True).stdout.strip()
            else:
                admin = json.loads(pathlib.Path(home, "keys.json").read_text())["admin"]
            yield Stage(url, admin, model_url)
        finally:
            server.terminate()
            server.wait(60)
            answering.shutdown()


if __name__ == "__main__":
    with staged() as stage:
        print(json.dumps(dataclasses.asdict(stage)), flush=True)
        sys.stdin.read()
