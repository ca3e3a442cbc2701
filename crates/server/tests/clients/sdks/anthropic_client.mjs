// Anthropic's SDK for JavaScript against `/anthropic`: messages and memory stores.
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { model, served } from "./_served.mjs";

await model((address) =>
  served(async ({ url, ana, bob }) => {
    const [client, other] = [ana, bob].map((apiKey) => new Anthropic({ baseURL: `${url}/anthropic`, apiKey, maxRetries: 0 }));
    const messages = [{ role: "user", content: "where should I sit?" }];
    const whole = await client.messages.create({ model: "default", max_tokens: 100, messages });
    assert.match(whole.content[0].text, /^Anywhere\./);
    const final = await client.messages.stream({ model: "default", max_tokens: 100, messages }).finalMessage();
    assert.match(final.content[0].text, /^Anywhere\./);

    const stores = client.beta.memoryStores;
    const store = await stores.create({ name: "Notes" });
    const made = await stores.memories.create(store.id, { path: "/tea.md", content: "Oolong\n" });
    const read = await stores.memories.retrieve(made.id, { memory_store_id: store.id });
    assert.equal(read.content, "Oolong\n");
    await assert.rejects(other.beta.memoryStores.retrieve(store.id), Anthropic.NotFoundError);
    const paths = [];
    for await (const memory of stores.memories.list(store.id)) paths.push(memory.path);
    assert.deepEqual(paths, ["/tea.md"]);
    await stores.delete(store.id);
  }, address),
);
process.exit(0);
