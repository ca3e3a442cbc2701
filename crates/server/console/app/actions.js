// What can be done with a memory, from whichever page. Every change can be undone.

import { html, useLayoutEffect } from './lib.js';
import { t } from './texts.js';
import { number, shortened } from './format.js';
import { noteChange, toast } from './state.js';
import { complain, get, patch, post, remove, request } from './api.js';
import { confirmErase, isHidden } from './ui.js';

const watchers = new Set();

// Tells all parts of the page what a memory is now; null if it is gone.
export function announce(id, memory) {
  for (const watcher of [...watchers]) watcher(id, memory);
}

export function useMemoryNews(watcher) {
  useLayoutEffect(() => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  });
}

const pathOf = (id, rest = '') => `v1/memories/${encodeURIComponent(id)}${rest}`;
const nameOf = (memory) => shortened(memory.content, 40);

export const readMemory = (id, signal) => request('GET', pathOf(id), { signal });

async function tried(work) {
  try {
    return await work();
  } catch (error) {
    complain(error);
    return undefined;
  }
}

async function refreshed(id) {
  const { data } = await readMemory(id);
  announce(id, data);
  return data;
}

export function forget(memory) {
  return tried(async () => {
    await remove(pathOf(memory.id));
    await refreshed(memory.id);
    noteChange(t('forgotten', { what: nameOf(memory) }), () => restore(memory));
    return true;
  });
}

export function restore(memory, query = {}) {
  return tried(async () => {
    const { data } = await request('POST', pathOf(memory.id, '/restore'), { query });
    announce(memory.id, data);
    return data;
  });
}

// Goes back to a version; undone by going forward again.
export function restoreVersion(memory, version) {
  return tried(async () => {
    const { data } = await request('POST', pathOf(memory.id, '/restore'), { query: { version } });
    announce(memory.id, data);
    const undo = () => (isHidden(memory) ? forget(data) : restore(memory, { version: memory.version }));
    noteChange(t('restored', { version: number(version) }), undo);
    return data;
  });
}

export function add(fields) {
  return tried(async () => {
    const { outcome, memory } = await post('v1/memories', fields);
    if (outcome === 'duplicate') {
      toast(t('add.known'));
    } else {
      noteChange(t('added', { what: nameOf(memory) }), () => forget(memory));
    }
    return { memory, isNew: outcome !== 'duplicate' };
  });
}

// Revises a memory unless somebody else has: then gives { conflict } with what it is now.
export async function revise(memory, fields, etag) {
  try {
    const { data } = await patch(pathOf(memory.id), fields, etag);
    announce(memory.id, data);
    if (data.version !== memory.version) {
      noteChange(t('saved', { what: nameOf(data) }), () => restore(memory, { version: memory.version }));
    }
    return { memory: data };
  } catch (error) {
    if (error.status !== 412) throw error;
    const { data, etag: newer } = await readMemory(memory.id);
    return { conflict: data, etag: newer };
  }
}

// Says that the user stands by it: what an agent noted counts as the user's own, and it is certain.
export function confirmMemory(memory) {
  return tried(async () => {
    if (memory.trust !== 'user') await post(pathOf(memory.id, '/confirm'));
    const { data } = memory.confidence < 1 ? await patch(pathOf(memory.id), { confidence: 1 }) : await readMemory(memory.id);
    announce(memory.id, data);
    noteChange(t('kept', { what: nameOf(memory) }), () => restore(memory, { version: memory.version }));
    return true;
  });
}

// Erases after the word was typed, and says what goes.
export function erase(memory) {
  return tried(async () => {
    const { versions } = await get(pathOf(memory.id, '/history'));
    const sure = await confirmErase({
      title: t('erase.title'),
      word: t('erase.word'),
      children: html`<blockquote dir="auto">${shortened(memory.content, 200)}</blockquote>
        <p>${t('erase.goes', { n: versions.length })}</p><p>${t('erase.final')}</p>`,
    });
    if (!sure) return false;
    await remove(pathOf(memory.id), { erase: true });
    announce(memory.id, null);
    toast(t('erased'));
    return true;
  });
}

export function forgetAll(memories) {
  return tried(async () => {
    const { hidden, not_found: missing } = await post('v1/memories/forget', { ids: memories.map((memory) => memory.id) });
    for (const id of hidden) await refreshed(id).catch(() => announce(id, null));
    for (const id of missing) announce(id, null);
    const back = memories.filter((memory) => hidden.includes(memory.id));
    noteChange(t('forgotten.many', { n: hidden.length }), async () => {
      for (const memory of back) await restore(memory);
    });
    return true;
  });
}
