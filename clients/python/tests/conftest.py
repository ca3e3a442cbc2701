"""A server for the whole run, and clients of users that no other test has."""

from __future__ import annotations

import pathlib
import sys
from collections.abc import AsyncIterator, Iterator

import pytest

from recalld import AsyncRecalld, Recalld

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "testing"))

from stage import Stage, staged  # noqa: E402


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    with staged() as stage:
        yield stage


@pytest.fixture
def client(stage: Stage) -> Iterator[Recalld]:
    with Recalld(stage.url, stage.key()) as client:
        yield client


@pytest.fixture
def other(stage: Stage) -> Iterator[Recalld]:
    """Another user."""
    with Recalld(stage.url, stage.key()) as client:
        yield client


@pytest.fixture
async def async_client(stage: Stage) -> AsyncIterator[AsyncRecalld]:
    async with AsyncRecalld(stage.url, stage.key()) as client:
        yield client
