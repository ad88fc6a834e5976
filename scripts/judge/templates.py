"""Questions made by template from what people say: "Ana: I moved to Porto in May." gives "When did Ana move to Porto in May?".

The rules are simple on purpose. A question need not be elegant; it must be answered by the turn it was made from, and by few others."""
import collections
import re

IRREGULAR = dict(pair.split(":") for pair in """
went:go got:get made:make had:have did:do saw:see took:take came:come knew:know thought:think found:find gave:give told:tell felt:feel left:leave
bought:buy brought:bring built:build began:begin wrote:write read:read ran:run met:meet paid:pay heard:hear kept:keep lost:lose sold:sell sent:send
spent:spend started:start stood:stand taught:teach understood:understand won:win wore:wear ate:eat drank:drink drove:drive flew:fly grew:grow chose:choose
broke:break caught:catch cut:cut drew:draw fell:fall forgot:forget fought:fight held:hold hit:hit hurt:hurt learned:learn learnt:learn led:lead let:let lay:lie
put:put quit:quit rode:ride rang:ring rose:rise said:say sang:sing sat:sit set:set shot:shoot slept:sleep spoke:speak stole:steal swam:swim threw:throw
woke:wake dealt:deal dug:dig fed:feed hid:hide meant:mean sought:seek shut:shut shook:shake stuck:stick swore:swear tore:tear became:become
""".split())
NOT_VERBS = {"just", "also", "really", "never", "always", "actually", "finally", "recently", "only", "still", "even", "then", "literally", "already", "probably", "kind", "sort", "used"}
STATES = "love like want need hate prefer enjoy use live work play own collect study teach run drive eat drink believe hope plan watch miss remember know".split()
FEMALE = """Ana Maria Elena Sofia Julia Laura Emma Alice Clara Nina Eva Lena Sara Hannah Rosa Carla Irene Paula Marta Lucia Amelia Olivia Chloe Grace Lily Zoe Ruby
Naomi Priya Aisha Fatima Mei Yuki Ingrid Astrid Freya Greta Heidi Joana Beatriz Carmen Dolores Esther Fiona Gloria Helen Ivy Jasmine Karen Linda Monica Nora
Patricia Rachel Sandra Teresa Ursula Vera Wendy Yvonne Angela Deborah Joanna Caroline Megan Tina Kelly""".split()
MALE = """Ben Carlos David Erik Felix George Hugo Ivan Jack Kevin Leo Marco Nathan Oscar Peter Quentin Robert Samuel Thomas Victor Walter Xavier Adam Bruno Connor
Diego Edward Frank Gabriel Henry Ian Jorge Karl Lucas Martin Noah Owen Pablo Ravi Simon Tariq Umar Vincent William Yusuf Andrew Brian Craig Daniel Eliot Finn
Gavin Harold Isaac Joel Kenji Liam Miguel Nikolai Omar Paul Rafael Stefan Tim James John Evan""".split()
NUMBER = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|a few|several|a couple of)"
STOP = re.compile(r"\s+(?:and|but|because|so|which|who|when|while|if|that|though|since|as|where|or)\b.*$")
PREPOSITION = re.compile(r"\b(in|at|with|for|from|on|to|about|of|during|after|before|by|near|around)\b")


class Verbs:
    """Base forms, learnt from the words that follow "to" in the texts themselves."""

    def __init__(self, texts):
        count = collections.Counter(m.lower() for t in texts for m in re.findall(r"\bto ([a-z]{2,12})\b", t))
        self.base = {w: n for w, n in count.items() if n >= 5}

    def base_of(self, past):
        past = past.lower()
        if past in NOT_VERBS:
            return None
        if past in IRREGULAR:
            return IRREGULAR[past]
        if not past.endswith("ed") or len(past) < 4:
            return None
        forms = [past[:-2], past[:-1], past[:-3], past[:-3] + "y" if past.endswith("ied") else past[:-2]]
        best = max(forms, key=lambda w: self.base.get(w, 0))
        return best if self.base.get(best, 0) else None


def persons(text, name, pronouns):
    """First person turned into the third: pronouns are (subject, object, possessive)."""
    subject, object_, possessive = pronouns
    text = re.sub(r"\b[Mm]y\b|\b[Oo]ur\b", possessive, text)
    text = re.sub(r"\bme\b|\bus\b|\bmyself\b", object_, text)
    return re.sub(r"\bI\b|\bwe\b", subject, text)


PAST = re.compile(r"\b(?:I|[Ww]e) (?:(?:just|also|really|finally|recently|actually|even) )?([a-z]+) ([^.,;:!?()\"—]{3,90})")
DOING = re.compile(r"\b(?:I'm|I am|we're|I was|I've been) (?:(?:just|also|really|currently|now|still) )?([a-z]+ing) ([^.,;:!?()\"—]{3,80})")
STATE = re.compile(r"\b(?:I|[Ww]e) (?:(?:really|also|always|usually|just) )?(" + "|".join(STATES) + r") ([^.,;:!?()\"—]{3,80})")
MINE = re.compile(r"\b[Mm]y ((?:[a-z]+ )?[a-z]{3,}) (is|was|are|were|has|had|loves|likes|works|lives) ")


