// The whole console by keyboard alone: the mouse is never touched.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, clean, freshUser, open, startBrowser, startServer } from './harness.mjs';
import { seed } from './seed.mjs';

let server;
let browser;
let user;
let key;

before(async () => {
  server = await startServer();
  browser = await startBrowser();
  user = freshUser('kim');
  await seed(server, user);
  key = await server.keyOf(user);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('a person signs in, finds, corrects, forgets, undoes and erases a memory with the keyboard', async () => {
  const page = await open(browser, server);
  const keys = page.keyboard;
  await page.locator('input[type=password]').waitFor();
  await keys.type(key);
  await keys.press('Enter');
  await page.locator('.row').first().waitFor();
  await keys.press('/');
  await keys.type('peanuts');
  await page.waitForFunction(() => document.querySelector('.row-text')?.textContent.includes('peanuts'));
  await keys.press('Enter');
  await page.locator('.statement').filter({ hasText: 'Allergic to peanuts' }).waitFor();
  await keys.press('Escape');
  await keys.press('e');
  await page.locator('.editor textarea').waitFor();
  await keys.press('Control+A');
  await keys.type('Allergic to peanuts and cashews');
  await keys.press('Control+Enter');
  await page.locator('.statement').filter({ hasText: 'cashews' }).waitFor();
  await keys.press('#');
  await page.locator('.toast').filter({ hasText: 'Forgotten' }).waitFor();
  await keys.press('z');
  await page.locator('.row').filter({ hasText: 'cashews' }).waitFor();
  await page.locator('.detail button.danger').focus();
  await keys.press('Enter');
  await page.getByRole('dialog').waitFor();
  await keys.type('erase');
  await keys.press('Enter');
  await page.locator('.toast').filter({ hasText: 'Erased' }).waitFor();
  const left = await server.api(key).get('v1/memories?limit=500&showing=all');
  assert.ok(!left.memories.some((memory) => memory.content.includes('peanuts')));
  await clean(page);
  await page.context().close();
});

test('j and k move, g leads to pages, the palette and the list of keys open and close', async () => {
  const page = await open(browser, server, { key });
  const keys = page.keyboard;
  await page.locator('.row').first().waitFor();
  await keys.press('j');
  const first = await page.locator('.row.is-chosen').getAttribute('data-id');
  await keys.press('j');
  await page.waitForFunction((id) => document.querySelector('.row.is-chosen')?.dataset.id !== id, first);
  await keys.press('k');
  await page.waitForFunction((id) => document.querySelector('.row.is-chosen')?.dataset.id === id, first);
  await keys.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await accessible(page, 'the list of keys');
  await keys.press('Escape');
  for (const [letter, title] of [['a', 'Ask'], ['r', 'Review'], ['c', 'Conversations'], ['d', 'Document'], ['p', 'Profile'], ['k', 'Knowledge'], ['v', 'Activity'], ['t', 'Chat'], ['m', 'Memories']]) {
    await page.locator('main').press('g');
    await keys.press(letter);
    await page.waitForFunction((name) => document.title.startsWith(name), title);
    await page.locator('h1').focus();
  }
  await keys.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).waitFor();
  await accessible(page, 'the palette');
  await keys.type('Review');
  await keys.press('Enter');
  await page.waitForFunction(() => document.title.startsWith('Review'));
  await clean(page);
  await page.context().close();
});

test('review is settled with single keys', async () => {
  const page = await open(browser, server, { key, place: '#/review' });
  await page.locator('.review-item.is-chosen').waitFor();
  const count = await page.locator('.review-item').count();
  await page.keyboard.press('d');
  await page.waitForFunction((before) => document.querySelectorAll('.review-item').length < before, count);
  await page.keyboard.press('z');
  await page.waitForFunction((before) => document.querySelectorAll('.review-item').length === before, count);
  await page.keyboard.press('j');
  await page.keyboard.press('c');
  await page.locator('.review-item textarea').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.review-item textarea').waitFor({ state: 'detached' });
  await clean(page);
  await page.context().close();
});

test('no letter is lost that is typed while the page is busy', async () => {
  const page = await open(browser, server, { key });
  const keys = page.keyboard;
  await page.locator('.row').first().waitFor();
  await keys.press('/');
  // More letters than a browser lets a page write into the address in that time.
  const long = 'where does she like to sit '.repeat(8).trim();
  await keys.type(long);
  assert.equal(await page.getByRole('searchbox').inputValue(), long);
  await page.waitForFunction((text) => new URLSearchParams(location.hash.split('?')[1]).get('q') === text, long);
  await keys.press('Escape');
  await keys.press('g');
  await keys.press('a');
  await page.waitForFunction(() => document.title.startsWith('Ask'));
  assert.equal(await page.evaluate(() => document.activeElement?.type), 'search', 'Ask begins in its field');
  await keys.type('window');
  await keys.press('Enter');
  await keys.type(' seats on trains');
  assert.equal(await page.getByRole('searchbox').inputValue(), 'window seats on trains');
  await page.locator('.answer').first().waitFor();
  assert.equal(await page.getByRole('searchbox').inputValue(), 'window seats on trains');
  await keys.press('Enter');
  await page.waitForFunction(() => location.hash.includes('q=window+seats+on+trains'));
  await clean(page);
  await page.context().close();
});

test('a letter after g leads to a page only when it comes next', async () => {
  const page = await open(browser, server, { key });
  const keys = page.keyboard;
  await page.locator('.row').first().waitFor();
  await keys.press('g');
  await keys.press('/');
  await keys.type('a');
  assert.equal(await page.getByRole('searchbox').inputValue(), 'a');
  assert.match(await page.title(), /^Memories/);
  await clean(page);
  await page.context().close();
});

test('a selection made with x is forgotten with one key and comes back with another', async () => {
  const own = freshUser('sol');
  for (const content of ['Sings alto', 'Paints boats', 'Owns a kayak']) await server.api(server.admin, own).post('v1/memories', { content });
  const page = await open(browser, server, { key: await server.keyOf(own) });
  const keys = page.keyboard;
  await page.locator('.row').nth(2).waitFor();
  await keys.press('j');
  await page.locator('.detail .statement').waitFor();
  await keys.press('x');
  await keys.press('j');
  await page.locator('.row.is-chosen').filter({ hasText: 'Paints' }).waitFor();
  await keys.press('x');
  await page.getByText('2 selected').waitFor();
  await keys.press('#');
  await page.locator('.toast').filter({ hasText: 'Forgot 2' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.row').length === 1);
  await keys.press('z');
  await page.waitForFunction(() => document.querySelectorAll('.row').length === 3);
  await clean(page);
  await page.context().close();
});
