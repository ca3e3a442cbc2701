"""Runs the examples as their READMEs say, against a real server and a scripted model.

RECALLD_BIN names the binary, RECALLD_NPM is the command of npm as JSON, RECALLD_WORKSPACE the workspace of Cargo.
Names of examples as arguments run only these.
"""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import model
from stage import Stage, staged

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
LINES_MAX = 60
CODE = {".py", ".ts", ".tsx", ".rs"}
NOTES = "/memories/preferences.md"

RULES = [
    {"when": "(?i)remember that (.*?)[.!]?$", "tool": "memory", "input": {"command": "create", "path": NOTES, "file_text": "{1}"}},
    {"when": "(?i)what do you know", "tool": "memory", "input": {"command": "view", "path": NOTES}},
    *model.RULES,
]


def commands(readme: str) -> list[str]:
    """The lines of the first block. A key is given by the test."""
    block = readme.split("```")[1].strip().splitlines()
    return [line.partition("  #")[0].strip() for line in block if not line.startswith("export ")]


def run(command: str, folder: pathlib.Path, environment: dict[str, str]) -> str:
    result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=1800)
    if result.returncode != 0:
        raise SystemExit(f"error: {folder.name}: {command!r} failed\n{result.stdout}{result.stderr}")
    return result.stdout.strip()


def check(folder: pathlib.Path, environments: tuple[dict[str, str], dict[str, str]]) -> None:
    """What one user said is known to the same user, and to nobody else."""
    for path in folder.rglob("*"):
        if path.suffix in CODE and "node_modules" not in path.parts and len(path.read_text().splitlines()) >= LINES_MAX:
            raise SystemExit(f"error: {path} has {LINES_MAX} lines or more")
    shutil.rmtree(folder / "node_modules" / "@recalld", ignore_errors=True)
    *earlier, last = commands((folder / "README.md").read_text())
    user, stranger = environments
    for command in earlier:
        run(command, folder, user)
    answer, other = run(last, folder, user), run(last, folder, stranger)
    if "window seats" not in answer or "window seats" in other:
        raise SystemExit(f"error: {folder.name} answered {answer!r}, and another user got {other!r}")
    print(f"   {folder.name}: {answer.splitlines()[-1]!r}")


def environment(stage: Stage, programs: pathlib.Path, memories: str) -> dict[str, str]:
    path = f"{programs}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    quiet = {"OPENAI_AGENTS_DISABLE_TRACING": "1", "MASTRA_TELEMETRY_DISABLED": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    keys = {"OPENAI_API_KEY": "none", "ANTHROPIC_API_KEY": "none", "RECALLD_KEY": stage.key()}
    places = {
        "PATH": path,
        "RECALLD_URL": stage.url,
        "OPENAI_BASE_URL": stage.model_url,
        "ANTHROPIC_BASE_URL": stage.model_url.removesuffix("/v1"),
        "MEMORIES": memories,
    }
    return os.environ | quiet | keys | places


def main(names: list[str]) -> None:
    folders = sorted(folder for folder in EXAMPLES.iterdir() if (folder / "README.md").exists())
    with staged(RULES) as stage, tempfile.TemporaryDirectory() as place:
        programs = pathlib.Path(place)
        npm = programs / "npm"
        program, *rest = json.loads(os.environ["RECALLD_NPM"])
        # By its path: this file is found as `npm` itself.
        words = " ".join(f"'{word}'" for word in [shutil.which(program) or program, *rest])
        npm.write_text(f'#!/bin/sh\nexec {words} "$@" --no-audit --no-fund --loglevel=error\n')
        npm.chmod(0o755)
        ran = 0
        for folder in folders:
            if names and folder.name not in names:
                continue
            if (folder / "Cargo.toml").exists():
                folder = pathlib.Path(os.environ["RECALLD_WORKSPACE"], "examples", folder.name)
            check(folder, (environment(stage, programs, f"{place}/mine"), environment(stage, programs, f"{place}/theirs")))
            ran += 1
    print(f"   {ran} examples passed")


main(sys.argv[1:])
