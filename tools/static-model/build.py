"""Builds the built-in model: gathers text, asks the teachers, trains the tables, writes the asset and a report.

usage: build.py PACKAGES_FOLDER CACHE_FOLDER ASSET
"""

import json
import pathlib
import random
import re
import sys

import numpy as np
import torch

import asset
import corpus
import english
import foreign
import student
import teacher

SEED = 1
SIZES = {"glosses": 36000, "examples": 47000, "novels": 9000, "python": 7000, "rust": 5000, "chats": 3000,
         "life": 36000, "joined": 7000}
TEXTS_MAX = 18 * 8192
DIMENSION, NARROW = 256, 112
ASSET_BYTES_MAX = 10_000_000
# How much of what all texts share is taken away from each; between one half and one measured best.
CENTRE_SHARE = 0.7


def english_texts(root, vocabulary):
    """Gives single words first, then the shuffled texts; and how many are words."""
    words = [w for w in vocabulary[english.FIRST_WORD:] if not w.startswith("##")]
    by_source = corpus.gather(root, SIZES, SEED)
    texts = list(dict.fromkeys(t for source in by_source.values() for t in source))
    random.Random(SEED + 1).shuffle(texts)
    return (words + texts)[:TEXTS_MAX], len(words)


def foreign_material(root):
    """Gives the entries of the second table and the texts that train it, by kind."""
    here = pathlib.Path(__file__).parent
    everyday = foreign.everyday(here)
    chinese, japanese = foreign.chinese_words(root, 10000), foreign.japanese_words(root, 6000)
    parallel = foreign.parallel(everyday, 5000, 1)
    words = [row[1] for row in everyday] + [row[2] for row in everyday] + foreign.characters(root)
    words += [w for w, _, _ in chinese] + [w for w, _, _ in japanese]
    counts = foreign.chinese_counts(root)
    return {
        "words": list(dict.fromkeys(words)),
        "zh": foreign.open_sentences("zh", chinese, 9000, 2) + foreign.chats(root, "chinese") + [p[1] for p in parallel],
        "ja": foreign.open_sentences("ja", japanese, 6000, 3) + foreign.chats(root, "japanese") + [p[2] for p in parallel],
        "zh bags": foreign.chinese_bags(counts, 5000, 7),
        "more zh bags": foreign.chinese_bags(counts, 4096, 8),
        "ja bags": foreign.japanese_bags(root, [w for w, _, _ in japanese], 4096, 9),
    }, counts


def bridge(multilingual, targets):
    """Fits the linear map from the multilingual teacher's space to the student's, by ridge regression."""
    with_one = np.c_[multilingual, np.ones(len(multilingual))]
    ridge = with_one.T @ with_one + np.eye(with_one.shape[1])
    return np.linalg.solve(ridge, with_one.T @ targets).astype(np.float32)


def main(root, cache, path):
    torch.set_num_threads(1)
    vocabulary = english.vocabulary(root)
    texts, word_count = english_texts(root, vocabulary)
    vectors = teacher.cached(teacher.MiniLM(root), texts, cache)
    directions = student.pca(vectors[word_count:], DIMENSION)
    targets = student.unit(vectors @ directions)
    table = english.train(root, vocabulary, texts, word_count, targets, SEED)
    kept = [i for i, text in enumerate(vocabulary) if i >= english.FIRST_USABLE and re.fullmatch(r"(##)?[a-z0-9]+", text)]

    use = teacher.Use(root)
    # Enough common words and sentences to fit the map between the two teachers' spaces.
    sample = list(range(2500)) + list(range(24576, 24576 + 4500))
    map_texts = [texts[i] for i in sample]
    across = bridge(teacher.cached(use, map_texts, cache, 2048), (vectors @ directions)[sample])
    material, counts = foreign_material(root)
    asked = {kind: teacher.cached(use, some, cache, 1024 if "bags" in kind else 2048) for kind, some in material.items()}
    mapped = {kind: student.unit((np.c_[v, np.ones(len(v))] @ across)[:, :NARROW].astype(np.float32)) for kind, v in asked.items()}
    entries, narrow = foreign.train(material, mapped, counts, SEED)

    wide_rows = student.quantise(table[kept])
    narrow_rows = student.quantise(narrow * foreign.balance(table[kept], narrow))
    size = asset.write(path, CENTRE_SHARE * targets[word_count:].mean(0), [vocabulary[i] for i in kept], wide_rows, entries, narrow_rows)
    report = {"bytes": size, "dimension": DIMENSION, "narrow": NARROW, "wide rows": len(kept), "narrow rows": len(entries),
              "English texts": len(texts), "foreign texts": {kind: len(some) for kind, some in material.items()}}
    pathlib.Path(path).with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))
    if size > ASSET_BYTES_MAX:
        sys.exit(f"the asset has {size} bytes, over the limit of {ASSET_BYTES_MAX}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
