"""Writes the table in the layout that crates/models/src/builtin/table.rs reads."""

import hashlib
import struct

import numpy as np

MAGIC, VERSION = b"RCLSTATC", 1


def write(path, centre, wide_entries, wide, narrow_entries, narrow):
    """Writes int8 rows; `wide` and `narrow` are (rows, scales). Gives the size in bytes."""
    entries = [e.encode() for e in list(wide_entries) + list(narrow_entries)]
    ends = np.cumsum([len(e) for e in entries]).astype("<u4").tobytes()
    texts = b"".join(entries)
    scales = np.concatenate([wide[1], narrow[1]]).astype("<f4").tobytes()
    body = np.asarray(centre).astype("<f4").tobytes() + ends + texts + scales + wide[0].tobytes() + narrow[0].tobytes()
    fields = (VERSION, wide[0].shape[1], narrow[0].shape[1], len(wide_entries), len(narrow_entries), len(texts))
    header = MAGIC + struct.pack("<6I", *fields) + hashlib.sha256(body).digest()[:8]
    with open(path, "wb") as out:
        out.write(header + body)
    return len(header) + len(body)
