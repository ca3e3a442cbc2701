// OpenAI's SDK for JavaScript against `/openai/v1/responses` and `/openai/v1/embeddings`.
import assert from "node:assert/strict";
import OpenAI from "openai";
import { model, served } from "./_served.mjs";

await model((address) =>
  served(async ({ url, ana, bob }) => {
    const [client, other] = [ana, bob].map((apiKey) => new OpenAI({ baseURL: `${url}/openai/v1`, apiKey, maxRetries: 0 }));
    const first = await client.responses.create({ model: "default", input: "where should I sit?" });
    assert.match(first.output_text, /^Anywhere\./);
    const stream = client.responses.stream({ model: "default", input: "and now?", previous_response_id: first.id });
    const final = await stream.finalResponse();
    assert.match(final.output_text, /^Anywhere\./);
    await assert.rejects(other.responses.retrieve(first.id), OpenAI.NotFoundError);
    const vectors = await client.embeddings.create({ model: "default", input: "tea" });
    assert.ok(vectors.data[0].embedding.length > 10);
  }, address),
);
process.exit(0);
