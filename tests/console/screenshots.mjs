// Makes the screenshots of docs/console.md: every page, light and dark. Run it with `cargo xtask console screenshots`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goTo, open, startBrowser, startServer } from './harness.mjs';
import { small } from './png.mjs';
import { seed } from './seed.mjs';

const folder = process.argv[2];
const [server, browser] = await Promise.all([startServer({ withModel: true }), startBrowser()]);
const user = 'ana';
const { thread } = await seed(server, user);
const api = server.api(server.admin, user);
await api.put('v1/profile/profile', { name: 'Bridges', target_titles: ['Chief engineer'], focus_industries: ['Infrastructure'] });
const { id } = await api.get('v1/memories/key:seat');

const PAGES = {
  memories: `memories?user=${user}&id=${id}`, search: `memories?user=${user}&q=where+does+she+sit+on+trains`, ask: `ask?user=${user}&q=where+does+she+like+to+sit&kind=memory`, review: `review?user=${user}`,
  conversations: `conversations?user=${user}&id=${thread}`, document: `document?user=${user}`, profile: `profile?user=${user}`,
  knowledge: `knowledge?user=${user}`, activity: `activity?user=${user}`, operations: `operations?user=${user}`, chat: `chat?user=${user}`,
};

// What is on a page when it is complete: a picture of half a page helps nobody.
const WHOLE = {
  memories: '.history', search: '.weak-title', ask: '.answers .why', review: '.review-item', conversations: '.bubble', document: '.fact',
  profile: 'form.card', knowledge: '.row', activity: '.event', operations: '.plot .bar', chat: '.bubble.is-assistant',
};

async function shoot(page, name) {
  writeFileSync(join(folder, `${name}.png`), small(await page.screenshot({ scale: 'css', animations: 'disabled' })));
}

try {
  for (const dark of [false, true]) {
    const page = await open(browser, server, { dark, width: 1040, height: 650 });
    const named = (name) => (dark ? `${name}-dark` : name);
    await page.getByLabel('Key or token').waitFor();
    await shoot(page, named('sign-in'));
    await page.getByLabel('Key or token').fill(server.admin);
    await page.getByRole('button', { name: 'Sign in' }).click();
    for (const [name, place] of Object.entries(PAGES)) {
      await goTo(page, `#/${place}`);
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      if (name === 'chat') {
        await page.getByLabel('Message').fill('Where should I sit?');
        await page.getByRole('button', { name: 'Send' }).click();
        await page.getByText('You prefer window seats.').waitFor();
      }
      await page.locator(WHOLE[name]).first().waitFor();
      await page.waitForTimeout(600);
      await shoot(page, named(name));
    }
    await page.context().close();
  }
  const phone = await open(browser, server, { key: server.admin, width: 360, height: 700, place: `#/memories?user=${user}` });
  await phone.locator('.row').first().waitFor();
  await shoot(phone, 'phone');
  await phone.context().close();
  const chinese = await open(browser, server, { width: 360, height: 700, dark: true, language: 'zh-CN' });
  await chinese.locator('input[type=password]').fill(server.admin);
  await chinese.locator('button[type=submit]').click();
  await chinese.locator('.shell').waitFor();
  await goTo(chinese, `#/review?user=${user}`);
  await chinese.locator('.review-item').first().waitFor();
  await shoot(chinese, 'phone-chinese');
  await chinese.context().close();
  const fresh = await open(browser, server, { key: await server.keyOf('newcomer'), width: 1040, height: 650 });
  await fresh.locator('.welcome').waitFor();
  await shoot(fresh, 'first-visit');
} finally {
  await browser.close();
  await server.stop();
}
