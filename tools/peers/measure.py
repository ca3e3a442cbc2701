"""Measures adding and searching in what users would pick instead of recalld, on the same texts.

    python tools/peers/measure.py target/release/recalld [--memories 1000] [--only NAME]

Each store runs as its own documentation sets it up for one machine, inside this process; recalld runs as a server, so
that its figures include HTTP. The others are given vectors (256 components) that were made beforehand, so that their
figures leave out what an embedding model takes; recalld makes its own. Writes are one at a time. Prints a table.
"""

import argparse
import hashlib
import http.client
import json
import math
import os
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

if not hasattr(sqlite3.Connection, "enable_load_extension"):
    # Some builds of Python leave extensions out of SQLite.
    import pysqlite3 as sqlite3
    sys.modules["sqlite3"] = sqlite3

DIMENSION = 256
ADDED = 100
ASKED = 100

PEOPLE = "Ana Bruno Chiara Deniz Emeka Farah Goran Hana Ines Jonas Kaito Lucia".split()
DEEDS = "prefers collects studies sells repairs photographs grows translates teaches reviews paints".split()
THINGS = ["window seats", "green tea", "old maps", "racing bicycles", "Portuguese novels", "garden roses",
          "wooden boats", "chess problems", "vinyl records", "mountain huts", "sourdough bread", "solar panels",
          "violin strings", "street murals", "jazz scores", "clay pots", "tide tables"]
PLACES = "Lisbon Ankara Lagos Kyoto Bergen Quito Split Hanoi Leeds Turin Accra Porto Oslo".split()


def pick(words, number):
    return words[number % len(words)]


def statement(number):
    return (f"{pick(PEOPLE, number)} {pick(DEEDS, number)} {pick(THINGS, number)} in {pick(PLACES, number)} "
            f"since {1950 + number % 70} and keeps {2 + number % 97} of them in room {number}")


def question(number):
    return f"who {pick(DEEDS, number)} {pick(THINGS, number)} in {pick(PLACES, number)}?"


def vector(text):
    """The sum of a vector for each word: near enough to a model for measuring what a store takes."""
    total = [0.0] * DIMENSION
    for word in text.lower().split():
        digest = hashlib.sha256(word.encode()).digest()
        for place in range(0, 32, 2):
            total[int.from_bytes(digest[place:place + 2], "big") % DIMENSION] += 1.0 if digest[place] & 1 else -1.0
    length = math.sqrt(sum(x * x for x in total)) or 1.0
    return [x / length for x in total]


