// LangGraph's own SDK for JavaScript against `/langgraph`.
import assert from "node:assert/strict";
import { Client } from "@langchain/langgraph-sdk";
import { served } from "./_served.mjs";

await served(async ({ url, ana, bob }) => {
  const store = new Client({ apiUrl: `${url}/langgraph`, apiKey: ana }).store;
  const others = new Client({ apiUrl: `${url}/langgraph`, apiKey: bob }).store;
  const value = { text: "Prefers aisle seats", n: 1, deep: { a: [1, null] } };
  await store.putItem(["users", "ana"], "seat", value);
  const item = await store.getItem(["users", "ana"], "seat");
  assert.deepEqual(item.value, value);
  assert.equal(await others.getItem(["users", "ana"], "seat"), null);
  await store.putItem(["users", "ana"], "drink", { text: "Drinks green tea", n: 2 });
  const found = await store.searchItems(["users"], { query: "tea", limit: 1 });
  assert.deepEqual(found.items.map((item) => item.key), ["drink"]);
  const filtered = await store.searchItems(["users"], { filter: { n: { $lt: 2 } } });
  assert.deepEqual(filtered.items.map((item) => item.key), ["seat"]);
  assert.deepEqual((await store.listNamespaces({ maxDepth: 1 })).namespaces, [["users"]]);
  await store.deleteItem(["users", "ana"], "seat");
  assert.equal(await store.getItem(["users", "ana"], "seat"), null);
  await assert.rejects(store.putItem(["langgraph"], "k", {}));
});
