// The client against a real server.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Conflict, ConnectionFailed, Forbidden, InvalidRequest, NotFound, Recalld, SecretRefused, Stale, TimedOut, Unauthenticated } from '@recalld/client';
import { Stage, breakingProxy } from './stage.ts';

let stage: Stage;
before(async () => {
  stage = await Stage.start();
});
after(() => stage.stop());

test('a memory is stored, changed and found', async () => {
  const client = await stage.client();
  const written = await client.memories.create({ content: 'Prefers window seats', key: 'seat' });
  assert.equal(written.outcome, 'stored');
  await client.memories.update('key:seat', { content: 'Prefers aisle seats' }, { ifMatch: 1 });
  const { versions } = await client.memories.history('key:seat');
  assert.deepEqual(versions.map((past) => past.memory.content), ['Prefers window seats', 'Prefers aisle seats']);
  const { results } = await client.search({ query: 'where does she like to sit' });
  assert.match(results[0]!.text, /^Prefers aisle seats/);
  assert.equal((await client.memories.update('key:seat', { key: null })).key ?? null, null);
});

test('pages are gone through', async () => {
  const client = await stage.client();
  for (const word of ['tea', 'jazz', 'chess', 'Porto', 'rain']) await client.memories.create({ content: `Likes ${word}` });
  const found: string[] = [];
  for await (const memory of client.memories.each({ limit: 2 })) found.push(memory.content);
  assert.equal(found.length, 5);
  assert.equal(new Set(found).size, 5);
});

test('two users never see each other', async () => {
  const [mine, theirs] = [await stage.client(), await stage.client()];
  const { memory } = await mine.memories.create({ content: 'Has a cat called Miso', key: 'cat' });
  await mine.conversations.append('c1', { messages: [{ role: 'user', content: 'My cat is Miso' }] });
  await assert.rejects(theirs.memories.get(memory.id), NotFound);
  await assert.rejects(theirs.memories.get('key:cat'), NotFound);
  await assert.rejects(theirs.conversations.messages('c1'), NotFound);
  assert.deepEqual((await theirs.search({ query: 'cat Miso' })).results, []);
});

test('a service key acts for users', async () => {
  const service = new Recalld({ url: stage.url, key: await stage.key('service') });
  const [ana, ben] = ['ana', 'ben'].map((name) => service.acting({ user: `${name}-${crypto.randomUUID()}` }));
  await ana!.memories.create({ content: 'Lives in Porto' });
  assert.equal((await ben!.memories.list()).memories.length, 0);
  assert.equal((await ana!.acting({ conversation: 'c1' }).memories.list()).memories.length, 1);
  await ana!.acting({ project: 'bridge' }).memories.create({ content: 'The bridge opens in May' });
  assert.equal((await ana!.acting({ project: 'tunnel' }).memories.list()).memories.length, 1);
  assert.equal((await ana!.acting({ project: 'bridge' }).memories.list()).memories.length, 2);
});

test('errors have types, codes and hints', async () => {
  const client = await stage.client();
  await client.memories.create({ content: 'Prefers trains', key: 'travel' });
  await assert.rejects(client.memories.create({ content: 'Prefers boats', key: 'travel' }), (error) => {
    assert.ok(error instanceof Conflict && error.code === 'duplicate' && error.hint && error.name === 'Conflict');
    return true;
  });
  await assert.rejects(client.memories.update('key:travel', { content: 'Prefers planes' }, { ifMatch: 7 }), Stale);
  await assert.rejects(client.memories.create({ content: `My API key is sk-${'proj'}-${'a1B2c3D4'.repeat(6)}` }), SecretRefused);
  await assert.rejects(client.memories.create({ content: 'x', confidence: 2 }), (error) => {
    assert.ok(error instanceof InvalidRequest && error.errors[0]?.pointer === '/confidence');
    return true;
  });
  await assert.rejects(new Recalld({ url: stage.url, key: 'rk_wrong' }).me(), Unauthenticated);
  await assert.rejects(client.admin.keys(), Forbidden);
  await assert.rejects(new Recalld({ url: 'http://127.0.0.1:9', key: 'rk_x', retries: 0 }).me(), ConnectionFailed);
});

