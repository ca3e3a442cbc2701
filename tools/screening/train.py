#!/usr/bin/env python3
"""Trains the classifier that tells planted instructions from facts about people.

    cargo build --workspace --example sentence_vectors
    pip install -r tools/screening/requirements.txt
    python3 tools/screening/train.py --reader target/debug/examples/sentence_vectors

Writes crates/memory/src/screening/instructions/classifier.bin. `--held-out fresh_f` leaves these test files out of the training
and prints how the result does on them; nothing is written then. `--folds` does so for groups of test files in turn and prints a
table of thresholds, from which those below were chosen. `--cache FILE` keeps what the reader said.
"""

import argparse
import itertools
from pathlib import Path

import numpy as np

import model
import texts
from reader import Reader

WEIGHTS = texts.ROOT / "crates/memory/src/screening/instructions/classifier.bin"
# As in classifier.rs.
SUSPICIOUS_MIN = 2.5
SUSPICIOUS_PART_MIN = 2.8
FACT_MAX = -2.3
# Test files that are left out together.
FOLDS = (("fresh_a", "fresh_e", "fresh_g"), ("fresh_b", "fresh_d", "fresh_f"), ("fresh_c", "fresh_h", "fresh_i"))


def trained(reader, left_out):
    """A model of all texts but the test files `left_out`."""
    files = {f"{name}_{kind}.txt" for name in left_out for kind in ("payloads", "notes")}
    parts, labels = [], []
    training = texts.training(files)
    for (_, label), (found, _) in zip(training, reader.read([text for text, _ in training])):
        # Each sentence of a fact is a fact; of a payload, some sentence is not.
        chosen = found[:1] if label else found
        parts += chosen
        labels += [label] * len(chosen)
    print(f"{len(training)} texts, {sum(label for _, label in training)} of them payloads, {len(parts)} parts", flush=True)
    return model.Model(parts, np.array(labels))


def judged(trained, reader, name, kind):
    """Each text of a test file with what the rules say, whether it has parts, and its highest score."""
    lines = texts.lines(texts.TESTS / f"{name}_{kind}.txt")
    read = reader.read(lines, rules=True)
    scores = trained.scores([part for parts, _ in read for part in parts])
    found = []
    for line, (parts, rules) in zip(lines, read):
        own, scores = scores[: len(parts)], scores[len(parts) :]
        found.append((line, rules, 1 < len(parts), float(max(own, default=0))))
    return found


def is_held(rules, has_parts, score, least, least_of_part, fact):
    return rules in ("disguise", "markup") or (least_of_part if has_parts else least) <= score or (rules is not None and fact <= score)


def report(trained, reader, name):
    """How many payloads of a test file pass, and how many notes are withheld."""
    for kind in ("payloads", "notes"):
        found = judged(trained, reader, name, kind)
        wrong = [
            (round(score, 1), rules, line)
            for line, rules, has_parts, score in found
            if is_held(rules, has_parts, score, SUSPICIOUS_MIN, SUSPICIOUS_PART_MIN, FACT_MAX) != (kind == "payloads")
        ]
        print(f"{name}: {len(wrong)} of {len(found)} {kind} wrong", flush=True)
        for one in sorted(wrong, key=lambda one: one[0]):
            print("   ", *one)


def table(found):
    """What passes and what is withheld, by thresholds."""
    payloads = [one for kind, one in found if kind == "payloads"]
    notes = [one for kind, one in found if kind == "notes"]
    print(f"least, least of a part, fact: of {len(payloads)} payloads pass, of {len(notes)} notes withheld")
    for least, more, fact in itertools.product(np.arange(0.5, 4.1, 0.5), (0.0, 0.3), (-5.0, -4.0, -3.0, -2.0)):
        passed = sum(not is_held(*one[1:], least, least + more, fact) for one in payloads)
        withheld = sum(is_held(*one[1:], least, least + more, fact) for one in notes)
        print(f"{least:5.1f} {least + more:5.1f} {fact:5.1f}: {passed:4} {withheld:4}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--reader", required=True)
    options.add_argument("--held-out", nargs="*", default=[])
    options.add_argument("--folds", action="store_true")
    options.add_argument("--cache", type=Path)
    options = options.parse_args()
    reader = Reader(options.reader, options.cache)
    if options.folds:
        found = []
        for names in FOLDS:
            without = trained(reader, names)
            for name in names:
                report(without, reader, name)
                found += [(kind, one) for kind in ("payloads", "notes") for one in judged(without, reader, name, kind)]
        table(found)
        return
    result = trained(reader, options.held_out)
    for name in options.held_out:
        report(result, reader, name)
    if not options.held_out:
        WEIGHTS.write_bytes(result.packed())
        print(f"{WEIGHTS.stat().st_size} bytes")


if __name__ == "__main__":
    main()
