// What is stored is shown as text, whatever it is, in every field of every page.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { clean, freshUser, goTo, open, startBrowser, startServer } from './harness.mjs';

const RUN = 'xss()';
const PAYLOADS = [
  `<script>${RUN}</script>`, `"><script>${RUN}</script>`, `'><script>${RUN}</script>`, `</script><script>${RUN}</script>`, `<ScRiPt>${RUN}</sCrIpT>`,
  `<img src=x onerror=${RUN}>`, `"><img src=x onerror=${RUN}>`, `<img src="x" onerror="${RUN}">`, `<img/src=x/onerror=${RUN}>`, `<img src=x oneonerrorrror=${RUN}>`,
  `<svg onload=${RUN}>`, `<svg/onload=${RUN}>`, `<svg><script>${RUN}</script></svg>`, `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`, `<svg><a xlink:href="javascript:${RUN}"><text x=20 y=20>x</text></a></svg>`,
  `<body onload=${RUN}>`, `<input autofocus onfocus=${RUN}>`, `<select autofocus onfocus=${RUN}>`, `<textarea autofocus onfocus=${RUN}>`, `<details open ontoggle=${RUN}>`,
  `<video><source onerror=${RUN}></video>`, `<audio src=x onerror=${RUN}>`, `<iframe src="javascript:${RUN}"></iframe>`, `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`, `<object data="javascript:${RUN}">`,
  `<embed src="javascript:${RUN}">`, `<a href="javascript:${RUN}">x</a>`, `javascript:${RUN}`, `JaVaScRiPt:${RUN}`, `java\nscript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`, `data:text/html;base64,PHNjcmlwdD54c3MoKTwvc2NyaXB0Pg==`, `vbscript:${RUN}`, `<base href="javascript:${RUN}//">`, `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `<link rel=stylesheet href="javascript:${RUN}">`, `<style>@import 'javascript:${RUN}';</style>`, `<div style="background:url(javascript:${RUN})">`, `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`, `<form><button formaction="javascript:${RUN}">x`,
  `<isindex action="javascript:${RUN}">`, `<marquee onstart=${RUN}>`, `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`, `<template><script>${RUN}</script></template>`, `<xmp><script>${RUN}</script></xmp>`,
  `\${${RUN}}`, `{{constructor.constructor('${RUN}')()}}`, `#{${RUN}}`, `<%= ${RUN} %>`, `[[${RUN}]]`,
  `%3Cscript%3E${RUN}%3C/script%3E`, `&lt;script&gt;${RUN}&lt;/script&gt;`, `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`, `<scr<script>ipt>${RUN}</scr</script>ipt>`, `<!--<img src="--><img src=x onerror=${RUN}>">`,
  `__proto__`, `constructor`, `${'a'.repeat(300)}<b onmouseover=${RUN}>`, `https://evil.example/"onclick="${RUN}`, `http://[::1]/<svg onload=${RUN}>`,
  `x" autofocus onfocus="${RUN}`, `';${RUN}//`, `"-${RUN}-"`, `<a href="https://evil.example" onclick="${RUN}">`, `<portal src="javascript:${RUN}">`,
];

let server;
let browser;
let user;
let key;

