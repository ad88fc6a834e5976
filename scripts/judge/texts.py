"""Reads the training data and turns it into named sources of (question, passage) pairs, in the form in which the judge sees them.

A passage is what a search found: of a message "Speaker: text", of a document "heading. text". A dialogue's passage may have the turn before it."""
import dataclasses
import hashlib
import json
import lzma
import random
import re

from templates import FEMALE, MALE, Verbs, questions

CHECKSUMS = {
    "pairs": "4ab0319990daec7c12b198f8a9f231dca45645cf69bdba10f956e4abb7942f88",
    "nli": "db71d915c86e7a6a45f55b1f2acfb9e3712f3e176e6feb3e7cf03e5ed676dac3",
    "nli-heldout": "1bb3f59c9d3c0104b696791f3adad40d2709ee01de250f10f1d9faebdd958a07",
}
LABELS = ["entailment", "neutral", "contradiction"]
CONTEXT_CHARS = 220

# How often each source is drawn, in percent of the questions; scaled to 100. What has no share is not used.
SHARES = dict(
    talk_named=8, talk_self=6, changelog_podcast=6, friendsqa=4, tweets_named=4, stories_named=3, molweni=1.5, qmsum=3, irc_reply=1, ni_circa=0.7,
    ni_tweetqa=3, ni_cosmosqa=2.5, ni_mocha=1.5, ni_doqa=2.5, ni_boolq=7, qamr=6, ni_disflqa=3, ni_iirc=2.5, strategyqa_facts=3, ni_qasc=2.5,
    ni_scitail_qa=1, ni_quartz=0.7, ni_qasper=2.5, ni_pubmedqa=4, covid_qa=1.5, covid_faq=0.3, medquad=4, acl_title_abstract=3, ni_papers_title=1.5,
    openstax_ccby=3, docs_github=1.5, docs_mdn_ccbysa=1, titled=4, dstc9_faq=0.7, ni_kpa=1, ni_amazonfood_title=0.7, sentences=7, claims=4)
# The second phase: less of what was learnt by heart, more of dialogue, claims and papers.
SECOND_SHARES = dict(
    SHARES, tweets_named=5, stories_named=3.5, friendsqa=4.5, ni_cosmosqa=3, ni_pubmedqa=5, claims=5, sentences=6, qamr=4, ni_boolq=5, medquad=3,
    acl_title_abstract=4, ni_papers_title=2, ni_qasper=3)
# Sources whose questions often say too little by themselves: only those pairs are kept that MiniLM's vectors bring together.
NOISY = {"changelog_podcast", "irc_reply", "molweni", "ni_mocha", "ni_cosmosqa", "ni_doqa", "ni_circa", "friendsqa", "stories_named"}
DIALOGUE = {"talk_named", "talk_self", "changelog_podcast", "friendsqa", "tweets_named", "molweni", "stories_named"}
NLI_SHARES = dict(mnli_ni=44, snli_ni=36, conjnli=6, ni_scitail=5, cad_nli=6, fool_me_twice=3)


@dataclasses.dataclass
class Source:
    """Pairs by number: question i is answered by passage answers[i]. Contexts are the turns before the passages, or empty."""
    questions: list
    answers: list
    passages: list
    contexts: list


def read(folder, name):
    path = f"{folder}/{name}.jsonl.xz"
    data = open(path, "rb").read()
    if hashlib.sha256(data).hexdigest() != CHECKSUMS[name]:
        raise SystemExit(f"{path} is not the file this recipe was made for: its SHA-256 is not {CHECKSUMS[name]}")
    return [json.loads(line) for line in lzma.decompress(data).decode().splitlines()]


def detokenise(text):
    """Undoes the spaces of Penn Treebank tokens, which no user types."""
    text = re.sub(r"\s+([.,;:!?%)\]}])", r"\1", text)
    text = re.sub(r"([(\[{$#])\s+", r"\1", text)
    text = re.sub(r"\s+(n't|'s|'re|'ve|'ll|'d|'m|na\b)(?![a-z])", r"\1", text)
    text = re.sub(r"``\s*|\s*''", '"', text)
    text = re.sub(r"\{(?:vocalsound|disfmarker|gap|pause|nonvocalsound|comment)\}", "", text)
    return re.sub(r"\s+", " ", text).strip()


def headed(heading, text):
    """A document's passage: the heading, a full stop where it has none, the text."""
    heading = heading.strip()
    return (heading + ("" if heading[-1:] in ".?!:" else ".") + " " + text) if heading else text


class Gathering:
    def __init__(self):
        self.sources = {}

    def add(self, source, question, passage, context=""):
        question, passage = detokenise(question)[:300], detokenise(passage)[:900]
        if len(question) < 4 or len(passage) < 12:
            return
        s, known = self.sources.setdefault(source, (Source([], [], [], []), {}))
        if passage not in known:
            known[passage] = len(s.passages)
            s.passages.append(passage)
            s.contexts.append(context[-CONTEXT_CHARS:])
        s.questions.append(question)
        s.answers.append(known[passage])


def gather(folder, few=None):
    """All sources, each with its pairs. `few` keeps that share of the lines, for a quick trial."""
    rng = random.Random(22)
    pairs, nli = read(folder, "pairs"), read(folder, "nli")
    if few:
        pairs, nli = [p for p in pairs if rng.random() < few], [p for p in nli if rng.random() < few]
    verbs = Verbs(p["positive"] for p in pairs)
    out = Gathering()
    for p in pairs:
        add_pair(out, p, verbs, rng)
    for n in nli:
        add_claim(out, n)
    return {name: s for name, (s, _) in sorted(out.sources.items()) if SHARES.get(name)}, nli


