// The session of the OpenAI Agents SDK.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Agent, OpenAIChatCompletionsModel, type Session, run, setTracingDisabled } from '@openai/agents';
import { RecalldSession } from '@recalld/client/openai-agents';
import OpenAI from 'openai';
import { Stage } from './stage.ts';

let stage: Stage;
before(async () => {
  stage = await Stage.start();
});
after(() => stage.stop());

const ITEMS: any[] = [
  { type: 'message', role: 'user', content: 'Where is my order?' },
  { type: 'function_call', callId: 'c1', name: 'find_order', arguments: '{}', status: 'completed' },
  { type: 'function_call_result', callId: 'c1', name: 'find_order', status: 'completed', output: { type: 'text', text: 'on its way' } },
  { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'On its way ☃' }] },
];

test('a session keeps items as they are', async () => {
  const client = await stage.client();
  const session: Session = new RecalldSession('s1', client);
  assert.deepEqual(await session.getItems(), []);
  assert.equal(await session.popItem(), undefined);
  await session.clearSession();
  await session.addItems(ITEMS);
  assert.deepEqual(await session.getItems(), ITEMS);
  assert.deepEqual(await session.getItems(2), ITEMS.slice(-2));
  assert.deepEqual(await session.popItem(), ITEMS.at(-1));
  assert.deepEqual(await new RecalldSession('s1', await stage.client()).getItems(), [], 'of another user');
  await session.clearSession();
  assert.deepEqual(await session.getItems(), []);
});

test('a session keeps large and many items', async () => {
  const session = new RecalldSession('s2', await stage.client());
  const large = { type: 'function_call_result', callId: 'c', name: 'n', status: 'completed', output: { type: 'text', text: 'é'.repeat(40_000) } };
  const many = Array.from({ length: 1203 }, (_, number) => ({ type: 'message', role: 'user', content: `message ${number}` }));
  await session.addItems([...many, large]);
  assert.deepEqual(await session.getItems(), [...many, large]);
  assert.deepEqual(await session.getItems(700), [...many, large].slice(-700));
});

test('an agent goes on with its session', async () => {
  setTracingDisabled(true);
  const openai = new OpenAI({ baseURL: stage.modelUrl, apiKey: 'none' });
  const agent = new Agent({ name: 'clerk', model: new OpenAIChatCompletionsModel(openai as never, 'scripted') });
  const session = new RecalldSession('s3', await stage.client());
  await run(agent, 'I prefer window seats.', { session });
  const answer = await run(agent, 'What do you know about me?', { session });
  assert.equal(answer.finalOutput, 'You prefer window seats.');
  assert.equal((await session.getItems()).length, 4);
});
