"""Training: rows of questions with one right and seven wrong passages, and of entailment pairs, from several processes."""
import multiprocessing
import time

import numpy as np
import torch
import torch.nn.functional as F

from packing import MASK, Row, on_device
from texts import DIALOGUE, NLI_SHARES, SHARES

CANDIDATES = 8
NLI_PAIRS = 64
WORKERS = 12


class Material:
    """All that a row is drawn from, as arrays that processes share."""

    def __init__(self, sources, nli, shares=SHARES, context=0.5):
        self.context = context  # how often a dialogue's passages come with the turn before them
        self.sources = sources  # name: dict(questions, passages, contexts: Tokens; answers, wrong, useful: arrays)
        names = [n for n in sources if len(sources[n]["useful"])]
        share = np.array([shares[n] for n in names], float)
        self.names, self.share = names, share / share.sum()
        self.nli = nli  # dict(premises, hypotheses: Tokens; label, source, by: {(source, label): rows})


class Drawer:
    """Draws rows of one size from its own random numbers."""

    def __init__(self, material, tokens, groups, seed):
        self.m, self.tokens, self.groups = material, tokens, groups
        self.rng = np.random.default_rng(seed)
        self.sequences = groups * CANDIDATES + NLI_PAIRS + tokens // 256 + 2

    def row(self):
        row = Row()
        labels, masks, size = self.add_nli(row)
        groups = 0
        while groups < self.groups:
            sequences = self.group()
            need = sum(min(256, len(a) + len(b) + 3) for a, b in sequences)
            if size + need > self.tokens:
                break
            for a, b in sequences:
                size += row.add(a, b)
            groups += 1
        return (*row.arrays(self.tokens, self.sequences), groups, labels, masks)

    def group(self):
        rng, m = self.rng, self.m
        name = m.names[rng.choice(len(m.names), p=m.share)]
        s = m.sources[name]
        i = s["useful"][rng.integers(len(s["useful"]))]
        pool = s["wrong"][i]
        pool = pool[:np.searchsorted(pool < 0, True)]
        # Most of the wrong passages are near ones; one or two are any of the source, so that easy cases stay easy.
        near = rng.permutation(len(pool))[:CANDIDATES - 1 - rng.integers(1, 3)]
        chosen = [int(pool[k]) for k in near]
        while len(chosen) < CANDIDATES - 1:
            other = int(rng.integers(len(s["passages"])))
            if other != s["answers"][i] or len(s["passages"]) < 2:
                chosen.append(other)
        passages = [s["passages"][k] for k in [s["answers"][i]] + chosen]
        if name in DIALOGUE and rng.random() < m.context:
            passages = [np.concatenate((self.before(s, k), p)) for k, p in zip([s["answers"][i]] + chosen, passages)]
        return [(s["questions"][i], p[:190]) for p in passages]

    def before(self, s, k):
        own = s["contexts"][k]
        return own if len(own) else s["passages"][self.rng.integers(len(s["passages"]))][-48:]

    def add_nli(self, row):
        """Labels in equal number within each source; a source that lacks one is not judged on it."""
        rng, nli = self.rng, self.m.nli
        labels, masks, size = [], [], 0
        for _ in range(NLI_PAIRS):
            source = nli["names"][rng.choice(len(nli["names"]), p=nli["share"])]
            known = nli["known"][source]
            label = known[rng.integers(len(known))]
            k = nli["by"][source, label][rng.integers(len(nli["by"][source, label]))]
            a, b = nli["premises"][k], nli["hypotheses"][k]
            if label == 2 and len(known) == 3 and rng.random() < 0.1:
                a, b = b, a  # What contradicts is contradicted.
            if rng.random() < 0.4:
                a = a.copy()
                a[rng.random(len(a)) < 0.1] = MASK
            size += row.add(a, b)
            labels.append(label)
            masks.append([x in known for x in range(3)])
        return np.array(labels), np.array(masks), size


def nli_material(lines, tokenizer, detokenise, labels):
    premises = tokenizer([detokenise(x["premise"]) for x in lines], 120)
    hypotheses = tokenizer([detokenise(x["hypothesis"]) for x in lines], 64)
    label = [labels.index(x["label"]) for x in lines]
    by, known = {}, {}
    for k, x in enumerate(lines):
        by.setdefault((x["source"], label[k]), []).append(k)
    for source, l in sorted(by):
        known.setdefault(source, []).append(l)
    names = sorted(known)
    share = np.array([NLI_SHARES[n] for n in names], float)
    return dict(premises=premises, hypotheses=hypotheses, by={k: np.array(v) for k, v in by.items()}, known=known, names=names, share=share / share.sum())


def feed(material, tokens, groups, seed, queue):
    torch.set_num_threads(1)
    drawer = Drawer(material, tokens, groups, seed)
    while True:
        queue.put(drawer.row())


class Feeders:
    """Rows from several processes, taken in turn, so that their order does not depend on which is faster."""

    def __init__(self, material, tokens, groups, seed, workers=WORKERS):
        context = multiprocessing.get_context("fork")
        self.queues = [context.Queue(6) for _ in range(workers)]
        self.processes = [context.Process(target=feed, args=(material, tokens, groups, 1000 * seed + k, q), daemon=True) for k, q in enumerate(self.queues)]
        self.turn = 0
        for p in self.processes:
            p.start()

    def next(self):
        self.turn += 1
        return self.queues[self.turn % len(self.queues)].get()

    def stop(self):
        for p in self.processes:
            p.terminate()


