"""Anthropic's SDK against `/anthropic/v1/messages`."""

import anthropic
from _served import model, served

WEATHER = {"name": "get_weather", "description": "Tells the weather", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}


def said(text):
    return {"role": "user", "content": text}


def main(server):
    key = server.key("ana")
    client = anthropic.Anthropic(base_url=f"{server.url}/anthropic", api_key=key, max_retries=0)
    ask = lambda **more: client.messages.create(model="default", max_tokens=200, **more)
    first = ask(messages=[said("where should I sit?")])
    assert first.content[0].text.startswith("Anywhere.") and first.stop_reason == "end_turn", first
    ask(messages=[said("please remember that I prefer window seats")])
    again = ask(system="Be brief", messages=[said("where should I sit?")])
    assert again.content[0].text.startswith("By the window."), again
    with client.messages.stream(model="default", max_tokens=200, messages=[said("where should I sit?")]) as stream:
        text = "".join(stream.text_stream)
        final = stream.get_final_message()
    assert text.startswith("By the window.") and final.content[0].text == text and final.stop_reason == "end_turn"

    question = said("what is the weather in Porto?")
    for stream in (False, True):
        if stream:
            with client.messages.stream(model="default", max_tokens=200, messages=[question], tools=[WEATHER]) as events:
                reply = events.get_final_message()
        else:
            reply = ask(messages=[question], tools=[WEATHER])
        [call] = [block for block in reply.content if block.type == "tool_use"]
        assert reply.stop_reason == "tool_use" and (call.name, call.input) == ("get_weather", {"city": "Porto"}), reply
        result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call.id, "content": "rain"}]}
        told = ask(messages=[question, {"role": "assistant", "content": reply.content}, result], tools=[WEATHER])
        assert told.content[0].text.startswith("The tool said: rain"), told

    for kind, call in [
        (anthropic.BadRequestError, lambda: ask(messages=[{"role": "robot", "content": "hi"}])),
        (anthropic.AuthenticationError, lambda: anthropic.Anthropic(base_url=f"{server.url}/anthropic", api_key="rk_wrong", max_retries=0).messages.create(model="default", max_tokens=1, messages=[said("hi")])),
        (anthropic.NotFoundError, lambda: client.models.list()),
    ]:
        try:
            call()
        except kind as error:
            assert error.body["error"]["message"], error.body
        else:
            raise AssertionError(f"{kind} was not raised")


with model() as url, served(url) as server:
    main(server)
