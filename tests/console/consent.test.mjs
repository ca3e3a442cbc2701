// An application asks to sign in: the browser is led to the console, the user decides.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { accessible, clean, freshUser, open, signIn, startBrowser, startServer } from './harness.mjs';

let server;
let browser;
let application;

// The application's side: where the browser comes back to.
async function startApplication() {
  const calls = [];
  const listener = createServer((request, response) => {
    // Browsers also ask for an icon.
    if (request.url.startsWith('/callback')) calls.push(new URL(request.url, 'http://localhost'));
    response.end('You can close this page.');
  });
  await new Promise((resolve) => { listener.listen(0, '127.0.0.1', resolve); });
  return { address: `http://127.0.0.1:${listener.address().port}/callback`, calls, stop: () => new Promise((resolve) => { listener.closeAllConnections(); listener.close(resolve); }) };
}

before(async () => {
  server = await startServer();
  browser = await startBrowser();
  application = await startApplication();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await application?.stop();
});

async function register(name) {
  const answer = await fetch(`${server.url}/oauth/register`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ client_name: name, redirect_uris: [application.address] }) });
  return (await answer.json()).client_id;
}

function request(client, verifier, state) {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const asked = new URLSearchParams({ response_type: 'code', client_id: client, redirect_uri: application.address, code_challenge: challenge, code_challenge_method: 'S256', state, scope: 'read' });
  return `oauth/authorize?${asked}`;
}

test('a user lets an application in, which then reads and cannot write', async () => {
  const key = await server.keyOf(freshUser('olga'));
  const client = await register('<b>Notes</b> app');
  const verifier = randomBytes(32).toString('base64url');
  // Nobody is signed in yet: the question waits until they are.
  const page = await open(browser, server, { place: request(client, verifier, 'x1') });
  await signIn(page, key);
  await page.getByText('<b>Notes</b> app').waitFor();
  await page.getByText('read and search memories').waitFor();
  assert.equal(await page.getByText('add, change and forget memories').count(), 0);
  await accessible(page, 'consent');
  await clean(page);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('You can close this page.').waitFor();
  const answer = application.calls.at(-1).searchParams;
  assert.equal(answer.get('state'), 'x1');
  assert.equal(answer.get('iss'), server.url);
  const exchange = new URLSearchParams({ grant_type: 'authorization_code', client_id: client, redirect_uri: application.address, code: answer.get('code'), code_verifier: verifier });
  const given = await (await fetch(`${server.url}/oauth/token`, { method: 'POST', body: exchange })).json();
  await server.api(given.access_token).get('v1/memories?limit=1');
  const refused = await fetch(`${server.url}/v1/memories`, { method: 'POST', headers: { Authorization: `Bearer ${given.access_token}`, 'Content-Type': 'application/json' }, body: '{"content":"x"}' });
  assert.equal(refused.status, 403);
  await page.context().close();
});

test('a user refuses, and the application is told', async () => {
  const key = await server.keyOf(freshUser('otto'));
  const client = await register('Nosy');
  const page = await open(browser, server, { key });
  await page.goto(`${server.url}/${request(client, randomBytes(32).toString('base64url'), 'x2')}`);
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.getByText('You can close this page.').waitFor();
  const answer = application.calls.at(-1).searchParams;
  assert.deepEqual([answer.get('error'), answer.get('code')], ['access_denied', null]);
  await page.context().close();
});
