"""Writes the test data of the port: texts of 16 languages as the package cuts and embeds them.

usage: fixtures.py PACKAGES_FOLDER TEXTS_FILE OUT_FOLDER

Also computes what the int8 layers alone change, with the package's own rows: the least cosine to the package.
"""

import pathlib
import sys

import numpy as np

import quantise
from package import Package

VECTORS_EVERY = 40


def with_int8_layers(package):
    """Puts the weights of eight bits in the package's own forward pass."""
    backend = package.model._model

    def small(weights):
        scale, codes = quantise.layer(weights)
        return (codes * scale).astype(np.float32)

    for name in ["proj_W", "cnn_W", "d0", "d1", "d2", "d3", "p1", "p3"]:
        setattr(backend, name, small(getattr(backend, name)))
    backend.w1, backend.w2 = ([small(weights) for weights in some] for some in (backend.w1, backend.w2))


def main(root, texts_file, out):
    package = Package(root)
    texts = [line for line in pathlib.Path(texts_file).read_text("utf-8").splitlines() if line.strip()]
    folder = pathlib.Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "pieces.tsv", "w", encoding="utf-8") as file:
        for text in texts:
            ids = package.tokenizer.encode(text, add_bos=False, add_eos=False)
            file.write(f"{text}\t{' '.join(map(str, ids))}\n")
    own = package.encode(texts)
    with open(folder / "vectors.tsv", "w", encoding="utf-8") as file:
        for text, vector in list(zip(texts, own))[::VECTORS_EVERY]:
            file.write(f"{text}\t{' '.join(f'{x:.3f}' for x in vector)}\n")
    with_int8_layers(package)
    cosines = (package.encode(texts) * own).sum(1)
    print(f"{len(texts)} texts; cosine with int8 layers: mean {cosines.mean():.5f}, least {cosines.min():.5f}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
