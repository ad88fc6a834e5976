"""Tokens, and rows of tokens in which sequences lie end to end."""
import numpy as np
import torch
from tokenizers import BertWordPieceTokenizer

CLS, SEP, MASK = 101, 102, 103
QUESTION_TOKENS, PASSAGE_TOKENS, LONGEST = 56, 192, 256


class Tokens:
    """Many short lists of token numbers in one array."""

    def __init__(self, lists):
        self.ends = np.cumsum([0] + [len(x) for x in lists])
        self.all = np.concatenate([np.asarray(x, np.uint16) for x in lists]) if len(lists) else np.zeros(0, np.uint16)

    def __len__(self):
        return len(self.ends) - 1

    def __getitem__(self, i):
        return self.all[self.ends[i]:self.ends[i + 1]]


class Tokenizer:
    def __init__(self, vocabulary):
        """`vocabulary` is a file, or numbers by token."""
        self.inner = BertWordPieceTokenizer(vocabulary, lowercase=True)

    def __call__(self, texts, most):
        out = []
        for at in range(0, len(texts), 50_000):
            out += [e.ids[:most] for e in self.inner.encode_batch(texts[at:at + 50_000], add_special_tokens=False)]
        return Tokens(out)


def sequence(a, b):
    return np.concatenate(([CLS], a, [SEP], b, [SEP])).astype(np.uint16)


class Row:
    """Sequences end to end: token numbers, where each begins, and the size of each first part."""

    def __init__(self):
        self.parts, self.first = [], []

    def add(self, a, b):
        # The first part keeps its size; the second gives way where both are too long.
        a = a[:LONGEST - 3 - min(len(b), 64)]
        self.parts.append(sequence(a, b[:LONGEST - 3 - len(a)]))
        self.first.append(len(a) + 2)
        return len(self.parts[-1])

    def arrays(self, tokens=None, sequences=None):
        """With a number of tokens and sequences, the row is filled to exactly that size."""
        sizes = [len(p) for p in self.parts]
        starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)
        ids = np.concatenate(self.parts)
        first = np.asarray(self.first, np.int32)
        if tokens:
            # What is left over becomes further sequences that nothing looks at.
            left, extra = tokens - len(ids), []
            while left > 0:
                extra.append(min(left, LONGEST))
                left -= extra[-1]
            starts = np.concatenate((starts, starts[-1] + np.cumsum(extra).astype(np.int32))).astype(np.int32)
            starts = np.concatenate((starts, np.full(sequences + 1 - len(starts), tokens, np.int32)))
            ids = np.concatenate((ids, np.zeros(tokens - len(ids), np.uint16)))
            first = np.concatenate((first, np.full(sequences - len(first), 1, np.int32)))
        return ids, starts, first


def on_device(ids, starts, first, device):
    """What the model takes: token numbers, places, types, starts."""
    ids = torch.from_numpy(ids.astype(np.int32)).to(device, non_blocking=True)
    starts = torch.from_numpy(starts).to(device, non_blocking=True)
    first = torch.from_numpy(first).to(device, non_blocking=True)
    at = torch.arange(len(ids), device=device, dtype=torch.int32)
    # Sequences of no tokens share their start with the end: the last that begins at or before a token is its own.
    own = (torch.searchsorted(starts, at, right=True) - 1).clamp(max=len(first) - 1)
    places = at - starts[own]
    types = (places >= first[own]).int()
    return ids, places, types, starts
