// Calls the route as the page does, and prints the reply: node main.ts "Hello".

import { DefaultChatTransport, readUIMessageStream } from 'ai';
import { POST } from './app/api/chat/route.ts';

const transport = new DefaultChatTransport({
  api: 'http://localhost/api/chat',
  fetch: (input, init) => POST(new Request(input as string, init)),
});
const stream = await transport.sendMessages({
  chatId: crypto.randomUUID(),
  trigger: 'submit-message',
  messageId: undefined,
  messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: process.argv[2] ?? 'Hello' }] }],
  abortSignal: undefined,
});
let reply = '';
for await (const message of readUIMessageStream({ stream })) {
  reply = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
console.log(reply);
