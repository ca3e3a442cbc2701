// Storage for Mastra's memory, held to the same expectations as Mastra's own in-memory storage.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { MastraDBMessage } from '@mastra/core/agent';
import { InMemoryStore, type MemoryStorage } from '@mastra/core/storage';
import { RecalldMemoryStorage } from '@recalld/client/mastra';
import { Stage } from './stage.ts';

let stage: Stage;
before(async () => {
  stage = await Stage.start();
});
after(() => stage.stop());

const makers: Record<string, () => Promise<MemoryStorage>> = {
  "Mastra's own": async () => (await new InMemoryStore().getStore('memory')) as MemoryStorage,
  recalld: async () => new RecalldMemoryStorage(await stage.client()),
};
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const thread = (id: string, resourceId = 'r1', second = 0, metadata: Record<string, unknown> = {}) => ({
  id, resourceId, title: `Thread ${id}`, createdAt: at(second), updatedAt: at(second), metadata,
});
const message = (id: string, threadId: string, second: number, metadata?: Record<string, unknown>): MastraDBMessage => ({
  id, threadId, resourceId: 'r1', role: second % 2 ? 'assistant' : 'user', createdAt: at(second), type: 'text',
  content: { format: 2, parts: [{ type: 'text', text: `said ${id}` }], ...(metadata ? { metadata } : {}) },
});
const ids = (items: { id: string }[]) => items.map((item) => item.id);

for (const [name, make] of Object.entries(makers)) {
  describe(name, () => {
    test('threads are saved, changed in part, listed and deleted', async () => {
      const store = await make();
      for (const each of [thread('t1', 'r1', 1, { kind: 'a' }), thread('t2', 'r1', 3), thread('t3', 'r2', 2, { kind: 'a' })]) await store.saveThread({ thread: each });
      assert.deepEqual(await store.getThreadById({ threadId: 't1' }), thread('t1', 'r1', 1, { kind: 'a' }));
      assert.equal(await store.getThreadById({ threadId: 't1', resourceId: 'r2' }), null);
      assert.equal(await store.getThreadById({ threadId: 'none' }), null);
      assert.deepEqual(ids((await store.listThreads({ filter: { resourceId: 'r1' } })).threads), ['t2', 't1']);
      assert.deepEqual(ids((await store.listThreads({ orderBy: { field: 'createdAt', direction: 'ASC' } })).threads), ['t1', 't3', 't2']);
      assert.deepEqual(ids((await store.listThreads({ filter: { metadata: { kind: 'a' } } })).threads).sort(), ['t1', 't3']);
      const { threads, ...rest } = await store.listThreads({ page: 1, perPage: 2 });
      assert.deepEqual([ids(threads), rest], [['t1'], { total: 3, page: 1, perPage: 2, hasMore: false }]);
      const changed = await store.updateThread({ id: 't1', metadata: { more: 1 } });
      assert.deepEqual([changed.title, changed.metadata], ['Thread t1', { kind: 'a', more: 1 }]);
      assert.ok(changed.updatedAt > at(1));
      await assert.rejects(store.updateThread({ id: 'none', title: 'x' }), /not found/);
      await store.saveMessages({ messages: [message('m1', 't1', 1)] });
      await store.deleteThread({ threadId: 't1' });
      assert.equal(await store.getThreadById({ threadId: 't1' }), null);
      assert.deepEqual((await store.listMessages({ threadId: 't1' })).messages, []);
    });

    test('messages are listed by page, date, metadata and neighbours', async () => {
      const store = await make();
      await store.saveThread({ thread: thread('t1') });
      await store.saveThread({ thread: thread('t2') });
      const saved = [0, 1, 2, 3, 4].map((number) => message(`m${number}`, 't1', number, number === 2 ? { star: true } : undefined));
      await store.saveMessages({ messages: [...saved, message('other', 't2', 9)] });
      const all = await store.listMessages({ threadId: 't1' });
      assert.deepEqual(JSON.parse(JSON.stringify(all.messages)), JSON.parse(JSON.stringify(saved)));
      assert.ok(all.messages[0]!.createdAt instanceof Date);
      const { messages, ...rest } = await store.listMessages({ threadId: 't1', page: 1, perPage: 2 });
      assert.deepEqual([ids(messages), rest], [['m2', 'm3'], { total: 5, page: 1, perPage: 2, hasMore: true }]);
      const list = async (input: object) => ids((await store.listMessages({ threadId: 't1', ...input })).messages);
      assert.deepEqual(await list({ perPage: 2, orderBy: { field: 'createdAt', direction: 'DESC' } }), ['m4', 'm3']);
      assert.deepEqual(await list({ perPage: false }), ['m0', 'm1', 'm2', 'm3', 'm4']);
      assert.deepEqual(await list({ perPage: 0 }), []);
      assert.deepEqual(await list({ filter: { dateRange: { start: at(1), end: at(3), endExclusive: true } } }), ['m1', 'm2']);
      assert.deepEqual(await list({ filter: { metadata: { star: true } } }), ['m2']);
      assert.deepEqual(await list({ perPage: 0, include: [{ id: 'm2', withPreviousMessages: 1, withNextMessages: 1 }] }), ['m1', 'm2', 'm3']);
      assert.deepEqual(await list({ perPage: 1, include: [{ id: 'other' }] }), ['m0', 'other']);
      assert.deepEqual(await list({ threadId: ['t1', 't2'], perPage: false }), ['m0', 'm1', 'm2', 'm3', 'm4', 'other']);
      assert.deepEqual(await list({ resourceId: 'r2' }), []);
      assert.deepEqual(ids((await store.listMessagesByResourceId({ resourceId: 'r1', perPage: false })).messages), ['m0', 'm1', 'm2', 'm3', 'm4', 'other']);
      await assert.rejects(store.listMessages({ threadId: '' }));
    });

    test('messages are replaced, changed, moved and deleted by their ids', async () => {
      const store = await make();
      for (const id of ['t1', 't2']) await store.saveThread({ thread: thread(id) });
      await store.saveMessages({ messages: [message('m1', 't1', 1, { a: 1 }), message('m2', 't1', 2), message('m3', 't2', 3)] });
      await store.saveMessages({ messages: [{ ...message('m2', 't1', 2), content: { format: 2, parts: [{ type: 'text', text: 'again' }] } }] });
      assert.equal((await store.listMessages({ threadId: 't1' })).total, 2);
      assert.deepEqual(ids((await store.listMessagesById({ messageIds: ['m3', 'm1', 'none'] })).messages), ['m1', 'm3']);
      const [changed] = await store.updateMessages({ messages: [{ id: 'm1', content: { metadata: { b: 2 } } as never }] });
      assert.deepEqual([changed?.content.metadata, changed?.content.parts.length], [{ a: 1, b: 2 }, 1]);
      await store.updateMessages({ messages: [{ id: 'm2', threadId: 't2' }] });
      assert.deepEqual(ids((await store.listMessages({ threadId: 't2' })).messages), ['m2', 'm3']);
      await store.deleteMessages(['m1', 'm3', 'none']);
      assert.deepEqual(ids((await store.listMessages({ threadId: ['t1', 't2'] })).messages), ['m2']);
    });

    test('resources keep working memory', async () => {
      const store = await make();
      assert.equal(await store.getResourceById({ resourceId: 'r1' }), null);
      await store.updateResource({ resourceId: 'r1', workingMemory: '# Ana' });
      await store.updateResource({ resourceId: 'r1', metadata: { a: 1 } });
      const found = await store.getResourceById({ resourceId: 'r1' });
      assert.deepEqual([found?.workingMemory, found?.metadata], ['# Ana', { a: 1 }]);
      assert.ok(found?.updatedAt instanceof Date);
    });

    test('a thread is cloned and given to another resource', async () => {
      const store = await make();
      await store.saveThread({ thread: thread('t1') });
      await store.saveMessages({ messages: [1, 2, 3].map((number) => message(`m${number}`, 't1', number)) });
      const { thread: clone, clonedMessages } = await store.cloneThread({ sourceThreadId: 't1', newThreadId: 't2', options: { messageLimit: 2 } });
      assert.deepEqual([clone.title, clonedMessages.length], ['Clone of Thread t1', 2]);
      assert.ok(!clonedMessages.some((each) => each.id.startsWith('m')));
      await assert.rejects(store.cloneThread({ sourceThreadId: 't1', newThreadId: 't2' }), /already exists/);
      await assert.rejects(store.cloneThread({ sourceThreadId: 'none' }), /not found/);
    });
  });
}

