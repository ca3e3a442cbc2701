// Talks with recalld through OpenAI's own JavaScript SDK, which only has another base URL.
//
// npm install openai@7.53.0      (Node 22 or newer)
// node openai_client.mjs PATH_TO_RECALLD
import assert from "node:assert/strict";
import OpenAI from "openai";
import { served } from "./served.mjs";

const said = (content) => ({ role: "user", content });
const model = "default";
const weather = {
  type: "function",
  function: { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
};

await served(process.argv[2], async ({ url, key }) => {
  const client = new OpenAI({ baseURL: `${url}/openai/v1`, apiKey: key, maxRetries: 0 });
  const create = (body, options) => client.chat.completions.create({ model, ...body }, options);

  let reply = await create({ messages: [said("where should I sit?")] });
  assert.match(reply.choices[0].message.content, /^Anywhere\./);
  assert.equal(reply.usage.total_tokens, 25);
  await create({ messages: [said("please remember that I prefer window seats")] });
  console.log("plain");

  let text = "";
  let usage;
  const stream = await create({
    messages: [said("where should I sit?")],
    stream: true,
    stream_options: { include_usage: true },
  });
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? "";
    usage = chunk.usage;
  }
  assert.match(text, /^By the window\./);
  assert.equal(usage.total_tokens, 25);
  console.log("streamed");

  const messages = [said("what is the weather in Porto?")];
  reply = await create({ messages, tools: [weather] });
  const [call] = reply.choices[0].message.tool_calls;
  assert.deepEqual([call.function.name, call.function.arguments], ["get_weather", '{"city": "Porto"}']);
  messages.push(reply.choices[0].message, { role: "tool", tool_call_id: call.id, content: "rain" });
  reply = await create({ messages, tools: [weather] });
  assert.equal(reply.choices[0].message.content.trim(), "The tool said: rain");
  // The SDK's own loop over tools, on a stream.
  const runner = client.chat.completions.runTools({
    model,
    stream: true,
    messages: [said("what is the weather in Porto?")],
    tools: [{ type: "function", function: { ...weather.function, function: () => "sun", parse: JSON.parse } }],
  });
  assert.equal((await runner.finalContent()).trim(), "The tool said: sun");
  console.log("own tools");

  const named = await create({ messages: [said("hi")] }, { headers: { "Recalld-Conversation": "trip" } }).withResponse();
  assert.equal(named.response.headers.get("recalld-conversation"), "trip");
  console.log("named");

  await assert.rejects(create({ messages: [said("fail with 400")] }), OpenAI.BadRequestError);
  await assert.rejects(create({ messages: [said("fail with 400")], stream: true }), OpenAI.BadRequestError);
  const stranger = new OpenAI({ baseURL: `${url}/openai/v1`, apiKey: "rk_wrong", maxRetries: 0 });
  await assert.rejects(stranger.models.list(), OpenAI.AuthenticationError);
  console.log("refused");
});
