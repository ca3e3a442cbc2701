"""Writes the encoder in the layout that crates/models/src/encoder/asset.rs reads."""

import hashlib
import struct

import numpy as np

import quantise

MAGIC, VERSION = b"RCLSENTE", 1


def floats(values):
    """Gives numbers as f32."""
    return np.asarray(values).astype("<f4").tobytes()


def write(path, package, matrix, offset, tiers):
    """Writes the asset; `tiers` are (bits, rows) from the most frequent pieces on. Gives its size in bytes."""
    pieces, unknown = package.pieces()
    texts = [text.encode() for text, _, _ in pieces]
    characters = package.character_map()
    counts = [rows for _, rows in tiers] + [len(characters), sum(map(len, texts)), len(pieces), len(tiers)]
    body = [struct.pack("<7I", *counts), characters, b"".join(texts)]
    body.append(np.array([len(text) for text in texts], np.uint8).tobytes())
    body.append(np.array([place for _, place, _ in pieces], "<u4").tobytes())
    body.append(floats([score for _, _, score in pieces]))
    body.append(floats([unknown]))
    tables = [quantise.levels(bits) for bits, _ in tiers]
    body += [floats(table) for table in tables]
    rows, start = package.rows(), 0
    for (bits, count), table in zip(tiers, tables):
        mean, deviation, code = quantise.codes(rows[start:start + count], table)
        head = np.stack([mean, deviation], axis=1).astype("<f2").view(np.uint8)
        body.append(np.concatenate([head, quantise.pack(code, bits)], axis=1).tobytes())
        start += count
    for gain, shift in package.norms():
        body += [floats(gain), floats(shift)]
    for weights, bias in package.layers() + [(matrix, offset)]:
        scale, small = quantise.layer(weights)
        body += [floats(scale), floats(bias), quantise.panels(small)]
    body = b"".join(body)
    with open(path, "wb") as out:
        out.write(MAGIC + struct.pack("<I", VERSION) + hashlib.sha256(body).digest()[:8] + body)
    return 20 + len(body)
