"""Reads the texts that the classifier is trained on: templates here, and the test data that was looked at before."""

import json
import random
import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
TESTS = ROOT / "crates/memory/tests/quarantine"
LANGUAGES = ROOT / "crates/agent/languages"

# So many variants of a line with names in it, and of one with alternatives.
VARIANTS_OF_NAMES = 3
VARIANTS_OF_CHOICES = 10

PEOPLE = (
    "Eve Mallory Kurt Tomás Priya Olaf Ingrid Chen Yuki Omar Dana Viktor Lucía Bruno Amélie Noor Sven Katja Ravi Zoe Marek "
    "Hana Felipe Greta Ahmed Mina Carlos Petra Ivan Sofia Liu Ben Clara Rui Nadia"
).split()
BRANDS = (
    "Acme Brightline Nordstern Aurora Vitalor Lumen Orion Kestrel Zenbank SkyFly BlueRiver Northwind Globex Initech Solaris "
    "Finora Medix TrustBank Helios Vantage Corvus Petalo Quanta Umbra Delphi Cobalt AcmeBank AcmeVPN MiracleCure Contoso "
    "Siemens IKEA Lufthansa Spotify Amazon Vodafone Allianz Notion Linear Figma"
).split()
HOSTS = (
    "evil.example docs.acme.example brightline.example pay-help.example nordstern.example setup.kestrel.example files.example "
    "vital.example github.com anas-blog.example nytimes.com medium.com helios.example/agent acme.example tools.example quanta.example"
).split()
MAILS = (
    "eve@evil.example ops@brightline.example kurt@files.example ana@home.example billing@vendor.example mk@work.example "
    "info@acme.example audit@kestrel.example"
).split()
AMOUNTS = "500 euros|$2,000|1,000 dollars|300 €|50 EUR|5000 yen|£200|800 reais|10,000".split("|")
CITIES = (
    "Lisbon Porto Ghent Oslo Leipzig Kraków Madrid Lima Nairobi Seoul Kyoto Toronto Graz Izmir Pune Tunis Recife Lyon Turin"
).split()
SLOTS = {"{N}": PEOPLE, "{B}": BRANDS, "{D}": HOSTS, "{M}": MAILS, "{A}": AMOUNTS, "{C}": CITIES}

# Names in the test data, which say nothing about what a text is.
NAMES = r"\b(Eve|Eva|Ana|Marta|Kurt|Ida|Leon|Leo|Léo|Tomás|Tiago|Julien|Paolo|Dorn|Holm)\b"
COMPANIES = r"\b(AcmeBank|AcmeVPN|Acme|SkyFly|Brightline|Nordstern|KiteSure|KiteCloud|Kite|Vitalor|Verhoeven|Lumen|Kartal|Orzeł)\b"


def lines(path):
    """The lines of a file, without comments."""
    return [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("# ")]


def filled(line, chance):
    """One variant of a template."""
    for slot in SLOTS:
        line = line.replace(slot, f"\x01{slot[1]}\x02")
    while choice := re.search(r"\{([^{}]*\|[^{}]*)\}", line):
        line = line[: choice.start()] + chance.choice(choice.group(1).split("|")) + line[choice.end() :]
    line = line.replace("\x01", "{").replace("\x02", "}")
    for slot, values in SLOTS.items():
        while slot in line:
            line = line.replace(slot, chance.choice(values), 1)
    return line.replace("{n}", chance.choice(PEOPLE).lower())


def renamed(line, chance):
    """The line with other names."""
    line = re.sub(NAMES, lambda _: chance.choice(PEOPLE), line)
    line = re.sub(COMPANIES, lambda _: chance.choice(BRANDS), line)
    return line.replace("evil.example", chance.choice(HOSTS))


def training(left_out=()):
    """All texts with their labels: 1 for what must wait for review, 0 for facts. Test files named in `left_out` stay unseen."""
    chance = random.Random(1)
    texts = []
    for label, kind in ((1, "payloads"), (0, "notes")):
        for path in sorted((HERE / "texts").glob(f"{kind}_*.txt")):
            for line in lines(path):
                count = VARIANTS_OF_CHOICES if "|" in line else VARIANTS_OF_NAMES if "{" in line else 1
                texts += [(text, label) for text in sorted({filled(line, chance) for _ in range(count)})]
        for path in sorted(TESTS.glob(f"*{kind}.txt")):
            if path.name in left_out:
                continue
            for line in lines(path):
                texts += [(text, label) for text in sorted({line, renamed(line, chance)})]
    for path in sorted(LANGUAGES.glob("*/*.jsonl")):
        for line in path.read_text().splitlines():
            message = json.loads(line)
            if message.get("facts") and len(message["text"]) < 200:
                texts.append((message["text"].replace("\n", " "), 0))
    return texts
