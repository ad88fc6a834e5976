"""Harder wrong passages: of those that mining found, the ones that a trained judge itself takes for answers."""
import torch

from packing import CLS, LONGEST, PASSAGE_TOKENS, QUESTION_TOKENS, SEP

# So many of a question's wrong passages are judged, and so many of them kept.
JUDGED, KEPT = 16, 10
# What the judge puts this near to the right passage, or before it, may be right as well, and is left out.
MARGIN = 0.5
FEWEST = 3


class OnDevice:
    """Texts as one row of tokens on the device. Millions of pairs are put together there: one by one they would take longer than the judging."""

    def __init__(self, tokens, device):
        self.all = torch.from_numpy(tokens.all.astype("int32")).to(device)
        self.ends = torch.from_numpy(tokens.ends).to(device)

    def spans(self, numbers, most):
        start = self.ends[numbers]
        return start, (self.ends[numbers + 1] - start).clamp(max=most)


def pack(questions, passages, q, p):
    """Model inputs: [CLS] question [SEP] passage [SEP] for each pair of numbers."""
    (q_start, q_size), (p_start, p_size) = questions.spans(q, QUESTION_TOKENS), passages.spans(p, PASSAGE_TOKENS)
    size = q_size + p_size + 3
    starts = torch.zeros(len(size) + 1, dtype=torch.int32, device=size.device)
    starts[1:] = size.cumsum(0)
    own = torch.repeat_interleave(torch.arange(len(size), device=size.device), size)
    place = torch.arange(len(own), device=size.device) - starts[own]
    in_question, in_passage = place - 1, place - 2 - q_size[own]
    word = lambda texts, at: texts.all[at.clamp(0, max(0, len(texts.all) - 1))]
    ids = torch.where(in_passage < 0, word(questions, q_start[own] + in_question), word(passages, p_start[own] + in_passage))
    special = (in_question == q_size[own]) | (place == size[own] - 1)
    ids = torch.where(place == 0, CLS, torch.where(special, SEP, ids))
    return ids.int(), place.int(), (in_passage >= 0).int(), starts


@torch.no_grad()
def judged(judge, questions, passages, q, p, batch):
    out = [judge(*pack(questions, passages, a, b), LONGEST)[0].float() for a, b in zip(q.split(batch), p.split(batch)) if len(a)]
    return torch.cat(out) if len(q) else torch.zeros(0, device=q.device)


def choose(judge, question_tokens, passage_tokens, answers, wrong, useful, device, batch=1200):
    """The wrong passages of each question that the judge puts highest, highest first (-1 fills up), and whether enough are left."""
    judge.eval()
    questions, passages = OnDevice(question_tokens, device), OnDevice(passage_tokens, device)
    answers, pool = torch.from_numpy(answers).to(device), torch.from_numpy(wrong[:, :JUDGED]).long().to(device)
    numbers = torch.from_numpy(useful).nonzero()[:, 0].to(device)
    right = torch.full((len(pool),), 99.0, device=device)
    right[numbers] = judged(judge, questions, passages, numbers, answers[numbers], batch)
    there = (pool >= 0) & torch.from_numpy(useful).to(device)[:, None]
    row, column = there.nonzero(as_tuple=True)
    score = torch.full(pool.shape, -99.0, device=device)
    score[row, column] = judged(judge, questions, passages, row, pool[row, column], batch)
    first = ((score <= right[:, None]).all(1)[numbers]).float().mean()
    score = torch.where(score > right[:, None] - MARGIN, -99.0, score)
    best = score.sort(dim=1, descending=True, stable=True)
    chosen = torch.where(best.values > -90, pool.gather(1, best.indices), -1)[:, :KEPT]
    return chosen.int().cpu().numpy(), ((chosen >= 0).sum(1) >= FEWEST).cpu().numpy(), float(first)