before(async () => {
  server = await startServer();
  browser = await startBrowser();
  user = freshUser('mallory');
  key = await server.keyOf(user);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

// Stores a payload; what the server refuses is no danger to the page.
const stored = (promise) => promise.then(() => 1, () => 0);

test('sixty-five payloads in every field run nowhere', async () => {
  assert.ok(PAYLOADS.length >= 60);
  const own = server.api(key);
  const admin = server.api(server.admin);
  let count = 0;
  for (const [number, payload] of PAYLOADS.entries()) {
    const short = payload.slice(0, 60);
    count += await stored(own.post('v1/memories', { content: payload, key: short, category: short, source: payload.slice(0, 500) }));
    count += await stored(own.post('v1/memories', { content: `${payload} ${number}`, category: 'preference' }, { 'Recalld-Conversation': short, 'Recalld-Message': short }));
    count += await stored(own.post('v1/conversations', { id: short, title: payload.slice(0, 200) }));
    count += await stored(own.post(`v1/conversations/${encodeURIComponent(short)}/messages`, { id: short, role: 'user', content: payload, sender: short }));
    count += await stored(own.put(`v1/conversations/${encodeURIComponent(short)}/working-memory`, { [payload]: payload, list: [payload] }));
    count += await stored(own.post('v1/entities', { id: short, kind: 'place', name: short, notes: payload }));
    count += await stored(admin.post('v1/knowledge', { source: `${user}/${short}.md`, title: payload, content: `# ${payload}\n\n${payload}` }));
    count += await stored(admin.post('v1/admin/keys', { kind: 'user', user: short, name: payload.slice(0, 120) }));
  }
  await stored(own.put('v1/profile/profile', { name: PAYLOADS[0], target_titles: PAYLOADS.slice(0, 50) }));
  await stored(own.put('v1/working-memory', Object.fromEntries(PAYLOADS.map((payload) => [payload, payload]))));
  assert.ok(count > 300, `${count} payloads are stored`);

  const page = await open(browser, server, { key: server.admin, place: `#/memories?user=${user}` });
  page.on('dialog', (dialog) => { page.faults.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.locator('.row').first().waitFor();
  const shown = await page.locator('.row-text').allTextContents();
  assert.ok(shown.some((text) => text.includes('<')), 'markup is shown as text');
  const ids = (await own.get('v1/memories?limit=500')).memories.map((memory) => memory.id);
  for (const id of ids.slice(0, 70)) {
    await goTo(page, `#/memories?user=${user}&id=${id}`);
    await page.locator('.history').waitFor();
  }
  for (const payload of PAYLOADS) {
    await goTo(page, `#/memories?user=${user}&q=${encodeURIComponent(payload)}`);
    await goTo(page, `#/conversations?user=${user}&id=${encodeURIComponent(payload.slice(0, 60))}&message=${encodeURIComponent(payload)}`);
    await page.locator('.detail').waitFor();
    await goTo(page, `#/${encodeURIComponent(payload)}?${payload}`);
  }
  for (const name of [`ask?q=${encodeURIComponent(PAYLOADS[0])}`, 'review', 'document', 'profile', 'knowledge', `knowledge?q=${encodeURIComponent(PAYLOADS[5])}`, 'activity', 'operations']) {
    await goTo(page, `#/${name}${name.includes('?') ? '&' : '?'}user=${user}`);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    // Whoever moves over everything triggers nothing either.
    await page.evaluate(() => document.querySelectorAll('main *').forEach((element) => element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))));
  }
  for (const name of ['user-as-key', 'q']) await goTo(page, `#/memories?${name}=${encodeURIComponent(PAYLOADS[0])}&user=${user}`);
  assert.equal(await page.locator('main iframe, main object, main embed, main script, main style').count(), 0);
  await clean(page);
  await page.context().close();
});

test('long, right-to-left and many-lined texts show as text and break nothing', async () => {
  const own = server.api(key);
  const texts = ['😀'.repeat(4096), `${'\u202e'}detrever si siht${'\u202c'} and on`, 'x\n'.repeat(8000), 'm'.repeat(16_000), 'مرحبا بالعالم '.repeat(200), '\u200b\u2066\u2069x'.repeat(100)];
  let count = 0;
  for (const content of texts) count += await stored(own.post('v1/memories', { content, category: 'odd' }));
  assert.ok(count >= 4, `${count} odd texts are stored`);
  const page = await open(browser, server, { key, place: '#/memories?category=odd', width: 800 });
  await page.locator('.row').first().waitFor();
  const tallest = await page.evaluate(() => Math.max(...[...document.querySelectorAll('.row')].map((row) => row.offsetHeight)));
  assert.ok(tallest < 120, `a row is ${tallest} pixels tall`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
  await page.locator('.row a').first().click();
  await page.locator('.statement').waitFor();
  await page.locator('.folded').getByRole('button', { name: 'More' }).first().click();
  await clean(page);
  await page.context().close();
});

test('an address in a memory opens only after a question', async () => {
  const { memory } = await server.api(key).post('v1/memories', { content: 'Reads https://example.invalid/a?b=1 daily' });
  const page = await open(browser, server, { key, place: `#/memories?id=${memory.id}` });
  let opened = 0;
  page.context().on('page', () => { opened += 1; });
  await page.locator('.statement').getByRole('button', { name: 'https://example.invalid' }).click();
  await page.getByRole('dialog').getByText('Open this address?').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(opened, 0);
  await clean(page);
  await page.context().close();
});
