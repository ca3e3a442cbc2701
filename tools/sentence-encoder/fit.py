"""Fits the map from the encoder's own vectors to those that are compared.

The encoder was trained on similarity: a question is nearest to other questions. The map takes away what all texts share
and the direction from statements to questions, and keeps the directions that carry most.
"""

import numpy as np

OUT = 256


def question_direction(vectors, languages, questions):
    """Gives the mean over languages of (mean of questions - mean of statements), of unit length."""
    parts = []
    for language in sorted(set(languages)):
        asked = (languages == language) & questions
        said = (languages == language) & ~questions
        if asked.sum() >= 30:
            parts.append(vectors[asked].mean(0) - vectors[said].mean(0))
    mean = np.mean(parts, axis=0)
    return mean / np.linalg.norm(mean)


def fit(vectors, languages, questions):
    """Gives the matrix (512 x 256) and the offset of the map."""
    centre = vectors.mean(0)
    direction = question_direction(vectors, languages, questions)
    without = np.eye(len(centre)) - np.outer(direction, direction)
    rest = (vectors - centre) @ without
    # By the covariance of the sum over the languages, each with the weight of the square root of its size.
    scale = {language: (languages == language).sum() ** -0.25 for language in set(languages)}
    weighted = rest * np.array([scale[language] for language in languages])[:, None]
    values, directions = np.linalg.eigh(weighted.T @ weighted)
    matrix = without @ directions[:, np.argsort(-values)[:OUT]]
    return matrix.astype(np.float32), (-centre @ matrix).astype(np.float32)
