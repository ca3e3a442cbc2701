// Conversations: threads, what was said, what was learned from it, and working memory.

import { html, useEffect, useRef, useState } from './lib.js';
import { t } from './texts.js';
import { day, exact, number } from './format.js';
import { placeOf, refine, toast, useApp } from './state.js';
import { complain, get, remove, request, useLoad } from './api.js';
import { Age, Empty, Folded, Loaded, MemoryLink, Problem, confirmErase } from './ui.js';
import { Endless, PAGE_ITEMS } from './endless.js';
import { Tree } from './tree.js';
import { useKeys } from './keys.js';

const MESSAGES = 50;
const pathOfThread = (id, rest = '') => `v1/conversations/${encodeURIComponent(id)}${rest}`;

export function WorkingMemory({ path, title }) {
  const stored = useLoad(async (signal) => {
    try {
      return await request('GET', path, { signal });
    } catch (error) {
      if (error.status === 404) return { data: null, etag: null };
      throw error;
    }
  }, [path]);
  const [draft, setDraft] = useState(undefined);
  const [conflict, setConflict] = useState(null);
  const save = async (etag) => {
    try {
      const headers = etag ? { 'If-Match': etag } : { 'If-None-Match': '*' };
      // The answer is what is stored now: whoever goes on at once edits that.
      stored.replace(await request('PUT', path, { body: draft, headers }));
      setDraft(undefined);
      setConflict(null);
      toast(t('saved.plain'));
    } catch (error) {
      if (error.status === 412) setConflict(await request('GET', path));
      else complain(error);
    }
  };
  return html`<section class="card"><h2>${title}</h2><${Loaded} of=${stored} rows=${2}>${({ data, etag }) => {
    const value = draft === undefined ? data?.value : draft;
    return html`${conflict && html`<div class="conflict" role="alert"><p><strong>${t('conflict.title')}</strong> ${t('conflict.hint')}</p>
        <pre tabindex="0">${JSON.stringify(conflict.data.value, null, 2)}</pre>
        <div class="actions"><button type="button" onClick=${() => { setDraft(undefined); setConflict(null); stored.reload(); }}>${t('conflict.take')}</button>
          <button type="button" class="primary" onClick=${() => save(conflict.etag)}>${t('conflict.overwrite')}</button></div></div>`}
      ${value === undefined || value === null ? html`<p class="faint">${t('working.empty')}</p><button type="button" onClick=${() => setDraft({})}>${t('working.begin')}</button>`
        : html`<${Tree} value=${value} label=${title} change=${setDraft} />`}
      ${draft !== undefined && html`<div class="actions"><button type="button" onClick=${() => setDraft(undefined)}>${t('cancel')}</button>
        <button type="button" class="primary" onClick=${() => save(etag)}>${t('save')}</button></div>`}`;
  }}<//></section>`;
}

function Bubble({ message, learned, isAimed }) {
  const box = useRef(null);
  useEffect(() => { if (isAimed) box.current?.scrollIntoView({ block: 'center' }); }, [isAimed]);
  return html`<li ref=${box} class=${`bubble is-${message.role} ${isAimed ? 'is-aimed' : ''}`}>
    <div class="bubble-top"><strong>${message.sender ?? t(`role.${message.role}`)}</strong><${Age} at=${message.at} /></div>
    <${Folded} text=${message.content} />
    ${learned.length > 0 && html`<div class="learned"><p class="faint">${t('learned', { n: learned.length })}</p><ul class="plain">${learned.map((memory) => html`<li key=${memory.id}><${MemoryLink} memory=${memory} /></li>`)}</ul></div>`}</li>`;
}

