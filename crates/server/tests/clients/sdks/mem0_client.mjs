// mem0's own client for JavaScript against `/mem0`.
import assert from "node:assert/strict";
import { MemoryClient } from "mem0ai";
import { served } from "./_served.mjs";

await served(async ({ url, ana, bob }) => {
  const client = new MemoryClient({ apiKey: ana, host: `${url}/mem0` });
  const other = new MemoryClient({ apiKey: bob, host: `${url}/mem0` });
  await client.ping();
  const added = await client.add([{ role: "user", content: "Drinks green tea" }], { userId: "alex", infer: false, metadata: { n: 1 } });
  const id = (added.results ?? added)[0].id;
  const found = await client.search("tea", { filters: { user_id: "alex" } });
  assert.equal(found.results[0].id, id);
  assert.deepEqual((await other.search("tea", { filters: { user_id: "alex" } })).results, []);
  const read = await client.get(id);
  assert.equal(read.memory, "Drinks green tea");
  await client.update(id, { text: "Drinks black tea" });
  assert.equal((await client.get(id)).memory, "Drinks black tea");
  assert.deepEqual((await client.history(id)).map((event) => event.event), ["ADD", "UPDATE"]);
  await assert.rejects(other.get(id));
  await client.delete(id);
  await assert.rejects(client.get(id));
});
process.exit(0);