test('a lost answer does not write twice', async () => {
  const key = await stage.key();
  const proxy = await breakingProxy(stage.url, 2);
  const client = new Recalld({ url: proxy.url, key });
  await client.conversations.append('c1', { messages: [{ role: 'user', content: 'Book a flight' }] });
  assert.equal(proxy.keys.length, 3);
  assert.ok(proxy.keys[0] && new Set(proxy.keys).size === 1);
  const direct = new Recalld({ url: stage.url, key });
  assert.equal((await direct.conversations.messages('c1')).messages.length, 1);
  proxy.stop();
});

test('what may not be repeated is not', async () => {
  const proxy = await breakingProxy(stage.url, 1);
  const client = await stage.client(proxy.url);
  await assert.rejects(client.memories.forget('key:nothing'), ConnectionFailed);
  assert.equal(proxy.keys.length, 1);
  proxy.stop();
});

test('a slow server times out, and a caller can give up', async () => {
  const never: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
  const client = new Recalld({ url: 'http://recalld.test', key: 'rk_x', fetch: never, retries: 0, timeoutMs: 20 });
  await assert.rejects(client.me(), TimedOut);
  await assert.rejects(client.me({ signal: AbortSignal.abort(new Error('enough')) }), /enough/);
});

test('a pause that the server asks for is kept', async () => {
  const times: number[] = [];
  const answers = [new Response('{"code":"rate_limited"}', { status: 429, headers: { 'Retry-After': '1' } }), new Response('{"kind":"user"}')];
  const scripted: typeof fetch = async () => {
    times.push(Date.now());
    return answers.shift()!;
  };
  const client = new Recalld({ url: 'http://recalld.test', key: 'rk_x', fetch: scripted });
  assert.equal((await client.me()).kind, 'user');
  assert.ok(times[1]! - times[0]! >= 990);
});

test('chat replies whole and in pieces', async () => {
  const client = await stage.client();
  await client.memories.create({ content: 'Prefers window seats' });
  assert.equal((await client.chat.send('What do you know about me?')).reply, 'You prefer window seats.');
  let text = '';
  const names: string[] = [];
  for await (const event of client.chat.stream('What do you know about me?')) {
    names.push(event.event);
    if (event.event === 'text') text += event.data.text;
  }
  assert.equal(text, 'You prefer window seats.');
  assert.deepEqual([names[0], names.at(-1)], ['started', 'done']);
});

test('what was exported is imported, and changes are followed', async () => {
  const [from, to] = [await stage.client(), await stage.client()];
  await from.memories.create({ content: 'Collects stamps' });
  await to.importData(await from.export());
  assert.equal((await to.memories.list()).memories[0]?.content, 'Collects stamps');
  assert.match(await from.files.memory(), /Collects stamps/);
  const place = (await from.events.list()).events[0]!.place;
  await from.memories.create({ content: 'Swims on Fridays' });
  for await (const change of from.events.follow({ lastEventId: place })) {
    assert.equal(change.data.verb, 'remember');
    break;
  }
});

test('every operation has a method', () => {
  const names = readFileSync(new URL('../../operations.toml', import.meta.url), 'utf8');
  const listed = [...names.split('[left_out]')[0]!.matchAll(/^\w+ = .*?"([^"]+)"/gm)].flatMap((match) => match[1]!.split(', '));
  assert.ok(listed.length > 70);
  const client = new Recalld({ url: 'http://recalld.test', key: 'rk_x' }) as any;
  for (const name of listed) {
    const parts = name.split('.').map((part) => part.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()));
    assert.equal(typeof parts.reduce((found, part) => found?.[part], client), 'function', name);
  }
});