function Thread({ id, aim, close, gone }) {
  const thread = useLoad((signal) => get(pathOfThread(id), {}, signal), [id]);
  const [pages, setPages] = useState([]);
  const newest = useLoad((signal) => get(pathOfThread(id, '/messages'), { limit: MESSAGES }, signal), [id]);
  const learned = useLoad((signal) => get('v1/memories', { conversation: id, limit: 200, showing: 'all' }, signal), [id]);
  const context = useLoad((signal) => get(pathOfThread(id, '/context'), { max_messages: 0 }, signal), [id]);
  useEffect(() => setPages([]), [id, newest.data]);
  const all = [...pages, ...(newest.data ? [newest.data] : [])];
  const earlier = all[0]?.next_page;
  const older = async () => {
    try {
      setPages([await get(pathOfThread(id, '/messages'), { limit: MESSAGES, before: earlier }), ...pages].slice(0, 4));
    } catch (error) {
      complain(error);
    }
  };
  const messages = all.flatMap((page) => page.messages);
  const memories = learned.data?.memories ?? [];
  const known = new Set(messages.map((message) => message.id));
  const others = memories.filter((memory) => !known.has(memory.message));
  const eraseThread = async () => {
    const sure = await confirmErase({ title: t('thread.erase'), word: t('erase.word'), children: html`<p>${t('thread.erase.goes', { n: memories.length })}</p><p>${t('erase.final')}</p>` });
    if (!sure) return;
    try {
      await remove(pathOfThread(id));
      toast(t('erased'));
      gone();
    } catch (error) {
      complain(error);
    }
  };
  return html`<article class="detail"><div class="detail-top"><button type="button" class="quiet back" onClick=${close}>← ${t('back')}</button>
      <button type="button" class="danger push" onClick=${eraseThread}>${t('erase')}…</button></div>
    <${Loaded} of=${thread} rows=${1}>${(one) => html`<h2 dir="auto">${one.title ?? one.id}</h2><p class="faint">${t('thread.span', { from: exact(one.began_at), to: exact(one.touched_at) })}</p>`}<//>
    ${newest.error && html`<${Problem} error=${newest.error} retry=${newest.reload} />`}
    ${earlier && html`<button type="button" class="quiet" onClick=${older}>${t('thread.earlier')}</button>`}
    <ol class="bubbles">${messages.map((message) => html`<${Bubble} key=${message.id} message=${message} isAimed=${message.id === aim} learned=${memories.filter((memory) => memory.message === message.id)} />`)}</ol>
    ${newest.data && messages.length === 0 && html`<p class="faint">${t('thread.empty')}</p>`}
    ${others.length > 0 && html`<section class="card"><h2>${t('thread.learned')}</h2><ul class="plain">${others.map((memory) => html`<li key=${memory.id}><${MemoryLink} memory=${memory} /></li>`)}</ul></section>`}
    <${WorkingMemory} path=${pathOfThread(id, '/working-memory')} title=${t('working.thread')} />
    ${context.data && html`<details class="card"><summary><h2>${t('thread.context')}</h2></summary><p class="faint">${t('ask.counts', { cl100k: number(context.data.tokens.cl100k_base), o200k: number(context.data.tokens.o200k_base), left: number(context.data.left_out) })}</p><pre class="context" tabindex="0" dir="auto">${context.data.system}</pre></details>`}
  </article>`;
}

export function Conversations() {
  const { route: { params } } = useApp();
  const list = useRef(null);
  const move = (step) => {
    const items = list.current?.items() ?? [];
    const at = items.findIndex((thread) => thread.id === params.id);
    const next = items[at < 0 ? 0 : Math.max(0, Math.min(items.length - 1, at + step))];
    if (next) refine({ id: next.id, message: '' });
  };
  const close = () => refine({ id: '', message: '' });
  useKeys({ j: () => move(1), k: () => move(-1), Escape: close });
  const load = async (after, signal) => {
    const page = await get('v1/conversations', { limit: PAGE_ITEMS, after }, signal);
    return { items: page.conversations, next: page.next_page };
  };
  const empty = html`<${Empty} title=${t('threads.empty')} command=${`curl ${location.origin}/v1/conversations/c1/messages -H "Authorization: Bearer $KEY" \\\n  -H 'Content-Type: application/json' -d '{"role": "user", "content": "Book me a flight"}'`}>${t('threads.empty.hint')}<//>`;
  return html`<div class=${`split is-reading ${params.id ? 'has-detail' : ''}`}><h1 class="unseen" tabindex="-1">${t('nav.conversations')}</h1><section class="list-pane" aria-label=${t('nav.conversations')}>
      <p class="pane-title" aria-hidden="true">${t('nav.conversations')}</p>
      <${Endless} handle=${list} label=${t('nav.conversations')} needs=${[params.user]} load=${load} empty=${empty} row=${(thread) => html`<div key=${thread.id} role="listitem" class=${`row ${thread.id === params.id ? 'is-chosen' : ''}`}>
        <a href=${placeOf('conversations', { id: thread.id })} aria-current=${thread.id === params.id ? 'true' : undefined}><span class="row-first"><span class="row-text" dir="auto">${thread.title ?? thread.id}</span><${Age} at=${thread.touched_at} /></span>
          <span class="row-second"><span>${day(thread.began_at)}</span></span></a></div>`} />
    </section>
    <aside class="detail-pane wide" aria-label=${t('thread')}>${params.id ? html`<${Thread} key=${params.id} id=${params.id} aim=${params.message} close=${close} gone=${() => { list.current?.drop(params.id); close(); }} />`
      : html`<${Empty} title=${t('threads.choose')} /><${WorkingMemory} path="v1/working-memory" title=${t('working.user')} />`}</aside></div>`;
}
