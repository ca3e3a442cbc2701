"""Runs the proxy examples of docs/operations.md as they stand there, before a server, and uses it through them.

    python3 tools/rehearsal/proxies.py --binary target/release/recalld

Needs nginx and caddy (Debian: nginx-light, caddy) and openssl. Only names, ports and paths of this machine are put in.
"""

import argparse
import contextlib
import json
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
import http.client

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/operations.md"


def example(after, fence):
    """The first block with this fence after a heading."""
    text = PAGE.read_text()
    found = re.search(re.escape(after) + r".*?```" + fence + r"\n(.*?)```", text, re.S)
    assert found, f"no example after {after}"
    return found.group(1)


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


def wait_for(port, process):
    for _ in range(300):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)
    raise AssertionError(f"nothing listens on {port}")


def wait_until_ready(port):
    for _ in range(300):
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            connection.request("GET", "/health/ready")
            if connection.getresponse().status == 200:
                return
        time.sleep(0.1)
    raise AssertionError("the server is not ready")


@contextlib.contextmanager
def running(arguments, port, **more):
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    try:
        wait_for(port, process)
        yield process
    finally:
        process.terminate()
        # A proxy may wait for streams that are still open.
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def nginx(home, port, server):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=memory.example",
         "-addext", "subjectAltName=DNS:memory.example", "-keyout", f"{home}/memory.key", "-out", f"{home}/memory.pem"],
        check=True, capture_output=True)
    block = example("nginx:", "nginx").replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace("/etc/ssl/", f"{home}/")
    block = block.replace("127.0.0.1:7077", f"127.0.0.1:{server}")
    paths = "".join(f"{name}_temp_path {home}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    conf = pathlib.Path(home, "nginx.conf")
    conf.write_text(f"daemon off; pid {home}/pid; error_log stderr; user root;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{block}}}\n")
    return ["nginx", "-p", home, "-c", str(conf)], f"{home}/memory.pem"


def caddy(home, port, server):
    block = example("Caddy:", "").replace("memory.example {", f"memory.example:{port} {{").replace("127.0.0.1:7077", f"127.0.0.1:{server}")
    ours = f"{{\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n\thttp_port {free_port()}\n\tstorage file_system {home}/caddy\n}}\n"
    conf = pathlib.Path(home, "Caddyfile")
    conf.write_text(ours + block)
    return ["caddy", "run", "--config", str(conf), "--adapter", "caddyfile"], f"{home}/caddy/pki/authorities/local/root.crt"


class Through:
    """Calls by the public name through a proxy on loopback, with TLS that is checked."""

    def __init__(self, port, authority, key):
        self.port, self.key = port, key
        for _ in range(100):
            if pathlib.Path(authority).exists():
                break
            time.sleep(0.1)
        self.tls = ssl.create_default_context(cafile=authority)

    def open(self):
        connection = http.client.HTTPConnection("memory.example", self.port, timeout=30)
        for attempt in range(50):
            plain = socket.create_connection(("127.0.0.1", self.port), 30)
            try:
                connection.sock = self.tls.wrap_socket(plain, server_hostname="memory.example")
                return connection
            except ssl.SSLError:
                # Caddy listens before its certificate is there.
                plain.close()
                if attempt == 49:
                    raise
                time.sleep(0.1)

    def call(self, method, path, body=None, **headers):
        connection = self.open()
        headers = {"host": "memory.example", "authorization": f"Bearer {self.key}", "content-type": "application/json", **headers}
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        return connection.getresponse()


def use(through, name):
    """A memory, a large document, MCP by the public name, and a stream that is not held back."""
    answer = through.call("POST", "/v1/memories", {"content": f"Ana reaches it through {name}"})
    assert answer.status == 201, (answer.status, answer.read())
    found = json.load(through.call("POST", "/v1/search", {"query": "how does Ana reach it"}))
    assert name in json.dumps(found)
    # The server answers for itself what is too large; the proxy lets it pass.
    answer = through.call("POST", "/v1/memories", {"content": "x" * 3_000_000})
    assert answer.status == 413 and "problem+json" in answer.headers["content-type"], (answer.status, answer.read()[:300])
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "proxy", "version": "1"}}}
    answer = through.call("POST", "/mcp", begin, accept="application/json, text/event-stream")
    assert answer.status == 200, (answer.status, answer.read())
    # The log is followed; a change must arrive while the stream is open.
    stream = through.call("GET", "/v1/events/stream", accept="text/event-stream")
    if stream.status == 200:
        began = time.time()
        through.call("POST", "/v1/memories", {"content": f"Ana watches the log of {name} at noon"}).read()
        while b"data:" not in stream.readline():
            assert time.time() - began < 10, "the stream is held back"
        print(f"      a change arrived in the open stream after {1000 * (time.time() - began):.0f} ms")
    else:
        raise AssertionError((stream.status, stream.read()))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    options = parser.parse_args()
    for name, make in (("nginx", nginx), ("caddy", caddy)):
        assert shutil.which(name), f"{name} is not installed"
        with tempfile.TemporaryDirectory() as home:
            server, port = free_port(), free_port()
            serve = [options.binary, "serve", "--listen", f"127.0.0.1:{server}", "--data", f"{home}/data",
                     "-o", "server.url=https://memory.example", "-o", "server.trusted_proxies=127.0.0.1"]
            with running(serve, server):
                wait_until_ready(server)
                # A service key would need to name a user; the key of one user is enough here.
                made = subprocess.run([options.binary, "keys", "create", "--kind", "user", "--user", "ana", "-q", "--data", f"{home}/data"], check=True, capture_output=True, text=True)
                arguments, authority = make(home, port, server)
                with running(arguments, port):
                    use(Through(port, authority, made.stdout.strip()), name)
        print(f"   {name}: works as documented")


main()
