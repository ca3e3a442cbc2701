// What the whole page shares: who is signed in, where the reader is, what can be undone.

import { useLayoutEffect, useState } from './lib.js';

const KEY = 'recalld.key';

export const state = {
  key: sessionStorage.getItem(KEY) ?? '',
  // What GET /v1/me answers; null until somebody is signed in.
  me: null,
  // The key was refused while the page was in use: ask again, above the page.
  expired: false,
  offline: false,
  // Counts up when data on the page may be out of date.
  epoch: 0,
  route: readRoute(),
  toasts: [],
  changes: [],
  dialog: null,
  // How many items the review page still lists; null elsewhere.
  reviewLeft: null,
  helpOpen: false,
  paletteOpen: false,
  menuOpen: false,
};

const listeners = new Set();
let changeCount = 0;

export function setState(patch) {
  Object.assign(state, patch);
  changeCount += 1;
  for (const listener of [...listeners]) listener();
}

export function useApp() {
  const [, draw] = useState(0);
  const drawn = changeCount;
  useLayoutEffect(() => {
    const listener = () => draw((count) => count + 1);
    listeners.add(listener);
    // What another part changed after this one was drawn is not missed.
    if (drawn !== changeCount) listener();
    return () => listeners.delete(listener);
  }, []);
  return state;
}

// Whether the key may act for a user: one of its own namespace.
export const canOpen = (user, me = state.me) => (user.namespace ?? null) === (me?.namespace ?? null);

export function keepKey(key) {
  sessionStorage.setItem(KEY, key);
  setState({ key });
}

// The page starts anew, so that nothing that was read or typed is left for whoever signs in next.
export function signOut() {
  sessionStorage.clear();
  history.replaceState(null, '', '#/');
  location.reload();
}

// The fragment holds the place: `#/memories?q=seat&id=…`. It is never sent to a server.
function readRoute() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return { page: path || 'memories', params: Object.fromEntries(new URLSearchParams(query)) };
}

// The fragment as this page last read or wrote it. Another one means that somebody has navigated.
let known = location.hash;

// A link without a user leads to the one that was looked at last.
export function readLocation() {
  known = location.hash;
  const route = readRoute();
  if (state.me && state.me.kind !== 'user' && !route.params.user && state.route.params.user) {
    route.params.user = state.route.params.user;
  }
  setState({ route, menuOpen: false });
}

const isGiven = ([, value]) => value !== undefined && value !== null && value !== '';

// The fragment of a place, for links. A user who is acted for goes along.
export function placeOf(page, params = {}) {
  const query = new URLSearchParams();
  const user = params.user ?? state.route.params.user;
  for (const [name, value] of Object.entries({ ...params, user })) {
    if (isGiven([name, value])) query.set(name, value);
  }
  const text = query.toString();
  return `#/${page}${text ? `?${text}` : ''}`;
}

export function go(page, params) {
  location.hash = placeOf(page, params);
}

// Changes parameters of the place without a new entry in the history. The place is known at once
// and the address follows: browsers ignore an address that is changed with every key of a fast
// typist, and a letter must not be lost by that.
export function refine(params) {
  const { page, params: old } = state.route;
  const all = { ...old, ...params };
  setState({ route: { page, params: Object.fromEntries(Object.entries(all).filter(isGiven)) } });
  writeAddress();
}

const ADDRESS_MS = 100;
let addressTimer = null;
let addressAt = 0;

function writeAddress() {
  if (addressTimer) return;
  addressTimer = setTimeout(() => {
    addressTimer = null;
    addressAt = Date.now();
    // Whoever has followed a link meanwhile is not led back.
    if (location.hash !== known) return;
    history.replaceState(null, '', placeOf(state.route.page, state.route.params));
    known = location.hash;
  }, Math.max(0, addressAt + ADDRESS_MS - Date.now()));
}

let toastCount = 0;

export function toast(text, { undo, kind = 'note', seconds = 8 } = {}) {
  toastCount += 1;
  const id = toastCount;
  setState({ toasts: [...state.toasts.slice(-3), { id, text, undo, kind }] });
  setTimeout(() => dropToast(id), seconds * 1000);
}

export function dropToast(id) {
  setState({ toasts: state.toasts.filter((shown) => shown.id !== id) });
}

const CHANGES_MAX = 100;

// Notes a change that `undo` takes back, and says so.
export function noteChange(text, undo) {
  const change = { text, undo };
  setState({ changes: [...state.changes.slice(1 - CHANGES_MAX), change] });
  toast(text, { undo: () => undoChange(change) });
}

export async function undoChange(change = state.changes.at(-1)) {
  if (!change || !state.changes.includes(change)) return;
  setState({ changes: state.changes.filter((other) => other !== change), toasts: [] });
  await change.undo();
}

export function refreshAll() {
  setState({ epoch: state.epoch + 1 });
}

let dialogCount = 0;

// Asks in a dialog. Resolves to what the dialog is closed with; null if it is dismissed.
export function ask(content) {
  dialogCount += 1;
  const id = dialogCount;
  return new Promise((resolve) => {
    setState({ dialog: { id, content, close: (answer = null) => { setState({ dialog: null }); resolve(answer); } } });
  });
}
