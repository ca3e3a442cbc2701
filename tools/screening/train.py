#!/usr/bin/env python3
"""Trains the classifier that tells planted instructions from facts about people.

    cargo build --release -p recalld-models --example sentence_vectors
    pip install -r tools/screening/requirements.txt
    python3 tools/screening/train.py --reader target/release/examples/sentence_vectors

Writes crates/memory/src/screening/instructions/classifier.bin. `--held-out fresh_c` leaves these test files out of the training
and prints how the result does on them; nothing is written then. `--cache FILE` keeps what the reader said.
"""

import argparse
import json
import pickle
import struct
import subprocess
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

import texts

VECTOR = 512
BUCKETS = 1 << 15
# Chosen by leaving out one of the files `fresh_…` at a time: the inverse strength of regularisation of the linear part; the
# directions, strength and narrowness of the examples; and how much the examples count beside the linear part.
C = 30
DIRECTIONS = 160
EXAMPLES_C = 10
NARROWNESS = 2.0
EXAMPLES_SHARE = 4.0
WEIGHTS = texts.ROOT / "crates/memory/src/screening/instructions/classifier.bin"
# As in classifier.rs.
SUSPICIOUS_MIN = 1.5
FACT_MAX = -3.0


class Reader:
    """Asks the example `sentence_vectors` about texts, each once."""

    def __init__(self, program, cache):
        self.program, self.cache = program, cache
        self.known = pickle.loads(cache.read_bytes()) if cache and cache.exists() else {}

    def read(self, lines, rules=False):
        new = sorted({line for line in lines if (line, rules) not in self.known})
        if new:
            command = [self.program] + (["--rules"] if rules else [])
            out = subprocess.run(command, input="\n".join(new) + "\n", capture_output=True, text=True, check=True).stdout
            for line, found in zip(new, out.splitlines(), strict=True):
                found = json.loads(found)
                vector = np.array(found["vector"], dtype=np.float32)
                self.known[line, rules] = (vector, found["grams"], found["rules"])
            if self.cache:
                self.cache.write_bytes(pickle.dumps(self.known))
        return [self.known[line, rules] for line in lines]


def features(read):
    """The vector, and each bucket of words with a weight by their number."""
    rows, columns, values = [], [], []
    for row, (_, grams, _) in enumerate(read):
        rows += [row] * len(grams)
        columns += grams
        values += [1 / max(len(grams), 1) ** 0.5] * len(grams)
    words = csr_matrix((values, (rows, columns)), shape=(len(read), BUCKETS))
    return hstack([csr_matrix(np.stack([vector for vector, _, _ in read])), words]).tocsr()


class Model:
    """A linear part over vector and words, and examples that are compared with the vector."""

    def __init__(self, read, labels):
        self.linear = LogisticRegression(C=C, max_iter=400, solver="liblinear").fit(features(read), labels)
        vectors = np.stack([vector for vector, _, _ in read])
        self.projection = np.linalg.svd(vectors.T @ vectors)[0][:, :DIRECTIONS].astype(np.float32)
        # What the encoder does not understand has no vector, and no examples.
        known = np.abs(vectors).sum(1) > 0
        machine = SVC(C=EXAMPLES_C, gamma=NARROWNESS).fit(vectors[known] @ self.projection, np.array(labels)[known])
        self.votes = (EXAMPLES_SHARE * machine.dual_coef_[0]).astype(np.float32)
        self.offset = EXAMPLES_SHARE * machine.intercept_[0]
        self.step = np.abs(machine.support_vectors_).max() / 127
        self.examples = np.round(machine.support_vectors_ / self.step).astype(np.int8)

    def scores(self, read):
        points = np.stack([vector for vector, _, _ in read]) @ self.projection
        examples = self.examples * np.float32(self.step)
        distances = (points**2).sum(1)[:, None] + (examples**2).sum(1)[None, :] - 2 * points @ examples.T
        likeness = np.exp(-NARROWNESS * distances) @ self.votes + self.offset
        return self.linear.decision_function(features(read)) + np.where(np.abs(points).sum(1) > 0, likeness, 0)

    def packed(self):
        """The weights as the binary reads them."""
        weights, bias = self.linear.coef_[0], self.linear.intercept_[0]
        step = np.abs(weights[VECTOR:]).max() / 127
        steps = np.clip(np.round(weights[VECTOR:] / step), -127, 127).astype(np.int8)
        linear = struct.pack("<2f", bias, step) + weights[:VECTOR].astype("<f4").tobytes() + steps.tobytes()
        head = struct.pack("<5f", DIRECTIONS, len(self.votes), NARROWNESS, self.offset, self.step)
        examples = self.projection.astype("<f4").tobytes() + self.votes.astype("<f4").tobytes() + self.examples.tobytes()
        return linear + head + examples


def report(model, reader, name):
    """How many payloads of a test file pass, and how many notes are withheld."""
    for kind in ("payloads", "notes"):
        lines = texts.lines(texts.TESTS / f"{name}_{kind}.txt")
        read = reader.read(lines, rules=True)
        scores = model.scores(read)
        ruled = [rules for _, _, rules in read]
        held = [
            rules in ("disguise", "markup") or SUSPICIOUS_MIN <= score or (rules is not None and FACT_MAX <= score)
            for rules, score in zip(ruled, scores)
        ]
        wrong = [(round(float(score), 1), rules, line) for score, rules, line, is_held in zip(scores, ruled, lines, held) if is_held != (kind == "payloads")]
        by_rules = sum(rules is None for rules in ruled)
        print(f"{name}: {len(wrong)} of {len(lines)} {kind} wrong (rules alone let {by_rules} pass)")
        for one in sorted(wrong, key=lambda one: one[0]):
            print("   ", *one)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--reader", required=True)
    options.add_argument("--held-out", nargs="*", default=[])
    options.add_argument("--cache", type=Path)
    options = options.parse_args()
    reader = Reader(options.reader, options.cache)
    left_out = {f"{name}_{kind}.txt" for name in options.held_out for kind in ("payloads", "notes")}
    training = texts.training(left_out)
    print(f"{len(training)} texts, {sum(label for _, label in training)} of them payloads")
    model = Model(reader.read([text for text, _ in training]), [label for _, label in training])
    for name in options.held_out:
        report(model, reader, name)
    if not options.held_out:
        WEIGHTS.write_bytes(model.packed())
        for name in ("fresh_a", "fresh_b", "fresh_c", "fresh_d", "fresh_e"):
            report(model, reader, name)


if __name__ == "__main__":
    main()