class Recalld:
    name = "recalld (over HTTP, makes its own vectors)"

    def __init__(self, directory, binary):
        self.data = os.path.join(directory, "data")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [binary, "serve", "--listen", f"127.0.0.1:{port}", "--data", self.data],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        for _ in range(600):
            try:
                self.connection.request("GET", "/health/ready")
                if self.connection.getresponse().read() is not None:
                    break
            except OSError:
                self.connection.close()
                time.sleep(0.05)
        with open(os.path.join(self.data, "keys.json"), encoding="utf-8") as keys:
            self.key = json.load(keys)["local"]

    def post(self, path, body):
        headers = {"authorization": f"Bearer {self.key}", "content-type": "application/json"}
        self.connection.request("POST", path, json.dumps(body), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{path}: {answer.status} {text[:200]!r}")
        return json.loads(text)

    def add(self, number, text, _):
        self.post("/v1/memories", {"content": text})

    def search(self, text, _):
        return len(self.post("/v1/search", {"query": text, "limit": 10})["results"])

    def close(self):
        self.process.terminate()
        self.process.wait(10)


class ByHand:
    name = "SQLite FTS5 + sqlite-vec by hand, ranks fused"

    def __init__(self, directory, _):
        import sqlite_vec
        self.pack = sqlite_vec.serialize_float32
        self.database = sqlite3.connect(os.path.join(directory, "data.db"), isolation_level=None)
        self.database.enable_load_extension(True)
        sqlite_vec.load(self.database)
        self.database.executescript(f"""
            PRAGMA journal_mode = wal; PRAGMA synchronous = full;
            CREATE VIRTUAL TABLE words USING fts5(content, tokenize = 'porter unicode61');
            CREATE VIRTUAL TABLE vectors USING vec0(embedding float[{DIMENSION}]);""")

    def add(self, number, text, made):
        self.database.execute("BEGIN")
        self.database.execute("INSERT INTO words (rowid, content) VALUES (?, ?)", (number + 1, text))
        self.database.execute("INSERT INTO vectors (rowid, embedding) VALUES (?, ?)", (number + 1, self.pack(made)))
        self.database.execute("COMMIT")

    def search(self, text, made):
        terms = " OR ".join(f'"{word}"' for word in text.rstrip("?").split())
        words = self.database.execute(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 50", (terms,)).fetchall()
        near = self.database.execute(
            "SELECT rowid FROM vectors WHERE embedding MATCH ? AND k = 50", (self.pack(made),)).fetchall()
        scores = {}
        for found in (words, near):
            for place, (row,) in enumerate(found):
                scores[row] = scores.get(row, 0.0) + 1.0 / (60 + place)
        best = sorted(scores, key=scores.get, reverse=True)[:10]
        marks = ",".join("?" * len(best))
        return len(self.database.execute(f"SELECT content FROM words WHERE rowid IN ({marks})", best).fetchall())

    def close(self):
        self.database.close()


class LangGraph:
    name = "LangGraph SqliteStore"

    def __init__(self, directory, _):
        from langgraph.store.sqlite import SqliteStore
        self.made = {}
        self.context = SqliteStore.from_conn_string(
            os.path.join(directory, "data.db"),
            index={"dims": DIMENSION, "embed": lambda texts: [self.made.get(text) or vector(text) for text in texts],
                   "fields": ["text"]})
        self.store = self.context.__enter__()
        self.store.setup()

    def add(self, number, text, made):
        self.made[text] = made
        self.store.put(("ana",), str(number), {"text": text})

    def search(self, text, made):
        self.made[text] = made
        return len(self.store.search(("ana",), query=text, limit=10))

    def close(self):
        self.context.__exit__(None, None, None)


class Chroma:
    name = "Chroma (PersistentClient)"

    def __init__(self, directory, _):
        import chromadb
        from chromadb.config import Settings
        client = chromadb.PersistentClient(path=directory, settings=Settings(anonymized_telemetry=False))
        self.collection = client.create_collection("ana", embedding_function=None)

    def add(self, number, text, made):
        self.collection.add(ids=[str(number)], documents=[text], embeddings=[made])

    def search(self, _, made):
        return len(self.collection.query(query_embeddings=[made], n_results=10)["ids"][0])

    def close(self):
        pass


class Mem0:
    name = "mem0 with qdrant on disk, infer=False"

    def __init__(self, directory, _):
        os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=directory, OPENAI_API_KEY="none")
        from mem0 import Memory
        config = {
            "vector_store": {"provider": "qdrant", "config": {
                "path": os.path.join(directory, "qdrant"), "embedding_model_dims": DIMENSION, "on_disk": True}},
            "history_db_path": os.path.join(directory, "history.db"),
        }
        self.memory = Memory.from_config(config)
        self.made = {}
        outer = self

        class Given:
            def embed(self, text, *_, **__):
                return outer.made.get(text) or vector(text)

            def embed_batch(self, texts, *_, **__):
                return [self.embed(text) for text in texts]

        self.memory.embedding_model = Given()

    def add(self, number, text, made):
        self.made[text] = made
        self.memory.add(text, user_id="ana", infer=False)

    def search(self, text, made):
        self.made[text] = made
        return len(self.memory.search(text, filters={"user_id": "ana"}, top_k=10)["results"])

    def close(self):
        pass


def measure(store, memories):
    texts = [(number, statement(number)) for number in range(memories + ADDED)]
    made = [vector(text) for _, text in texts]
    for (number, text), given in zip(texts[:memories], made):
        store.add(number, text, given)
    adds = []
    for (number, text), given in zip(texts[memories:], made[memories:]):
        start = time.perf_counter()
        store.add(number, text, given)
        adds.append(time.perf_counter() - start)
    asked = [(question(number), vector(question(number))) for number in range(ASKED)]
    found, searches = 0, []
    for text, given in asked:
        start = time.perf_counter()
        found += store.search(text, given)
        searches.append(time.perf_counter() - start)
    return statistics.median(adds), statistics.median(searches), found / ASKED


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--memories", type=int, default=1000)
    parser.add_argument("--only")
    options = parser.parse_args()
    print(f"| {options.memories} memories | add | search, 10 hits |\n|---|---:|---:|")
    for kind in (Recalld, ByHand, LangGraph, Chroma, Mem0):
        if options.only and options.only.lower() not in kind.name.lower():
            continue
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
            try:
                store = kind(directory, os.path.abspath(options.binary))
            except Exception as error:  # A package that is missing or has changed must not hide the others.
                print(f"| {kind.name} | not measured: {type(error).__name__}: {str(error)[:80]} | |", flush=True)
                continue
            try:
                add, search, hits = measure(store, options.memories)
                print(f"| {kind.name} | {add * 1e3:.2f} ms | {search * 1e3:.2f} ms |", flush=True)
                print(f"{kind.name}: {hits:.1f} hits a question", file=sys.stderr)
            except Exception as error:
                print(f"| {kind.name} | not measured: {type(error).__name__}: {str(error)[:80]} | |", flush=True)
            finally:
                store.close()


if __name__ == "__main__":
    main()
