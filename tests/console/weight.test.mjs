// How heavy the console is, and how it bears many memories.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { clean, freshUser, open, startBrowser, startServer } from './harness.mjs';

const MANY = Number(process.env.RECALLD_CONSOLE_MANY ?? 20_000);
const HEAP_BYTES_MAX = 64 * 1024 * 1024;

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

test(`${MANY} memories: at most 200 rows at a time, and bounded memory`, { timeout: 600_000 }, async () => {
  const user = freshUser('many');
  const own = server.api(server.admin, user);
  const lines = Array.from({ length: MANY }, (_, number) => `Fact number ${number}: ${((number * 2654435761) >>> 0).toString(36)} ${((number * 40503) >>> 0).toString(36)}`);
  for (let at = 0; at < lines.length; at += 4000) {
    const answer = await fetch(`${server.url}/v1/import?from=text`, { method: 'POST', body: lines.slice(at, at + 4000).join('\n'), headers: { Authorization: `Bearer ${server.admin}`, 'Recalld-User': user, 'Content-Type': 'text/plain' } });
    assert.ok(answer.ok, await answer.text());
  }
  const stored = (await own.get('v1/stats')).memories.current;
  assert.ok(stored >= MANY * 0.95, `${stored} are stored`);
  const page = await open(browser, server, { key: server.admin, place: `#/memories?user=${user}` });
  await page.locator('.row').first().waitFor();
  const heap = () => page.evaluate(() => { globalThis.gc?.(); return performance.memory.usedJSHeapSize; });
  const before = await heap();
  let [most, reached] = [0, 0];
  // The list is scrolled to its end as fast as it goes.
  for (let step = 0; step < 4000; step += 1) {
    const [rows, isEnd, height] = await page.evaluate(async () => {
      const list = document.querySelector('.endless');
      list.scrollTop = list.scrollHeight;
      await new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
      return [document.querySelectorAll('.row').length, Boolean(document.querySelector('.list-end')), list.scrollHeight];
    });
    most = Math.max(most, rows);
    reached = height;
    if (isEnd) break;
  }
  assert.ok(await page.locator('.list-end').count(), `the end was not reached at ${reached} pixels`);
  const end = await heap();
  await page.evaluate(() => { document.querySelector('.endless').scrollTop = 0; });
  await page.locator('.row').first().waitFor();
  console.log(`${stored} memories: at most ${most} rows; heap ${(before / 1e6).toFixed(1)} MB at the top, ${(end / 1e6).toFixed(1)} MB at the end`);
  assert.ok(most <= 200, `${most} rows`);
  assert.ok(end < HEAP_BYTES_MAX, `${end} bytes`);
  await clean(page);
  await page.context().close();
});

test('an answer to an older query never replaces a newer one', async () => {
  const { key, api } = await (async () => { const made = await server.keyOf(freshUser('typist')); return { key: made, api: server.api(made) }; })();
  await api.post('v1/memories', { content: 'Alpha' });
  await api.post('v1/memories', { content: 'Beta' });
  const page = await open(browser, server, { key });
  await page.locator('.row').first().waitFor();
  // The first search is answered after the second.
  await page.route('**/v1/search', async (route) => {
    if (route.request().postDataJSON().query === 'Alpha') await new Promise((resolve) => { setTimeout(resolve, 700); });
    await route.continue().catch(() => {});
  });
  await page.getByRole('searchbox').fill('Alpha');
  await page.getByRole('searchbox').fill('Beta');
  await page.waitForFunction(() => document.querySelector('.row-text')?.textContent === 'Beta');
  await page.waitForTimeout(900);
  assert.equal(await page.locator('.row-text').first().textContent(), 'Beta');
  await page.context().close();
});
