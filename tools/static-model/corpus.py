"""Gathers the training text from unpacked packages. Every source is permissive or public domain: see docs/builtin-model.md."""

import html
import pathlib
import random
import re
import struct
import zlib

import sentences

SENTENCE_CHARS = range(12, 320)


def wordnet(root):
    """Reads WordNet's data files: (topic file number, words, gloss, examples) of each sense."""
    folder = next(pathlib.Path(root).rglob("data.noun")).parent
    senses = []
    for part in ["noun", "verb", "adj", "adv"]:
        for line in open(folder / f"data.{part}", encoding="latin-1"):
            if line.startswith("  "):
                continue
            fields, _, gloss = line.partition(" | ")
            fields = fields.split(" ")
            count = int(fields[3], 16)
            words = [fields[4 + 2 * i].replace("_", " ") for i in range(count)]
            examples = [e.strip(" ;\"") for e in re.findall(r'"([^"]+)"', gloss)]
            definition = gloss.split('; "')[0].strip(" ;\n")
            senses.append((part, int(fields[1]), words, definition, examples))
    return senses


TOPIC_NUMBERS = {"noun.act": 4, "noun.animal": 5, "noun.artifact": 6, "noun.attribute": 7, "noun.body": 8,
                 "noun.cognition": 9, "noun.communication": 10, "noun.food": 13, "noun.person": 18,
                 "noun.plant": 20, "noun.state": 26}


def topic_words(senses, root):
    """Gives, for each slot of the generator, words of its topics, the most used first."""
    folder = next(pathlib.Path(root).rglob("cntlist.rev")).parent
    used = {}
    for line in open(folder / "cntlist.rev", encoding="latin-1"):
        key, _, count = line.split()
        lemma = key.split("%")[0].replace("_", " ")
        used[lemma] = used.get(lemma, 0) + int(count)
    out = {}
    for slot, topics in sentences.SLOT_FILES.items():
        found = {}
        for part, number, words, _, _ in senses:
            named = part == "verb" if topics == ["verb"] else part == "noun" and number in [TOPIC_NUMBERS[t] for t in topics]
            if not named:
                continue
            for place, word in enumerate(words):
                plain = word.islower() and word.replace(" ", "").isalpha() and word.count(" ") <= 1
                if plain and (place == 0 or used.get(word, 0) > 0):
                    found[word] = max(found.get(word, 0), used.get(word, 0) - place)
        out[slot] = sorted(found, key=lambda w: (-found[w], len(w), w))[:2400]
    return out


def split(text):
    """Cuts running text into sentences of a useful length."""
    text = re.sub(r"\s+", " ", text)
    for sentence in re.split(r"(?<=[.!?])[\"'”)]* (?=[\"'“(]?[A-Z])", text):
        sentence = sentence.strip()
        if len(sentence) in SENTENCE_CHARS and sum(c.isalpha() or c == " " for c in sentence) > 0.85 * len(sentence):
            yield sentence


def novels(root):
    """Reads the public-domain novels in an R data base: zlib parts holding serialised lines."""
    raw = next(pathlib.Path(root).rglob("Rdata.rdb")).read_bytes()
    at, lines = 0, []
    while at + 6 < len(raw):
        part = zlib.decompressobj()
        try:
            data = part.decompress(raw[at + 4:])
        except zlib.error:
            at += 1
            continue
        at = len(raw) - len(part.unused_data)
        for mark in re.finditer(rb"\x00\x04\x00\x09", data):
            (length,) = struct.unpack(">I", data[mark.end():mark.end() + 4])
            if length < 200:
                lines.append(data[mark.end() + 4:mark.end() + 4 + length].decode("utf-8", "replace"))
    return list(split(" ".join(lines).replace("_", "")))


def manual(root):
    """Reads Python's documentation sources: running sentences only."""
    out = []
    for path in sorted(pathlib.Path(root).rglob("_sources/**/*.rst.txt")):
        if any(part in path.parts for part in ["c-api", "whatsnew"]):
            continue
        for block in path.read_text("utf-8", "replace").split("\n\n"):
            if block.startswith((" ", "..", "\t")) or "::" in block:
                continue
            block = re.sub(r":[\w:+-]+:`[~!]?([^`<]+)(?: <[^`]*>)?`", r"\1", block)
            out += split(re.sub(r"`+|\*+|_\b", "", block))
    return out


def book(root, folders):
    """Reads the Rust books: the paragraphs of their pages."""
    out = []
    for folder in folders:
        for path in sorted(pathlib.Path(root).rglob(f"html/{folder}/*.html")):
            if path.name == "print.html":
                continue
            for block in re.findall(r"<p>(.*?)</p>", path.read_text("utf-8", "replace"), re.S):
                out += split(html.unescape(re.sub(r"<[^>]+>", "", block)))
    return out


def chats(root):
    """Reads the dialogue corpus: every line of every exchange."""
    out = []
    for path in sorted(pathlib.Path(root).rglob("data/english/*.yml")):
        for line in path.read_text("utf-8", "replace").splitlines():
            line = re.sub(r"^[ -]+", "", line).strip("\"' ")
            if 8 < len(line) < 320 and " " in line:
                out.append(line)
    return out


def gather(root, sizes, seed):
    """Gives the training texts by source, a bounded number of each."""
    rng = random.Random(seed)
    senses = wordnet(root)
    topics = topic_words(senses, root)
    glosses, examples = [], []
    for part, _, words, definition, quoted in senses:
        if words[0].replace(" ", "").isalpha() and len(definition) in SENTENCE_CHARS:
            glosses.append(f"{', '.join(words[:2])}: {definition}")
        examples += [e for e in quoted if len(e) in SENTENCE_CHARS and " " in e]
    pools = {
        "glosses": glosses,
        "examples": examples,
        "novels": novels(root),
        "python": manual(root),
        "rust": book(root, ["book", "edition-guide", "embedded-book", "nomicon", "rustc", "cargo"]),
        "chats": chats(root),
    }
    out = {}
    for name, pool in pools.items():
        pool = sorted(set(pool))
        rng.shuffle(pool)
        out[name] = pool[:sizes[name]]
    out["life"] = sentences.generate(sizes["life"], topics, seed)
    rng.shuffle(out["life"])
    # Turns of a conversation are often several sentences: some joined texts teach the long mean.
    plain = out["examples"] + out["life"] + out["novels"] + out["python"] + out["chats"]
    out["joined"] = [" ".join(rng.sample(plain, rng.randint(2, 4))) for _ in range(sizes["joined"])]
    return out
