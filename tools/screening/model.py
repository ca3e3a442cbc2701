"""The classifier: a linear part over vector and words, and examples that are compared with the vector."""

import struct

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

VECTOR = 512
BUCKETS = 1 << 15
# Chosen by leaving out whole test files (`train.py --folds`): the inverse strength of regularisation of the linear part; the
# directions, number, regularisation and narrowness of the examples.
C = 30
DIRECTIONS = 160
EXAMPLES = 2600
EXAMPLES_PENALTY = 0.2
NARROWNESS = 1.5
STEPS = 3


def features(parts):
    """The vector, and each bucket of words with a weight by their number."""
    rows, columns, values = [], [], []
    for row, (_, grams) in enumerate(parts):
        rows += [row] * len(grams)
        columns += grams
        values += [1 / max(len(grams), 1) ** 0.5] * len(grams)
    words = csr_matrix((values, (rows, columns)), shape=(len(parts), BUCKETS))
    return hstack([csr_matrix(np.stack([vector for vector, _ in parts])), words]).tocsr()


def likeness(points, examples):
    distances = (points**2).sum(1)[:, None] + (examples**2).sum(1)[None, :] - 2 * points @ examples.T
    return np.exp(-NARROWNESS * np.maximum(distances, 0)).astype(np.float32)


def votes(points, labels, examples):
    """Logistic regression on the likeness to each example, with the norm of the kernel as penalty; the offset comes last."""
    seen = np.hstack([likeness(points, examples), np.ones((len(points), 1), np.float32)])
    penalty = 1e-4 * np.eye(seen.shape[1], dtype=np.float32)
    penalty[:-1, :-1] += likeness(examples, examples)
    weights = np.zeros(seen.shape[1], np.float32)
    for _ in range(STEPS):
        score = seen @ weights
        chance = 1 / (1 + np.exp(-score))
        doubt = np.maximum(chance * (1 - chance), 1e-3)
        target = score + (labels - chance) / doubt
        weights = np.linalg.solve(seen.T @ (seen * doubt[:, None]) + EXAMPLES_PENALTY * penalty, seen.T @ (doubt * target))
    return weights


class Model:
    def __init__(self, parts, labels):
        self.linear = LogisticRegression(C=C, max_iter=400, solver="liblinear", tol=1e-2).fit(features(parts), labels)
        vectors = np.stack([vector for vector, _ in parts])
        self.projection = np.linalg.svd(vectors.T @ vectors)[0][:, :DIRECTIONS].astype(np.float32)
        # What the encoder does not understand has no vector, and no examples.
        known = np.abs(vectors).sum(1) > 0
        points, labels = vectors[known] @ self.projection, labels[known].astype(np.float32)
        chance = np.random.default_rng(1)
        chosen = [chance.choice(np.where(labels == label)[0], EXAMPLES // 2, replace=False) for label in (0, 1)]
        examples = points[np.concatenate(chosen)]
        self.step = np.abs(examples).max() / 127
        self.examples = np.round(examples / self.step).astype(np.int8)
        found = votes(points, labels, self.examples * np.float32(self.step))
        self.votes, self.offset = found[:-1].astype(np.float32), float(found[-1])

    def scores(self, parts):
        points = np.stack([vector for vector, _ in parts]) @ self.projection
        # In whole steps, as the binary has them.
        points = np.round(points / self.step) * np.float32(self.step)
        near = likeness(points, self.examples * np.float32(self.step)) @ self.votes + self.offset
        return self.linear.decision_function(features(parts)) + np.where(np.abs(points).sum(1) > 0, near, 0)

    def packed(self):
        """The weights as the binary reads them."""
        weights, bias = self.linear.coef_[0], self.linear.intercept_[0]
        step = np.abs(weights[VECTOR:]).max() / 127
        steps = np.clip(np.round(weights[VECTOR:] / step), -127, 127).astype(np.int8)
        linear = struct.pack("<2f", bias, step) + weights[:VECTOR].astype("<f4").tobytes() + steps.tobytes()
        head = struct.pack("<5f", DIRECTIONS, len(self.votes), NARROWNESS, self.offset, self.step)
        examples = self.projection.astype("<f4").tobytes() + self.votes.astype("<f4").tobytes() + self.examples.tobytes()
        return linear + head + examples
