"""Runs coding agents themselves, with a scripted model, and looks at what reaches the model.

    python3 tools/agents/run.py --recalld target/release/recalld --agents DIR [claude-code] [opencode]

DIR is a folder in which `npm install @anthropic-ai/claude-code opencode-ai` was run. Four sessions
each: the first says something, the second in the same repository must know it without a tool call, a
third in another repository must not, and a fourth in a worktree of the first must. Everything runs in
a network namespace that has loopback only, if this user may make one; otherwise it says so.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scripted_model import ScriptedModel

TOLD = "Remember that the integration tests need a running PostgreSQL on port 5433"
KNOWN = "need a running PostgreSQL on port 5433"
ASKED = "why do the integration tests fail without PostgreSQL?"
SECONDS_MAX = 180


class Run:
    def __init__(self, arguments, agent, place):
        self.recalld = str(Path(arguments.recalld).resolve())
        self.bin = Path(arguments.agents).resolve() / "node_modules" / ".bin"
        self.agent = agent
        self.home = place / "home"
        self.home.mkdir()
        self.model = ScriptedModel()
        self.first, self.other, self.tree = (place / name for name in ("first", "other", "tree"))
        for repository in (self.first, self.other):
            self.git("init", "-q", str(repository))
            (repository / "README.md").write_text(f"# {repository.name}\n")
            self.git("-C", str(repository), "add", ".")
            self.git("-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@example.com",
                     "commit", "-qm", "start")
        self.git("-C", str(self.first), "worktree", "add", "-q", str(self.tree))

    def environment(self):
        quiet = {
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1", "DISABLE_BUG_COMMAND": "1", "CLAUDE_CODE_ENABLE_TELEMETRY": "0",
            "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1", "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1", "DO_NOT_TRACK": "1", "CI": "1",
        }
        return {
            "HOME": str(self.home), "PATH": f"{self.bin}:{os.environ['PATH']}", "TERM": "dumb", "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": self.model.url, "ANTHROPIC_API_KEY": "sk-scripted",
            # A debug binary on a busy machine is slow; what is looked at here is not time.
            "RECALLD_HOOKS_ANSWER_MS_MAX": "10000",
            **quiet,
        }

    def git(self, *words):
        subprocess.run(["git", *words], check=True, env={"HOME": str(self.home), "PATH": os.environ["PATH"]})

    def recall(self, *words):
        """Runs a command. A hook of the last session may still hold the data directory for a while."""
        end = time.monotonic() + 60
        while True:
            done = subprocess.run([self.recalld, *words], env=self.environment(), cwd=self.first, text=True,
                                  capture_output=True, timeout=SECONDS_MAX)
            if done.returncode == 0:
                return done.stdout
            if "locked" not in done.stderr and "in use" not in done.stderr or end < time.monotonic():
                sys.exit(f"recalld {' '.join(words)}: {done.stdout}{done.stderr}")
            time.sleep(1)

    def session(self, folder, prompt):
        """One session with one prompt. Gives what the agent sent to its model, as one text."""
        self.model.take()
        words = COMMANDS[self.agent](prompt)
        done = subprocess.run(words, env=self.environment(), cwd=folder, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=SECONDS_MAX)
        requests = self.model.take()
        if done.returncode != 0 or not requests:
            sys.exit(f"{self.agent} in {folder.name}: exit {done.returncode}, {len(requests)} requests\n"
                     f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
        called = [part for _, body in requests for part in tool_calls(body)]
        if called:
            sys.exit(f"{self.agent} called tools: {called}")
        return "\n".join(json.dumps(body.get("messages")) + json.dumps(body.get("system")) for _, body in requests)

    def walk(self):
        before = files(self.home)
        self.recall("connect", self.agent, "--hooks", "--yes")
        if self.agent == "opencode":
            self.configure_opencode()
        self.session(self.first, TOLD)
        learned = self.learned()
        second = self.session(self.first, ASKED)
        third = self.session(self.other, ASKED)
        fourth = self.session(self.tree, ASKED)
        found = {
            "stored": KNOWN in learned,
            "the second session knows": KNOWN in second,
            "another repository does not": KNOWN not in third,
            "a worktree does": KNOWN in fourth,
        }
        self.recall("connect", self.agent, "--remove", "--yes")
        left = [name for name, text in before.items() if files(self.home).get(name) != text]
        found["--remove leaves the files as they were"] = not left
        if not found["another repository does not"]:
            at = third.index(KNOWN)
            print(f"in the other repository: {third[max(0, at - 400):at + 200]}")
        for name, holds in found.items():
            print(f"{self.agent}: {name}: {'yes' if holds else 'NO'}", flush=True)
        return all(found.values())

    def learned(self):
        """What is stored; the agent may not wait for the hook that stores it."""
        end = time.monotonic() + 60
        while True:
            listed = self.recall("list", "--json")
            if KNOWN in listed or end < time.monotonic():
                return listed
            time.sleep(1)

    def configure_opencode(self):
        path = self.home / ".config/opencode/opencode.json"
        config = json.loads(path.read_text())
        # A provider of our own: the ones that opencode knows by name are looked up on the network first.
        config["provider"] = {"scripted": {
            "npm": "@ai-sdk/openai-compatible", "name": "scripted", "models": {"scripted": {"name": "scripted"}},
            "options": {"baseURL": f"{self.model.url}/v1", "apiKey": "sk-scripted"},
        }}
        config["model"] = config["small_model"] = "scripted/scripted"
        config["autoupdate"] = False
        config["share"] = "disabled"
        path.write_text(json.dumps(config))


def tool_calls(body):
    parts = [part for message in body.get("messages", []) for part in as_list(message.get("content"))]
    return [part.get("name") for part in parts if part.get("type") == "tool_use"]


def as_list(content):
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def files(home):
    """The files of clients that recalld edits, with their contents."""
    names = [".claude.json", ".claude/settings.json", ".config/opencode/opencode.json",
             ".config/opencode/plugins/recalld.js"]
    paths = {name: home / name for name in names}
    return {name: path.read_bytes() for name, path in paths.items() if path.exists()}


COMMANDS = {
    "claude-code": lambda prompt: ["claude", "-p", prompt, "--model", "claude-sonnet-4-5", "--output-format", "text"],
    "opencode": lambda prompt: ["opencode", "run", "--model", "scripted/scripted", prompt],
}


def alone():
    """Starts again in a network namespace with loopback only."""
    if os.environ.get("RECALLD_ALONE") or not shutil.which("unshare"):
        return
    probe = ["unshare", "--net", "sh", "-c", "ip link set lo up"]
    if subprocess.run(probe, capture_output=True).returncode != 0:
        print("no network namespace: only the environment keeps the agents from calling out", flush=True)
        return
    os.environ["RECALLD_ALONE"] = "1"
    os.execvp("unshare", ["unshare", "--net", "sh", "-c", 'ip link set lo up; exec "$@"', "sh",
                          sys.executable, *sys.argv])


def main():
    alone()
    parser = argparse.ArgumentParser()
    parser.add_argument("--recalld", required=True)
    parser.add_argument("--agents", required=True)
    parser.add_argument("which", nargs="*", default=list(COMMANDS))
    arguments = parser.parse_args()
    good = True
    for agent in arguments.which:
        with tempfile.TemporaryDirectory() as place:
            good &= Run(arguments, agent, Path(place)).walk()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
