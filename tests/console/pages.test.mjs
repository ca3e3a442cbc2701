// Every page does what it is for.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, clean, freshUser, goTo, open, startBrowser, startServer } from './harness.mjs';
import { seed } from './seed.mjs';

let server;
let browser;
let user;
let key;
let thread;

before(async () => {
  server = await startServer({ withModel: true });
  browser = await startBrowser();
  user = freshUser('ana');
  ({ thread } = await seed(server, user));
  key = await server.keyOf(user);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const row = (page, text) => page.locator('.row').filter({ hasText: text });
const toast = (page, text) => page.locator('.toast').filter({ hasText: text });

// Opens a page as the user, runs `act`, and checks that nothing was wrong with it.
function onPage(name, place, act, { as = () => key } = {}) {
  test(name, async () => {
    const page = await open(browser, server, { key: as(), place });
    await act(page);
    await accessible(page, name);
    await clean(page);
    await page.context().close();
  });
}

test('the sign-in page refuses a wrong key and says why', async () => {
  const page = await open(browser, server, {});
  await page.getByLabel('Key or token').fill('rk_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: 'not valid' }).waitFor();
  await accessible(page, 'sign-in');
  await clean(page);
  await page.context().close();
});

test('a sign-in link works once, and its code leaves the address', async () => {
  const { path } = await server.api(key).post('v1/sign-in-links');
  const page = await open(browser, server, { place: path.slice(1) });
  await page.locator('.shell').waitFor();
  assert.ok(!page.url().includes('signin='));
  assert.equal(await page.evaluate(() => sessionStorage.getItem('recalld.key')), key);
  await page.context().close();
  const again = await open(browser, server, { place: path.slice(1) });
  await again.getByRole('alert').filter({ hasText: 'used before' }).waitFor();
  await again.context().close();
});

test('signing out forgets the key', async () => {
  const page = await open(browser, server, { key });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Key or token').waitFor();
  assert.equal(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]).includes('rk_')), false);
  await page.reload();
  await page.getByLabel('Key or token').waitFor();
  await page.context().close();
});

onPage('memories are listed, searched as one types, and filtered', '#/memories', async (page) => {
  await row(page, 'Allergic to peanuts').waitFor();
  await page.getByRole('searchbox').fill('peanut');
  await page.waitForFunction(() => document.querySelector('.row')?.textContent.includes('Allergic to peanuts'));
  await page.waitForURL(/q=peanut/);
  await page.getByRole('searchbox').fill('');
  await page.getByLabel('Category', { exact: true }).selectOption('health');
  await row(page, 'bad left knee').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.row').length === 2);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Trust').selectOption('low');
  await row(page, 'Might be vegetarian').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.row').length === 2);
});

