"""Builds the sentence encoder's asset: embeds the text, fits the map, writes asset and report.

usage: build.py PACKAGES_FOLDER CACHE_FOLDER ASSET
"""

import json
import pathlib
import sys

import numpy as np

import asset
import fit
import texts
from package import Package

# The most frequent pieces keep the most bits; together as much as three bits for all.
TIERS = [(4, 16_000), (3, 96_000), (2, 16_000)]
ASSET_BYTES_MAX = 31_800_000
CHARS_MAX = 300
BATCH = 2000


def embedded(package, said, cache):
    """Embeds the texts, or reads what an earlier run embedded."""
    path = pathlib.Path(cache) / "vectors.npy"
    if path.exists():
        return np.load(path)
    out = np.empty((len(said), 512), np.float32)
    # Texts of like length together: less padding in the package's batches.
    order = sorted(range(len(said)), key=lambda place: len(said[place]))
    for start in range(0, len(order), BATCH):
        some = order[start:start + BATCH]
        out[some] = package.encode([said[place][:CHARS_MAX] for place in some])
    np.save(path, out)
    return out


def main(root, cache, path):
    package = Package(root)
    gathered = texts.gather(root)
    vectors = embedded(package, [text for _, _, text in gathered], cache)
    languages = np.array([language for language, _, _ in gathered])
    matrix, offset = fit.fit(vectors, languages, np.array([question for _, question, _ in gathered]))
    size = asset.write(path, package, matrix, offset, TIERS)
    report = {"bytes": size, "texts": len(gathered), "rows": {f"{bits} bits": rows for bits, rows in TIERS},
              "by language": {language: int((languages == language).sum()) for language in sorted(set(languages))}}
    pathlib.Path(path).with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))
    if size > ASSET_BYTES_MAX:
        sys.exit(f"the asset has {size} bytes, over the limit of {ASSET_BYTES_MAX}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
