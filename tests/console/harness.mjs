// Starts the server under test and a browser, and fills the server with something to see.
//
// RECALLD_BIN names the binary. With RECALLD_TEST_DATABASE_URL the memories are in that PostgreSQL
// database, which has the schema already; else in SQLite. RECALLD_CONSOLE_SOURCE names the folder
// `crates/server` whose scripts and styles the browser gets instead of those in the binary, so that
// a change of the console is tried without compiling it. RECALLD_CONSOLE_SLOW makes the pages so many
// times slower than the machine: what depends on an order that only a fast one keeps then fails.

import assert from 'node:assert/strict';
import { spawn, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { startModel } from './model.mjs';

const BINARY = process.env.RECALLD_BIN ?? 'target/debug/recalld';
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const SLOW = Number(process.env.RECALLD_CONSOLE_SLOW ?? 1);
const SOURCE = process.env.RECALLD_CONSOLE_SOURCE;
// How long a page may take for one thing: a loaded machine with two cores takes its time.
const PATIENCE_MS = 40_000;
const FLAGS = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--enable-precise-memory-info', '--js-flags=--expose-gc'];

// A server of its own with an admin key and keys of users as they are asked for.
export async function startServer({ withModel = false, args = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'recalld-console-'));
  const model = withModel ? await startModel() : null;
  const env = { ...process.env, ...(model ? { OPENAI_BASE_URL: model.url } : {}) };
  const database = process.env.RECALLD_TEST_DATABASE_URL;
  const place = ['--data', folder, ...(database ? ['--database-url', database] : [])];
  const child = spawn(BINARY, ['serve', '--listen', '127.0.0.1:0', '-q', ...place, ...args], { env, stdio: ['ignore', 'pipe', process.env.RECALLD_LOG ? 'inherit' : 'ignore'] });
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const admin = database ? adminKey(place, env) : JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')).admin;
  const server = {
    url, admin, folder, pid: child.pid,
    api: (key, user) => client(url, key, user),
    keyOf: async (user) => (await client(url, admin).post('v1/admin/keys', { kind: 'user', user })).key,
    stop: async () => {
      const gone = new Promise((resolve) => { child.once('exit', resolve); });
      if (child.exitCode === null) { child.kill('SIGTERM'); await gone; }
      await model?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}

// Servers of one database share their keys: each makes an admin key of its own.
function adminKey(place, env) {
  return execFileSync(BINARY, ['keys', 'create', '--kind', 'admin', '-q', ...place], { env, encoding: 'utf8' }).trim();
}

function client(url, key, user) {
  const call = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}/${path}`, {
      method, body: body === undefined ? undefined : JSON.stringify(body),
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...(user ? { 'Recalld-User': user } : {}), ...headers },
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : null;
  };
  return { get: (path) => call('GET', path), post: (path, body, headers) => call('POST', path, body, headers), put: (path, body) => call('PUT', path, body), patch: (path, body) => call('PATCH', path, body), del: (path) => call('DELETE', path) };
}

// A name that no other test on the same database has.
export const freshUser = (name) => `${name}-${Math.random().toString(36).slice(2, 8)}`;

export async function startBrowser() {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  return browser;
}

// Opens the console. The page must not complain of anything while it is open: see `page.faults`.
export async function open(browser, server, { key, place = '#/memories', width = 1280, height = 800, dark = false, language = 'en-GB' } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', locale: language, reducedMotion: 'reduce', timezoneId: 'Europe/Lisbon' });
  if (SOURCE) await serveSource(context);
  const page = await context.newPage();
  page.faults = [];
  if (SLOW > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOW });
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => page.faults.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) page.faults.push(message.text()); });
  await page.addInitScript(() => {
    window.violations = [];
    window.xss = () => { window.hit = true; };
    document.addEventListener('securitypolicyviolation', (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(`${server.url}/${place}`);
  if (key) await signIn(page, key);
  return page;
}

// Joins the modules as the server does, see `crates/server/src/console/bundle.rs`.
async function serveSource(context) {
  const read = (file) => readFileSync(join(SOURCE, file), 'utf8');
  const names = [...read('src/console/assets.rs').matchAll(/module!\("([^"]+)"\)/g)].map((match) => match[1]);
  const vendored = ['preact', 'hooks', 'htm'].map((name) => `(function () {\n${read(`console/vendor/${name}.js`)}\n}).call(globalThis);\n`);
  const modules = names.map((name) => read(`console/app/${name}`).split('\n').filter((line) => !line.startsWith('import ')).map((line) => line.replace(/^export /, '')).join('\n'));
  await context.route('**/console/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: [...vendored, ...modules].join('\n') }));
  await context.route('**/console/*.css', (route) => route.fulfill({ contentType: 'text/css', body: read('console/console.css') }));
}

export async function signIn(page, key) {
  await page.getByLabel('Key or token').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.shell').waitFor();
}

export async function goTo(page, place) {
  await page.evaluate((hash) => { location.hash = hash; }, place);
}

// No script failed, nothing was blocked by the policy, nothing that was planted ran.
export async function clean(page) {
  assert.deepEqual(page.faults, []);
  assert.deepEqual(await page.evaluate(() => window.violations), []);
  assert.equal(await page.evaluate(() => window.hit ?? false), false, 'a planted script ran');
}

export async function accessible(page, what) {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze();
  const found = violations.map((rule) => `${rule.id}: ${rule.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
  assert.deepEqual(found, [], `axe on ${what}`);
}
