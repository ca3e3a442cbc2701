"""A model that says what a script says, over the APIs of Anthropic and OpenAI, on loopback only.

It keeps every request, so that a test can look at what an agent sent to its model.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REPLY = "Understood."


class ScriptedModel:
    """Serves until it is closed. `requests` holds (path, body) of each request for a completion."""

    def __init__(self):
        self.requests = []
        self.lock = threading.Lock()
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_HEAD(self):
                self.answer(200, {})

            def do_GET(self):
                self.answer(200, {"data": [{"id": "scripted", "object": "model"}]})

            def do_POST(self):
                length = int(self.headers.get("content-length") or 0)
                text = self.rfile.read(length).decode("utf-8", "replace")
                try:
                    body = json.loads(text or "{}")
                except ValueError:
                    return self.answer(400, {"error": "not JSON"})
                path = self.path.split("?")[0]
                if path.endswith("/count_tokens"):
                    return self.answer(200, {"input_tokens": len(text) // 4})
                if path.endswith("/messages"):
                    model.keep(path, body)
                    return self.stream(anthropic(body)) if body.get("stream") else self.answer(200, message(body))
                if path.endswith("/chat/completions"):
                    model.keep(path, body)
                    return self.stream(openai(body)) if body.get("stream") else self.answer(200, completion(body))
                return self.answer(200, {})

            def answer(self, status, body):
                text = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(text)

            def stream(self, events):
                text = "".join(events).encode()
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def keep(self, path, body):
        with self.lock:
            self.requests.append((path, body))

    def take(self):
        """Gives the requests since the last call."""
        with self.lock:
            taken, self.requests = self.requests, []
        return taken

    def close(self):
        self.server.shutdown()


def message(body):
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model", "scripted"),
        "content": [{"type": "text", "text": REPLY}], "stop_reason": "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def anthropic(body):
    """The events of a streamed message."""
    start = {**message(body), "content": [], "stop_reason": None}
    events = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": REPLY}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
         "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    return [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]


def completion(body):
    return {
        "id": "c1", "object": "chat.completion", "created": 0, "model": body.get("model", "scripted"),
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": REPLY}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def openai(body):
    """The chunks of a streamed completion."""
    def chunk(delta, finish):
        part = {
            "id": "c1", "object": "chat.completion.chunk", "created": 0, "model": body.get("model", "scripted"),
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }
        return f"data: {json.dumps(part)}\n\n"
    return [chunk({"role": "assistant", "content": REPLY}, None), chunk({}, "stop"), "data: [DONE]\n\n"]
