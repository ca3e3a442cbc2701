"""Traces of a real run, decoded with the official protobuf definitions (`opentelemetry-proto`)."""

import http.server
import json
import threading
import time
import urllib.request

import _served
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


class Standing(http.server.BaseHTTPRequestHandler):
    """A collector and a model that fails, in one: both keep what they are sent."""

    spans, parents, faults = [], [], []

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/v1/traces":
            self.keep(body)
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def keep(self, body):
        if self.headers["content-type"] != "application/x-protobuf" or self.headers["x-team"] != "s3cret":
            self.faults.append(str(self.headers))
        request = ExportTraceServiceRequest()
        request.ParseFromString(body)
        if request.SerializeToString() != body:
            self.faults.append("fields that the definitions do not have, or in another order")
        for resource in request.resource_spans:
            named = {a.key: a.value.string_value for a in resource.resource.attributes}
            if named["service.name"] != "memory" or not named["service.version"]:
                self.faults.append(str(named))
            for scope in resource.scope_spans:
                self.spans.extend(scope.spans)


def attributes(span):
    return {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in span.attributes}


def call(server, key, method, path, body=None, headers=None):
    request = urllib.request.Request(server.url + path, method=method, data=json.dumps(body).encode() if body else None)
    request.add_header("authorization", f"Bearer {key}")
    request.add_header("content-type", "application/json")
    for name, value in (headers or {}).items():
        request.add_header(name, value)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def use(server, sampled="01"):
    """Does a bit of everything as one user, in one trace."""
    key = server.key("ana")
    traced = {"traceparent": f"00-{TRACE}-{PARENT}-{sampled}"}
    made = call(server, key, "POST", "/v1/memories", {"content": "Ana lives in Lisbon"}, traced)
    memory = made.get("memory", made)["id"]
    call(server, key, "POST", "/v1/search", {"query": "where does Ana live"}, traced)
    call(server, key, "PATCH", f"/v1/memories/{memory}", {"content": "Ana lives in Porto"}, traced)
    call(server, key, "POST", "/v1/tools/search_memory", {"query": "where does Ana live"}, traced)
    call(server, key, "POST", "/api/chat", {"message": "remember that I prefer window seats", "stream": False}, traced)
    call(server, key, "GET", "/v1/memories")
    return memory


def run(collector, model, *settings):
    Standing.spans.clear()
    with _served.served(model, [f"telemetry.endpoint={collector}", "telemetry.headers=x-team=s3cret", "telemetry.service=memory", *settings]) as server:
        memory = use(server)
    # The server has stopped, and sends what it has before it does.
    return memory, {span.span_id: span for span in Standing.spans}


def check_tree(spans, memory):
    of_trace = [span for span in spans.values() if span.trace_id.hex() == TRACE]
    names = {span.name for span in of_trace}
    wanted = {"POST /v1/memories", "create_memory", "search_memory", "update_memory", "execute_tool search_memory", "POST /api/chat"}
    assert wanted <= names, wanted - names
    assert any(name.startswith("chat ") for name in names), names
    for span in of_trace:
        assert span.flags & 1 and len(span.span_id) == 8
        assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano < (time.time() + 1) * 1e9
        if span.kind == Span.SPAN_KIND_SERVER:
            assert span.parent_span_id.hex() == PARENT, span
            assert attributes(span)["http.response.status_code"] in (200, 201)
        else:
            assert span.parent_span_id in spans, span.name
        assert span.status.code != Status.STATUS_CODE_ERROR, span
    created = next(span for span in of_trace if span.name == "create_memory" and attributes(span).get("gen_ai.memory.record.id") == memory)
    assert attributes(created)["gen_ai.operation.name"] == "create_memory"
    assert spans[created.parent_span_id].name == "POST /v1/memories"
    chat = next(span for span in of_trace if span.name.startswith("chat "))
    assert chat.kind == Span.SPAN_KIND_CLIENT and "server.address" in attributes(chat)
    other = [span for span in spans.values() if span.trace_id.hex() != TRACE]
    assert any(span.name == "GET /v1/memories" and not span.parent_span_id for span in other), "a trace of its own"


with _served.model() as model:
    standing = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Standing)
    threading.Thread(target=standing.serve_forever, daemon=True).start()
    collector = f"http://127.0.0.1:{standing.server_port}"
    memory, spans = run(collector, model)
    check_tree(spans, memory)
    told = json.dumps([[str(value) for value in attributes(span).values()] for span in spans.values()])
    assert "Lisbon" not in told and "window" not in told and "ana-" not in told, "content or users that nobody asked for"
    memory, spans = run(collector, model, "telemetry.content=true", "telemetry.users=true")
    told = json.dumps([attributes(span) for span in spans.values()])
    assert "Ana lives in Lisbon" in told and "where does Ana live" in told and "ana-" in told
    # The caller decides that its requests are not recorded; the share decides for the rest.
    Standing.spans.clear()
    with _served.served(model, [f"telemetry.endpoint={collector}", "telemetry.sampled_share=0"]) as server:
        use(server, sampled="00")
    assert not Standing.spans, Standing.spans
    assert not Standing.faults, Standing.faults
print(f"{len(spans)} spans in the last run, decoded with the official definitions")
