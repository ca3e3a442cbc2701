// Anthropic's SDK for JavaScript: its memory tool with handlers that ask `/anthropic/v1/tools/memory`.
import assert from "node:assert/strict";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { served } from "./_served.mjs";

await served(async ({ url, ana }) => {
  const send = async (command) => {
    const answer = await fetch(`${url}/anthropic/v1/tools/memory`, {
      method: "POST",
      headers: { authorization: `Bearer ${ana}`, "content-type": "application/json" },
      body: JSON.stringify(command),
    });
    const { content, is_error } = await answer.json();
    if (is_error) throw new Error(content);
    return content;
  };
  const tool = betaMemoryTool({ view: send, create: send, str_replace: send, insert: send, delete: send, rename: send });
  const run = (input) => tool.run(tool.parse ? tool.parse(input) : input);
  assert.equal(await run({ command: "create", path: "/memories/n.md", file_text: "Tea\n" }), "File created successfully at: /memories/n.md");
  assert.match(await run({ command: "view", path: "/memories" }), /4B\t\/memories\/n\.md/);
  await assert.rejects(run({ command: "view", path: "/memories/none" }), /does not exist/);
});
