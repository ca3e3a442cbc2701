#!/usr/bin/env python3
"""Measures adds and searches on a Citus cluster beside a plain PostgreSQL server, in one run.

    RECALLD_TEST_CITUS=host:port RECALLD_TEST_PLAIN=host:port python3 tools/cluster/speed.py target/release/recalld

At both, `postgres` needs no password. Without the first nothing is done; the second should run on the same machine.
Rounds alternate between the two, one request after another, so that a busy machine slows both.
"""

import os
import shutil
import statistics
import sys
import time

from cluster import Cluster, Plain, Server

USERS = 20
MEMORIES = 50
ROUNDS = 10
REQUESTS_A_ROUND = 60


class Side:
    """One of the two databases with a server of its own."""

    def __init__(self, name, cluster):
        self.name, self.cluster, self.server = name, cluster, None
        self.adds, self.searches, self.number = [], [], 0

    def start(self):
        self.cluster.create()
        self.key = self.cluster.new_key("service")
        self.server = Server(self.cluster.binary, self.cluster.served(), self.cluster.home)
        for _ in range(USERS * MEMORIES):
            self.add()
        self.adds.clear()

    def stop(self):
        if self.server:
            self.server.stop()
        self.cluster.drop()
        shutil.rmtree(self.cluster.home)

    def ask(self, path, body):
        began = time.perf_counter()
        status, _, answer = self.server.ask("POST", path, self.key, f"user-{self.number % USERS}", body)
        assert status in (200, 201), answer
        return (time.perf_counter() - began) * 1000

    def add(self):
        self.number += 1
        text = f"noted on page {self.number} that the parcel {self.number * 104729 % 1299709} was sent"
        self.adds.append(self.ask("/v1/memories", {"content": text}))

    def search(self):
        self.number += 1
        self.searches.append(self.ask("/v1/search", {"query": f"which parcel was noted on page {self.number % 50}"}))


def main():
    coordinator, plain = os.environ.get("RECALLD_TEST_CITUS"), os.environ.get("RECALLD_TEST_PLAIN")
    if not coordinator or not plain:
        print("skipped: RECALLD_TEST_CITUS names no coordinator, or RECALLD_TEST_PLAIN no server")
        return
    sides = [Side("Citus", Cluster(coordinator, sys.argv[1])), Side("plain", Plain(plain, sys.argv[1]))]
    try:
        for side in sides:
            side.start()
        for _ in range(ROUNDS):
            for side in sides:
                for _ in range(REQUESTS_A_ROUND):
                    side.add()
                for _ in range(REQUESTS_A_ROUND):
                    side.search()
        for side in sides:
            percentiles = [statistics.quantiles(of, n=100) for of in (side.adds, side.searches)]
            print(f"{side.name}: add p50 {percentiles[0][49]:.2f} ms, p95 {percentiles[0][94]:.2f} ms; "
                  f"search p50 {percentiles[1][49]:.2f} ms, p95 {percentiles[1][94]:.2f} ms ({len(side.adds)} of each)")
    finally:
        for side in sides:
            side.stop()


if __name__ == "__main__":
    main()
