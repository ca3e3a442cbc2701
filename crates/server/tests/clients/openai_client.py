"""Talks with recalld through OpenAI's own Python SDK, which only has another base URL.

pip install openai==3.49.0
python openai_client.py PATH_TO_RECALLD
"""

import sys

import openai
from served import served

WEATHER = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}


def said(text):
    return {"role": "user", "content": text}


def plain(client):
    raw = client.chat.completions.with_raw_response.create(model="default", messages=[said("where should I sit?")])
    reply = raw.parse()
    assert reply.choices[0].message.content.startswith("Anywhere."), reply
    assert reply.choices[0].finish_reason == "stop" and reply.usage.total_tokens == 25, reply
    assert raw.headers["recalld-conversation"].startswith("openai:"), raw.headers
    client.chat.completions.create(model="default", messages=[said("please remember that I prefer window seats")])
    reply = client.chat.completions.create(model="default", messages=[said("where should I sit?")])
    assert reply.choices[0].message.content.startswith("By the window."), reply
    assert [model.id for model in client.models.list()], "there are models"


def streamed(client):
    text, last = "", None
    stream = client.chat.completions.create(
        model="default", messages=[said("where should I sit?")], stream=True, stream_options={"include_usage": True}
    )
    for chunk in stream:
        text += chunk.choices[0].delta.content or "" if chunk.choices else ""
        last = chunk
    assert text.startswith("By the window."), text
    assert last.usage.total_tokens == 25 and not last.choices, last
    with client.chat.completions.stream(model="default", messages=[said("where should I sit?")]) as stream:
        whole = stream.get_final_completion()
    assert whole.choices[0].message.content.startswith("By the window."), whole


def own_tools(client):
    messages = [said("what is the weather in Porto?")]
    for stream in (False, True):
        if stream:
            with client.chat.completions.stream(model="default", messages=messages, tools=[WEATHER]) as events:
                reply = events.get_final_completion()
        else:
            reply = client.chat.completions.create(model="default", messages=messages, tools=[WEATHER])
        [call] = reply.choices[0].message.tool_calls
        assert reply.choices[0].finish_reason == "tool_calls", reply
        assert (call.function.name, call.function.arguments) == ("get_weather", '{"city": "Porto"}'), call
    answered = messages + [reply.choices[0].message, {"role": "tool", "tool_call_id": call.id, "content": "rain"}]
    reply = client.chat.completions.create(model="default", messages=answered, tools=[WEATHER])
    assert reply.choices[0].message.content == "The tool said: rain ", reply


def named(client):
    create = client.chat.completions.with_raw_response.create
    by_header = create(model="default", messages=[said("hi")], extra_headers={"Recalld-Conversation": "trip"})
    assert by_header.headers["recalld-conversation"] == "trip"
    by_metadata = create(model="default", messages=[said("hi")], metadata={"conversation_id": "walk"})
    assert by_metadata.headers["recalld-conversation"] == "walk"
    first = create(model="default", messages=[said("hi")])
    other = create(model="default", messages=[said("hi")])
    assert first.headers["recalld-conversation"] != other.headers["recalld-conversation"]
    answer = first.parse().choices[0].message.content
    again = create(model="default", messages=[said("hi"), {"role": "assistant", "content": answer}, said("and now?")])
    kept = {first.headers["recalld-conversation"], other.headers["recalld-conversation"]}
    assert again.headers["recalld-conversation"] in kept, "it goes on"


def refused(client, url):
    for kind, call in [
        (openai.BadRequestError, lambda: client.chat.completions.create(model="default", messages=[said("fail with 400")])),
        (openai.BadRequestError, lambda: client.chat.completions.create(model="default", messages=[said("fail with 400")], stream=True)),
        (openai.BadRequestError, lambda: client.chat.completions.create(model="default", messages=[said("hi")], n=2)),
        (openai.NotFoundError, lambda: client.models.retrieve("none")),
        (openai.AuthenticationError, lambda: openai.OpenAI(base_url=f"{url}/openai/v1", api_key="rk_wrong").models.list()),
    ]:
        try:
            call()
        except kind as error:
            assert error.body["message"], error.body
        else:
            raise AssertionError(f"{kind} was not raised")


with served(sys.argv[1]) as (url, key):
    client = openai.OpenAI(base_url=f"{url}/openai/v1", api_key=key, max_retries=0)
    for play in (plain, streamed, own_tools, named):
        play(client)
        print(play.__name__)
    refused(client, url)
    print("refused")
