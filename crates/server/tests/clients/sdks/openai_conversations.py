"""OpenAI's SDK and the sessions of its Agents SDK against `/openai/v1/conversations`."""

import asyncio

import openai
from _served import served
from agents import OpenAIConversationsSession


def client(server, name, kind=openai.OpenAI):
    return kind(base_url=f"{server.url}/openai/v1", api_key=server.key(name), max_retries=0)


def conversations(ana, bob):
    made = ana.conversations.create(metadata={"topic": "demo"}, items=[{"type": "message", "role": "user", "content": "Hello!"}])
    assert made.object == "conversation" and made.metadata == {"topic": "demo"}
    assert ana.conversations.retrieve(made.id).id == made.id
    assert ana.conversations.update(made.id, metadata={"topic": "other"}).metadata == {"topic": "other"}
    items = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": f"Number {n}"}]} for n in range(5)]
    added = ana.conversations.items.create(made.id, items=items)
    assert [item.content[0].text for item in added.data] == [f"Number {n}" for n in range(5)]
    seen = [item.content[0].text for item in ana.conversations.items.list(made.id, limit=2, order="asc")]
    assert seen == ["Hello!"] + [f"Number {n}" for n in range(5)], seen
    item = added.data[2].id
    assert ana.conversations.items.retrieve(item, conversation_id=made.id).content[0].text == "Number 2"
    ana.conversations.items.delete(item, conversation_id=made.id)
    assert len(list(ana.conversations.items.list(made.id))) == 5
    for call in (lambda: bob.conversations.retrieve(made.id), lambda: bob.conversations.items.list(made.id), lambda: ana.conversations.retrieve("conv_none")):
        try:
            call()
        except openai.NotFoundError as error:
            assert error.body["message"]
        else:
            raise AssertionError("it was found")
    assert ana.conversations.delete(made.id).deleted


async def sessions(ana):
    session = OpenAIConversationsSession(openai_client=ana)
    items = [
        {"role": "user", "content": "What is the weather?"},
        {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city": "Porto"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "rain"},
        {"role": "assistant", "content": [{"type": "output_text", "text": "It rains.", "annotations": []}]},
    ]
    await session.add_items(items)
    kept = await session.get_items()
    assert [item.get("type", "message") for item in kept] == ["message", "function_call", "function_call_output", "message"], kept
    assert kept[1]["arguments"] == '{"city": "Porto"}' and kept[2]["output"] == "rain"
    assert len(await session.get_items(limit=2)) == 2
    assert (await session.get_items(limit=1))[0]["content"][0]["text"] == "It rains."
    popped = await session.pop_item()
    assert popped["content"][0]["text"] == "It rains." and len(await session.get_items()) == 3
    await session.clear_session()
    assert await session.get_items() == []


with served() as server:
    conversations(client(server, "ana"), client(server, "bob"))
    asyncio.run(sessions(client(server, "carol", openai.AsyncOpenAI)))
