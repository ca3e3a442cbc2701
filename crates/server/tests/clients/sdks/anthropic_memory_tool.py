"""1,600 random commands of Anthropic's memory tool: `/anthropic/v1/tools/memory` answers as the SDK's own file system backend does."""

import os
import random
import re
import tempfile

import httpx
from _served import served
from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaAbstractMemoryTool, BetaLocalFilesystemMemoryTool

COMMANDS = int(os.environ.get("COMMANDS", "1600"))
NAMES = ["a", "b", "notes.txt", ".hidden", "ü.md", "deep", "x y"]
TEXTS = ["", "one", "one\n", "one\ntwo\nthree\n", "a\r\nb\r\n", "\n\n", "aa aaa\n", "ü\tö\n", "é" * 700, "x" * 1500 + "\n"]


class Remote(BetaAbstractMemoryTool):
    """The tool of the SDK, whose commands go to the server."""

    def __init__(self, url, key):
        super().__init__()
        self.http = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"})

    def send(self, command):
        answer = self.http.post("/anthropic/v1/tools/memory", json=command.model_dump(exclude_none=True))
        assert answer.status_code == 200, answer.text
        answer = answer.json()
        if answer["is_error"]:
            raise ToolError(answer["content"])
        return answer["content"]

    view = create = str_replace = insert = delete = rename = send


def path(dice):
    depth = dice.choice([0, 1, 1, 1, 2, 2, 3])
    parts = [dice.choice(NAMES) for _ in range(depth)]
    if dice.random() < 0.05:
        parts.insert(dice.randrange(len(parts) + 1), dice.choice(["..", ".", ""]))
    return "/".join(["/memories"] + parts) if dice.random() < 0.97 else dice.choice(["/etc/passwd", "/memories/", "/memories/../x"])


def command(dice):
    kind = dice.choice(["view", "view", "create", "create", "create", "str_replace", "insert", "delete", "rename"])
    one = {"command": kind}
    if kind == "rename":
        return one | {"old_path": path(dice), "new_path": path(dice)}
    one["path"] = path(dice)
    if kind == "view" and dice.random() < 0.4:
        one["view_range"] = [dice.randrange(-1, 5), dice.choice([-2, -1, 0, 1, 2, 3, 9])]
    if kind == "create":
        one["file_text"] = dice.choice(TEXTS)
    if kind == "str_replace":
        one |= {"old_str": dice.choice(["one", "a", "aa", "\n", "nothing", "ü", ""]), "new_str": dice.choice(["", "1", "two\nlines", "ü"])}
    if kind == "insert":
        one |= {"insert_line": dice.randrange(-1, 5), "insert_text": dice.choice(["new", "new\n", "", "a\nb\n\n"])}
    return one


def told(tool, one):
    """What a tool answers, whether it is an error, and how bad."""
    try:
        return "ok", plain(tool.call(one))
    except ToolError as error:
        return "error", plain(error.content if hasattr(error, "content") else str(error))
    except (OSError, ValueError) as error:
        # The reference lets some faults of the file system through.
        return "fault", str(error)


def plain(text):
    """Leaves out the sizes of directories, which file systems choose."""
    text = text if isinstance(text, str) else "".join(block["text"] for block in text)
    lines = [re.sub(r"^[0-9.]+[BKMG]\t", "-\t", line) if line.endswith("/") else line for line in text.split("\n")]
    if lines[0].startswith("Here're the files"):
        lines[1] = re.sub(r"^[0-9.]+[BKMG]\t", "-\t", lines[1])
    return "\n".join(lines)


def main(server):
    faults = same = 0
    with tempfile.TemporaryDirectory() as folder:
        reference, remote, number = None, None, 0
        for number in range(COMMANDS):
            if number % 100 == 0:
                reference = BetaLocalFilesystemMemoryTool(os.path.join(folder, str(number)))
                remote, dice = Remote(server.url, server.key(f"u{number}")), random.Random(number)
            one = command(dice)
            expected, given = told(reference, one), told(remote, one)
            if expected[0] == "fault":
                assert given[0] == "error", (number, one, expected, given)
                faults += 1
            else:
                assert expected == given, (number, one, expected, given)
                same += 1
    print(f"      {same} commands answered with the same words, {faults} faults of the file system are errors")


with served() as server:
    main(server)
