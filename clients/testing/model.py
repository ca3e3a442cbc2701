"""A model that follows rules instead of thinking, for tests and examples.

It speaks OpenAI chat completions (whole and streamed), OpenAI Responses and Anthropic Messages on loopback.
A rule is {"when": REGEX} on the last thing that the user said, and one of

- {"tool": NAME, "input": {…}}: calls a tool, once for each message of the user;
- {"find": REGEX, "say": "… {found} …", "else": "…"}: looks in everything else that the prompt contains;
- {"say": "…"}.

`{0}`, `{1}`, … in an input or a text are the groups of `when`. After the call of a tool, the rules without a tool
are tried.
"""

from __future__ import annotations

import http.server
import json
import re
import threading
from typing import Any

RULES: list[dict[str, Any]] = [
    {"when": "(?i)remember that (.*?)[.!]?$", "tool": "store_memory", "input": {"content": "{1}"}},
    {"when": "(?i)remember that", "say": "I will remember that."},
    {"when": "(?i)what do you know", "find": "(?i)window seats|aisle seats", "say": "You prefer {found}.", "else": "Nothing yet."},
    {"when": "", "say": "Hello."},
]


class Prompt:
    """A request, whichever of the three protocols it uses."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.turns: list[tuple[str, str]] = []
        system = body.get("system") or body.get("instructions")
        if system:
            self.turns.append(("system", words(system)))
        given = body.get("messages", body.get("input", []))
        for turn in [{"role": "user", "content": given}] if isinstance(given, str) else given:
            self._add(turn)
        self.tools = {tool.get("name") or tool.get("function", {}).get("name") for tool in body.get("tools") or []}

    def _add(self, turn: dict[str, Any]) -> None:
        content = turn.get("content")
        results = [part for part in content if part.get("type") == "tool_result"] if isinstance(content, list) else []
        if results:
            self.turns += [("tool", words(part.get("content"))) for part in results]
        elif turn.get("type") == "function_call_output":
            self.turns.append(("tool", words(turn.get("output"))))
        elif turn.get("type") == "function_call":
            self.turns.append(("call", ""))
        else:
            self.turns.append((turn.get("role", "user"), words(content)))

    def asked(self) -> tuple[str, str, bool]:
        """What the user said last, all the rest, and whether a tool has answered since."""
        at = max((number for number, (role, _) in enumerate(self.turns) if role == "user"), default=-1)
        question = self.turns[at][1] if at >= 0 else ""
        rest = "\n".join(text for number, (_, text) in enumerate(self.turns) if number != at)
        return question, rest, any(role == "tool" for role, _ in self.turns[at + 1 :])


def words(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(words(part.get("text") or part.get("content") or "") if isinstance(part, dict) else str(part) for part in content)
    return "" if content is None else json.dumps(content)


def decide(rules: list[dict[str, Any]], prompt: Prompt) -> dict[str, Any]:
    """The text to say, or the tool to call."""
    question, rest, answered = prompt.asked()
    for rule in rules:
        match = re.search(rule["when"], question)
        if match is None or ("tool" in rule and (answered or rule["tool"] not in prompt.tools)):
            continue
        groups = [match.group(0), *(group or "" for group in match.groups())]
        if "tool" in rule:
            return {"tool": rule["tool"], "input": filled(rule["input"], groups)}
        found = re.search(rule["find"], rest) if "find" in rule else None
        if "find" in rule and found is None:
            return {"say": rule["else"]}
        return {"say": filled(rule["say"].replace("{found}", found.group(0) if found else ""), groups)}
    return {"say": "Hello."}


def filled(value: Any, groups: list[str]) -> Any:
    if isinstance(value, dict):
        return {name: filled(each, groups) for name, each in value.items()}
    if isinstance(value, str):
        for number, group in enumerate(groups):
            value = value.replace("{%d}" % number, group)
    return value


def chat(body: dict[str, Any], act: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": act.get("say")}
    if "tool" in act:
        function = {"name": act["tool"], "arguments": json.dumps(act["input"])}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if "tool" in act else "stop", "logprobs": None}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": body.get("model", "scripted")}
    return {**head, "choices": [choice], "usage": usage}


def chunks(whole: dict[str, Any]) -> list[str]:
    """A chat completion in pieces."""
    choice = whole["choices"][0]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    for number, call in enumerate(choice["message"].get("tool_calls", [])):
        deltas.append({"tool_calls": [{"index": number, **call}]})
    deltas += [{"content": word} for word in re.findall(r"\S+\s*", choice["message"]["content"] or "")]
    head = {name: whole[name] for name in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    events = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    events.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    events.append({**head, "choices": [], "usage": whole["usage"]})
    return [f"data: {json.dumps(event)}\n\n" for event in events] + ["data: [DONE]\n\n"]


def response(body: dict[str, Any], act: dict[str, Any]) -> dict[str, Any]:
    if "tool" in act:
        call = {"name": act["tool"], "arguments": json.dumps(act["input"]), "call_id": "call_1", "status": "completed"}
        item = {"id": "fc_1", "type": "function_call", **call}
    else:
        text = {"type": "output_text", "text": act["say"], "annotations": []}
        item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [text]}
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    head = {"id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": body.get("model", "scripted")}
    rest = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "output": [item], "usage": usage | details}
    return head | rest


class Threads:
    """The conversations that Anthropic's SDK continues by the id of the last message, without sending them again."""

    def __init__(self) -> None:
        self._bodies: dict[str, dict[str, Any]] = {}

    def whole(self, body: dict[str, Any]) -> dict[str, Any]:
        before = self._bodies.get((body.get("thread") or {}).get("previous_message_id", ""), {})
        return {**before, **body, "messages": [*before.get("messages", []), *body["messages"]]}

    def note(self, body: dict[str, Any], answer: dict[str, Any]) -> None:
        answer["id"] = f"msg_{len(self._bodies) + 1}"
        said = {"role": "assistant", "content": answer["content"]}
        self._bodies[answer["id"]] = {**body, "messages": [*body["messages"], said]}


def message(body: dict[str, Any], act: dict[str, Any]) -> dict[str, Any]:
    if "tool" in act:
        block = {"type": "tool_use", "id": "toolu_1", "name": act["tool"], "input": act["input"]}
    else:
        block = {"type": "text", "text": act["say"]}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model", "scripted")}
    stop = "tool_use" if "tool" in act else "end_turn"
    return {**head, "content": [block], "stop_reason": stop, "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 5}}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    rules: list[dict[str, Any]] = RULES
    threads: Threads

    def do_GET(self) -> None:
        one = {"id": "scripted", "object": "model", "created": 1, "owned_by": "tests"}
        self._send("application/json", json.dumps({"object": "list", "data": [one]}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        path = self.path.partition("?")[0]
        if path.endswith("/messages"):
            body = self.threads.whole(body)
        act = decide(self.rules, Prompt(body))
        if path.endswith("/chat/completions") and body.get("stream"):
            self._send("text/event-stream", "".join(chunks(chat(body, act))))
        elif path.endswith("/chat/completions"):
            self._send("application/json", json.dumps(chat(body, act)))
        elif path.endswith("/responses"):
            self._send("application/json", json.dumps(response(body, act)))
        elif path.endswith("/messages"):
            answer = message(body, act)
            self.threads.note(body, answer)
            self._send("application/json", json.dumps(answer))
        else:
            self.send_error(404)

    def _send(self, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


def start(rules: list[dict[str, Any]] | None = None) -> http.server.ThreadingHTTPServer:
    """Serves in the background; `server_address` has the port."""
    handler = type("Rules", (Handler,), {"rules": rules or RULES, "threads": Threads()})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
