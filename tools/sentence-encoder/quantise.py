"""Brings rows to a few bits and layers to int8."""

import numpy as np

PANEL = 16


def levels(bits):
    """Gives the levels that lose least of a normal distribution (Lloyd's algorithm)."""
    drawn = np.random.default_rng(1).standard_normal(400_000)
    out = np.quantile(drawn, (np.arange(1 << bits) + 0.5) / (1 << bits))
    for _ in range(200):
        nearest = np.searchsorted((out[1:] + out[:-1]) / 2, drawn)
        out = np.array([drawn[nearest == place].mean() for place in range(1 << bits)])
    return out.astype(np.float32)


def codes(rows, table):
    """Gives mean, deviation and codes of each row; the deviation is fitted once more to the codes."""
    mean = rows.mean(1, keepdims=True)
    centred = rows - mean
    deviation = centred.std(1, keepdims=True) + 1e-9
    edges = (table[1:] + table[:-1]) / 2
    for _ in range(3):
        code = np.searchsorted(edges, (centred / deviation).ravel()).reshape(rows.shape)
        level = table[code]
        fitted = (centred * level).sum(1, keepdims=True) / np.maximum((level * level).sum(1, keepdims=True), 1e-9)
        deviation = np.where(fitted > 1e-9, fitted, deviation)
    return mean[:, 0].astype(np.float32), deviation[:, 0].astype(np.float32), code.astype(np.uint8)


def values(mean, deviation, code, table):
    """Gives what the codes stand for."""
    return mean[:, None] + deviation[:, None] * table[code]


def pack(code, bits):
    """Packs the codes of each row, the first in the lowest bits."""
    planes = (code[:, :, None] >> np.arange(bits)) & 1
    return np.packbits(planes.reshape(len(code), -1).astype(np.uint8), axis=1, bitorder="little")


def layer(weights):
    """Gives the scale of each column and the int8 weights."""
    scale = np.maximum(np.abs(weights).max(0), 1e-12) / 127
    return scale.astype(np.float32), np.rint(weights / scale).astype(np.int8)


def panels(weights):
    """Orders weights in panels of 16 columns, each row by row."""
    depth, columns = weights.shape
    return weights.reshape(depth, columns // PANEL, PANEL).transpose(1, 0, 2).tobytes()
