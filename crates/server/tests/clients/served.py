"""Starts recalld with the model of model.py and a data directory of its own, for the time of a `with`."""

import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile


@contextlib.contextmanager
def served(binary):
    """Gives the server's address and the local user's key."""
    model = pathlib.Path(__file__).with_name("model.py")
    with tempfile.TemporaryDirectory() as home:
        model = subprocess.Popen([sys.executable, model], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        url = model.stdout.readline().strip()
        serve = [binary, "serve", "--json", "--listen", "127.0.0.1:0", "--data", home, "-o", f"openai.url={url}"]
        server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
        try:
            text = ""
            while not text.rstrip().endswith("}"):
                text += server.stdout.readline()
            yield json.loads(text)["url"], json.loads(pathlib.Path(home, "keys.json").read_text())["local"]
        finally:
            server.terminate()
            server.wait()
            model.stdin.close()
            model.wait()


if __name__ == "__main__":
    # For clients in other languages: the address and the key, until the input ends.
    with served(sys.argv[1]) as (url, key):
        print(json.dumps({"url": url, "key": key}), flush=True)
        sys.stdin.read()
