"""Names operations that are new, so that generating again is all that a change of the API needs."""

from __future__ import annotations

import pathlib
import re
import tomllib
from typing import Any

from .document import METHODS

# Where new names go: the end of the table of operations.
_END = "# Written by hand in both languages"


def proposed(verb: str, path: str) -> str:
    """A name by the usual scheme: `things.list`, `things.get`, `things.create`, …"""
    parts = [part for part in path.strip("/").split("/") if part not in ("v1", "api")]
    words = [re.sub(r"\W", "_", part) for part in parts if not part.startswith("{")]
    one = parts[-1].startswith("{")
    usual = {"get": "get" if one else "list", "post": "create", "put": "replace", "patch": "update", "delete": "delete"}
    resource, rest = words[0], words[1:]
    return ".".join([resource, "_".join([usual[verb], *rest])])


def update(file: pathlib.Path, document: dict[str, Any]) -> list[str]:
    """Adds what is new to `operations.toml` and removes what is gone. Gives what was changed."""
    text = file.read_text()
    names = tomllib.loads(text)
    named = {**names["operations"], **names["by_hand"], **names["left_out"]}
    known = {
        item[verb]["operationId"]: (verb, path)
        for path, item in document["paths"].items()
        for verb in METHODS
        if verb in item
    }
    new = {id: proposed(*place) for id, place in known.items() if id not in named}
    gone = [id for id in named if id not in known]
    for id in gone:
        text = re.sub(rf"^{id} = .*\n", "", text, flags=re.MULTILINE)
    if new:
        lines = "".join(f'{id} = "{name}"\n' for id, name in new.items())
        text = text.replace(_END, f"# new: choose better names if there are any\n{lines}\n{_END}", 1)
    if new or gone:
        file.write_text(text)
    return [*(f"named {id}: {name}" for id, name in new.items()), *(f"removed {id}" for id in gone)]
