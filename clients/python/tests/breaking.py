"""A proxy that loses answers: it sends the request on, then breaks the connection."""

from __future__ import annotations

import http.client
import http.server
import threading
from typing import Any
from urllib.parse import urlsplit


class BreakingProxy:
    """Breaks the connection after the server has carried out each of the first `losses` requests."""

    def __init__(self, url: str, losses: int) -> None:
        self.target = urlsplit(url)
        self.losses = losses
        self.keys: list[str | None] = []
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                proxy.handle(self)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def handle(self, asked: http.server.BaseHTTPRequestHandler) -> None:
        body = asked.rfile.read(int(asked.headers.get("Content-Length", 0)))
        self.keys.append(asked.headers.get("Idempotency-Key"))
        headers = {name: value for name, value in asked.headers.items() if name.lower() not in ("host", "accept-encoding")}
        onward = http.client.HTTPConnection(str(self.target.hostname), self.target.port or 80)
        onward.request(asked.command, asked.path, body, headers)
        answer = onward.getresponse()
        content = answer.read()
        if len(self.keys) <= self.losses:
            asked.close_connection = True
            return
        asked.send_response(answer.status)
        asked.send_header("Content-Type", answer.headers.get("Content-Type", "application/json"))
        asked.send_header("Content-Length", str(len(content)))
        asked.end_headers()
        asked.wfile.write(content)
