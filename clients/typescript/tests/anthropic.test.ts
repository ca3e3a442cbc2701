// Anthropic's memory tool.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { recalldMemoryTool } from '@recalld/client/anthropic';
import { Stage } from './stage.ts';

let stage: Stage;
before(async () => {
  stage = await Stage.start();
});
after(() => stage.stop());

test('files are made, read and changed, and are the user\'s own', async () => {
  const tool = recalldMemoryTool(await stage.client());
  const path = '/memories/a.md';
  assert.equal(await tool.run({ command: 'create', path, file_text: 'tea\n' }), `File created successfully at: ${path}`);
  await tool.run({ command: 'str_replace', path, old_str: 'tea', new_str: 'coffee' });
  assert.match(String(await tool.run({ command: 'view', path })), /coffee/);
  await assert.rejects(async () => tool.run({ command: 'create', path, file_text: '' }), /already exists/);
  const other = recalldMemoryTool(await stage.client());
  await assert.rejects(async () => other.run({ command: 'view', path }), /does not exist/);
});

test('the tool runner drives it', async () => {
  const claude = new Anthropic({ baseURL: stage.modelUrl.replace(/\/v1$/, ''), apiKey: 'none' });
  const runner = claude.beta.messages.toolRunner({
    model: 'scripted', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }], tools: [recalldMemoryTool(await stage.client())],
  });
  assert.equal((await runner).content[0]?.type, 'text');
});
