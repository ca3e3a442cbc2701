"""OpenAI's SDK against `/openai/v1/responses` and `/openai/v1/embeddings`."""

import openai
from _served import model, served

WEATHER = {"type": "function", "name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}


def main(server):
    key = server.key("ana")
    client = openai.OpenAI(base_url=f"{server.url}/openai/v1", api_key=key, max_retries=0)
    first = client.responses.create(model="default", input="where should I sit?")
    assert first.output_text.startswith("Anywhere.") and first.status == "completed", first
    assert first.usage.total_tokens == 25
    client.responses.create(model="default", input="please remember that I prefer window seats")
    again = client.responses.create(model="default", input="where should I sit?", instructions="Be brief", metadata={"a": "b"})
    assert again.output_text.startswith("By the window.") and again.metadata == {"a": "b"}, again
    assert client.responses.retrieve(again.id).output_text == again.output_text
    [item] = list(client.responses.input_items.list(again.id))
    assert item.content[0].text == "where should I sit?"

    text, done = "", None
    for event in client.responses.create(model="default", input="where should I sit?", stream=True):
        if event.type == "response.output_text.delta":
            text += event.delta
        done = event
    assert done.type == "response.completed" and text.startswith("By the window.") and done.response.output_text == text, done
    with client.responses.stream(model="default", input="where should I sit?", previous_response_id=done.response.id) as stream:
        final = stream.get_final_response()
    assert final.output_text.startswith("By the window.") and final.previous_response_id == done.response.id

    for stream in (False, True):
        if stream:
            with client.responses.stream(model="default", input="what is the weather in Porto?", tools=[WEATHER]) as events:
                reply = events.get_final_response()
        else:
            reply = client.responses.create(model="default", input="what is the weather in Porto?", tools=[WEATHER])
        [call] = [item for item in reply.output if item.type == "function_call"]
        assert (call.name, call.arguments) == ("get_weather", '{"city": "Porto"}'), call
        output = {"type": "function_call_output", "call_id": call.call_id, "output": "rain"}
        told = client.responses.create(model="default", input=[output], previous_response_id=reply.id, tools=[WEATHER])
        assert told.output_text.startswith("The tool said: rain"), told

    conversation = client.conversations.create()
    client.responses.create(model="default", input="hello", conversation=conversation.id)
    client.responses.create(model="default", input="hello again", conversation={"id": conversation.id})
    assert len(list(client.conversations.items.list(conversation.id))) == 4

    other = openai.OpenAI(base_url=f"{server.url}/openai/v1", api_key=server.key("bob"), max_retries=0)
    for call in (lambda: other.responses.retrieve(first.id), lambda: other.responses.create(model="default", input="x", previous_response_id=first.id)):
        try:
            call()
        except openai.NotFoundError:
            continue
        raise AssertionError("it was found")
    client.responses.delete(first.id)

    vectors = client.embeddings.create(model="default", input=["green tea", "oolong tea"])
    plain = client.embeddings.create(model="default", input="green tea", encoding_format="float")
    assert len(vectors.data) == 2 and len(vectors.data[0].embedding) == len(plain.data[0].embedding), vectors.model
    assert all(abs(a - b) < 1e-6 for a, b in zip(vectors.data[0].embedding, plain.data[0].embedding))


with model() as url, served(url) as server:
    main(server)
