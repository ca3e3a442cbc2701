// Bad luck: a lost connection, a key that is revoked, two tabs, two users.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, clean, freshUser, goTo, open, signIn, startBrowser, startServer } from './harness.mjs';

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

async function someone(name) {
  const user = freshUser(name);
  const key = await server.keyOf(user);
  return { user, key, api: server.api(key) };
}

test('a lost connection is a quiet banner, loses no text, and ends by itself', async () => {
  const { key, api } = await someone('ola');
  const { memory } = await api.post('v1/memories', { content: 'Sails on Sundays' });
  const page = await open(browser, server, { key, place: `#/memories?id=${memory.id}` });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What to remember').fill('Sails on Saturdays');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('nothing you typed is lost').waitFor();
  await accessible(page, 'a lost connection');
  assert.equal(await page.getByLabel('What to remember').inputValue(), 'Sails on Saturdays');
  await page.context().setOffline(false);
  await page.getByText('nothing you typed is lost').waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('What to remember').inputValue(), 'Sails on Saturdays');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.statement').filter({ hasText: 'Saturdays' }).waitFor();
  assert.equal((await api.get(`v1/memories/${memory.id}`)).content, 'Sails on Saturdays');
  await page.context().close();
});

test('a revoked key asks to sign in again without losing what was typed', async () => {
  const { user, api } = await someone('rita');
  const { memory } = await api.post('v1/memories', { content: 'Bakes bread' });
  const made = await server.api(server.admin).post('v1/admin/keys', { kind: 'user', user });
  const page = await open(browser, server, { key: made.key, place: `#/memories?id=${memory.id}` });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What to remember').fill('Bakes rye bread');
  await server.api(server.admin).del(`v1/admin/keys/${made.id}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  await accessible(page, 'signing in again');
  await page.getByLabel('Key or token').fill(await server.keyOf(user));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('What to remember').inputValue(), 'Bakes rye bread');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.statement').filter({ hasText: 'rye' }).waitFor();
  await page.context().close();
});

test('two tabs edit the same memory: the second is told, sees both and loses nothing', async () => {
  const { key, api } = await someone('sam');
  const { memory } = await api.post('v1/memories', { content: 'Plays chess' });
  const place = `#/memories?id=${memory.id}`;
  const [first, second] = [await open(browser, server, { key, place }), await open(browser, server, { key, place })];
  for (const [page, text] of [[first, 'Plays chess on Mondays'], [second, 'Plays chess and go']]) {
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('What to remember').fill(text);
  }
  await first.getByRole('button', { name: 'Save' }).click();
  await first.locator('.statement').filter({ hasText: 'Mondays' }).waitFor();
  await second.getByRole('button', { name: 'Save' }).click();
  const conflict = second.locator('.conflict');
  await conflict.getByText('Plays chess on Mondays').first().waitFor();
  assert.equal(await second.getByLabel('What to remember').inputValue(), 'Plays chess and go');
  await accessible(second, 'a conflict');
  assert.equal((await api.get(`v1/memories/${memory.id}`)).content, 'Plays chess on Mondays');
  await conflict.getByRole('button', { name: 'Save mine' }).click();
  await second.locator('.statement').filter({ hasText: 'Plays chess and go' }).waitFor();
  const { versions } = await api.get(`v1/memories/${memory.id}/history`);
  assert.deepEqual(versions.map((version) => version.memory.content), ['Plays chess', 'Plays chess on Mondays', 'Plays chess and go']);
  await clean(first);
  for (const page of [first, second]) await page.context().close();
});

test('two users never see each other', async () => {
  const [ana, bob] = [await someone('ana'), await someone('bob')];
  const { memory } = await ana.api.post('v1/memories', { content: 'Secretly writes poems', category: 'poetry' });
  await ana.api.post(`v1/conversations/poems-${ana.user}/messages`, { role: 'user', content: 'My poem about herons' });
  await bob.api.post('v1/memories', { content: 'Repairs bicycles' });
  const page = await open(browser, server, { key: bob.key });
  await page.locator('.row').filter({ hasText: 'Repairs bicycles' }).waitFor();
  // Bob knows every id and asks for Ana in every way a link can.
  for (const place of [`#/memories?user=${ana.user}`, `#/memories?id=${memory.id}&user=${ana.user}`, '#/memories?q=poems', '#/ask?q=poems', '#/review', `#/conversations?id=poems-${ana.user}&user=${ana.user}`, '#/document', '#/activity', `#/operations?user=${ana.user}`]) {
    await goTo(page, place);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    const text = await page.locator('body').innerText();
    assert.ok(!/poems|herons/.test(text.replaceAll(`poems-${ana.user}`, '').replaceAll('Ask: poems', '')), `${place} shows Ana's: ${text}`);
  }
  // A tab that changes hands shows nothing of the one before.
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Key or token').waitFor();
  await signIn(page, ana.key);
  await page.locator('.row').filter({ hasText: 'Secretly writes poems' }).waitFor();
  assert.equal(await page.getByText('Repairs bicycles').count(), 0);
  await page.context().close();
});

test('a new user finds, corrects and erases a memory without reading anything', async () => {
  const { key, api } = await someone('newcomer');
  for (const content of ['Likes jazz', 'Lives in Porto', 'Has two cats', 'Speaks German']) await api.post('v1/memories', { content });
  const page = await open(browser, server, { key, place: '' });
  await page.getByRole('searchbox').fill('where do I live');
  await page.locator('.row').first().filter({ hasText: 'Lives in Porto' }).getByRole('link').click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What to remember').fill('Lives in Braga');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.statement').filter({ hasText: 'Braga' }).waitFor();
  await page.getByRole('button', { name: 'Erase' }).click();
  const asked = await page.getByRole('dialog').innerText();
  await page.getByRole('dialog').getByRole('textbox').fill(/“(\w+)”/.exec(asked)[1]);
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await page.locator('.toast').filter({ hasText: 'Erased' }).waitFor();
  assert.ok(!(await api.get('v1/memories?showing=all')).memories.some((memory) => /Porto|Braga/.test(memory.content)));
  await clean(page);
  await page.context().close();
});
