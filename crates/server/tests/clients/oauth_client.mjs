// Signs in to recalld with the OAuth client of the official TypeScript SDK, and calls tools. The user's part is played here.
//
// npm install @modelcontextprotocol/sdk@1.32.2
// node oauth_client.mjs PATH_TO_RECALLD

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { auth, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { served } from "./served.mjs";

const REDIRECT = "http://localhost:33418/callback";

/** Keeps everything for as long as the script runs. */
class Provider {
  redirectUrl = REDIRECT;
  clientMetadata = { client_name: "A script", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none", scope: "read write" };
  clientInformation() { return this.client; }
  saveClientInformation(client) { this.client = client; }
  tokens() { return this.kept; }
  saveTokens(tokens) { this.kept = tokens; }
  saveCodeVerifier(verifier) { this.verifier = verifier; }
  codeVerifier() { return this.verifier; }
  redirectToAuthorization(page) { this.page = page; }
}

/** Does what the browser and the console do: follows the page, asks the user, sends the answer. */
async function consent(page, url, key) {
  const led = await fetch(page, { redirect: "manual" });
  assert.equal(led.status, 302, await led.text());
  const fragment = new URL(led.headers.get("location")).hash.slice(1);
  assert.ok(fragment.startsWith("/authorize?"), fragment);
  const asked = Object.fromEntries(new URLSearchParams(fragment.split("?")[1]));
  const answer = await fetch(`${url}/v1/oauth/grants`, {
    method: "POST", body: JSON.stringify({ ...asked, allow: true }), headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
  });
  assert.equal(answer.status, 201, await answer.clone().text());
  return new URL((await answer.json()).redirect_to).searchParams.get("code");
}

await served(process.argv[2], async ({ url, key }) => {
  const provider = new Provider();
  const connect = async (transport) => {
    const client = new Client({ name: "script", version: "1" });
    await client.connect(transport);
    return client;
  };
  const first = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });
  await assert.rejects(connect(first), UnauthorizedError);
  await first.finishAuth(await consent(provider.page, url, key));
  const client = await connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider }));
  const memory = { key: "seat", value: "Prefers window seats", category: "preference", durability: "durable" };
  const stored = await client.callTool({ name: "write_memory", arguments: memory });
  assert.ok(!stored.isError, JSON.stringify(stored));
  const found = await client.callTool({ name: "read_memory", arguments: {} });
  assert.match(found.content[0].text, /window/);
  await client.close();
  // A token that is no longer good is replaced without asking the user again.
  const old = provider.kept;
  assert.equal(await auth(provider, { serverUrl: `${url}/mcp` }), "AUTHORIZED");
  assert.notEqual(provider.kept.access_token, old.access_token);
  // The refresh token that was replaced ends the grant when it comes again.
  const fresh = provider.kept;
  provider.kept = old;
  await auth(provider, { serverUrl: `${url}/mcp` }).catch(() => {});
  const me = await fetch(`${url}/v1/me`, { headers: { Authorization: `Bearer ${fresh.access_token}` } });
  assert.equal(me.status, 401);
  console.log("signed in with the TypeScript SDK, stored, recalled, refreshed, and a replayed token ended the grant");
});
