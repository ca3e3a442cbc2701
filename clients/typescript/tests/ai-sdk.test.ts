// Tools and middleware for the AI SDK.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Recalld } from '@recalld/client';
import { recalldMiddleware, recalldTools } from '@recalld/client/ai-sdk';
import { generateText, isStepCount, streamText, wrapLanguageModel } from 'ai';
import { Stage } from './stage.ts';

let stage: Stage;
before(async () => {
  stage = await Stage.start();
});
after(() => stage.stop());

const model = () => createOpenAICompatible({ name: 'scripted', baseURL: stage.modelUrl })('scripted');

const said = async (client: Recalld, conversation: string) =>
  (await client.conversations.messages(conversation)).messages.map((message) => `${message.role}: ${message.content}`);

test('a model writes with the tools', async () => {
  const client = await stage.client();
  const tools = await recalldTools(client);
  const { text } = await generateText({ model: model(), tools, stopWhen: isStepCount(3), prompt: 'Remember that I prefer window seats.' });
  assert.equal(text, 'I will remember that.');
  assert.equal((await client.memories.list()).memories[0]?.content, 'I prefer window seats');
});

test('a wrong call is told to the model, not thrown', async () => {
  const tools = await recalldTools(await stage.client());
  const answer = await tools['store_memory']!.execute!({ wrong: 1 }, {} as never);
  assert.match(String(answer), /wrong|content/);
});

test('a middleware adds what is remembered, and keeps what is said', async () => {
  const client = await stage.client();
  await client.memories.create({ content: 'Prefers window seats' });
  const wrapped = wrapLanguageModel({ model: model(), middleware: recalldMiddleware(client, { conversation: 'c1' }) });
  const { text } = await generateText({ model: wrapped, instructions: 'Be brief.', prompt: 'What do you know about me?' });
  assert.equal(text, 'You prefer window seats.');
  const stream = streamText({ model: wrapped, prompt: 'What do you know about my seats?' });
  assert.equal(await stream.text, 'You prefer window seats.');
  assert.deepEqual(await said(client, 'c1'), [
    'user: What do you know about me?',
    'assistant: You prefer window seats.',
    'user: What do you know about my seats?',
    'assistant: You prefer window seats.',
  ]);
});

test('a stranger gets nothing of it', async () => {
  const other = await stage.client();
  const wrapped = wrapLanguageModel({ model: model(), middleware: recalldMiddleware(other) });
  assert.equal((await generateText({ model: wrapped, prompt: 'What do you know about me?' })).text, 'Nothing yet.');
});
