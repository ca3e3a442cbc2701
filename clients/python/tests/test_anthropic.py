"""Anthropic's memory tool, compared with the SDK's own files."""

from __future__ import annotations

import pathlib
import random
from typing import Any

import anthropic
import pytest
from anthropic.lib.tools import ToolError
from anthropic.tools import BetaLocalFilesystemMemoryTool
from stage import Stage

from recalld import Recalld
from recalld.anthropic import AsyncRecalldMemoryTool, RecalldMemoryTool

PATHS = ["/memories", "/memories/a.md", "/memories/b.md", "/memories/notes/c.md", "/memories/notes", "/memories/../x", "/tmp/x"]
TEXTS = ["one\ntwo\nthree", "one", "two\n", "", "é ☃\nlast"]


def command(choice: random.Random) -> dict[str, Any]:
    path, other = choice.choice(PATHS), choice.choice(PATHS)
    made: list[dict[str, Any]] = [
        {"command": "view", "path": path},
        {"command": "create", "path": path, "file_text": choice.choice(TEXTS)},
        {"command": "str_replace", "path": path, "old_str": choice.choice(["one", "two", "absent"]), "new_str": "2"},
        {"command": "insert", "path": path, "insert_line": choice.choice([0, 1, 9]), "insert_text": "new\n"},
        {"command": "delete", "path": path},
        {"command": "rename", "old_path": path, "new_path": other},
    ]
    return choice.choice(made)


def outcome(tool: Any, input: dict[str, Any]) -> tuple[bool, Any]:
    try:
        return True, tool.call(input)
    except ToolError as error:
        return False, str(error)
    except OSError:
        # The SDK's own files let the file system's refusals through; ours have words of their own.
        return False, None


def test_random_commands_answer_like_the_sdks_own_files(client: Recalld, tmp_path: pathlib.Path) -> None:
    ours, reference = RecalldMemoryTool(client), BetaLocalFilesystemMemoryTool(str(tmp_path))
    choice = random.Random(16)
    for number in range(300):
        input = command(choice)
        got, expected = outcome(ours, input), outcome(reference, input)
        assert got[0] == expected[0] and expected[1] in (got[1], None), (number, input, got, expected)


def test_files_are_the_users_own(client: Recalld, other: Recalld) -> None:
    RecalldMemoryTool(client).call({"command": "create", "path": "/memories/a.md", "file_text": "Prefers window seats"})
    with pytest.raises(ToolError):
        RecalldMemoryTool(other).call({"command": "view", "path": "/memories/a.md"})


async def test_the_async_tool_does_the_same(client: Recalld) -> None:
    tool = AsyncRecalldMemoryTool(client)
    made = await tool.call({"command": "create", "path": "/memories/a.md", "file_text": "tea"})
    assert made == "File created successfully at: /memories/a.md"
    assert "tea" in str(await tool.call({"command": "view", "path": "/memories/a.md"}))


def test_the_tool_runner_drives_it(client: Recalld, stage: Stage) -> None:
    claude = anthropic.Anthropic(base_url=stage.model_url.removesuffix("/v1"), api_key="none")
    tool = RecalldMemoryTool(client)
    assert tool.to_dict() == {"type": "memory_20250818", "name": "memory"}
    runner = claude.beta.messages.tool_runner(
        model="scripted", max_tokens=100, messages=[{"role": "user", "content": "Hello"}], tools=[tool]
    )
    assert runner.until_done().content
