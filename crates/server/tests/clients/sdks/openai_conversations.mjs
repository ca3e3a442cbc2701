// OpenAI's SDK and the sessions of its Agents SDK for JavaScript against `/openai/v1/conversations`.
import assert from "node:assert/strict";
import OpenAI from "openai";
import { OpenAIConversationsSession } from "@openai/agents";
import { served } from "./_served.mjs";

await served(async ({ url, ana, bob }) => {
  const [client, other] = [ana, bob].map((apiKey) => new OpenAI({ baseURL: `${url}/openai/v1`, apiKey, maxRetries: 0 }));
  const made = await client.conversations.create({ metadata: { a: "b" } });
  await client.conversations.items.create(made.id, { items: [{ type: "message", role: "user", content: "Hi" }] });
  const texts = [];
  for await (const item of client.conversations.items.list(made.id)) texts.push(item.content[0].text);
  assert.deepEqual(texts, ["Hi"]);
  await assert.rejects(other.conversations.retrieve(made.id), OpenAI.NotFoundError);
  await client.conversations.delete(made.id);

  const session = new OpenAIConversationsSession({ client });
  await session.addItems([{ role: "user", content: "One" }, { role: "user", content: "Two" }]);
  assert.equal((await session.getItems()).length, 2);
  assert.equal((await session.getItems(1)).length, 1);
  await session.popItem();
  assert.equal((await session.getItems()).length, 1);
  await session.clearSession();
});
process.exit(0);
