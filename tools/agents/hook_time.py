"""Measures what a hook costs with many memories, with a server and without.

    python3 tools/agents/hook_time.py --recalld target/release/recalld [--memories 10000] [--runs 100]

Prints the median and the 99th percentile of wall time and CPU time, and how often the hook said
something: one that gives up in time says nothing.
"""

import argparse
import json
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

TOPICS = ["worker", "billing", "search", "gateway", "report", "login", "export", "cache", "mail", "upload"]
FACTS = ["reads its jobs from queue", "stores amounts in table", "is deployed from branch", "listens on port",
         "is owned by team", "was rewritten in sprint", "logs to bucket", "retries after seconds"]


def statements(count):
    for number in range(count):
        topic, fact = TOPICS[number % len(TOPICS)], FACTS[number // len(TOPICS) % len(FACTS)]
        yield f"The {topic} service {number} {fact} {number * 7 % 9973}"


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def measure(recalld, environment, folder, runs, label):
    wall, cpu, said = [], [], 0
    for number in range(runs):
        topic = TOPICS[number % len(TOPICS)]
        event = {"session_id": f"{label}-{number}", "cwd": str(folder), "hook_event_name": "UserPromptSubmit",
                 "prompt": f"why does the {topic} service {number * 10} fail?"}
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run([recalld, "hook", "prompt", "-"], env=environment, input=json.dumps(event),
                              capture_output=True, text=True, timeout=60)
        wall.append(time.monotonic() - began)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        said += bool(done.stdout)
        assert done.returncode == 0, done.stderr
    figures = [f"{name} median {1000 * percentile(values, 0.5):.0f} ms, p99 {1000 * percentile(values, 0.99):.0f} ms"
               for name, values in (("wall", wall), ("CPU", cpu))]
    print(f"{label}: {'; '.join(figures)}; said something {said} of {runs}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--recalld", required=True)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=100)
    arguments = parser.parse_args()
    recalld = str(Path(arguments.recalld).resolve())
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "project"
        folder.mkdir()
        environment = {"HOME": place, "PATH": os.environ["PATH"]}
        lines = Path(place) / "memories.txt"
        lines.write_text("".join(one + "\n" for one in statements(arguments.memories)))
        done = subprocess.run([recalld, "import", str(lines), "--from", "text"], env=environment, capture_output=True, text=True)
        print(done.stdout.strip() or done.stderr.strip(), flush=True)
        print(f"load {os.getloadavg()[0]:.1f}", flush=True)
        measure(recalld, environment, folder, arguments.runs, "without a server")
        server = subprocess.Popen([recalld, "serve", "--listen", "0"], env=environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(5)
            measure(recalld, environment, folder, arguments.runs, "with a server")
        finally:
            server.terminate()
            server.wait(30)


if __name__ == "__main__":
    main()
