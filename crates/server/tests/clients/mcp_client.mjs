// Uses every tool, resource and prompt of recalld with the official TypeScript SDKs, of both generations.
//
// npm install @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0
// node mcp_client.mjs PATH_TO_RECALLD

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as first from "@modelcontextprotocol/sdk/client/index.js";
import * as firstStdio from "@modelcontextprotocol/sdk/client/stdio.js";
import * as firstHttp from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as second from "@modelcontextprotocol/client";
import * as secondStdio from "@modelcontextprotocol/client/stdio";

const binary = process.argv[2];
const calls = JSON.parse(readFileSync(new URL("calls.json", import.meta.url)));
const self = { name: "recalld-test", version: "1" };

const sdks = {
  "sdk 1": {
    client: () => new first.Client(self),
    stdio: (options) => new firstStdio.StdioClientTransport(options),
    http: (url, options) => new firstHttp.StreamableHTTPClientTransport(url, options),
  },
  "client 2": {
    client: () => new second.Client(self),
    stdio: (options) => new secondStdio.StdioClientTransport(options),
    http: (url, options) => new second.StreamableHTTPClientTransport(url, options),
  },
  "client 2, newest revision": {
    client: () => new second.Client(self, { versionNegotiation: { mode: "auto" } }),
    stdio: (options) => new secondStdio.StdioClientTransport(options),
    http: (url, options) => new second.StreamableHTTPClientTransport(url, options),
  },
};

async function use(name, sdk, transport) {
  const client = sdk.client();
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), calls.map(([tool]) => tool).sort());
  for (const [tool, args] of calls) {
    const answer = await client.callTool({ name: tool, arguments: args });
    assert(!answer.isError, `${tool}: ${JSON.stringify(answer)}`);
    assert.equal(answer.structuredContent, undefined);
  }
  const { resources } = await client.listResources();
  for (const { uri } of resources) {
    assert((await client.readResource({ uri })).contents.length);
  }
  const { prompts } = await client.listPrompts();
  for (const { name } of prompts) {
    assert((await client.getPrompt({ name, arguments: { topic: "Lisbon" } })).messages.length);
  }
  await client.close();
  console.log(`${name}: ${tools.length} tools, ${resources.length} resources`);
}

async function started(server) {
  let text = "";
  for await (const piece of server.stdout) {
    text += piece;
    if (text.trimEnd().endsWith("}")) return JSON.parse(text).url;
  }
  throw new Error("the server did not start");
}

const home = mkdtempSync(join(tmpdir(), "recalld-"));
const [alone, served] = [join(home, "alone"), join(home, "served")];
const server = spawn(binary, ["serve", "--json", "--listen", "127.0.0.1:0", "--data", served]);
try {
  const url = await started(server);
  const { local: key } = JSON.parse(readFileSync(join(served, "keys.json")));
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  for (const [name, sdk] of Object.entries(sdks)) {
    await use(`${name}, http`, sdk, sdk.http(new URL(`${url}/mcp`), { requestInit }));
    for (const args of [["--data", alone], ["--data", served], ["--url", url, "--key", key]]) {
      const transport = sdk.stdio({ command: binary, args: ["mcp", ...args] });
      await use(`${name}, stdio ${args[0]}`, sdk, transport);
    }
  }
} finally {
  server.kill();
}
