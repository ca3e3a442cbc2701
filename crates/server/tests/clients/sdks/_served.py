"""Starts recalld with a data directory of its own, or on the database of the run, for the time of a `with`."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import uuid


class Served:
    """A running server: its address, and keys of users that nobody has used before."""

    def __init__(self, url, admin, home):
        self.url, self.admin, self.home = url, admin, home

    def key(self, name="user", kind="user"):
        """Makes a key of a fresh user, or of a service."""
        arguments = [os.environ["RECALLD_BIN"], "keys", "create", "--kind", kind, "-q", "--data", self.home]
        if kind == "user":
            arguments += ["--for", f"{name}-{uuid.uuid4().hex[:8]}"]
        if database := os.environ.get("RECALLD_TEST_DATABASE"):
            arguments += ["--database-url", database]
        return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.strip()


@contextlib.contextmanager
def served(model=None, settings=()):
    """Gives the server. `model` is the address of a model in the shape of OpenAI's; `settings` are more of its settings."""
    with tempfile.TemporaryDirectory() as home:
        serve = [os.environ["RECALLD_BIN"], "serve", "--json", "--listen", "127.0.0.1:0", "--data", home]
        if database := os.environ.get("RECALLD_TEST_DATABASE"):
            serve += ["--database-url", database]
        if model:
            serve += ["-o", f"openai.url={model}"]
        for setting in settings:
            serve += ["-o", setting]
        log = open(os.path.join(home, "serve.log"), "w")
        server = subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            text = ""
            while not text.rstrip().endswith("}"):
                line = server.stdout.readline()
                if not line:
                    raise RuntimeError(pathlib.Path(home, "serve.log").read_text())
                text += line
            yield Served(json.loads(text)["url"], None, home)
        finally:
            server.terminate()
            server.wait()


@contextlib.contextmanager
def model():
    """Starts the model that plays a fixed part, and gives its address."""
    script = pathlib.Path(__file__).with_name("model.py")
    process = subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait()


if __name__ == "__main__":
    # For scripts in JavaScript: the address and two keys, until the input ends.
    with served(sys.argv[1] if 1 < len(sys.argv) else None) as server:
        print(json.dumps({"url": server.url, "ana": server.key("ana"), "bob": server.key("bob")}), flush=True)
        sys.stdin.read()
