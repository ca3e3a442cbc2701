#!/usr/bin/env python3
"""Fits the chance that a result answers to its score, and shows on held-out questions how well it fits.

    recalld eval retrieval SET --per-query SET/per-query.jsonl      # for each set
    python3 tools/calibration/fit.py SET...

A SET is a directory with qrels.jsonl, users.json and per-query.jsonl. Every set counts the same. The map is fitted on
one half of the questions and shown on the other, both ways round, and then fitted on all: those are the figures for
crates/index/src/rank/parts.rs. Scores that are chances already are turned back by the constants in use (--at, --slope);
--products reads a file whose scores were not calibrated.
"""

import argparse
import hashlib
import json
import math
from pathlib import Path


def read(directory, log_product):
    """Yields (half, logarithm of the product, whether it answers) of the first ten results of each question."""
    about = json.loads((directory / "users.json").read_text())
    least = max(about.get("min_rel") or 1, 1e-9)
    right = set()
    for line in (directory / "qrels.jsonl").read_text().splitlines():
        judged = json.loads(line)
        if least <= judged["rel"]:
            right.add((judged["user"], judged["query"], judged["doc"]))
    for line in (directory / "per-query.jsonl").read_text().splitlines():
        query = json.loads(line)
        if query["category"] == "adversarial":
            continue
        name = query["user"] + query["query"]
        half = int(hashlib.md5(name.encode()).hexdigest(), 16) % 2
        for doc, score in query["found"][:10]:
            yield half, log_product(score), (query["user"], query["query"], doc) in right


def weighed(sets, keep):
    """Lists (x, y, weight) so that every set counts the same."""
    rows = []
    for results in sets:
        kept = [(x, y) for half, x, y in results if keep(half)]
        rows += [(x, float(y), 1.0 / len(kept)) for x, y in kept]
    return rows


def fit(rows):
    """Finds the two figures of a logistic curve by Newton's method."""
    at, slope = 0.0, 1.0
    for _ in range(50):
        g0 = g1 = h00 = h01 = h11 = 0.0
        for x, y, weight in rows:
            p = chance(at, slope, x)
            error, spread = weight * (y - p), weight * p * (1.0 - p)
            g0, g1 = g0 + error, g1 + error * x
            h00, h01, h11 = h00 + spread, h01 + spread * x, h11 + spread * x * x
        determinant = h00 * h11 - h01 * h01
        at += (h11 * g0 - h01 * g1) / determinant
        slope += (h00 * g1 - h01 * g0) / determinant
    return at, slope


def chance(at, slope, x):
    return 1.0 / (1.0 + math.exp(-(at + slope * x)))


def show(at, slope, rows):
    """Draws what scores say and how many results are right, a line for each tenth."""
    steps = [[0, 0.0, 0.0, 0.0] for _ in range(10)]
    for x, y, weight in rows:
        p = chance(at, slope, x)
        step = steps[min(int(p * 10), 9)]
        step[0] += 1
        step[1] += weight
        step[2] += weight * p
        step[3] += weight * y
    total = sum(step[1] for step in steps)
    error = 0.0
    for results, weight, said, right in steps:
        if results:
            said, right = said / weight, right / weight
            error += weight / total * abs(said - right)
            bar = "".join("|" if at == round(40 * said) else "=" if at < round(40 * right) else " " for at in range(41))
            print(f"{said:5.2f} {right:5.2f} {results:6d}  {bar.rstrip()}")
    print(f"calibration error {error:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--at", type=float, default=1.2)
    parser.add_argument("--slope", type=float, default=2.0)
    parser.add_argument("--products", action="store_true")
    given = parser.parse_args()

    def log_product(score):
        score = min(max(score, 1e-6), 1.0 - 1e-6)
        if given.products:
            return math.log(score)
        return (math.log(score / (1.0 - score)) - given.at) / given.slope

    sets = [list(read(directory, log_product)) for directory in given.sets]
    for half in (0, 1):
        at, slope = fit(weighed(sets, lambda own: own == half))
        print(f"fitted on one half: {at:.2f} {slope:.2f}; shown on the other: score, right, results")
        show(at, slope, weighed(sets, lambda own: own != half))
    print("fitted on all: %.2f %.2f" % fit(weighed(sets, lambda _: True)))


if __name__ == "__main__":
    main()
