"""A day in the life of a deployment, rehearsed: upgrade, load, key rotation, crash, backup, restore, and going back.

`cargo xtask rehearsal` starts a temporary PostgreSQL and runs this. It needs only Python. What must hold: no write that was acknowledged is lost,
and no request is refused that should pass.
"""

import argparse
import concurrent.futures
import contextlib
import http.server
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The schema of commit a561e0c, the first that was deployed, is these steps; they never change.
FIRST_STEPS = 12
USERS = 4
BEGAN = time.time()


def say(text):
    print(f"{time.time() - BEGAN:6.1f} s  {text}", flush=True)


class Deployment:
    """Databases on one PostgreSQL server, and the program."""

    def __init__(self, binary, earlier, home):
        self.binary, self.earlier, self.home = binary, earlier, home
        self.superuser = os.environ["RECALLD_TEST_POSTGRES"]
        self.programs = pathlib.Path(os.environ["RECALLD_TEST_POSTGRES_BIN"])
        self.before, _, _ = self.superuser.rpartition("/")
        self.host = self.before.rpartition("@")[2]
        self.role = f"rehearsal_{os.getpid()}"
        model = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
        threading.Thread(target=model.serve_forever, daemon=True).start()
        self.model = f"http://127.0.0.1:{model.server_port}/v1"

    def owned(self, database):
        return f"{self.before}/{database}"

    def served(self, database):
        return f"postgres://{self.role}:{self.role}@{self.host}/{database}"

    def sql(self, address, *statements):
        arguments = [self.programs / "psql", address, "-qtA", "-v", "ON_ERROR_STOP=1"]
        for statement in statements:
            arguments += ["-c", statement]
        return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.strip()

    def run(self, *arguments, binary=None):
        """Runs a command of the program and gives its exit code and all it says."""
        done = subprocess.run([binary or self.binary, *arguments], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout + done.stderr

    def keys(self, database, *arguments):
        code, text = self.run("keys", *arguments, "--json", "--database-url", self.served(database), "--data", self.home)
        assert code == 0, text
        return json.loads(text)


class Server:
    """A running server. It can be killed and started again on the same port."""

    def __init__(self, deployment, database):
        self.deployment, self.database, self.port, self.process = deployment, database, 0, None

    def start(self):
        listen = f"127.0.0.1:{self.port}"
        arguments = [self.deployment.binary, "serve", "--json", "--listen", listen, "--data", self.deployment.home]
        arguments += ["--database-url", self.deployment.served(self.database), "-o", "server.per_key_second_max=100000"]
        arguments += ["-o", f"openai.url={self.deployment.model}"]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        text = ""
        while not text.rstrip().endswith("}"):
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(self.process.stderr.read())
            text += line
        self.url = json.loads(text)["url"]
        self.port = int(self.url.rpartition(":")[2])
        # Nobody reads the rest, and a full pipe would stop the server.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        return self

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait()


@contextlib.contextmanager
def serving(deployment, database):
    server = Server(deployment, database).start()
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


def call(server, key, method, path, body=None):
    """Gives the status and the answer; status 0 if there was no answer."""
    request = urllib.request.Request(server.url + path, method=method, data=json.dumps(body).encode() if body else None)
    request.add_header("authorization", f"Bearer {key}")
    request.add_header("content-type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except (OSError, ValueError) as error:
        return 0, str(error)


def contents(server, key):
    """All memories of the holder of a key, as their texts."""
    found, after = set(), None
    while True:
        path = "/v1/memories?limit=200" + (f"&after={after}" if after else "")
        status, page = call(server, key, "GET", path)
        assert status == 200, page
        found |= {memory["content"] for memory in page["memories"]}
        after = page.get("next_page")
        if not after:
            return found


class Load:
    """Users that write and search all the time. What was acknowledged is kept, and so is every refusal."""

    def __init__(self, server, keys):
        self.server, self.keys = server, keys
        self.acknowledged = {user: [] for user in keys}
        self.refused, self.stopping, self.down = [], threading.Event(), threading.Event()
        self.calls = 0

    def write_and_search(self, user):
        number = 0
        while not self.stopping.is_set():
            number += 1
            # Numbers alone would be taken for the same statement.
            text = f"{user} noted on page {number} of book {user}-{number * 7919 % 9973} that item {number * 104729} is stored"
            key = self.keys[user]
            status, answer = call(self.server, key, "POST", "/v1/memories", {"content": text})
            self.calls += 1
            if status in (200, 201):
                self.acknowledged[user].append((time.time(), text))
            elif not self.down.is_set():
                self.refused.append((user, status, answer))
            if number % 5 == 0 and not self.down.is_set():
                status, answer = call(self.server, key, "POST", "/v1/search", {"query": f"book of {user}"})
                self.calls += 1
                if status != 200 and not self.down.is_set():
                    self.refused.append((user, status, answer))

    @contextlib.contextmanager
    def running(self):
        with concurrent.futures.ThreadPoolExecutor(len(self.keys)) as pool:
            futures = [pool.submit(self.write_and_search, user) for user in self.keys]
            try:
                yield self
            finally:
                self.stopping.set()
            for future in futures:
                future.result()

    def lost(self, server, until=None):
        """The writes that were acknowledged before `until` and are not there."""
        missing = []
        for user, written in self.acknowledged.items():
            there = contents(server, self.keys[user])
            missing += [text for at, text in written if text not in there and (until is None or at <= until)]
        return missing


def first_schema(deployment, database):
    """Makes a database as the first deployed version left it, with memories of one user."""
    deployment.sql(deployment.superuser, f"CREATE DATABASE {database}")
    address = deployment.owned(database)
    deployment.sql(address, "CREATE EXTENSION IF NOT EXISTS vector", "CREATE SCHEMA recalld", """
        CREATE TABLE recalld.migrations (number integer NOT NULL PRIMARY KEY, name text NOT NULL,
            taken_at timestamptz NOT NULL DEFAULT now())""")
    folder = ROOT / "crates/store/src/migrations/postgres"
    for number, step in enumerate(sorted(folder.glob("0*.sql"))[:FIRST_STEPS], 1):
        deployment.sql(address, step.read_text(), f"INSERT INTO recalld.migrations (number, name) VALUES ({number}, '{step.stem}')")
    deployment.sql(address, f"GRANT recalld_user, recalld_shared, recalld_upkeep, recalld_gate, recalld_reader TO {deployment.role}")
    now = int(time.time() * 1e6)
    statements = [f"INSERT INTO recalld.spaces VALUES ('user:old', {USERS})"]
    for number in range(1, USERS + 1):
        identity = f"0190{number:04x}-0000-7000-8000-000000000000"
        statements.append(f"INSERT INTO recalld.events VALUES ('user:old', {number}, 0, {now}, 'add', 'memory', '{identity}', 'user', NULL, NULL, NULL)")
        statements.append(f"""INSERT INTO recalld.memories VALUES ('user:old', '{identity}', {number}, 0, 1, NULL, 'Remembered before the upgrade, number {number}',
            'unsorted', 'durable', 1, 'user', 'user', NULL, NULL, NULL, {now}, {now}, NULL, NULL, NULL, true)""")
    deployment.sql(address, *statements)


def upgrade(deployment, database):
    """An unmigrated schema is refused in clear words; then it is migrated."""
    serve = ["serve", "--listen", "127.0.0.1:0", "--data", deployment.home, "--database-url", deployment.served(database)]
    code, text = deployment.run(*serve)
    assert code != 0 and "migrate --serving-role" in text, f"exit {code}: {text}"
    say(f"behind is refused: {text.strip().splitlines()[0]}")
    code, text = deployment.run("migrate", "--database-url", deployment.owned(database), "--serving-role", deployment.role)
    assert code == 0, text
    say(f"upgraded from step {FIRST_STEPS} to {deployment.sql(deployment.owned(database), 'SELECT max(number) FROM recalld.migrations')}")


def rotate_under_load(deployment, database, load):
    """Replaces the key of each user while it works. The old one goes on until its holder has the new one."""
    for user, listed in [(user, key) for user, key in load.keys.items()]:
        identity = next(key["id"] for key in deployment.keys(database, "list")["keys"] if key["user"] == user and not key["revoked_at"])
        rotated = deployment.keys(database, "rotate", identity, "--overlap", "1h")
        time.sleep(0.3)
        load.keys[user] = rotated["key"]
        assert rotated["key"] != listed
    say(f"rotated {len(load.keys)} keys under load")


class Model(http.server.BaseHTTPRequestHandler):
    """A model that says one word, in the shape of OpenAI's."""

    def log_message(self, *_):
        pass

    def answer(self, kind, text):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        self.answer("application/json", '{"object": "list", "data": [{"id": "double", "object": "model"}]}')

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        said = {"choices": [{"index": 0, "delta": {"content": "Hello."}, "finish_reason": None}]}
        ended = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}}
        self.answer("text/event-stream", "".join(f"data: {json.dumps(each)}\n\n" for each in (said, ended)) + "data: [DONE]\n\n")


