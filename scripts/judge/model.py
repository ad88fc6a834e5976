"""The judge: BERT with two heads on the first token. Sequences lie end to end in one row of tokens, so that none is padded.

Parameters have the names of Hugging Face's BertModel below `bert.`, and `rel.*`, `nli.*`."""
import torch
import torch.nn.functional as F
from torch import nn

HIDDEN, HEADS, WIDE, VOCABULARY, POSITIONS = 384, 12, 1536, 30522, 512


def attention(q, k, v, starts, longest):
    """Attention within each sequence; `starts` has the first token of each, and the end."""
    if q.is_cuda:
        from torch.nn.attention.varlen import varlen_attn
        return varlen_attn(q, k, v, starts, starts, longest, longest)
    sizes = (starts[1:] - starts[:-1]).long()
    sequence = torch.repeat_interleave(torch.arange(len(sizes)), sizes)
    place = torch.arange(len(q)) - starts.long()[sequence]
    room = q.new_zeros(3, len(sizes), longest, *q.shape[1:])
    room[:, sequence, place] = torch.stack([q, k, v])
    there = torch.arange(longest)[None] < sizes[:, None].clamp(min=1)
    out = F.scaled_dot_product_attention(*room.transpose(2, 3), attn_mask=there[:, None, None])
    return out.transpose(1, 2)[sequence, place]


class Linear(nn.Linear):
    def forward(self, x):
        return F.linear(x, self.weight.to(x.dtype), self.bias.to(x.dtype))


class Norm(nn.LayerNorm):
    def forward(self, x):
        return F.layer_norm(x, self.normalized_shape, self.weight.to(x.dtype), self.bias.to(x.dtype), self.eps)


class Embeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.word_embeddings = nn.Embedding(VOCABULARY, HIDDEN)
        self.position_embeddings = nn.Embedding(POSITIONS, HIDDEN)
        self.token_type_embeddings = nn.Embedding(2, HIDDEN)
        self.LayerNorm = Norm(HIDDEN, eps=1e-12)

    def forward(self, ids, places, types):
        # There are only two types: written as a sum, their gradient is a reduction and not a slow scatter.
        zero, one = self.token_type_embeddings.weight
        kinds = zero + types.unsqueeze(1).to(zero.dtype) * (one - zero)
        return self.LayerNorm(self.word_embeddings(ids) + self.position_embeddings(places) + kinds)


def holder(**parts):
    module = nn.Module()
    for name, part in parts.items():
        setattr(module, name, part)
    return module


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        linear = lambda a, b: Linear(a, b)
        self.attention = holder(
            self=holder(query=linear(HIDDEN, HIDDEN), key=linear(HIDDEN, HIDDEN), value=linear(HIDDEN, HIDDEN)),
            output=holder(dense=linear(HIDDEN, HIDDEN), LayerNorm=Norm(HIDDEN, eps=1e-12)))
        self.intermediate = holder(dense=linear(HIDDEN, WIDE))
        self.output = holder(dense=linear(WIDE, HIDDEN), LayerNorm=Norm(HIDDEN, eps=1e-12))

    def forward(self, x, starts, longest, drop):
        own, out = getattr(self.attention, "self"), self.attention.output
        q, k, v = (part(x).view(len(x), HEADS, HIDDEN // HEADS) for part in (own.query, own.key, own.value))
        mixed = attention(q, k, v, starts, longest).reshape(len(x), HIDDEN)
        x = out.LayerNorm(x + F.dropout(out.dense(mixed), drop, self.training))
        wide = F.gelu(self.intermediate.dense(x))
        return self.output.LayerNorm(x + F.dropout(self.output.dense(wide), drop, self.training))


class Judge(nn.Module):
    def __init__(self, layers=6, drop=0.1):
        super().__init__()
        self.bert = holder(embeddings=Embeddings(), encoder=holder(layer=nn.ModuleList(Layer() for _ in range(layers))))
        self.rel, self.nli, self.drop = Linear(HIDDEN, 1), Linear(HIDDEN, 3), drop

    def states(self, ids, places, types, starts, longest):
        x = self.bert.embeddings(ids, places, types)
        if x.is_cuda:
            x = x.bfloat16()
        x = F.dropout(x, self.drop, self.training)
        for layer in self.bert.encoder.layer:
            x = layer(x, starts, longest, self.drop)
        return x

    def forward(self, ids, places, types, starts, longest):
        """Relevance (one logit) and entailment (three) of each sequence. Sequences of no tokens give numbers without a meaning."""
        x = self.states(ids, places, types, starts, longest)
        first = x[starts[:-1].long().clamp(max=len(x) - 1)].float()
        return self.rel(first).squeeze(-1), self.nli(first)


def layers_of(weights, keep):
    """The weights of a model with those layers alone, renumbered."""
    out = {}
    for name, value in weights.items():
        head, mark, tail = name.partition("encoder.layer.")
        if not mark:
            out[name] = value
            continue
        number, _, rest = tail.partition(".")
        if int(number) in keep:
            out[f"{head}{mark}{keep.index(int(number))}.{rest}"] = value
    return out


def from_minilm(weights, layers=(0, 1, 2, 3, 4, 5)):
    """A judge with MiniLM's encoder and new heads."""
    model = Judge(len(layers))
    bert = {"bert." + name.removeprefix("bert."): value.float() for name, value in weights.items() if not name.startswith(("rel.", "nli."))}
    missing, unknown = model.load_state_dict(layers_of(bert, list(layers)), strict=False)
    strange = [n for n in missing if n.startswith("bert.")] + [n for n in unknown if "pooler" not in n and "position_ids" not in n]
    if strange:
        raise SystemExit(f"MiniLM's weights do not fit: {strange[:4]}")
    for head in (model.rel, model.nli):
        nn.init.normal_(head.weight, std=0.02)
        nn.init.zeros_(head.bias)
    return model


def load(weights):
    """A judge as it was saved."""
    layers = 1 + max(int(name.split(".")[3]) for name in weights if name.startswith("bert.encoder.layer."))
    model = Judge(layers)
    model.load_state_dict({name: value.float() for name, value in weights.items()})
    return model
