"""The packages cover the document of the server, and the check notices when they do not."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import urllib.request
from typing import Any

import pytest
from stage import Stage

CLIENTS = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def document(stage: Stage) -> Any:
    with urllib.request.urlopen(f"{stage.url}/openapi.json", timeout=30) as answer:
        return json.loads(answer.read())


def check(document: Any, folder: pathlib.Path) -> subprocess.CompletedProcess[str]:
    path = folder / "openapi.json"
    path.write_text(json.dumps(document))
    command = [sys.executable, "-m", "generator", str(path), "--check"]
    return subprocess.run(command, cwd=CLIENTS, capture_output=True, text=True)


def test_nothing_is_behind(document: Any, tmp_path: pathlib.Path) -> None:
    result = check(document, tmp_path)
    assert result.returncode == 0, result.stderr


def test_a_new_operation_is_noticed(document: Any, tmp_path: pathlib.Path) -> None:
    paths = {**document["paths"], "/v1/new": {"get": {"operationId": "get_new", "responses": {}}}}
    result = check({**document, "paths": paths}, tmp_path)
    assert result.returncode == 1 and "get_new" in result.stderr


def test_a_removed_operation_is_noticed(document: Any, tmp_path: pathlib.Path) -> None:
    paths = {path: item for path, item in document["paths"].items() if path != "/v1/stats"}
    result = check({**document, "paths": paths}, tmp_path)
    assert result.returncode == 1 and "get_stats" in result.stderr


def test_a_new_field_is_noticed(document: Any, tmp_path: pathlib.Path) -> None:
    changed = json.loads(json.dumps(document))
    changed["components"]["schemas"]["NewMemory"]["properties"]["mood"] = {"type": "string"}
    result = check(changed, tmp_path)
    assert result.returncode == 1 and "is behind the OpenAPI document" in result.stderr
