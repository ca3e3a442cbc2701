"""The student: a table of token vectors whose sum, brought to unit length, approaches the teacher's vector."""

import numpy as np
import torch


def pca(vectors, dimension):
    """Gives the directions that keep most of the dot products, the strongest first."""
    _, directions = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    return directions[:, ::-1][:, :dimension].astype(np.float32)


def unit(vectors):
    """Brings each row to unit length."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def join(lists, targets, first, last, share, lengths, seed):
    """Joins random texts of a range; the target of the joined text is the sum of the targets."""
    rng = np.random.default_rng(seed)
    joined, sums = [], []
    for _ in range(int(share * (last - first))):
        parts = rng.integers(first, last, rng.integers(*lengths))
        joined.append(np.unique(np.concatenate([lists[i] for i in parts])))
        sums.append(targets[parts].sum(0))
    return joined, np.array(sums, np.float32).reshape(-1, targets.shape[1])


def train(table, tokens, targets, *, epochs, batch, rate, seed):
    """Fits `table` (rows × dimension) so that sums of rows point where `targets` do: the loss is one minus the cosine.

    A second term that matches the teacher's ranking inside a batch was tried and did not help search.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    # Sparse: a batch touches few of the rows, and the others need no work.
    bag = torch.nn.EmbeddingBag.from_pretrained(torch.from_numpy(table.copy()), freeze=False, mode="sum", sparse=True)
    optimizer = torch.optim.SparseAdam(bag.parameters(), lr=rate, betas=(0.9, 0.99))
    keep = [i for i in range(len(tokens)) if len(tokens[i])]
    steps = epochs * (len(keep) // batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.02, 1 - step / steps))
    targets = torch.nn.functional.normalize(torch.from_numpy(targets))
    for epoch in range(epochs):
        rng.shuffle(keep)
        total = 0.0
        for at in range(0, len(keep) - batch + 1, batch):
            chosen = keep[at:at + batch]
            lists = [tokens[i] for i in chosen]
            offsets = np.cumsum([0] + [len(ids) for ids in lists[:-1]])
            given = torch.nn.functional.normalize(bag(torch.from_numpy(np.concatenate(lists)), torch.from_numpy(offsets)))
            loss = 1 - (given * targets[chosen]).sum(1).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
            total += float(loss.detach())
        print(f"epoch {epoch + 1}: one minus cosine {total / (len(keep) // batch):.4f}", flush=True)
    return bag.weight.detach().numpy()


def quantise(table):
    """Turns rows into int8 with one scale each."""
    scale = np.abs(table).max(1) / 127
    rows = np.round(table / np.maximum(scale, 1e-12)[:, None]).astype(np.int8)
    return rows, scale.astype(np.float32)