def metrics_are_named_right(server, key):
    """Each metric that the dashboard and the alert rules name is there after a real run, but for the counter of lost lines of the log."""
    status, answer = call(server, key, "POST", "/api/chat", {"message": "hello", "stream": False})
    assert status == 200, answer
    with urllib.request.urlopen(server.url + "/metrics", timeout=30) as answer:
        shown = set(re.findall(r"^# TYPE (\S+)", answer.read().decode(), re.M))
    named = set()
    for file in ("grafana.json", "alerts.yml"):
        named |= set(re.findall(r"\brecalld_[a-z_]+", (ROOT / "docs/operations" / file).read_text()))
    named = {re.sub("_(bucket|sum|count)$", "", name) for name in named}
    # It appears when the first line is lost.
    missing = named - shown - {"recalld_access_log_dropped_total"}
    assert not missing, missing
    say(f"{len(named & shown)} of the {len(named)} metrics of the dashboard and the alerts are there")


def refused_where_newer(deployment, database):
    """A schema of a later version is refused, and nothing is changed."""
    address = deployment.owned(database)
    number = int(deployment.sql(address, "SELECT max(number) FROM recalld.migrations")) + 1
    deployment.sql(address, f"INSERT INTO recalld.migrations (number, name) VALUES ({number}, '{number:04}_from_the_future')")
    rows = "SELECT count(*), max(revision) FROM recalld.memories"
    before = deployment.sql(address, rows)
    for command in (["serve", "--listen", "127.0.0.1:0", "--data", deployment.home, "--database-url", deployment.served(database)], ["migrate", "--database-url", address]):
        code, text = deployment.run(*command)
        assert code != 0 and f"step {number}" in text, f"exit {code}: {text}"
    assert deployment.sql(address, rows) == before
    say(f"newer is refused: {text.strip().splitlines()[0]}")
    # A later schema that says that this program can use it is served, and stays as it is.
    deployment.sql(address, f"COMMENT ON TABLE recalld.migrations IS 'readers: {number - 1}'")
    with serving(deployment, database) as server:
        key = deployment.keys(database, "create", "--kind", "user", "--user", "back")["key"]
        status, answer = call(server, key, "POST", "/v1/memories", {"content": "Went back to the earlier program"})
        assert status == 201, answer
        assert len(contents(server, key)) == 1
    assert int(deployment.sql(address, "SELECT max(number) FROM recalld.migrations")) == number
    say("a later schema that allows it is served by this program")
    deployment.sql(address, "COMMENT ON TABLE recalld.migrations IS NULL", f"DELETE FROM recalld.migrations WHERE number = {number}")


