"""Signs in with Claude Code itself (`claude mcp login`), without a key in its configuration. The user's part is played here.

npm install @anthropic-ai/claude-code
python claude_code_signin.py PATH_TO_RECALLD node_modules/.bin/claude
"""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import urllib.error
import urllib.parse
import urllib.request

from served import served


class Stay(urllib.request.HTTPRedirectHandler):
    """Shows a redirect instead of following it."""

    def redirect_request(self, *_):
        return None


def consent(page, url, key):
    """Does what the browser and the console do, and gives the address to which the user is sent back."""
    try:
        urllib.request.build_opener(Stay).open(page)
        raise AssertionError("the page redirects")
    except urllib.error.HTTPError as answer:
        assert answer.code == 302, answer.read()
        place = urllib.parse.urlsplit(answer.headers["location"])
    assert place.fragment.startswith("/authorize?"), place
    asked = dict(urllib.parse.parse_qsl(place.fragment.split("?", 1)[1]))
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{url}/v1/oauth/grants", json.dumps({**asked, "allow": True}).encode(), headers)
    return json.loads(urllib.request.urlopen(request).read())["redirect_to"]


def sign_in(claude, environment, home, url, key):
    """Starts the sign-in in a terminal, opens the page that it prints, and pastes the address back."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(home)
        os.execve(claude, [claude, "mcp", "login", "recalld", "--no-browser"], environment)
    # Wide, so that the address stays on one line.
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 2000, 0, 0))
    said, has_pasted, end = "", False, time.time() + 90
    while time.time() < end:
        if select.select([terminal], [], [], 1)[0]:
            try:
                more = os.read(terminal, 65536).decode(errors="replace")
            except OSError:
                break
            said += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", more)
        page = re.search(re.escape(url) + r"/oauth/authorize\?\S+", said)
        if page and "paste" in said.lower() and not has_pasted:
            has_pasted = True
            os.write(terminal, (consent(page.group(0), url, key) + "\r").encode())
    os.waitpid(process, 0)
    assert has_pasted, said
    return said


def main(binary, claude):
    claude = os.path.abspath(claude)
    with served(binary) as (url, key), tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "DISABLE_TELEMETRY": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}

        def run(*arguments):
            done = subprocess.run([claude, "mcp", *arguments], env=environment, cwd=home, capture_output=True, text=True, timeout=60)
            return done.stdout + done.stderr

        run("add", "--transport", "http", "recalld", f"{url}/mcp")
        assert "Needs authentication" in (told := run("list")), told
        said = sign_in(claude, environment, home, url, key)
        assert "Connected" in (told := run("list")), told + said
        print("Claude Code signed in: " + told.strip().splitlines()[-1])


main(*sys.argv[1:])