def add_pair(out, p, verbs, rng):
    source, query, text, group = p["source"], p["query"], p["positive"], p["group"]
    if source == "wordnet_gloss" or source == "docs_mdn_ccbysa" and rng.random() < 0.4:
        return
    if source in ("friendsqa", "molweni", "ni_cosmosqa", "ni_mocha", "qamr", "ni_tweetqa"):
        query, text = detokenise(query), detokenise(text)
    if source == "friendsqa":
        text = text.replace("#NOTE#:", "").strip()
    if source == "irc_reply":
        query, text = re.sub(r"^<[^>]+> ", "", query), re.sub(r"^<([^>]+)> ", r"\1: ", text)
    if source == "ni_boolq":
        text = re.sub(r"^(.{2,90}?) -- ", r"\1. ", text)
    if source == "ni_papers_title":
        text = text.replace("-<lb>", "").replace("<lb>", " ")
    if source == "medquad" and group and rng.random() < 0.5:
        text = headed(group, text)
    if source in ("docs_github", "docs_mdn_ccbysa", "openstax_ccby") and ": " in query and rng.random() < 0.4:
        title, heading = query.split(": ", 1)
        return out.add("titled", heading if rng.random() < 0.5 else query, headed(title, text))
    out.add(source, query, text)
    add_talk(out, source, query, text, verbs, rng)
    if source in ("acl_title_abstract", "ni_papers_title", "ni_pubmedqa", "covid_qa") or source in ("medquad", "openstax_ccby", "ni_boolq") and rng.random() < 0.15:
        add_sentence(out, source, query, text, rng)


def somebody(rng):
    return (rng.choice(FEMALE), ("she", "her", "her")) if rng.random() < 0.5 else (rng.choice(MALE), ("he", "him", "his"))


def add_talk(out, source, query, text, verbs, rng):
    """Questions made from what was said, with the name of who said it, and as if the person asked about it later."""
    if source == "changelog_podcast":
        speaker, _, said = text.partition(": ")
        if len(said) > 500:  # our messages are shorter than an answer in a podcast
            start = rng.randrange(0, len(said) - 300)
            said = re.sub(r"^\S*\s", "", said[start:start + rng.choice([200, 350, 500])]) if start else said[:400]
        first = speaker.split()[0] if speaker else ""
        if not first.istitle():
            return
        host = somebody(rng)[0]
        for q in questions(said, first, ("they", "them", "their"), verbs, rng, 2):
            out.add("talk_named", q, f"{first}: {said}", f"{host}: {query}")
        if rng.random() < 0.6:
            for q in questions(said, "I", None, verbs, rng, 1):
                out.add("talk_self", q, said, query)
    elif source in ("ni_cosmosqa", "ni_amazonfood_title", "ni_tweetqa", "ni_doqa", "friendsqa", "ni_mocha"):
        tweet = re.match(r"(.+?)\s*[—–-]+ ?([^—(]{3,40}) \(@\w+\)", text)
        if source == "ni_tweetqa" and tweet:
            out.add("tweets_named", query, f"{tweet[2].strip()}: {tweet[1]}")
        if source == "friendsqa":
            speaker, _, said = text.partition(": ")
            for q in questions(said, speaker.split()[0], ("they", "them", "their"), verbs, rng, 1) if speaker.istitle() else []:
                out.add("talk_named", q, f"{speaker.split()[0]}: {said}")
            return
        if not re.search(r"\bI\b", text):
            return
        name, pronouns = somebody(rng)
        teller = r"\bthe (narrator|speaker|author|writer|poster|blogger)\b"
        if source in ("ni_cosmosqa", "ni_mocha") and re.search(teller + r"|\bI\b", query):
            out.add("stories_named", re.sub(r"\bI\b", name, re.sub(teller, name, query)), f"{name}: {text}")
        for q in questions(text, name, pronouns, verbs, rng, 1):
            out.add("talk_named", q, f"{name}: {text}")
        for q in questions(text, "I", None, verbs, rng, 1):
            out.add("talk_self", q, text)


def add_sentence(out, source, title, text, rng):
    """A statement and the abstract it was taken from, without it: whoever states it looks for that paper."""
    parts = re.split(r"(?<=[.!?])\s+(?=[A-Z])", text)
    parts = [p for p in parts if p]
    if len(parts) < 4:
        return
    at = rng.randrange(1, len(parts) - 1)
    if not 40 <= len(parts[at]) <= 220:
        return
    said = re.sub(r"^(However|Moreover|Furthermore|In addition|Therefore|Thus|In this (?:paper|work)|We (?:show|find|found|demonstrate) that|Our results show that|Results show that)[, ]+", "", parts[at])
    rest = " ".join(parts[:at] + parts[at + 1:])
    out.add("sentences", said[:1].upper() + said[1:], headed(title, rest) if source in ("acl_title_abstract", "ni_papers_title") else rest)


def add_claim(out, n):
    """A claim and the evidence that speaks for or against it. Neutral pairs of SciTail are wrong passages for the same claim, found by mining."""
    if n["source"] == "fool_me_twice" or n["source"] == "ni_scitail" and n["label"] == "entailment":
        out.add("claims", n["hypothesis"], n["premise"])
