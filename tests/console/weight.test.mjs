// How heavy the console is, and how it bears many memories.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { clean, freshUser, open, startBrowser, startServer } from './harness.mjs';

// How many memories the long list has: `cargo xtask console --full` asks for 20,000.
const MANY = Number(process.env.RECALLD_CONSOLE_MANY ?? 1200);
const HEAP_BYTES_MAX = 64 * 1024 * 1024;
const IMPORT_LINES = 4000;

let server;
let browser;

before(async () => {
  server = await startServer();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('the first load is at most six requests and 150 kB, and a second one fetches the page alone', async () => {
  const key = await server.keyOf(freshUser('light'));
  const page = await open(browser, server, {});
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  let requests = [];
  session.on('Network.requestWillBeSent', ({ request }) => { if (request.url.startsWith('http')) requests.push(request.url); });
  session.on('Network.loadingFinished', ({ encodedDataLength }) => { bytes += encodedDataLength; });
  await page.evaluate((given) => sessionStorage.setItem('recalld.key', given), key);
  await session.send('Network.clearBrowserCache');
  await page.reload();
  await page.locator('.shell .empty').first().waitFor();
  console.log(`first load: ${requests.length} requests, ${bytes} bytes as sent`);
  assert.ok(requests.length <= 6, requests.join('\n'));
  assert.ok(bytes < 150_000, `${bytes} bytes`);
  [requests, bytes] = [[], 0];
  await page.reload();
  await page.locator('.shell .empty').first().waitFor();
  console.log(`second load: ${bytes} bytes as sent`);
  assert.ok(bytes < 10_000, `${bytes} bytes`);
  await clean(page);
  await page.context().close();
});

test('the page and its files carry the policy, and files never change under their name', async () => {
  const page = await fetch(`${server.url}/`);
  const text = await page.text();
  assert.match(page.headers.get('content-security-policy'), /^default-src 'none'; script-src 'self';/);
  assert.match(page.headers.get('content-security-policy'), /frame-ancestors 'none'/);
  assert.equal(page.headers.get('cache-control'), 'no-cache');
  assert.equal((await fetch(`${server.url}/`, { headers: { 'If-None-Match': page.headers.get('etag') } })).status, 304);
  assert.ok(!/<script(?![^>]*src=)|style=|onload=/.test(text), 'nothing is inline');
  const files = [...text.matchAll(/(?:src|href)="(console\/[^"]+)"/g)].map((match) => match[1]);
  assert.equal(files.length, 2);
  for (const file of files) {
    const answer = await fetch(`${server.url}/${file}`, { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('cache-control'), /immutable/);
    assert.equal(answer.headers.get('content-encoding'), 'gzip');
  }
});

async function finished(path, headers) {
  for (;;) {
    const { report, problem } = await (await fetch(`${server.url}${path}`, { headers })).json();
    assert.equal(problem ?? null, null);
    if (report) return;
    await setTimeout(200);
  }
}

// Fills a user with memories that are all different.
async function fill(user, count) {
  const line = (number) => `Fact number ${number}: ${((number * 2654435761) >>> 0).toString(36)} ${((number * 40503) >>> 0).toString(36)}`;
  for (let at = 0; at < count; at += IMPORT_LINES) {
    const lines = Array.from({ length: Math.min(IMPORT_LINES, count - at) }, (_, number) => line(at + number));
    const headers = { Authorization: `Bearer ${server.admin}`, 'Recalld-User': user, 'Content-Type': 'text/plain' };
    const answer = await fetch(`${server.url}/v1/import?from=text`, { method: 'POST', body: lines.join('\n'), headers });
    assert.ok(answer.ok, await answer.text());
    // An import that takes longer than a request may goes on by itself.
    if (answer.status === 202) await finished(answer.headers.get('location'), headers);
  }
  return (await server.api(server.admin, user).get('v1/stats')).memories.current;
}

// Goes to the end of the list and waits until more of it is there. Gives the ids of the rows that
// the page held, or null if it held the end.
const goDown = (page) => page.evaluate(() => {
  const list = document.querySelector('.endless');
  const ids = [...list.querySelectorAll('.row')].map((row) => row.dataset.id);
  const isEnd = Boolean(list.querySelector('.list-end'));
  const last = ids.at(-1);
  list.scrollTop = list.scrollHeight;
  if (isEnd) return { ids, isEnd };
  return new Promise((resolve) => {
    const look = () => {
      if (list.querySelector('.list-end') || ([...list.querySelectorAll('.row')].at(-1)?.dataset.id ?? last) !== last) resolve({ ids, isEnd });
      else requestAnimationFrame(look);
    };
    look();
  });
});

test(`${MANY} memories: at most 200 rows at a time, and bounded memory`, { timeout: 900_000 }, async () => {
  const user = freshUser('many');
  const stored = await fill(user, MANY);
  assert.ok(stored >= MANY * 0.95, `${stored} are stored`);
  const page = await open(browser, server, { key: server.admin, place: `#/memories?user=${user}` });
  await page.locator('.row').first().waitFor();
  const heap = () => page.evaluate(() => { globalThis.gc?.(); return performance.memory.usedJSHeapSize; });
  const newest = await page.locator('.row').first().getAttribute('data-id');
  const before = await heap();
  const seen = new Set();
  let most = 0;
  for (let isEnd = false; !isEnd;) {
    const now = await goDown(page);
    most = Math.max(most, now.ids.length);
    for (const id of now.ids) seen.add(id);
    isEnd = now.isEnd;
  }
  const end = await heap();
  assert.equal(seen.size, stored, 'every memory was on the page once');
  await page.evaluate(() => { document.querySelector('.endless').scrollTop = 0; });
  await page.locator(`.row[data-id="${newest}"]`).waitFor();
  console.log(`${stored} memories: at most ${most} rows; heap ${(before / 1e6).toFixed(1)} MB at the top, ${(end / 1e6).toFixed(1)} MB at the end`);
  assert.ok(most <= 200, `${most} rows`);
  assert.ok(end < HEAP_BYTES_MAX, `${end} bytes`);
  await clean(page);
  await page.context().close();
});

test('an answer to an older query never replaces a newer one', async () => {
  const key = await server.keyOf(freshUser('typist'));
  for (const content of ['Alpha', 'Beta']) await server.api(key).post('v1/memories', { content });
  const page = await open(browser, server, { key });
  await page.locator('.row').first().waitFor();
  // The first search is answered only when the second is on the page.
  let answerFirst;
  const mayAnswer = new Promise((resolve) => { answerFirst = resolve; });
  let firstEnded;
  const ended = new Promise((resolve) => { firstEnded = resolve; });
  await page.route('**/v1/search', async (route) => {
    if (route.request().postDataJSON().query !== 'Alpha') return route.continue();
    await mayAnswer;
    await route.continue().catch(() => {});
    return firstEnded();
  });
  await page.getByRole('searchbox').fill('Alpha');
  await page.getByRole('searchbox').fill('Beta');
  await page.waitForFunction(() => document.querySelector('.row-text')?.textContent === 'Beta');
  answerFirst();
  await ended;
  // Another search goes there and back: whatever the first brought has arrived before it.
  const third = page.waitForResponse((response) => response.url().endsWith('/v1/search') && response.request().postDataJSON().query === 'the beta');
  await page.getByRole('searchbox').fill('the beta');
  await third;
  assert.equal(await page.locator('.row-text').first().textContent(), 'Beta');
  await page.context().close();
});
