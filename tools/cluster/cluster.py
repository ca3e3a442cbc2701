"""A Citus cluster, a database of its own on it, and recalld serving from it. Only the standard library and `psql`."""

import http.client
import json
import os
import socket
import subprocess
import tempfile
import threading
import time

SHARDS = 8
IDLE_S = 2.0
ROLE = "recalld_cluster_test"


class Cluster:
    """The nodes, and one database that is there for the time of a run."""

    def __init__(self, coordinator, binary):
        self.coordinator, self.binary = coordinator, binary
        self.database = f"recalld_cluster_{os.getpid()}"
        self.home = tempfile.mkdtemp(prefix="recalld-cluster-")
        nodes = self.sql("SELECT nodename || ':' || nodeport FROM pg_dist_node WHERE groupid <> 0 ORDER BY 1", database="postgres")
        self.workers = nodes.split()
        assert 2 <= len(self.workers), "the cluster needs two workers, known to the database postgres of its coordinator"

    def sql(self, statement, node=None, database=None, seconds=180):
        host, _, port = (node or self.coordinator).rpartition(":")
        command = ["psql", "-qtAX", "-v", "ON_ERROR_STOP=1", "-h", host, "-p", port, "-U", "postgres"]
        command += ["-d", database or self.database, "-c", statement]
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
        if done.returncode != 0:
            raise RuntimeError(f"{statement}: {done.stderr}")
        return done.stdout.strip()

    def create(self):
        """Makes the database on every node and lets recalld migrate it."""
        for node in [self.coordinator, *self.workers]:
            self.sql(f"CREATE DATABASE {self.database}", node, "postgres")
            for extension in ["citus", "vector"]:
                self.sql(f"CREATE EXTENSION {extension}", node)
        host, _, port = self.coordinator.rpartition(":")
        self.sql(f"SELECT citus_set_coordinator_host('{host}', {port})")
        for worker in self.workers:
            host, _, port = worker.rpartition(":")
            self.sql(f"SELECT citus_add_node('{host}', {port})")
        self.create_role()
        superuser = f"postgres://postgres@{self.coordinator}/{self.database}"
        self.run("migrate", "--database-url", superuser, "--serving-role", ROLE, "--citus", "--shards", str(SHARDS))
        # Repeated on purpose: it must change nothing.
        self.run("migrate", "--database-url", superuser, "--serving-role", ROLE, "--citus", "--shards", str(SHARDS))

    def create_role(self):
        self.sql(f"DO $$ BEGIN CREATE ROLE {ROLE} LOGIN NOINHERIT PASSWORD '{ROLE}'; EXCEPTION WHEN duplicate_object THEN END $$")

    def new_key(self, kind):
        return self.run("keys", "create", "--kind", kind, "-q", "--database-url", self.served(), "--data", self.home).strip()

    def run(self, *arguments):
        done = subprocess.run([self.binary, *arguments], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def drop(self):
        for node in [self.coordinator, *self.workers]:
            self.sql(f"DROP DATABASE IF EXISTS {self.database} WITH (FORCE)", node, "postgres")

    def served(self):
        return f"postgres://{ROLE}:{ROLE}@{self.coordinator}/{self.database}"

    def place(self, space):
        """The shard and the worker of a space."""
        shard = self.sql(f"SELECT get_shard_id_for_distribution_column('recalld.spaces', '{space}')")
        return shard, self.sql(f"SELECT nodename || ':' || nodeport FROM citus_shards WHERE shardid = {shard}")

    def move(self, space, to, mode):
        """Moves the shard of a space with all that lie beside it."""
        shard, at = self.place(space)
        if at == to:
            return
        (from_host, _, from_port), (to_host, _, to_port) = at.rpartition(":"), to.rpartition(":")
        self.sql(
            f"SELECT citus_move_shard_placement({shard}, '{from_host}', {from_port}, '{to_host}', {to_port},"
            f" shard_transfer_mode => '{mode}')"
        )

    def unreachable(self):
        """The workers whose port refuses a connection."""
        away = []
        for worker in self.workers:
            host, _, port = worker.rpartition(":")
            try:
                socket.create_connection((host, int(port)), timeout=2).close()
            except OSError:
                away.append(worker)
        return away


class Server:
    """A running `recalld serve`."""

    def __init__(self, binary, database_url, home):
        command = [binary, "serve", "--json", "--listen", "127.0.0.1:0", "--data", home, "--database-url", database_url]
        command += ["-o", "server.per_key_second_max=1000000"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        text = ""
        while not text.rstrip().endswith("}"):
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(self.process.stderr.read())
            text += line
        self.port = int(json.loads(text)["url"].rpartition(":")[2])
        # Nobody reads the rest, and a full pipe would stop the server.
        for pipe in [self.process.stdout, self.process.stderr]:
            threading.Thread(target=pipe.read, daemon=True).start()
        self.local = threading.local()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)

    def ask(self, method, path, key=None, user=None, body=None):
        """Gives status, headers and answer; status 0 if there was none. Each thread has a connection of its own."""
        headers = {"content-type": "application/json"}
        headers |= {"authorization": f"Bearer {key}"} if key else {}
        headers |= {"recalld-user": user} if user else {}
        # The server closes a connection that is idle for long.
        if IDLE_S < time.monotonic() - getattr(self.local, "used", 0.0):
            self.local.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.local.used = time.monotonic()
        try:
            self.local.connection.request(method, path, json.dumps(body) if body else None, headers)
            answer = self.local.connection.getresponse()
            text = answer.read()
            return answer.status, answer.headers, json.loads(text) if text else None
        except (OSError, ValueError, http.client.HTTPException) as error:
            self.local.used = 0.0
            return 0, {}, str(error)


class Plain(Cluster):
    """One PostgreSQL server without Citus, to compare with."""

    def __init__(self, server, binary):
        self.coordinator, self.binary, self.workers = server, binary, []
        self.database = f"recalld_plain_{os.getpid()}"
        self.home = tempfile.mkdtemp(prefix="recalld-plain-")

    def create(self):
        self.sql(f"CREATE DATABASE {self.database}", database="postgres")
        self.create_role()
        self.run("migrate", "--database-url", f"postgres://postgres@{self.coordinator}/{self.database}", "--serving-role", ROLE)
