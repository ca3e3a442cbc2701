"""A model that plays a fixed part, in the shape of OpenAI Chat Completions. `python model.py` prints its address and serves until its input ends.

It calls the caller's tool when the user speaks of the weather, remembers what it is asked to remember, fails when it is told to, and otherwise
says what it was told of the user.
"""

import http.server
import json
import sys
import threading


def part(body):
    """What is said, and what is called, in answer to a request."""
    messages = body["messages"]
    last = messages[-1]
    text = last["content"] if isinstance(last["content"], str) else json.dumps(last["content"])
    tools = [tool["function"]["name"] for tool in body.get("tools", [])]
    known = any("window seats" in str(m["content"]) for m in messages if m["role"] == "system")
    if body.get("response_format", {}).get("type") == "json_schema":
        return '{"facts": []}', []
    if last["role"] == "tool":
        return f"The tool said: {text[:60]}", []
    if "weather" in text and "get_weather" in tools:
        return None, [("get_weather", '{"city": "Porto"}')]
    if "remember that" in text and "store_memory" in tools:
        return None, [("store_memory", json.dumps({"content": "Prefers window seats"}))]
    return ("By the window." if known else "Anywhere.") + f" I have {len(tools)} tools.", []


def chunks(said, calls):
    yield {"role": "assistant", "content": ""}, None
    for word in (said or "").split(" ") if said else []:
        yield {"content": word + " "}, None
    for index, (name, arguments) in enumerate(calls):
        yield {"tool_calls": [{"index": index, "id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": ""}}]}, None
        for at in range(0, len(arguments), 5):
            yield {"tool_calls": [{"index": index, "function": {"arguments": arguments[at : at + 5]}}]}, None
    yield {}, "tool_calls" if calls else "stop"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        answer = b'{"object": "list", "data": [{"id": "double", "object": "model", "created": 1, "owned_by": "nobody"}]}'
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "fail with 400" in json.dumps(body["messages"][-1]):
            answer = b'{"error": {"message": "too long", "type": "invalid_request_error"}}'
            self.send_response(400)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        base = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
        events = [dict(base, choices=[{"index": 0, "delta": delta, "finish_reason": end}]) for delta, end in chunks(*part(body))]
        events.append(dict(base, choices=[], usage={"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}))
        for event in [json.dumps(event) for event in events] + ["[DONE]"]:
            data = f"data: {event}\n\n".encode()
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
