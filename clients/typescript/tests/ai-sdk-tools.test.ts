// The provider for `@ai-sdk-tools/memory`, held to the same expectations as its own in-memory provider.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { MemoryProvider } from '@ai-sdk-tools/memory';
import { InMemoryProvider } from '@ai-sdk-tools/memory/in-memory';
import { RecalldProvider } from '@recalld/client/ai-sdk-tools';
import { Stage } from './stage.ts';

let stage: Stage;
before(async () => {
  stage = await Stage.start();
});
after(() => stage.stop());

const makers: Record<string, () => Promise<Required<MemoryProvider>>> = {
  'its own': async () => new InMemoryProvider() as Required<MemoryProvider>,
  recalld: async () => new RecalldProvider(await stage.client()) as Required<MemoryProvider>,
};
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));

for (const [name, make] of Object.entries(makers)) {
  describe(name, () => {
    test('working memory of a chat and of a user are apart', async () => {
      const provider = await make();
      assert.equal(await provider.getWorkingMemory({ scope: 'chat', chatId: 'c1' }), null);
      await provider.updateWorkingMemory({ scope: 'chat', chatId: 'c1', content: 'of the chat' });
      await provider.updateWorkingMemory({ scope: 'user', userId: 'u1', content: 'first' });
      await provider.updateWorkingMemory({ scope: 'user', userId: 'u1', content: 'of the user' });
      assert.equal((await provider.getWorkingMemory({ scope: 'chat', chatId: 'c1' }))?.content, 'of the chat');
      const ofUser = await provider.getWorkingMemory({ scope: 'user', userId: 'u1' });
      assert.equal(ofUser?.content, 'of the user');
      assert.ok(ofUser.updatedAt instanceof Date);
      assert.equal(await provider.getWorkingMemory({ scope: 'user', userId: 'u2' }), null);
      assert.equal(await provider.getWorkingMemory({ scope: 'chat', chatId: 'c2' }), null);
    });

    test('the last messages come back in order', async () => {
      const provider = await make();
      assert.deepEqual(await provider.getMessages({ chatId: 'c1' }), []);
      for (let number = 0; number < 5; number += 1) {
        await provider.saveMessage({ chatId: 'c1', role: number % 2 ? 'assistant' : 'user', content: `message ${number}`, timestamp: at(number) });
      }
      assert.deepEqual(await provider.getMessages({ chatId: 'c1', limit: 2 }), ['message 3', 'message 4']);
      assert.equal((await provider.getMessages({ chatId: 'c1' })).length, 5);
      assert.deepEqual(await provider.getMessages({ chatId: 'c2' }), []);
    });

    test('chats are listed, searched, renamed and deleted', async () => {
      const provider = await make();
      const chat = (chatId: string, title: string, userId: string, second: number) =>
        provider.saveChat({ chatId, title, userId, createdAt: at(0), updatedAt: at(second), messageCount: 1 });
      await chat('c1', 'A flight to Porto', 'u1', 1);
      await chat('c2', 'Cats', 'u1', 3);
      await chat('c3', 'Trains', 'u2', 2);
      const ids = async (params: { userId?: string; search?: string; limit?: number }) => (await provider.getChats(params)).map((each) => each.chatId);
      assert.deepEqual(await ids({ userId: 'u1' }), ['c2', 'c1']);
      assert.deepEqual(await ids({ userId: 'u1', search: 'porto' }), ['c1']);
      assert.deepEqual(await ids({ userId: 'u1', limit: 1 }), ['c2']);
      await provider.updateChatTitle('c1', 'A train to Porto');
      assert.equal((await provider.getChat('c1'))?.title, 'A train to Porto');
      assert.equal((await provider.getChat('c1'))?.createdAt.getTime(), at(0).getTime());
      await provider.saveMessage({ chatId: 'c1', role: 'user', content: 'hello', timestamp: at(1) });
      await provider.deleteChat('c1');
      assert.equal(await provider.getChat('c1'), null);
      assert.deepEqual(await provider.getMessages({ chatId: 'c1' }), []);
    });
  });
}

test('an empty title keeps the old one, and objects come back as objects', async () => {
  const provider = new RecalldProvider(await stage.client());
  const chat = { chatId: 'c1', createdAt: at(0), updatedAt: at(1), messageCount: 1 };
  await provider.saveChat({ ...chat, title: 'Cats' });
  await provider.saveChat({ ...chat, messageCount: 2 });
  assert.deepEqual([(await provider.getChat('c1'))?.title, (await provider.getChat('c1'))?.messageCount], ['Cats', 2]);
  const content = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'héllo ☃' }] };
  await provider.saveMessage({ chatId: 'c1', role: 'user', content, timestamp: at(1) });
  await provider.saveMessage({ chatId: 'c1', role: 'user', content: JSON.stringify(content), timestamp: at(2) });
  assert.deepEqual(await provider.getMessages({ chatId: 'c1' }), [content, content]);
});

test('two users never see each other', async () => {
  const [mine, theirs] = [new RecalldProvider(await stage.client()), new RecalldProvider(await stage.client())];
  await mine.saveChat({ chatId: 'c1', title: 'Cats', createdAt: at(0), updatedAt: at(1), messageCount: 1 });
  await mine.saveMessage({ chatId: 'c1', role: 'user', content: 'My cat is Miso', timestamp: at(1) });
  await mine.updateWorkingMemory({ scope: 'user', content: 'Miso' });
  assert.equal(await theirs.getChat('c1'), null);
  assert.deepEqual([await theirs.getChats(), await theirs.getMessages({ chatId: 'c1' })], [[], []]);
  assert.equal(await theirs.getWorkingMemory({ scope: 'user' }), null);
});