test('a thread is given to another resource with its messages', async () => {
  const store = new RecalldMemoryStorage(await stage.client());
  await store.saveThread({ thread: thread('t1') });
  await store.saveMessages({ messages: [message('m1', 't1', 1)] });
  await store.updateThreadResourceId({ threadId: 't1', resourceId: 'r2' });
  assert.deepEqual(ids((await store.listMessages({ threadId: 't1', resourceId: 'r2' })).messages), ['m1']);
});

test('two users never see each other, and what is said is seen by the server', async () => {
  const client = await stage.client();
  const [mine, theirs] = [new RecalldMemoryStorage(client), new RecalldMemoryStorage(await stage.client())];
  await mine.saveThread({ thread: thread('t1') });
  await mine.saveMessages({ messages: [message('m1', 't1', 0)] });
  await mine.updateResource({ resourceId: 'r1', workingMemory: 'mine' });
  assert.equal(await theirs.getThreadById({ threadId: 't1' }), null);
  assert.deepEqual((await theirs.listMessages({ threadId: 't1' })).messages, []);
  assert.deepEqual((await theirs.listMessagesById({ messageIds: ['m1'] })).messages, []);
  assert.equal(await theirs.getResourceById({ resourceId: 'r1' }), null);
  await theirs.deleteThread({ threadId: 't1' });
  await theirs.dangerouslyClearAll();
  assert.equal((await client.conversations.messages('t1')).messages[0]?.content, 'said m1');
});
