"""Lives told in messages: which of them says something that answers a question. Whether that still holds is told by the order of the messages, not by the judge, so what
is outdated counts as an answer, too. What the judge said before of other pairs is replayed, so that it stays as it is there."""
import json
import lzma

import numpy as np
import torch
import torch.nn.functional as F

from packing import LONGEST, Row, on_device
from texts import detokenise

QUESTIONS, MESSAGES = 8, 24
PAIRS, OTHERS, NLI_PAIRS = 16, 5, 64
# How often a message comes after the end of the one before it; how much a judgement of each message by itself counts; and the replay, of each of two kinds.
BEFORE, ALONE, SAME = 0.5, 0.3, 0.2
# Of a run, the mean of the steps from here on is kept.
KEPT = 0.6


class Question:
    def __init__(self, tokens, answers, life):
        self.tokens, self.answers, self.life = tokens, answers, life


class Life:
    """Messages as tokens, and what stands before each."""

    def __init__(self, told, tokenizer):
        messages = told["messages"]
        clean = lambda text: " ".join(text.split())
        self.messages = tokenizer([clean(m["text"]) for m in messages], 190)
        self.before = tokenizer([clean(m["text"][-220:]) for m in [{"text": ""}] + messages[:-1]], 64)
        place = {m["id"]: at for at, m in enumerate(messages)}
        asked = tokenizer([q["q"] for q in told["questions"]], 56)
        self.questions = [Question(asked[k], {place[i] for i in q["answer"] + q.get("stale", [])}, self) for k, q in enumerate(told["questions"])]

    def shown(self, at, with_before):
        own = self.messages[at]
        return np.concatenate((self.before[at], own))[:240] if with_before else own


def read(path, tokenizer):
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [Life(json.loads(line), tokenizer) for line in lines]


class Replay:
    """Pairs of the training data: right and other passages of a source, and entailment pairs."""

    def __init__(self, pairs, nli, tokenizer):
        self.questions, self.passages = tokenizer([p["query"] for p in pairs], 56), tokenizer([p["positive"] for p in pairs], 190)
        self.premises, self.hypotheses = tokenizer([detokenise(x["premise"]) for x in nli], 120), tokenizer([detokenise(x["hypothesis"]) for x in nli], 64)
        self.sources = {}
        for k, p in enumerate(pairs):
            self.sources.setdefault(p["source"], []).append(k)
        self.source = [p["source"] for p in pairs]

    def draw(self, rng):
        ranked = []
        for i in rng.choice(len(self.source), PAIRS):
            others = rng.choice(self.sources[self.source[i]], OTHERS)
            ranked += [(self.questions[i], self.passages[k]) for k in [i, *others]]
        return ranked, [(self.premises[i], self.hypotheses[i]) for i in rng.choice(len(self.premises), NLI_PAIRS)]


def forward(model, sequences, device):
    row = Row()
    for a, b in sequences:
        row.add(a, b)
    return model(*on_device(*row.arrays(), device), LONGEST)


def loss_of(logits, answers):
    """Each message that answers before all that do not; and each by itself."""
    right, wrong = logits[answers], logits[~answers]
    if not len(right):
        return 2 * ALONE * (F.softplus(logits).mean() + F.softplus(logits.max() + 1))
    others = torch.logsumexp(wrong, 0).expand(len(right)) if len(wrong) else right.new_full((len(right),), -1e4)
    alone = F.softplus(-right).mean() + (F.softplus(wrong).mean() if len(wrong) else 0)
    return (torch.logaddexp(right, others) - right).mean() + ALONE * alone


def train(model, teacher, lives, replay, device, steps, lr, weight, seed, say):
    """`weight` is how much the replay counts. Leaves the mean of the last steps in the model."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    asked = [question for life in lives for question in life.questions]
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, step / 50) * max(0.05, 1 - step / steps))
    mean, count, seen = None, 0, 0.0
    model.train()
    for step in range(steps):
        sequences, groups = [], []
        for i in rng.choice(len(asked), min(QUESTIONS, len(asked)), replace=False):
            question, size = asked[i], len(asked[i].life.messages)
            chosen = sorted(question.answers | {int(x) for x in rng.choice(size, min(size, MESSAGES), replace=False)})
            with_before = rng.random() < BEFORE
            sequences += [(question.tokens, question.life.shown(at, with_before)) for at in chosen]
            groups.append(torch.tensor([at in question.answers for at in chosen], device=device))
        relevance = forward(model, sequences, device)[0].split([len(group) for group in groups])
        loss = sum(loss_of(logits, group) for logits, group in zip(relevance, groups)) / len(groups)
        ranked, entailed = replay.draw(rng)
        now = forward(model, ranked + entailed, device)
        with torch.no_grad():
            then = forward(teacher, ranked + entailed, device)
        same = F.mse_loss(now[0][:len(ranked)], then[0][:len(ranked)]) + F.mse_loss(now[1][len(ranked):], then[1][len(ranked):])
        (loss + weight * SAME * same).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        rate.step()
        seen += loss.item()
        if step % 200 == 199:
            say(f"step {step + 1} of {steps}: loss {seen / 200:.3f}")
            seen = 0.0
        if step >= KEPT * steps:
            count += 1
            weights = {name: value.detach().float() for name, value in model.state_dict().items()}
            mean = {name: value.clone() for name, value in weights.items()} if mean is None else {name: mean[name] + value for name, value in weights.items()}
    model.load_state_dict({name: value / count for name, value in mean.items()})
