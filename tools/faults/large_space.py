#!/usr/bin/env python3
"""Measures a built recalld with one very large user, beside what a small one costs.

    python3 tools/faults/large_space.py target/release/recalld [--rows 100000]

It imports a table of that many rows into a running server, adds one memory more, restarts the server, and asks for
health while the large space is loaded and searched. It prints one line a measurement, and fails when a bar is missed:
the document stays within its cap, an import needs at most 64 MiB above the idle server, health answers within 50 ms.
Only the standard library is used, and only the loopback address.
"""

import argparse
import hashlib
import http.client
import io
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path

HEALTH_MS_MAX = 50.0
IMPORT_MIB_MAX = 64.0
DOCUMENT_TOKENS_MAX = 10_000
MINUTES_MAX = 20


class Server:
    """A running `recalld serve` with its keys."""

    def __init__(self, binary, data):
        command = [binary, "serve", "--json", "--listen", "127.0.0.1:0", "--data", data]
        command += ["-o", "server.per_key_second_max=1000000"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        text = ""
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"recalld did not start: {text}")
            text += line
            try:
                self.port = int(json.loads(text)["url"].rsplit(":", 1)[1])
                break
            except ValueError:
                continue
        found = [path for path in Path(data).rglob("keys.json")]
        keys = json.loads(found[0].read_text())
        self.key = keys["local"]

    def stop(self):
        self.process.kill()
        self.process.wait()

    def ask(self, method, path, body=None, kind="application/json", timeout=60 * MINUTES_MAX):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {"authorization": f"Bearer {self.key}"}
        if body is not None:
            headers["content-type"] = kind
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read()
        connection.close()
        try:
            return response.status, json.loads(text)
        except ValueError:
            return response.status, text

    def memory_mib(self, name):
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) / 1024
        raise SystemExit("the system does not say how much memory is used")

    def forget_peak(self):
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")


def table(rows):
    """A table of facts that differ in their words."""
    chance = random.Random(7)
    things = "tea coffee chess tennis opera jazz maps boats roses bread trains films poems cats dogs stones".split()
    out = io.StringIO()
    out.write("content\n")
    for number in range(rows):
        first, second = chance.choice(things), chance.choice(things)
        out.write(f"Prefers {first} to {second} on day {number} in street {chance.randrange(10_000)}\n")
    return out.getvalue().encode()


class Health(threading.Thread):
    """Asks for health again and again, on one connection each time, and keeps the times."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.times, self.on = server, [], True

    def run(self):
        while self.on:
            began = time.perf_counter()
            status, _ = self.server.ask("GET", "/health/live", timeout=120)
            self.times.append((time.perf_counter() - began) * 1000 if status == 200 else float("inf"))
            time.sleep(0.005)

    def stop(self):
        self.on = False
        self.join()
        times = sorted(self.times)
        return {"asked": len(times), "p50": times[len(times) // 2], "p99": times[len(times) * 99 // 100], "max": times[-1]}


def watched(server, work):
    """Does some work while health is asked for."""
    health = Health(server)
    health.start()
    began = time.perf_counter()
    result = work()
    seconds = time.perf_counter() - began
    return result, seconds, health.stop()


def imported(server, body, kind):
    """Imports, and waits for the end when the server goes on in the background."""
    status, report = server.ask("POST", "/v1/import", body, kind)
    until = time.time() + 60 * MINUTES_MAX
    while status in (200, 202) and report.get("state") == "running" and time.time() < until:
        time.sleep(0.5)
        status, report = server.ask("GET", f"/v1/import/{report['id']}")
    return status, report


def bombs():
    """An archive that is a thousand times as large unpacked, with a manifest that fits, and deeply nested JSON."""
    spaces = b" " * (256 << 20)
    listed = [{"name": "memories.jsonl", "lines": 1, "bytes": len(spaces), "sha256": hashlib.sha256(spaces).hexdigest()}]
    manifest = {"format": "recalld-archive", "version": 1, "user": "eve", "files": listed}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        packed.writestr("memories.jsonl", spaces)
        packed.writestr("manifest.json", json.dumps(manifest))
    yield "zip", "application/zip", out.getvalue()
    yield "nested JSON", "application/json", b'{"results":' + b"[" * (30 << 20)
    yield "long JSON", "application/json", b'{"results":[' + b'{"id":"a","memory":"x"},' * (1 << 20) + b"0]}"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("binary")
    options.add_argument("--rows", type=int, default=100_000)
    options = options.parse_args()
    missed = []

    def bar(name, value, most, unit):
        fine = value <= most
        print(f"{name}: {value:.1f} {unit} (at most {most:g}) {'ok' if fine else 'MISSED'}")
        if not fine:
            missed.append(name)

    with tempfile.TemporaryDirectory() as data:
        server = Server(options.binary, data)
        try:
            server.ask("POST", "/v1/memories", {"content": "Lives in Porto"})
            server.ask("POST", "/v1/search", {"query": "where"})
            _, _, quiet = watched(server, lambda: time.sleep(1))
            print(f"control, idle server: health p50 {quiet['p50']:.1f} ms, max {quiet['max']:.1f} ms")

            for name, kind, bomb in bombs():
                idle = server.memory_mib("VmRSS")
                server.forget_peak()
                (status, _), seconds, _ = watched(server, lambda: imported(server, bomb, kind))
                print(f"{name} of {len(bomb)} bytes: {status} after {seconds:.1f} s")
                bar(f"{name}, memory above idle", server.memory_mib("VmHWM") - idle, IMPORT_MIB_MAX, "MiB")

            rows = table(options.rows)
            idle = server.memory_mib("VmRSS")
            server.forget_peak()
            (status, report), seconds, during = watched(server, lambda: imported(server, rows, "text/csv"))
            print(f"import of {options.rows} rows: {status} after {seconds:.1f} s, {options.rows / seconds:.0f} rows/s")
            print(f"  {json.dumps(report)[:300]}")
            print(f"  memory: {idle:.0f} MiB idle, peak {server.memory_mib('VmHWM'):.0f} MiB (the space itself is held too)")
            bar("health during the import, max", during["max"], HEALTH_MS_MAX, "ms")
            _, document = server.ask("GET", "/v1/document")
            tokens = (document.get("metadata") or document.get("document", {}).get("metadata", {})).get("token_count", 0)
            bar("document after the import", tokens, DOCUMENT_TOKENS_MAX, "tokens")
            began = time.perf_counter()
            status, _ = server.ask("POST", "/v1/memories", {"content": "Plays the cello on Sundays"})
            print(f"next add: {status} after {(time.perf_counter() - began) * 1000:.0f} ms")
        finally:
            server.stop()

        server = Server(options.binary, data)
        try:
            ask = lambda: server.ask("POST", "/v1/search", {"query": "who prefers tea on day 77"})
            (status, found), seconds, during = watched(server, ask)
            count = len(found.get("results", [])) if isinstance(found, dict) else 0
            print(f"first search after a restart, {options.rows} memories loaded: {status}, {count} results, {seconds:.1f} s")
            print(f"  health meanwhile: asked {during['asked']}, p50 {during['p50']:.1f} ms, p99 {during['p99']:.1f} ms")
            bar("health during the load, max", during["max"], HEALTH_MS_MAX, "ms")
        finally:
            server.stop()
    if missed:
        sys.exit(f"missed: {', '.join(missed)}")


if __name__ == "__main__":
    main()