def back_to_earlier(deployment, database):
    """The earlier program serves where its schema is still the same, and else says which step it does not know."""
    if not deployment.earlier:
        return
    serve = ["serve", "--json", "--listen", "127.0.0.1:0", "--data", deployment.home, "--database-url", deployment.served(database)]
    process = subprocess.Popen([deployment.earlier, *serve], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    line = process.stdout.readline()
    is_up = line.startswith("{") and "error" not in line
    process.terminate()
    rest = process.stdout.read()
    process.wait()
    assert is_up or "step" in line + rest, line + rest
    say("the earlier program " + ("serves it" if is_up else f"refuses it: {(line + rest).strip()[:120]}"))


def rehearse(deployment, database, restored, seconds):
    first_schema(deployment, database)
    upgrade(deployment, database)
    with serving(deployment, database) as server:
        old = deployment.keys(database, "create", "--kind", "user", "--user", "old")["key"]
        assert len(contents(server, old)) == USERS, contents(server, old)
        say(f"{USERS} memories from before the upgrade are there")
        users = {f"user{number}": None for number in range(USERS)}
        for user in users:
            users[user] = deployment.keys(database, "create", "--kind", "user", "--user", user)["key"]
        load = Load(server, users)
        dump = pathlib.Path(deployment.home, "dump")
        with load.running():
            time.sleep(seconds)
            rotate_under_load(deployment, database, load)
            saved_at = time.time()
            subprocess.run([deployment.programs / "pg_dump", deployment.owned(database), "-Fc", "-f", dump], check=True)
            say(f"backed up under load: {dump.stat().st_size // 1024} KiB")
            time.sleep(seconds / 2)
            # From here on, a request may find nobody; what was acknowledged must stay.
            load.down.set()
            server.stop(signal.SIGKILL)
            server.start()
            load.down.clear()
            say("killed and started again under load")
            time.sleep(seconds / 2)
        written = sum(map(len, load.acknowledged.values()))
        say(f"{load.calls} calls, {written} writes acknowledged, {len(load.refused)} refused that should pass")
        assert not load.refused, load.refused[:3]
        assert written, "nothing was written"
        assert not load.lost(server), load.lost(server)[:3]
        assert len(contents(server, old)) == USERS
        say("no acknowledged write is lost")
        metrics_are_named_right(server, old)
    refused_where_newer(deployment, database)
    back_to_earlier(deployment, database)
    deployment.sql(deployment.superuser, f"CREATE DATABASE {restored}")
    subprocess.run([deployment.programs / "pg_restore", "-d", deployment.owned(restored), dump], check=True)
    with serving(deployment, restored) as server:
        # Keys made before the backup are in it, and with them the new ones of the rotation.
        assert not load.lost(server, until=saved_at), load.lost(server, until=saved_at)[:3]
        say("the restored backup holds every write acknowledged before it")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, help="the program under rehearsal")
    parser.add_argument("--earlier", help="an earlier program, to go back to")
    parser.add_argument("--seconds", type=float, default=10, help="how long each phase of the load lasts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        deployment = Deployment(options.binary, options.earlier, home)
        names = [f"rehearsal_{os.getpid()}", f"restored_{os.getpid()}"]
        deployment.sql(deployment.superuser, f"CREATE ROLE {deployment.role} LOGIN NOINHERIT PASSWORD '{deployment.role}'")
        try:
            rehearse(deployment, *names, options.seconds)
        finally:
            # A role that is left behind would make another database of this server unsafe to serve from.
            for name in names:
                deployment.sql(deployment.superuser, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            deployment.sql(deployment.superuser, f"DROP ROLE {deployment.role}")
    say("rehearsed")


main()
