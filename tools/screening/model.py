"""The classifier: a linear part over vector and words, and examples that are compared with the vector."""

import struct

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

VECTOR = 512
BUCKETS = 1 << 15
# Chosen by leaving out whole test files (`train.py --folds`): the inverse strength of regularisation of the linear part; the
# directions, strength and narrowness of the examples; and how much the examples count beside the linear part.
C = 300
DIRECTIONS = 160
EXAMPLES_C = 10
NARROWNESS = 2.0
EXAMPLES_SHARE = 8.0


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


class Model:
    def __init__(self, parts, labels):
        self.linear = LogisticRegression(C=C, max_iter=400, solver="liblinear", tol=1e-2).fit(features(parts), labels)
        vectors = np.stack([vector for vector, _ in parts])
        self.projection = np.linalg.svd(vectors.T @ vectors)[0][:, :DIRECTIONS].astype(np.float32)
        # What the encoder does not understand has no vector, and no examples.
        known = np.abs(vectors).sum(1) > 0
        points, labels = vectors[known] @ self.projection, labels[known]
        machine = SVC(C=EXAMPLES_C, gamma=NARROWNESS, cache_size=1500).fit(points, labels)
        self.votes = (EXAMPLES_SHARE * machine.dual_coef_[0]).astype(np.float32)
        self.offset = float(EXAMPLES_SHARE * machine.intercept_[0])
        self.step = np.abs(machine.support_vectors_).max() / 127
        self.examples = np.round(machine.support_vectors_ / self.step).astype(np.int8)

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
