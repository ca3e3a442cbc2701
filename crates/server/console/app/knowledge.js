// Knowledge: documents that all users may search. Administrators add and remove them.

import { html, useRef, useState } from './lib.js';
import { t } from './texts.js';
import { number } from './format.js';
import { placeOf, refine, refreshAll, toast, useApp } from './state.js';
import { Refusal, addressOf, complain, get, headersOf, post, remove, sentence, useLoad } from './api.js';
import { Age, Bar, Empty, Folded, Loaded, confirmErase } from './ui.js';
import { Endless, PAGE_ITEMS } from './endless.js';

const BYTES_MAX = 32 * 1024 * 1024;

function inBase64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

// fetch cannot tell how much of a body was sent.
function upload(body, onProgress) {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open('POST', addressOf('v1/knowledge'));
    for (const [name, value] of Object.entries(headersOf({ 'Content-Type': 'application/json' }))) sending.setRequestHeader(name, value);
    sending.upload.onprogress = (event) => onProgress(event.loaded / event.total);
    sending.onerror = () => reject(new Error(t('offline.failed')));
    sending.onload = () => {
      let answer = {};
      try { answer = JSON.parse(sending.responseText); } catch { /* The status says it. */ }
      if (sending.status < 300) resolve(answer);
      else reject(new Refusal(sending.status, answer));
    };
    sending.send(JSON.stringify(body));
  });
}

function Uploads({ done }) {
  const [jobs, setJobs] = useState([]);
  const [isOver, setOver] = useState(false);
  const picker = useRef(null);
  const note = (name, patch) => setJobs((old) => [...old.filter((job) => job.name !== name), { ...old.find((job) => job.name === name), name, ...patch }]);
  const take = async (files) => {
    for (const file of files) {
      note(file.name, { share: 0, text: t('upload.reading') });
      try {
        if (file.size > BYTES_MAX) throw new Error(t('upload.large', { most: number(BYTES_MAX / 1024 / 1024) }));
        const content = await inBase64(file);
        const body = { source: file.webkitRelativePath || file.name, content_base64: content };
        const { outcome, document } = await upload(body, (share) => note(file.name, { share, text: share < 1 ? t('upload.sending') : t('upload.indexing') }));
        note(file.name, { share: 1, text: t(`upload.${outcome}`, { n: document.chunks }) });
      } catch (error) {
        note(file.name, { share: 0, text: sentence(error), isBad: true });
      }
    }
    done();
  };
  return html`<div class=${`drop ${isOver ? 'is-over' : ''}`} onDragOver=${(event) => { event.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)}
      onDrop=${(event) => { event.preventDefault(); setOver(false); take([...event.dataTransfer.files]); }}>
    <p>${t('upload.hint')}</p><button type="button" onClick=${() => picker.current.click()}>${t('upload.choose')}</button>
    <input ref=${picker} class="unseen" type="file" multiple tabindex="-1" aria-label=${t('upload.choose')} accept=".md,.markdown,.txt,.html,.htm,.json,.jsonl,.pdf" onChange=${(event) => { take([...event.currentTarget.files]); event.currentTarget.value = ''; }} />
    <div role="status">${jobs.map((job) => html`<${Bar} key=${job.name} label=${job.name} share=${job.share} value=${job.text} tone=${job.isBad ? 'tone-look' : ''} />`)}</div></div>`;
}

function Document({ id, canWrite, close }) {
  const document = useLoad((signal) => get(`v1/knowledge/${encodeURIComponent(id)}`, {}, signal), [id]);
  const erase = async (one) => {
    const sure = await confirmErase({ title: t('knowledge.erase'), word: t('erase.word'), children: html`<p dir="auto">${one.source}</p><p>${t('erase.final')}</p>` });
    if (!sure) return;
    try {
      await remove(`v1/knowledge/${encodeURIComponent(id)}`);
      toast(t('erased'));
      close();
      refreshAll();
    } catch (error) {
      complain(error);
    }
  };
  return html`<${Loaded} of=${document}>${({ document: one, chunks }) => html`<article class="detail"><div class="detail-top"><button type="button" class="quiet back" onClick=${close}>← ${t('back')}</button>
      ${canWrite && html`<button type="button" class="danger push" onClick=${() => erase(one)}>${t('erase')}…</button>`}</div>
    <h2 dir="auto">${one.title ?? one.source}</h2><p class="faint" dir="auto">${one.source} · ${t('knowledge.chunks', { n: chunks.length })}</p>
    ${chunks.slice(0, 200).map((chunk) => html`<section class="chunk" key=${chunk.ordinal}>${chunk.heading && html`<h3 dir="auto">${chunk.heading}</h3>`}<${Folded} text=${chunk.content} /></section>`)}
    ${chunks.length > 200 && html`<p class="faint">${t('knowledge.more', { n: chunks.length - 200 })}</p>`}</article>`}<//>`;
}

async function loadKnowledge(query, after, signal) {
  if (!query) {
    const page = await get('v1/knowledge', { limit: PAGE_ITEMS, after }, signal);
    return { items: page.documents, next: page.next_page };
  }
  const { results } = await post('v1/knowledge/search', { query, limit: 30 }, signal);
  return { items: results.map((found) => ({ id: `${found.document}/${found.ordinal}`, document: found.document, title: found.title, source: found.source, heading: found.heading, content: found.content, score: found.score })) };
}

export function Knowledge() {
  const { route: { params }, me } = useApp();
  const canWrite = me?.kind === 'admin';
  const row = (one) => html`<div key=${one.id} role="listitem" class=${`row ${(one.document ?? one.id) === params.id ? 'is-chosen' : ''}`}><a href=${placeOf('knowledge', { q: params.q, id: one.document ?? one.id })}>
    <span class="row-first"><span class="row-text" dir="auto">${one.heading ?? one.title ?? one.source}</span>${one.score === undefined ? html`<${Age} at=${one.revised_at} />` : html`<span class="score">${number(one.score, 2)}</span>`}</span>
    ${one.content && html`<span class="row-text faint" dir="auto">${one.content}</span>`}
    <span class="row-second"><span dir="auto">${one.source}</span>${one.chunks !== undefined && html`<span>${t('knowledge.chunks', { n: one.chunks })}</span>`}</span></a></div>`;
  const close = () => refine({ id: '' });
  return html`<div class=${`split is-reading ${params.id ? 'has-detail' : ''}`}><h1 class="unseen" tabindex="-1">${t('nav.knowledge')}</h1><section class="list-pane" aria-label=${t('nav.knowledge')}><p class="pane-title" aria-hidden="true">${t('nav.knowledge')}</p>
      <div class="search-line"><input type="search" value=${params.q ?? ''} placeholder=${t('knowledge.search')} aria-label=${t('knowledge.search')} onInput=${(event) => refine({ q: event.currentTarget.value })} /></div>
      ${canWrite && html`<${Uploads} done=${refreshAll} />`}
      <${Endless} label=${t('nav.knowledge')} needs=${[params.q]} load=${(after, signal) => loadKnowledge(params.q, after, signal)} row=${row}
        empty=${params.q ? html`<${Empty} title=${t('ask.none')} />` : html`<${Empty} title=${t('knowledge.empty')} command="recalld ingest handbook/">${canWrite ? t('knowledge.empty.admin') : t('knowledge.empty.hint')}<//>`} /></section>
    <aside class="detail-pane wide" aria-label=${t('knowledge.document')}>${params.id ? html`<${Document} key=${params.id} id=${params.id} canWrite=${canWrite} close=${close} />` : html`<${Empty} title=${t('knowledge.choose')} />`}</aside></div>`;
}