def short(rest, rng):
    words = STOP.sub("", " " + rest).split()[: rng.choice([4, 6, 8, 9])]
    while words and words[-1].lower() in {"a", "the", "to", "of", "in", "my", "at", "for", "with", "on", "some", "this", "was", "is", "were", "very", "their", "his", "her", "from", "about", "like", "just"}:
        words.pop()
    # Less of the wording is the harder question: sometimes a word is left out.
    if len(words) > 4 and rng.random() < 0.3:
        words.pop(rng.randrange(1, len(words) - 1))
    return " ".join(words)


def questions(text, who, pronouns, verbs, rng, most=2):
    """Up to `most` questions that `text` answers. `who` is a name, or "I" for the person who asks about what they said themselves."""
    own = who == "I"
    do, does, is_ = ("did", "do", "am") if own else ("did", "does", "is")
    whose = "my" if own else who + "'s"
    swap = (lambda t: t) if own else (lambda t: persons(t, who, pronouns))
    found = []
    for m in PAST.finditer(text):
        base = verbs.base_of(m[1])
        rest = short(m[2], rng)
        if not base or not rest or base in ("say", "mean", "think", "know", "guess", "feel", "have", "do", "get") and len(rest.split()) < 3:
            continue
        r = swap(rest)
        forms = [f"When did {who} {base} {r}?", f"Did {who} {base} {r}?", f"Why did {who} {base} {r}?", f"Where did {who} {base} {r}?"]
        cut = PREPOSITION.search(rest)
        if cut and cut.start() > 2:
            tail = swap(rest[cut.start():])
            forms += [f"What did {who} {base} {tail}?"] * 3
            if cut[1] == "with":
                forms += [f"Who did {who} {base} {swap(rest[:cut.start()])} with?".replace("  ", " ")] * 3
            if cut[1] in ("in", "at", "on", "to", "from", "near"):
                forms += [f"Where did {who} {base} {swap(rest[:cut.start()]).strip()}?", f"When did {who} {base} {swap(rest[:cut.start()]).strip()}?"]
        elif not cut and len(rest.split()) > 1:
            last = rest.split()[-1]
            forms += [f"What did {who} {base}?", f"What {last} did {who} {base}?", f"Which {last} did {who} {base}?"]
        many = re.search(NUMBER + r" ([a-z]+s)\b", rest)
        if many:
            forms += [f"How many {many[1]} did {who} {base}?"] * 4
        if own:
            forms += [f"How long ago did I {base} {r}?", f"How many days ago did I {base} {r}?", f"How many times did I {base} {r}?", f"What was the date when I {m[1]} {r}?"]
        found.append(rng.choice(forms))
    for m in DOING.finditer(text):
        rest = short(m[2], rng)
        if rest and m[1] not in ("going", "saying", "being", "trying", "wondering", "having", "getting", "thinking") or len(rest.split()) > 2:
            r = swap(rest)
            found.append(rng.choice([f"What {is_} {who} {m[1]}?", f"{is_.title()} {who} {m[1]} {r}?", f"Why {is_} {who} {m[1]} {r}?", f"How long {'have I' if own else 'has ' + who} been {m[1]} {r}?", f"When did {who} start {m[1]} {r}?"]))
    for m in STATE.finditer(text):
        rest = short(m[2], rng)
        if rest:
            found.append(rng.choice([f"What {does} {who} {m[1]}?", f"{does.title()} {who} {m[1]} {swap(rest)}?", f"Why {does} {who} {m[1]} {swap(rest)}?", f"What {does} {who} {m[1]} about {swap(rest.split()[-1])}?"]))
    for m in MINE.finditer(text):
        found.append(rng.choice([f"What about {whose} {m[1]}?", f"Who is {whose} {m[1]}?", f"What did {who} say about {whose} {m[1]}?", f"How is {whose} {m[1]}?"]))
    # "What did Ana say about X?": X is a rare word or a name in the turn.
    names = [w for w in re.findall(r"(?<![.!?] )(?<!^)\b[A-Z][a-zA-Z]{3,}(?: [A-Z][a-zA-Z]+)?\b", text) if w.split()[0] not in ("Well", "Yeah", "Okay", "Right", "That", "This", "There", "They", "When", "What", "Because")]
    if names and rng.random() < 0.5:
        about = rng.choice(names)
        found.append(rng.choice([f"What did {who} say about {about}?", f"What does {who} think about {about}?", f"How does {who} know about {about}?"]) if not own else rng.choice([f"What did I say about {about}?", f"What did I do with {about}?", f"When did I mention {about}?"]))
    found = [re.sub(r"\s+", " ", q) for q in dict.fromkeys(found) if 12 <= len(q) <= 160]
    rng.shuffle(found)
    return found[:most]
