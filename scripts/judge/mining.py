"""Wrong passages for each question: near in meaning (MiniLM's own vectors), and near in words (BM25 over word pieces).

What is nearly as near as the right passage may be right as well, and is left out."""
import numpy as np
import torch
import torch.nn.functional as F

from packing import LONGEST, on_device

KEPT, DEPTH = 40, 48
# A passage counts as wrong if its similarity is below this share of the right one's, or below the floor.
BELOW, FLOOR = 0.93, 0.35
BM25_K1, BM25_B = 1.2, 0.75


@torch.no_grad()
def vectors(model, tokens, device, row=131072):
    """Mean vectors as MiniLM makes them, of [CLS] text [SEP]."""
    out = torch.zeros(len(tokens), 384, dtype=torch.float16, device=device)
    at = 0
    while at < len(tokens):
        parts, size, end = [], 0, at
        while end < len(tokens) and size + LONGEST <= row:
            parts.append(np.concatenate(([101], tokens[end][:126], [102])).astype(np.uint16))
            size += len(parts[-1])
            end += 1
        starts = np.concatenate(([0], np.cumsum([len(p) for p in parts]))).astype(np.int32)
        ids, places, types, begins = on_device(np.concatenate(parts), starts, np.full(len(parts), LONGEST, np.int32), device)
        x = model.states(ids, places, types, begins, LONGEST).float()
        own = torch.repeat_interleave(torch.arange(len(parts), device=device), (begins[1:] - begins[:-1]).long())
        total = torch.zeros(len(parts), 384, device=device).index_add_(0, own, x)
        out[at:end] = F.normalize(total, dim=-1).half()
        at = end
    return out


def word_matrix(tokens, device):
    """BM25's weights, passages by word pieces, sparse."""
    own = np.repeat(np.arange(len(tokens)), np.diff(tokens.ends))
    keys, counts = np.unique(own.astype(np.int64) * 65536 + tokens.all, return_counts=True)
    rows, columns = keys // 65536, keys % 65536
    sizes = np.diff(tokens.ends)
    frequency = np.bincount(columns, minlength=30522)
    idf = np.log1p((len(tokens) - frequency + 0.5) / (frequency + 0.5))
    weight = idf[columns] * counts * (BM25_K1 + 1) / (counts + BM25_K1 * (1 - BM25_B + BM25_B * sizes[rows] / max(1, sizes.mean())))
    place = torch.from_numpy(np.stack([rows, columns])).to(device)
    return torch.sparse_coo_tensor(place, torch.from_numpy(weight.astype(np.float32)).to(device), (len(tokens), 30522)).coalesce().to_sparse_csr()


@torch.no_grad()
def mine(source, question_tokens, passage_tokens, model, device, noisy):
    """For each question up to KEPT wrong passages (-1 fills up), and whether the pair is worth training on."""
    questions, passages = vectors(model, question_tokens, device), vectors(model, passage_tokens, device)
    words = word_matrix(passage_tokens, device)
    answers = torch.tensor(source.answers, device=device)
    # All passages that the same question has elsewhere are right, too.
    same = {}
    for question, answer in zip(source.questions, source.answers):
        same.setdefault(question.lower(), set()).add(answer)
    depth = min(DEPTH, len(passages))
    wrong = np.full((len(questions), KEPT), -1, np.int32)
    useful = np.zeros(len(questions), bool)
    for at in range(0, len(questions), 1024):
        q = questions[at:at + 1024]
        near = (q @ passages.T).float()
        own = near.gather(1, answers[at:at + 1024, None])
        rank = (near > own).sum(1)
        limit = torch.maximum(own * BELOW, torch.full_like(own, FLOOR))
        allowed = near < limit
        asked = torch.zeros(30522, len(q), device=device)
        sizes = np.diff(question_tokens.ends[at:at + len(q) + 1])
        column = torch.from_numpy(np.repeat(np.arange(len(q)), sizes)).to(device)
        row = torch.from_numpy(question_tokens.all[question_tokens.ends[at]:question_tokens.ends[at + len(q)]].astype(np.int64)).to(device)
        asked[row, column] = 1.0
        lexical = (words @ asked).T
        by_meaning = near.masked_fill(~allowed, -1).topk(depth, dim=1)
        by_words = lexical.masked_fill(~allowed, -1).topk(depth, dim=1)
        both = torch.stack([torch.where(by_meaning.values > 0, by_meaning.indices, -1), torch.where(by_words.values > 0, by_words.indices, -1)], 2).flatten(1).cpu().numpy()
        good = ((own[:, 0] > (0.25 if noisy else 0.1)) & (rank < (300 if noisy else 2000))).cpu().numpy()
        for r in range(len(q)):
            i, right = at + r, same[source.questions[at + r].lower()]
            chosen = [x for x in dict.fromkeys(both[r].tolist()) if x >= 0 and x not in right][:KEPT]
            wrong[i, :len(chosen)] = chosen
            useful[i] = good[r] and len(chosen) >= 4
    return wrong, useful