class Mean:
    """The mean of the weights over the last part of a training, which does better than the weights of any one step."""

    FROM, EVERY = 0.55, 25

    def __init__(self):
        self.weights, self.taken = {}, 0

    @torch.no_grad()
    def take(self, model, step, steps):
        if step < steps * self.FROM or step % self.EVERY and step < steps:
            return
        self.taken += 1
        for name, value in model.state_dict().items():
            known = self.weights.setdefault(name, value.detach().float().clone())
            known.lerp_(value.float(), 1 / self.taken)


def losses(rel, nli, targets, teacher=None, doubt=None, balanced=False):
    """Listwise loss over each question's passages, a small binary loss so that logits have a meaning alone, and entailment.

    With `balanced`, the right passage and all wrong ones have the same part in the binary loss, and it counts more. With `doubt`, a wrong passage that the model puts that far before the right one is not counted: by then it is more often right than not."""
    s, n, known, is_group = rel_nli(rel, nli, targets)
    if doubt is not None and teacher is None:
        s = torch.where(s.detach() > s.detach()[:, :1] + doubt, -30.0, s)
    zero = torch.zeros(len(s), dtype=torch.long, device=s.device)
    weight = is_group.float() / is_group.float().sum()
    listwise = (F.cross_entropy(s, zero, reduction="none") * weight).sum()
    first = F.one_hot(zero, CANDIDATES).float()
    each = F.binary_cross_entropy_with_logits(s, first, reduction="none")
    binary = ((each[:, 0] + each[:, 1:].mean(1) if balanced else each.mean(1)) * weight).sum()
    entailed = F.cross_entropy(n, targets["labels"])
    if teacher is None:
        return listwise + 0.15 * binary + 0.5 * entailed
    ts, tn, _, _ = rel_nli(*teacher, targets)
    near = (F.mse_loss(s, ts, reduction="none").mean(1) * weight).sum()
    order = (F.kl_div(F.log_softmax(s, -1), F.log_softmax(ts, -1), log_target=True, reduction="none").sum(1) * weight).sum()
    meaning = F.kl_div(F.log_softmax(n, -1), F.log_softmax(tn, -1), log_target=True, reduction="none").sum(1).mean()
    return 0.2 * near + order + 0.2 * listwise + meaning + 0.1 * entailed


def rel_nli(rel, nli, targets):
    s = rel[NLI_PAIRS:NLI_PAIRS + targets["groups"] * CANDIDATES].view(-1, CANDIDATES)
    n = nli[:NLI_PAIRS].masked_fill(~targets["masks"], -30.0)
    return s, n, targets["masks"], targets["is_group"]


def to_device(batch, groups, device):
    ids, starts, first, count, labels, masks = batch
    inputs = on_device(ids, starts, first, device)
    targets = dict(groups=groups, is_group=(torch.arange(groups) < count).to(device), labels=torch.from_numpy(labels).to(device), masks=torch.from_numpy(masks).to(device))
    return inputs, targets


def train(models, material, device, seconds=None, steps=None, tokens=98304, groups=160, lr=1.5e-4, seed=1, warmup=400, teacher=None, doubt=None, mean=None, say=print, at_half=None, workers=WORKERS, compiled=True):
    """Trains each of `models` on the same rows. With `seconds`, the number of steps is set once the speed is known, and returned. `mean` takes the mean
    of the first, which begins as MiniLM: its wrong passages are hard ones, so the binary loss is balanced, and nothing is doubted before it has learnt a little."""
    feeders = Feeders(material, tokens, groups, seed, workers)
    fused = device == "cuda"
    optimisers = [torch.optim.AdamW(m.parameters(), lr, weight_decay=0.01, fused=fused) for m in models]
    forwards = [m.forward for m in models]
    if compiled and device == "cuda":
        forwards = [torch.compile(m.forward, dynamic=False) for m in models]
    started, step, shown, half_done = time.time(), 0, 0, False
    ahead = to_device(feeders.next(), groups, device)
    sums = []
    while steps is None or step < steps:
        if step == 150:
            torch.cuda.synchronize() if device == "cuda" else None
            mark = time.time()
        if step == 450 and steps is None:
            torch.cuda.synchronize() if device == "cuda" else None
            steps = 450 + int(300 * (seconds - (time.time() - started)) / (time.time() - mark))
            say(f"steps planned {steps}, {300 / (time.time() - mark):.1f} a second")
        now = lr * min(1.0, (step + 1) / warmup) * (1.0 if steps is None else max(0.01, 1 - step / steps))
        inputs, targets = ahead
        with torch.no_grad():
            taught = teacher(*inputs, 256) if teacher else None
        for model, forward, optimiser in zip(models, forwards, optimisers):
            for g in optimiser.param_groups:
                g["lr"] = now
            rel, nli = forward(*inputs, 256)
            wary = doubt if mean is None or steps and step > steps // 3 else None
            loss = losses(rel, nli, targets, taught, wary, balanced=mean is not None)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=True)
            optimiser.step()
        ahead = to_device(feeders.next(), groups, device)
        step += 1
        if mean and steps:
            mean.take(models[0], step, steps)
        if step % 25 == 0:
            with torch.no_grad():
                s, n, _, there = rel_nli(rel, nli, targets)
                sums.append(torch.stack([loss.detach(), ((s.argmax(1) == 0) & there).float().sum() / there.sum(), (n.argmax(1) == targets["labels"]).float().mean(), there.float().sum()]))
        if step % 1000 == 0 or step in (50, 300):
            say(f"step {step} of {steps}: loss, right first, entailment right, questions a row {[round(x, 4) for x in torch.stack(sums).mean(0).tolist()]}; {time.time() - started:.0f} s")
            sums = []
        if at_half and steps and step == steps // 2:
            at_half(models)
    feeders.stop()
    say(f"trained {step} steps in {time.time() - started:.0f} s")
    return step
