// Requests to the REST API of the server that this page comes from.

import { useEffect, useRef, useState } from './lib.js';
import { t } from './texts.js';
import { refreshAll, setState, state, toast } from './state.js';

const ROOT = new URL('.', location.href.split('#')[0]);
const RETRIES_MAX = 2;
const RETRY_S_MAX = 5;
const PING_MS_MAX = 15_000;

export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
    this.status = status;
    this.code = problem.code ?? '';
    this.hint = problem.hint ?? '';
  }
}

const isAbort = (error) => error?.name === 'AbortError';

// A refusal as a sentence, in the server's words.
export function sentence(error) {
  const text = error.message ?? String(error);
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return error.hint ? `${first} (${error.hint})` : first;
}

export function complain(error) {
  if (!isAbort(error)) toast(sentence(error), { kind: 'problem', seconds: 15 });
}

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

// The user's id as the bytes of its UTF-8: a header holds bytes.
export const headerText = (text) => String.fromCharCode(...new TextEncoder().encode(text));

export function headersOf(extra = {}, key = state.key) {
  const headers = { Authorization: `Bearer ${key}` };
  const user = state.route.params.user;
  if (user && state.me && state.me.kind !== 'user') headers['Recalld-User'] = headerText(user);
  // Whoever names a user means that user, not the one on the page.
  return { ...headers, ...extra };
}

export const addressOf = (path) => new URL(path, ROOT);

// Sends a request and gives { data, etag, status }.
export async function request(method, path, { body, query, headers, signal, key, quiet } = {}) {
  const url = addressOf(path);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, value);
  }
  const options = { method, signal, cache: 'no-store', credentials: 'omit', headers: headersOf(headers, key) };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers['Content-Type'] = 'application/json';
  }
  for (let tries = 0; ; tries += 1) {
    const response = await sent(url, options);
    if (response.ok) return { status: response.status, etag: response.headers.get('etag'), data: await content(response) };
    const wait = Number(response.headers.get('retry-after') ?? RETRY_S_MAX + 1);
    const refusal = new Refusal(response.status, await content(response).catch(() => ({})) ?? {});
    const again = method === 'GET' && [429, 503].includes(response.status) && wait <= RETRY_S_MAX && tries < RETRIES_MAX;
    if (!again) {
      if (response.status === 401 && !quiet) setState({ expired: true });
      throw refusal;
    }
    await pause(wait * 1000);
  }
}

async function sent(url, options) {
  try {
    const response = await fetch(url, options);
    if (state.offline) setState({ offline: false });
    return response;
  } catch (error) {
    if (isAbort(error)) throw error;
    lostConnection();
    const lost = new Error(t('offline.failed'));
    lost.offline = true;
    throw lost;
  }
}

async function content(response) {
  if (response.status === 204) return null;
  const kind = response.headers.get('content-type') ?? '';
  return kind.includes('json') ? response.json() : response.text();
}

let isPinging = false;

// Says that the server cannot be reached, and asks until it can.
export async function lostConnection() {
  setState({ offline: true });
  if (isPinging) return;
  isPinging = true;
  for (let wait = 500; state.offline; wait = Math.min(wait * 2, PING_MS_MAX)) {
    await pause(wait);
    const alive = await fetch(addressOf('health/live'), { cache: 'no-store' }).then((answer) => answer.ok, () => false);
    if (alive) {
      setState({ offline: false });
      refreshAll();
    }
  }
  isPinging = false;
}

export const get = async (path, query, signal) => (await request('GET', path, { query, signal })).data;
export const post = async (path, body, signal) => (await request('POST', path, { body, signal })).data;
export const patch = (path, body, etag) => request('PATCH', path, { body, headers: etag ? { 'If-Match': etag } : {} });
export const put = (path, body, etag) => request('PUT', path, { body, headers: etag ? { 'If-Match': etag } : {} });
export const remove = async (path, query) => (await request('DELETE', path, { query })).data;

// Loads what a page shows, again whenever `needs` change, and drops answers that are out of date.
export function useLoad(load, needs) {
  const [result, setResult] = useState({ data: undefined, error: null });
  const [count, setCount] = useState(0);
  const [isSlow, setSlow] = useState(false);
  const shown = useRef(undefined);
  useEffect(() => {
    const control = new AbortController();
    const slow = setTimeout(() => setSlow(true), 300);
    load(control.signal).then(
      (data) => {
        if (control.signal.aborted) return;
        shown.current = data;
        setResult({ data, error: null });
      },
      (error) => {
        if (control.signal.aborted || isAbort(error)) return;
        setResult({ data: error.offline ? shown.current : undefined, error });
      },
    ).finally(() => {
      clearTimeout(slow);
      setSlow(false);
    });
    return () => {
      clearTimeout(slow);
      control.abort();
    };
  }, [...needs, count, state.epoch]);
  return { ...result, isSlow, reload: () => setCount((now) => now + 1), replace: (data) => setResult({ data, error: null }) };
}

// Reads server-sent events from a response, one { id, event, data } at a time.
export async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value.replaceAll('\r', '');
    const blocks = rest.split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const event = { id: '', event: 'message', data: '' };
      for (const line of block.split('\n')) {
        const [name, ...value] = line.split(': ');
        if (name === 'data') event.data += value.join(': ');
        else if (name === 'id' || name === 'event') event[name] = value.join(': ');
      }
      if (event.data) yield event;
    }
  }
}
