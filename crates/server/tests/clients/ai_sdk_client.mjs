// Talks with /api/chat through the AI SDK's chat transport, the one that `useChat` uses.
//
// npm install ai@7.0.169         (Node 22 or newer)
// node ai_sdk_client.mjs PATH_TO_RECALLD
import assert from "node:assert/strict";
import { DefaultChatTransport, readUIMessageStream } from "ai";
import { served } from "./served.mjs";

const said = (id, text) => ({ id, role: "user", parts: [{ type: "text", text }] });

await served(process.argv[2], async ({ url, key }) => {
  const headers = { Authorization: `Bearer ${key}` };
  const transport = new DefaultChatTransport({ api: `${url}/api/chat`, headers });

  /** Sends a chat and gives the reply as the UI would hold it, and how often it grew. */
  async function send(chatId, messages, trigger = "submit-message", messageId) {
    const stream = await transport.sendMessages({ chatId, messages, trigger, messageId, abortSignal: undefined });
    let [reply, grew, failure] = [undefined, 0, undefined];
    const onError = (error) => (failure = error);
    for await (reply of readUIMessageStream({ stream, onError })) grew += 1;
    if (failure) throw failure;
    return { reply, grew };
  }
  const text = (message) => message.parts.filter((part) => part.type === "text").map((part) => part.text).join("");
  const kept = async (chat) => {
    const page = await fetch(`${url}/v1/conversations/${chat}/messages?limit=50`, { headers });
    return (await page.json()).messages.filter((message) => message.role !== "system");
  };

  const first = said("m1", "please remember that I prefer window seats");
  let { reply, grew } = await send("chat-1", [first]);
  const call = reply.parts.find((part) => part.type === "dynamic-tool");
  assert.deepEqual([call.toolName, call.state], ["store_memory", "output-available"]);
  assert.match(text(reply), /^The tool said/);
  assert.ok(grew > 3, "it comes in pieces");
  assert.equal(reply.metadata.session_id, "chat-1");
  assert.equal(reply.metadata.memory.on, true);
  console.log("a tool, and metadata");

  const second = said("m2", "where should I sit?");
  const answered = await send("chat-1", [first, reply, second]);
  assert.match(text(answered.reply), /^(By the window|Anywhere)\./);
  assert.equal((await kept("chat-1")).length, 4);
  const again = await send("chat-1", [first, reply, second], "regenerate-message", answered.reply.id);
  assert.equal(again.reply.id, answered.reply.id);
  assert.equal((await kept("chat-1")).length, 4, "a reply that is made again takes the place of the old one");
  console.log("a follow-up, and the same again");

  const fresh = await send("chat-2", [said("m1", "where should I sit?")]);
  assert.match(text(fresh.reply), /^By the window\./);
  console.log("remembered in another chat");

  await assert.rejects(send("chat-3", [said("m1", "fail with 400")]));
  const stranger = new DefaultChatTransport({ api: `${url}/api/chat`, headers: { Authorization: "Bearer rk_wrong" } });
  const chat = { chatId: "chat-3", messages: [first], trigger: "submit-message", messageId: undefined, abortSignal: undefined };
  await assert.rejects(stranger.sendMessages(chat));
  console.log("refused");
});
