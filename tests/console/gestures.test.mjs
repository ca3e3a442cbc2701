// Small things that make a page kind: nothing typed is lost, focus comes back, errors say what to do.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, clean, freshUser, goTo, open, signIn, startBrowser, startServer } from './harness.mjs';

let server;
let browser;
let key;
let own;

before(async () => {
  server = await startServer();
  browser = await startBrowser();
  key = await server.keyOf(freshUser('gil'));
  own = server.api(key);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const row = (page, text) => page.locator('.row').filter({ hasText: text });

test('a draft that is discarded by one key can be had back', async () => {
  const { memory } = await own.post('v1/memories', { content: 'Rows on the river' });
  const page = await open(browser, server, { key, place: `#/memories?id=${memory.id}` });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What to remember').fill('Rows on the lake');
  await page.keyboard.press('Escape');
  await page.locator('.editor').waitFor({ state: 'detached' });
  await page.locator('.toast').filter({ hasText: 'discarded' }).getByRole('button', { name: 'Undo' }).click();
  assert.equal(await page.getByLabel('What to remember').inputValue(), 'Rows on the lake');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.statement').filter({ hasText: 'lake' }).waitFor();
  await clean(page);
  await page.context().close();
});

test('a form that was closed by accident still holds what was typed', async () => {
  const page = await open(browser, server, { key });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('What to remember').fill('Half a thought');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  assert.equal(await focused(), 'Add', 'the focus is back on the button');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByLabel('What to remember').inputValue(), 'Half a thought');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await clean(page);
  await page.context().close();
});

test('a memory that was found says why, and a hidden one is found among the hidden', async () => {
  const { memory } = await own.post('v1/memories', { content: 'Sings in a choir of teachers' });
  const page = await open(browser, server, { key, place: '#/memories?q=choir' });
  await row(page, 'Sings in a choir').getByRole('link').click();
  await page.getByRole('heading', { name: 'Why it is number 1' }).waitFor();
  assert.ok(await page.locator('.detail .why .bar').count() >= 1);
  await accessible(page, 'why a memory was found');
  await own.del(`v1/memories/${memory.id}`);
  await goTo(page, '#/memories?q=choir');
  await page.reload();
  await row(page, 'Sings in a choir').waitFor({ state: 'detached' });
  await page.getByLabel('Shown', { exact: true }).selectOption('hidden');
  await row(page, 'Sings in a choir').getByRole('link').click();
  await page.locator('.detail').getByRole('button', { name: 'Restore' }).first().click();
  await row(page, 'Sings in a choir').waitFor({ state: 'detached' });
  assert.equal((await own.get(`v1/memories/${memory.id}`)).standing, 'active');
  await clean(page);
  await page.context().close();
});

test('a link to what is gone says so', async () => {
  const page = await open(browser, server, { key, place: '#/memories?id=01a00000-0000-7000-8000-000000000000' });
  await page.getByText('This memory is not here').waitFor();
  await accessible(page, 'a missing memory');
  await page.locator('.detail').getByRole('button', { name: 'Close' }).click();
  await page.getByText('Choose a memory').waitFor();
  await goTo(page, '#/nowhere');
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await clean(page);
  await page.context().close();
});

test('an empty page says what to do next and shows the command', async () => {
  const page = await open(browser, server, { key: await server.keyOf(freshUser('nobody')) });
  const empty = { memories: 'curl', review: 'recalld audit', conversations: 'curl', document: 'recalld add', activity: 'recalld add', ask: 'recalld search', chat: 'recalld serve' };
  for (const [name, command] of Object.entries(empty)) {
    await goTo(page, `#/${name}`);
    await page.locator('main .empty .command pre').filter({ hasText: command }).first().waitFor();
  }
  await clean(page);
  await page.context().close();
});

test('nothing that was typed is left for whoever signs in next', async () => {
  const page = await open(browser, server, { key });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('What to remember').fill('A secret thought');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Key or token').waitFor();
  await signIn(page, await server.keyOf(freshUser('next')));
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  assert.equal(await page.getByLabel('What to remember').inputValue(), '');
  await clean(page);
  await page.context().close();
});

test('what little speaks for is set apart from the answers of a search', async () => {
  const user = freshUser('wim');
  const api = server.api(await server.keyOf(user));
  for (const content of ['Plays the cello in a quartet', 'Buys bread on Saturdays', 'Parks behind the library']) await api.post('v1/memories', { content });
  const { results } = await api.post('v1/search', { query: 'cello', kinds: ['memory'], limit: 50 });
  const weak = results.filter((found) => found.weak).map((found) => found.memory.id);
  const page = await open(browser, server, { key: await server.keyOf(user), place: '#/memories?q=cello' });
  await row(page, 'cello').waitFor();
  assert.ok(!weak.includes(await row(page, 'cello').getAttribute('data-id')));
  await page.waitForFunction((count) => document.querySelectorAll('.row.is-weak').length === count, weak.length);
  assert.equal(await page.locator('.weak-title').count(), weak.length ? 1 : 0);
  await accessible(page, 'weak matches');
  await clean(page);
  await page.context().close();
});

test('the sidebar counts what waits on each page, and follows a change', async () => {
  const user = freshUser('uma');
  const api = server.api(await server.keyOf(user));
  await api.post('v1/memories', { content: 'Might like jazz', confidence: 0.5 });
  await api.post('v1/memories', { content: 'Rides a tandem' });
  await api.post('v1/tools/store_memory', { content: 'Travels to Porto for work' });
  await api.post(`v1/conversations/talk-${user}/messages`, { role: 'user', content: 'Hello there' });
  const page = await open(browser, server, { key: await server.keyOf(user) });
  const count = (name) => page.getByRole('navigation').getByRole('link', { name }).locator('.count');
  await count('Memories').getByText('3', { exact: true }).waitFor();
  await count('Review').getByText('2', { exact: true }).waitFor();
  await count('Conversations').getByText('1', { exact: true }).waitFor();
  await goTo(page, '#/review');
  for (const text of ['Might like jazz', 'Travels to Porto']) {
    await page.locator('.review-item').filter({ hasText: text }).first().getByRole('button', { name: 'Keep' }).click();
    await page.locator('.toast').filter({ hasText: 'Kept' }).filter({ hasText: text }).waitFor();
  }
  // What was confirmed does not come back.
  await page.reload();
  await page.getByText('Nothing to review').waitFor();
  await goTo(page, '#/memories');
  await page.waitForFunction(() => [...document.querySelectorAll('nav li a')].find((link) => /Review/.test(link.textContent)).querySelector('.count').textContent === '');
  await clean(page);
  await page.context().close();
});
