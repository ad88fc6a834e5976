"""What a judge says of question and passage pairs, and of the entailment pairs kept apart."""
import numpy as np
import torch

from packing import LONGEST, PASSAGE_TOKENS, QUESTION_TOKENS, Row, on_device
from texts import LABELS, detokenise

STRIDE, WINDOWS = 128, 4


@torch.no_grad()
def logits(model, pairs, device, row_tokens=65536):
    """Relevance and entailment logits of (tokens, tokens) pairs, in the given order."""
    model.eval()
    rel, nli = [], []
    row, size = Row(), 0
    def flush():
        ids, starts, first = row.arrays()
        r, n = model(*on_device(ids, starts, first, device), LONGEST)
        rel.append(r.float().cpu().numpy()), nli.append(n.float().cpu().numpy())
    for a, b in pairs:
        size += row.add(a, b)
        if size + LONGEST > row_tokens:
            flush()
            row, size = Row(), 0
    if size:
        flush()
    return (np.concatenate(rel), np.concatenate(nli)) if rel else (np.zeros(0, np.float32), np.zeros((0, 3), np.float32))


def windows(tokens):
    """A long passage in overlapping parts; the first is all of a short one."""
    out = [tokens[:PASSAGE_TOKENS]]
    at = STRIDE
    while len(out) < WINDOWS and at + PASSAGE_TOKENS - STRIDE < len(tokens):
        out.append(tokens[at:at + PASSAGE_TOKENS])
        at += STRIDE
    return out


def judge_set(model, tokenizer, data, device):
    """For each candidate of each question, flat and in order: the logit of the passage's beginning, the best of its windows, and with the
    turn before it (where the set has one)."""
    questions = tokenizer(data["questions"], QUESTION_TOKENS)
    passages = tokenizer(data["passages"], 640)
    contexts = tokenizer(data["contexts"], 64)
    cuts = [windows(passages[k]) for k in range(len(passages))]
    flat = [(q, k) for q, c in enumerate(data["cand"]) for k in c]
    counts = [len(cuts[k]) for _, k in flat]
    rel, _ = logits(model, ((questions[q], w) for q, k in flat for w in cuts[k]), device)
    starts = np.concatenate(([0], np.cumsum(counts)))[:-1]
    out = dict(first=rel[starts], best=np.maximum.reduceat(rel, starts))
    if any(data["contexts"]):
        out["context"], _ = logits(model, ((questions[q], np.concatenate((contexts[k], passages[k]))[:PASSAGE_TOKENS + 48]) for q, k in flat), device)
    return out


def judge_entailment(model, tokenizer, lines, device):
    premises = tokenizer([detokenise(x["premise"]) for x in lines], 160)
    hypotheses = tokenizer([detokenise(x["hypothesis"]) for x in lines], 64)
    _, nli = logits(model, ((premises[i], hypotheses[i]) for i in range(len(lines))), device)
    return nli


def entailment_right(nli, lines):
    right = np.array([nli[i].argmax() == LABELS.index(x["label"]) for i, x in enumerate(lines)])
    names = np.array([x["source"] for x in lines])
    return {str(n): round(float(right[names == n].mean()), 4) for n in np.unique(names)}
