"""Gathers the text that the map is fitted to, as (language, is a question, text). No measured set is among it.

English comes from the sources of the static table (../static-model); the other languages from the dialogues of
chatterbot-corpus and from the messages that Django translates.
"""

import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "static-model"))
import corpus as english  # noqa: E402  (found through the path above)

SIZES = {"glosses": 8000, "examples": 20000, "novels": 9000, "python": 5000, "rust": 3000, "chats": 3000,
         "life": 36000, "joined": 4000}
SEED = 2

DIALOGUES = {"ar": None, "de": "german", "es": "spanish", "fr": "french", "it": "italian", "ja": "japanese",
             "ko": "korean", "nl": "dutch", "pt": "portuguese", "ru": "russian", "th": "thai", "tr": "turkish",
             "zh": "chinese", "zh_Hant": "traditionalchinese"}
LOCALES = {"ar": "ar", "de": "de", "es": "es", "fr": "fr", "it": "it", "ja": "ja", "ko": "ko", "nl": "nl", "pl": "pl",
           "pt": "pt_BR", "ru": "ru", "th": "th", "tr": "tr", "zh": "zh_Hans", "zh_Hant": "zh_Hant"}
QUESTION = re.compile(r"[?？؟]\s*$")


def is_question(text):
    """Tells a question by its mark."""
    return QUESTION.search(text) is not None


def dialogues(root, folder):
    """Reads every line of every exchange in one language."""
    out = set()
    for path in sorted(pathlib.Path(root).rglob(f"data/{folder}/*.yml")):
        for line in path.read_text("utf-8", "replace").splitlines():
            line = re.sub(r"^[ -]+", "", line).strip("\"' ")
            if 5 < len(line) < 320 and not line.startswith(("categories", "conversations")):
                out.add(line)
    return sorted(out)


def messages(root, locale):
    """Reads the translated messages of one locale that are sentences without placeholders."""
    out = set()
    for path in sorted(pathlib.Path(root).rglob(f"locale/{locale}/LC_MESSAGES/*.po")):
        text = re.sub(r'"\n"', "", path.read_text("utf-8", "replace"))
        for found in re.findall(r'^msgstr(?:\[\d\])? "(.*)"$', text, re.M):
            found = found.replace('\\"', '"').replace("\\n", " ").strip()
            if 9 < len(found.encode()) and not re.search(r"[%{<\\]|Content-Type", found):
                out.add(found)
    return sorted(out)


def gather(root):
    """Gives all texts, in an order that depends on nothing but the seed."""
    out = []
    for source in english.gather(root, SIZES, SEED).values():
        out += [("en", is_question(text), text) for text in source]
    for language, locale in LOCALES.items():
        folder = DIALOGUES.get(language)
        said = dialogues(root, folder) if folder else []
        out += [(language, is_question(text), text) for text in said + messages(root, locale)]
    out = sorted(set(out))
    random.Random(SEED).shuffle(out)
    return out
