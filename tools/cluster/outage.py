#!/usr/bin/env python3
"""Moves a shard and stops a worker of a Citus cluster while users write, and shows what is lost and who notices.

    RECALLD_TEST_CITUS=host:port RECALLD_TEST_CITUS_WORKER=COMMAND python3 tools/cluster/outage.py target/release/recalld

The first variable names a coordinator at which `postgres` needs no password and whose database `postgres` knows two
workers with Citus and pgvector; without it nothing is done. COMMAND is given `stop` or `start` and does that to one
worker; without it no worker is stopped. What must hold: no acknowledged write is lost, at least 99 % of the writes of
everybody else are acknowledged, `/health/ready` names the worker, keys are still known, and a search without the
shared space says so.
"""

import concurrent.futures
import os
import shlex
import shutil
import subprocess
import sys
import time

from cluster import Cluster, Server

USERS = 40
WRITES = 2_000
WRITERS = 8
ANSWERED_MIN = 0.99


class Writes:
    """What became of the writes of one phase."""

    def __init__(self, server, key, name):
        self.server, self.key, self.name = server, key, name
        self.acknowledged = {user: [] for user in users()}
        self.refused = {user: [] for user in users()}

    def write(self, number):
        user = f"user-{number % USERS}"
        # Numbers alone would be taken for the same statement.
        text = f"{user} noted in {self.name} on page {number} that the parcel {number * 104729 % 1299709} was sent"
        status, _, answer = self.server.ask("POST", "/v1/memories", self.key, user, {"content": text})
        if status in (200, 201):
            self.acknowledged[user].append(text)
        else:
            self.refused[user].append((status, str(answer)[:200]))

    def play(self, halfway):
        """Makes all writes, several at a time; what happens halfway happens beside them."""
        with concurrent.futures.ThreadPoolExecutor(WRITERS + 1) as pool:
            first, second = range(WRITES // 4), range(WRITES // 4, WRITES)
            list(pool.map(self.write, first))
            beside = pool.submit(halfway)
            list(pool.map(self.write, second))
            return beside.result()

    def lost(self):
        lost = 0
        for user, texts in self.acknowledged.items():
            found, after = set(), None
            while True:
                path = "/v1/memories?limit=200" + (f"&after={after}" if after else "")
                status, _, page = self.server.ask("GET", path, self.key, user)
                assert status == 200, page
                found |= {memory["content"] for memory in page["memories"]}
                after = page.get("next_page")
                if not after:
                    break
            lost += len(set(texts) - found)
        return lost

    def count(self, fates, of=None):
        return sum(len(fates[user]) for user in of or users())


def users():
    return [f"user-{number}" for number in range(USERS)]


def say(text):
    print(text, flush=True)


def check(holds, what):
    if not holds:
        raise SystemExit(f"FAILED: {what}")


def move(cluster, server, key):
    """A shard goes to the other worker while its users write."""
    writes = Writes(server, key, "the book of moves")
    space = "user:user-0"
    before = cluster.place(space)[1]
    to = next(worker for worker in cluster.workers if worker != before)

    def halfway():
        began = time.time()
        cluster.move(space, to, "force_logical")
        return time.time() - began

    seconds = writes.play(halfway)
    lost = writes.lost()
    say(f"moved: {cluster.place(space)[0]} from {before} to {to} in {seconds:.1f} s; {writes.count(writes.acknowledged)} of "
        f"{WRITES} writes acknowledged, {lost} lost, refused: {[r for of in writes.refused.values() for r in of][:3]}")
    check(cluster.place(space)[1] == to, "the shard is where it was")
    check(lost == 0, "acknowledged writes were lost")
    check(WRITES * ANSWERED_MIN <= writes.count(writes.acknowledged), "writes were refused during the move")


def stop_worker(cluster, server, key, command):
    """The worker with the shared space goes away while users write, and comes back."""

    def tell(what):
        subprocess.run([*shlex.split(command), what], check=True, timeout=120)

    def wait(seconds=90):
        for _ in range(seconds * 2):
            if server.ask("GET", "/health/ready")[2] == {"status": "ok"}:
                return
            time.sleep(0.5)
        check(False, f"not ready after {seconds} s: {server.ask('GET', '/health/ready')[2]}")

    tell("stop")
    doomed = cluster.unreachable()
    tell("start")
    check(len(doomed) == 1, f"the command stopped {doomed}")
    wait()
    cluster.move("shared", doomed[0], "block_writes")
    others = [user for user in users() if cluster.place(f"user:{user}")[1] != doomed[0]]
    check(0 < len(others) < USERS, "all users are on one worker")
    writes = Writes(server, key, "the book of outages")

    def halfway():
        tell("stop")
        seen = away(server, key, others[0])
        time.sleep(2)
        return seen

    began = time.time()
    seen = writes.play(halfway)
    seconds = time.time() - began
    tell("start")
    wait()
    lost, answered = writes.lost(), writes.count(writes.acknowledged, others)
    all_of_others = answered + writes.count(writes.refused, others)
    refused = [refusal for user in users() for refusal in writes.refused[user]]
    say(f"stopped {doomed[0]}: {writes.count(writes.acknowledged)} of {WRITES} writes acknowledged in {seconds:.1f} s, {lost} lost; "
        f"of others {answered} of {all_of_others} answered; refusals by status: "
        f"{ {status: sum(1 for found, _ in refused if found == status) for status, _ in refused} }")
    check(lost == 0, "acknowledged writes were lost")
    check(all_of_others * ANSWERED_MIN <= answered, f"others were refused: {[writes.refused[user][:2] for user in others]}")
    check(seen["ready"] == {"status": "degraded", "away": doomed}, f"ready said {seen['ready']}")
    check(seen["search"] == (200, "shared"), f"the search answered {seen['search']}")
    check(seen["key"] == 200, f"a key that was not used before: {seen['key']}")
    check({status for status, _ in refused} <= {503}, f"not a clear refusal: {refused[:5]}")


def away(server, key, other):
    """What can be seen while a worker is away."""
    _, _, ready = server.ask("GET", "/health/ready")
    began = time.time()
    status, headers, found = server.ask("POST", "/v1/search", key, other, {"query": "on which page was the parcel sent"})
    seconds = time.time() - began
    new = server.fresh_key
    seen = {"ready": ready, "search": (status, headers.get("recalld-missing")), "key": server.ask("GET", "/v1/memories", new, other)[0]}
    say(f"while it is away: ready says {ready}; a search of another user gave {status} with {len(found.get('results', found))} "
        f"results in {seconds * 1000:.0f} ms, missing: {headers.get('recalld-missing')}; a key not used before gave {seen['key']}")
    return seen


def main():
    coordinator = os.environ.get("RECALLD_TEST_CITUS")
    if not coordinator:
        say("skipped: RECALLD_TEST_CITUS names no coordinator")
        return
    cluster = Cluster(coordinator, sys.argv[1])
    server = None
    try:
        cluster.create()
        key, admin = cluster.new_key("service"), cluster.new_key("admin")
        server = Server(cluster.binary, cluster.served(), cluster.home)
        server.fresh_key = cluster.new_key("service")
        document = {"source": "handbook/parcels.md", "content": "A parcel is sent on Mondays, and noted on a page of the book."}
        status, _, answer = server.ask("POST", "/v1/knowledge", admin, None, document)
        check(status in (200, 201), f"knowledge: {status} {answer}")
        move(cluster, server, key)
        command = os.environ.get("RECALLD_TEST_CITUS_WORKER")
        if command:
            stop_worker(cluster, server, key, command)
        else:
            say("skipped: RECALLD_TEST_CITUS_WORKER names no command that stops a worker")
    finally:
        if server:
            server.stop()
        cluster.drop()
        shutil.rmtree(cluster.home)


if __name__ == "__main__":
    main()
