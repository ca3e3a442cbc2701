"""The adapters over conversations and search: OpenAI Agents and LangChain."""

from __future__ import annotations

import uuid
from typing import Any

import agents
from agents.memory import Session, SessionSettings
from agents.models.openai_responses import OpenAIResponsesModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from llama_index.core.base.llms.types import ChatMessage, TextBlock
from openai import AsyncOpenAI
from stage import Stage

from recalld import Recalld
from recalld.langchain import RecalldChatMessageHistory, RecalldRetriever
from recalld.llamaindex import RecalldMemory
from recalld.openai_agents import RecalldSession

ITEMS: list[Any] = [
    {"role": "user", "content": "Where is my order?"},
    {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "find_order", "arguments": "{}", "status": "completed"},
    {"type": "function_call_output", "call_id": "c1", "output": "on its way"},
    {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "On its way ☃", "annotations": []}]},
]


def session_id() -> str:
    return f"s-{uuid.uuid4().hex[:8]}"


async def test_a_session_keeps_items_as_they_are(client: Recalld) -> None:
    session = RecalldSession(session_id(), client)
    assert isinstance(session, Session)
    assert await session.get_items() == [] and await session.pop_item() is None
    await session.clear_session()
    await session.add_items(ITEMS)
    assert await session.get_items() == ITEMS
    assert await session.get_items(limit=2) == ITEMS[-2:]
    assert await session.get_items(limit=0) == []
    assert await session.pop_item() == ITEMS[-1]
    assert await session.get_items() == ITEMS[:-1]
    session.session_settings = SessionSettings(limit=1)
    assert await session.get_items() == ITEMS[2:3]
    await session.clear_session()
    session.session_settings = None
    assert await session.get_items() == []


async def test_a_session_keeps_large_and_many_items(client: Recalld) -> None:
    session = RecalldSession(session_id(), client)
    large: Any = {"type": "function_call_output", "call_id": "c", "output": "é" * 40_000}
    many: list[Any] = [{"role": "user", "content": f"message {number}"} for number in range(1_203)]
    await session.add_items([*many, large])
    assert await session.get_items() == [*many, large]
    assert await session.get_items(limit=700) == [*many, large][-700:]


async def test_a_session_is_the_users_own(client: Recalld, other: Recalld) -> None:
    mine, theirs = RecalldSession("shared-name", client), RecalldSession("shared-name", other)
    await mine.add_items(ITEMS[:1])
    assert await theirs.get_items() == []
    await theirs.clear_session()
    assert await mine.get_items() == ITEMS[:1]


async def test_an_agent_goes_on_with_its_session(client: Recalld, stage: Stage) -> None:
    agents.set_tracing_disabled(True)
    openai = AsyncOpenAI(base_url=stage.model_url, api_key="none")
    agent = agents.Agent(name="clerk", model=OpenAIResponsesModel("scripted", openai))
    session = RecalldSession(session_id(), client)
    await agents.Runner.run(agent, "I prefer window seats.", session=session)
    answer = await agents.Runner.run(agent, "What do you know about me?", session=session)
    assert answer.final_output == "You prefer window seats."
    assert len(await session.get_items()) == 4


MESSAGES: list[BaseMessage] = [
    HumanMessage("I live in Porto", id="h1"),
    AIMessage("", tool_calls=[{"name": "weather", "args": {"city": "Porto"}, "id": "t1"}], id="a1"),
    ToolMessage("rain", tool_call_id="t1", id="t1"),
    AIMessage([{"type": "text", "text": "It rains."}], id="a2"),
]


def test_a_chat_history_keeps_messages_as_they_are(client: Recalld, other: Recalld) -> None:
    history = RecalldChatMessageHistory(session_id(), client)
    assert history.messages == []
    history.add_messages(MESSAGES)
    assert history.messages == MESSAGES
    assert RecalldChatMessageHistory(history.session_id, other).messages == []
    history.clear()
    assert history.messages == []


async def test_a_chat_history_works_async(client: Recalld) -> None:
    history = RecalldChatMessageHistory(session_id(), client, extract=True)
    await history.aadd_messages(MESSAGES)
    assert await history.aget_messages() == MESSAGES
    await history.aclear()
    assert await history.aget_messages() == []


def test_messages_of_others_are_read_too(client: Recalld) -> None:
    client.conversations.append("plain", [{"role": "user", "content": "Hello"}])
    assert RecalldChatMessageHistory("plain", client).messages == [HumanMessage("Hello")]


async def test_a_retriever_finds_the_users_memories(client: Recalld, other: Recalld) -> None:
    client.memories.create("Prefers window seats", category="preference")
    retriever = RecalldRetriever(client=client, k=3, kinds=["memory"])
    documents = retriever.invoke("which seat")
    assert documents == await retriever.ainvoke("which seat")
    assert "window seats" in documents[0].page_content
    assert documents[0].metadata["category"] == "preference" and documents[0].id
    assert RecalldRetriever(client=other).invoke("which seat") == []


def test_a_memory_of_llamaindex_gives_what_is_remembered_and_what_was_said(client: Recalld, other: Recalld) -> None:
    client.memories.create("Prefers window seats")
    session = session_id()
    memory = RecalldMemory.from_defaults(client, session_id=session, last_messages=2)
    assert memory.get() == []
    said = [
        ChatMessage(role="user", content="Hello"),
        ChatMessage(role="assistant", blocks=[TextBlock(text="Hi"), TextBlock(text="there")], additional_kwargs={"n": 1}),
        ChatMessage(role="user", content="Which seat?"),
    ]
    memory.put_messages(said)
    assert memory.get_all() == said
    system, *rest = memory.get("Which seat do I like?")
    assert "window seats" in str(system.content) and rest == said[-2:]
    assert RecalldMemory.from_defaults(other, session_id=session).get("Which seat?") == []
    memory.set(said[:1])
    assert memory.get_all() == said[:1]
    memory.reset()
    assert memory.get_all() == []