onPage('a memory is added, edited, forgotten, brought back and erased', '#/memories', async (page) => {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('What to remember').fill('Collects stamps of bridges');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await row(page, 'Collects stamps').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What to remember').fill('Collects stamps of lighthouses');
  await page.getByRole('button', { name: 'Save' }).click();
  await row(page, 'Collects stamps of lighthouses').waitFor();
  await page.locator('ins').filter({ hasText: 'lighthouses' }).waitFor();
  await page.getByRole('button', { name: 'Forget', exact: false }).first().click();
  await row(page, 'Collects stamps').waitFor({ state: 'detached' });
  await toast(page, 'Forgotten').getByRole('button', { name: 'Undo' }).click();
  await row(page, 'Collects stamps of lighthouses').waitFor();
  await page.getByRole('button', { name: 'Erase' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('versions go').waitFor();
  assert.ok(await dialog.getByRole('button', { name: 'Erase' }).isDisabled());
  await dialog.getByRole('textbox').fill('erase');
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await row(page, 'Collects stamps').waitFor({ state: 'detached' });
  const all = await server.api(key).get('v1/memories?showing=all&limit=500');
  assert.ok(!all.memories.some((memory) => memory.content.includes('stamps')));
});

onPage('a selection is forgotten at once and comes back at once', '#/memories', async (page) => {
  await row(page, 'Drinks espresso').getByRole('checkbox').check();
  await row(page, 'Flies TAP').getByRole('checkbox').check();
  await page.getByText('2 selected').waitFor();
  await page.locator('.bulk').getByRole('button', { name: 'Forget' }).click();
  await row(page, 'Drinks espresso').waitFor({ state: 'detached' });
  await row(page, 'Flies TAP').waitFor({ state: 'detached' });
  await toast(page, 'Forgot 2 memories').getByRole('button', { name: 'Undo' }).click();
  await row(page, 'Drinks espresso').waitFor();
  await row(page, 'Flies TAP').waitFor();
});

onPage('one memory shows its history, and any version is restored', '#/memories?q=window%20seats', async (page) => {
  await row(page, 'aisle on short ones').getByRole('link').click();
  const history = page.locator('.history');
  await history.getByText('v3').waitFor();
  await history.locator('li').filter({ hasText: 'v1' }).getByRole('button', { name: 'Restore' }).click();
  await page.locator('.statement').filter({ hasText: /^Prefers window seats on long flights$/ }).waitFor();
  await page.keyboard.press('z');
  await page.locator('.statement').filter({ hasText: 'aisle on short ones' }).waitFor();
  await page.getByText('Similar memories').waitFor();
  await page.getByText(/Recalled/).waitFor();
});

onPage('a memory leads to the message it came from', '#/memories?q=quiet%20coach', async (page) => {
  await row(page, 'Likes the quiet coach').getByRole('link').click();
  await page.locator('.detail').getByRole('link', { name: 'conversation' }).click();
  await page.locator('.bubble.is-aimed').filter({ hasText: 'quiet coach' }).waitFor();
});

onPage('an answer says why it is where it is, and a budget is kept', '#/ask', async (page) => {
  await page.getByRole('searchbox').fill('where does she like to sit');
  await page.getByRole('button', { name: 'Ask' }).click();
  const first = page.locator('.answer').first();
  await first.locator('.bar').first().waitFor();
  await first.getByText('weight').first().waitFor();
  const slider = page.getByRole('slider');
  await slider.fill('50');
  await page.waitForFunction(() => /of 50$/.test(document.querySelector('.gauge .bar-value')?.textContent ?? ''));
  const used = await page.locator('.gauge .bar-value').textContent();
  assert.ok(Number(used.split(' ')[0]) <= 50, used);
  await page.getByText('System prompt block').click();
  await page.locator('details.card pre').waitFor();
});

onPage('what needs a look is confirmed, corrected or forgotten', '#/review', async (page) => {
  const item = (text) => page.locator('.review-item').filter({ hasText: text }).first();
  await item('Might be vegetarian').getByRole('button', { name: 'Keep' }).click();
  await toast(page, 'Kept').waitFor();
  const kept = (await server.api(key).get('v1/memories?limit=500')).memories.find((memory) => memory.content === 'Might be vegetarian');
  assert.equal(kept.confidence, 1);
  const near = item('Enjoys window seats on flights that are long');
  await near.getByRole('button', { name: 'Correct' }).click();
  await page.locator('.review-item textarea').fill('Enjoys window seats');
  await page.getByRole('button', { name: 'Save' }).click();
  await toast(page, 'Saved').waitFor();
});

onPage('a conversation shows its messages, what was learned, and working memory that is edited', '#/conversations', async (page) => {
  await row(page, 'Trip to Porto').getByRole('link').click();
  await page.locator('.bubble').filter({ hasText: 'Book me a train' }).getByText('Likes the quiet coach').waitFor();
  const goal = page.getByLabel('Working memory of this conversation goal');
  await goal.fill('book a bus');
  await goal.blur();
  await page.getByRole('button', { name: 'Save' }).click();
  await toast(page, 'Saved').waitFor();
  const stored = await server.api(key).get(`v1/conversations/${thread}/working-memory`);
  assert.deepEqual(stored.value, { goal: 'book a bus', step: 2, options: ['09:39', '11:09'], quiet: true });
});

onPage('the document shows facts, places and how full it is', '#/document', async (page) => {
  await page.locator('.gauge').getByText(/of 10,000/).waitFor();
  await page.locator('.fact').filter({ hasText: 'Allergic to peanuts' }).waitFor();
  await page.locator('.fact').filter({ hasText: 'Time Out Market' }).waitFor();
});

onPage('the profile is a form made from the schema', '#/profile', async (page) => {
  const card = page.locator('form.card').filter({ has: page.getByRole('heading', { name: 'profile' }) });
  await card.getByLabel('target titles').fill('CTO\nCISO');
  await card.getByLabel('name').fill('Enterprise');
  await card.getByRole('button', { name: 'Save' }).click();
  await toast(page, 'Saved').waitFor();
  const stored = await server.api(key).get('v1/profile/profile');
  assert.deepEqual(stored.value, { name: 'Enterprise', target_titles: ['CTO', 'CISO'] });
  const criteria = page.locator('form.card').filter({ has: page.getByRole('heading', { name: 'criteria' }) });
  await criteria.getByRole('button', { name: 'Add' }).click();
  await criteria.getByLabel('criterion').fill('size');
  await criteria.getByLabel('weight').fill('0.5');
  const written = page.waitForResponse((response) => response.url().endsWith('/v1/profile/criteria'));
  await criteria.getByRole('button', { name: 'Save' }).click();
  assert.ok((await written).ok());
  assert.deepEqual((await server.api(key).get('v1/profile/criteria')).value, [{ criterion: 'size', weight: 0.5 }]);
});

onPage('a file is dropped, found and removed', '#/knowledge', async (page) => {
  const name = `${freshUser('notes')}.md`;
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/markdown', buffer: Buffer.from('# Harbour\n\nThe ferry to Cacilhas leaves every twenty minutes.') });
  await page.locator('.drop').getByText(/added, 1 chunk/).waitFor();
  await page.getByRole('searchbox').fill('ferry to Cacilhas');
  await row(page, name).first().getByRole('link').click();
  await page.locator('.chunk').filter({ hasText: 'twenty minutes' }).waitFor();
  await page.getByRole('button', { name: 'Erase' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('erase');
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await toast(page, 'Erased').waitFor();
}, { as: () => server.admin });

onPage('activity shows a change the moment it is made, and undoes it', '#/activity', async (page) => {
  await page.getByText('● live').waitFor();
  const { memory } = await server.api(key).post('v1/memories', { content: 'Met the mayor on Tuesday' });
  const line = page.locator('.event').filter({ hasText: 'Met the mayor' }).first();
  await line.waitFor();
  await line.getByRole('button', { name: 'Undo', exact: true }).click();
  await toast(page, 'Undone').waitFor();
  assert.ok((await server.api(key).get(`v1/memories/${memory.id}`)).retired_at);
  await page.locator('.event').filter({ hasText: 'forgot' }).first().waitFor();
});

onPage('operations list users and keys, and a key is made, shown once and revoked', '#/operations', async (page) => {
  await page.getByRole('link', { name: user }).waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'User' }).fill(user);
  const name = freshUser('laptop');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create' }).click();
  const made = (await page.getByRole('dialog').locator('pre').textContent()).trim();
  assert.match(made, /^rk_/);
  await page.getByRole('button', { name: 'Close' }).click();
  await server.api(made).get('v1/memories?limit=1');
  const line = page.getByRole('row').filter({ hasText: name });
  await line.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await line.getByText('revoked').waitFor();
  await page.getByText('Time to answer').waitFor();
  await page.getByRole('heading', { name: 'Server and store' }).waitFor();
  await page.getByRole('heading', { name: 'Rollout' }).waitFor();
}, { as: () => server.admin });

onPage('a user is exported, and erased with a receipt', '#/operations', async (page) => {
  const gone = freshUser('gone');
  await server.api(server.admin, gone).post('v1/memories', { content: 'Will be gone' });
  await page.reload();
  const line = page.getByRole('row').filter({ hasText: gone });
  const download = page.waitForEvent('download');
  await line.getByRole('button', { name: 'Export' }).click();
  assert.match((await download).suggestedFilename(), /\.zip$/);
  await line.getByRole('button', { name: 'Erase' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(gone);
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await page.getByRole('dialog').getByText('"seal"').waitFor();
  const receipt = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the receipt' }).click();
  assert.match((await receipt).suggestedFilename(), /receipt/);
  await page.getByRole('button', { name: 'Close' }).click();
  assert.deepEqual((await server.api(server.admin, gone).get('v1/memories')).memories, []);
  // The user whose memories are on the page is another one, and stays.
  assert.ok((await server.api(server.admin, user).get('v1/stats')).memories.current > 0);
}, { as: () => server.admin });

test('a user exports and erases their own data, and the tab forgets them', async () => {
  const own = freshUser('leaver');
  await server.api(server.admin, own).post('v1/memories', { content: 'Leaves tomorrow' });
  const page = await open(browser, server, { key: await server.keyOf(own), place: '#/profile' });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  assert.match((await download).suggestedFilename(), /\.zip$/);
  await page.getByRole('button', { name: 'Erase everything' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(own);
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await page.getByRole('dialog').getByText('"seal"').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByLabel('Key or token').waitFor();
  assert.deepEqual((await server.api(server.admin, own).get('v1/memories?showing=all')).memories, []);
  await page.context().close();
});

onPage('chat streams a reply and shows what was used', '#/chat', async (page) => {
  await page.getByLabel('Message').fill('Where should I sit?');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.bubble.is-assistant').filter({ hasText: 'You prefer window seats.' }).waitFor();
  await page.getByText(/Used \d+ memor/).waitFor();
});

test('a service key sees no keys, and a user key no operations', async () => {
  const service = (await server.api(server.admin).post('v1/admin/keys', { kind: 'service' })).key;
  const page = await open(browser, server, { key: service, place: '#/operations' });
  await page.getByRole('link', { name: user }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'New key' }).count(), 0);
  await page.context().close();
  const own = await open(browser, server, { key, place: '#/operations' });
  await own.getByRole('searchbox').waitFor();
  assert.equal(await own.getByRole('link', { name: 'Operations' }).count(), 0);
  await own.context().close();
});

test('every page works in Chinese and at 360 pixels, dark', async () => {
  const page = await open(browser, server, { width: 360, height: 740, dark: true, language: 'zh-CN' });
  await page.locator('input[type=password]').fill(server.admin);
  await page.locator('button[type=submit]').click();
  await page.locator('.shell').waitFor();
  for (const name of ['memories', 'ask?q=seat', 'review', 'conversations', `conversations?id=${thread}`, 'document', 'profile', 'knowledge', 'activity', 'chat', 'operations']) {
    await goTo(page, `#/${name}${name.includes('?') ? '&' : '?'}user=${user}`);
    await page.locator('h1, h2').first().waitFor({ state: 'attached' });
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await accessible(page, `${name}, Chinese, narrow, dark`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${name} is ${overflow} pixels too wide`);
  }
  assert.ok(await page.evaluate(() => /[\u4e00-\u9fff]/.test(document.body.innerText)));
  await clean(page);
  await page.context().close();
});
