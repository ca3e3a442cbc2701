"""python -m generator DOCUMENT [--check]

DOCUMENT is the file or the address of an OpenAPI document. With --check, nothing is written: it fails when
the clients differ from what the document says, or when an operation is not named in operations.toml.
"""

import json
import pathlib
import sys
import tomllib
import urllib.request

from . import names, python, typescript
from .document import Behind, Document

CLIENTS = pathlib.Path(__file__).resolve().parent.parent


def read(place: str) -> str:
    if place.startswith("http"):
        with urllib.request.urlopen(place, timeout=30) as response:
            return str(response.read().decode())
    return pathlib.Path(place).read_text()


def main(arguments: list[str]) -> int:
    if not arguments:
        print(__doc__)
        return 2
    file = CLIENTS / "operations.toml"
    text = read(arguments[0])
    if "--check" not in arguments:
        for change in names.update(file, json.loads(text)):
            print(change)
    try:
        document = Document(text, tomllib.loads(file.read_text()))
    except Behind as behind:
        print(f"error: {behind}\nhint: run `cargo xtask packages generate`", file=sys.stderr)
        return 1
    version = json.loads((CLIENTS / "typescript" / "package.json").read_text())["version"]
    texts = {**python.files(document, version), **typescript.files(document, version)}
    differing = [name for name, text in texts.items() if not matches(CLIENTS / name, text)]
    if "--check" in arguments:
        for name in differing:
            print(f"error: clients/{name} is behind the OpenAPI document", file=sys.stderr)
        if differing:
            print("hint: run `cargo xtask packages generate`", file=sys.stderr)
        return 1 if differing else 0
    for name in differing:
        path = CLIENTS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[name])
        print(f"wrote clients/{name}")
    return 0


def matches(path: pathlib.Path, text: str) -> bool:
    return path.exists() and path.read_text() == text


sys.exit(main(sys.argv[1:]))
