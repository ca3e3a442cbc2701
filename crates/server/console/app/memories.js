// The list of memories: search as you type, filters, selection, one memory beside it.

import { html, useRef, useState } from './lib.js';
import { t } from './texts.js';
import { number } from './format.js';
import { ask, placeOf, refine, useApp } from './state.js';
import { get, post } from './api.js';
import { Age, Chip, Command, Empty, Field, Mark, Select, isHidden } from './ui.js';
import { Endless, PAGE_ITEMS } from './endless.js';
import { add, forget, forgetAll, useMemoryNews } from './actions.js';
import { useKeys } from './keys.js';
import { useStats } from './stats.js';
import { MemoryDetail } from './memory.js';

const ORIGINS = ['user', 'assistant', 'inferred', 'tool', 'import', 'document'];
const DAYS = { day: 1, week: 7, month: 31, year: 366 };
const SEARCH_MAX = 50;
const HIDDEN_MAX = 500;

const sinceOf = (span) => (DAYS[span] ? new Date(Date.now() - DAYS[span] * 86_400_000).toISOString() : undefined);

// What GET /v1/memories is asked for.
function listQuery(params) {
  return {
    category: params.category, tier: params.tier, showing: params.showing, origin: params.origin,
    confidence_below: params.trust === 'low' ? 0.7 : undefined, since: sinceOf(params.since),
    conversation: params.conversation, project: params.project,
  };
}

// Search knows categories only; the other filters are applied to what it finds.
function fits(memory, params) {
  return (params.showing === 'all' || isHidden(memory) === (params.showing === 'hidden'))
    && (!params.tier || memory.tier === params.tier)
    && (!params.origin || memory.origin === params.origin)
    && (params.trust !== 'low' || memory.confidence < 0.7)
    && (!params.conversation || memory.conversation === params.conversation)
    && (!params.project || memory.project === params.project)
    && (!params.since || memory.learned_at >= sinceOf(params.since));
}

// Search finds what is recalled. What is hidden is not: it is looked through word by word.
async function hiddenWith(params, signal) {
  const { memories } = await get('v1/memories', { ...listQuery(params), showing: 'hidden', limit: HIDDEN_MAX }, signal);
  const words = params.q.toLowerCase().split(/\s+/).filter(Boolean);
  return memories.filter((memory) => words.every((word) => `${memory.key ?? ''} ${memory.content}`.toLowerCase().includes(word)));
}

// Gives a page of memories; for a search also why each has its place.
async function loadMemories(params, after, signal) {
  if (!params.q) {
    const page = await get('v1/memories', { ...listQuery(params), limit: PAGE_ITEMS, after }, signal);
    return { items: page.memories, next: page.next_page, total: page.total };
  }
  const body = { query: params.q, limit: SEARCH_MAX, kinds: ['memory'], explain: true };
  if (params.category) body.category = params.category;
  const [hidden, found] = await Promise.all([params.showing ? hiddenWith(params, signal) : [], params.showing === 'hidden' ? { results: [] } : post('v1/search', body, signal)]);
  const own = found.results.filter((one) => !one.shared);
  const why = new Map(own.map((one, index) => [one.memory.id, { place: index + 1, score: one.score, explain: one.explain, isWeak: one.weak }]));
  return { items: [...own.filter((one) => !one.weak), ...own.filter((one) => one.weak)].map((one) => one.memory).concat(hidden).filter((memory) => fits(memory, params)), next: null, why };
}

const BLANK = { content: '', key: '', category: '' };
// What was typed into a form that was closed without saving: it is there again when it is opened.
let unsaved = BLANK;

function AddForm({ close, categories }) {
  const [fields, setFields] = useState(unsaved);
  const set = (name) => (event) => { unsaved = { ...fields, [name]: event.currentTarget.value }; setFields(unsaved); };
  const submit = async (event) => {
    event.preventDefault();
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim()));
    const added = await add(given);
    if (!added) return;
    unsaved = BLANK;
    close(added);
  };
  return html`<form class="stack" onSubmit=${submit}><h2>${t('add.title')}</h2>
    <${Field} label=${t('field.content')}><textarea autofocus rows="4" required maxlength="16384" value=${fields.content} onInput=${set('content')}
      onKeyDown=${(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event); }} /><//>
    <div class="columns"><${Field} label=${t('field.key')} hint=${t('field.key.hint')}><input maxlength="128" value=${fields.key} onInput=${set('key')} /><//>
      <${Field} label=${t('field.category')}><input list="categories" maxlength="64" value=${fields.category} onInput=${set('category')} /><//></div>
    <datalist id="categories">${categories.map((name) => html`<option value=${name} />`)}</datalist>
    <div class="actions"><button type="button" onClick=${() => { unsaved = BLANK; close(); }}>${t('cancel')}</button>
      <button type="submit" class="primary" disabled=${!fields.content.trim()}>${t('add')}</button></div></form>`;
}

function Filters({ params, categories, projects, total }) {
  const of = (name, any, values) => html`<${Select} label=${t(`filter.${name}`)} value=${params[name]} onChange=${(value) => refine({ [name]: value, id: '' })}
    options=${[['', any], ...values]} />`;
  const active = ['category', 'tier', 'origin', 'trust', 'since', 'showing', 'project', 'conversation'].filter((name) => params[name]);
  return html`<div class="filters" role="group" aria-label=${t('filters')}>
    ${of('category', t('filter.category.any'), Object.entries(categories).map(([name, count]) => [name, `${name} (${number(count)})`]))}
    ${of('tier', t('filter.tier.any'), [['durable', t('tier.durable')], ['daily', t('tier.daily')]])}
    ${of('origin', t('filter.origin.any'), ORIGINS.map((name) => [name, t(`origin.${name}`)]))}
    ${of('trust', t('filter.trust.any'), [['low', t('filter.trust.low')]])}
    ${of('since', t('filter.since.any'), Object.keys(DAYS).map((name) => [name, t(`filter.since.${name}`)]))}
    ${of('showing', t('filter.showing.current'), [['hidden', t('filter.showing.hidden')], ['all', t('filter.showing.all')]])}
    ${(params.project || Object.keys(projects).length > 0) && of('project', t('filter.project.any'), Object.entries({ ...(params.project && { [params.project]: 0 }), ...projects }).map(([name, count]) => [name, `${name} (${number(count)})`]))}
    ${params.conversation && html`<${Chip}>${t('filter.conversation')}<//>`}
    ${active.length > 0 && html`<button type="button" class="quiet" onClick=${() => refine(Object.fromEntries(active.map((name) => [name, ''])))}>${t('filters.clear')}</button>`}
    <span class="faint total" role="status">${total !== undefined && active.length > 0 && t('memories.total', { n: total })}</span>
  </div>`;
}

const isPast = (memory) => memory.valid_until && Date.parse(memory.valid_until) <= Date.now();

function Row({ memory, params, isChosen, isMarked, isLeaving, isWeak, isFirstWeak, mark }) {
  const classes = ['row', isChosen && 'is-chosen', isHidden(memory) && 'is-hidden', isLeaving && 'is-leaving', isWeak && 'is-weak', isFirstWeak && 'is-first-weak'];
  return html`<div key=${memory.id} role="listitem" data-id=${memory.id} class=${classes.filter(Boolean).join(' ')}>
    ${isFirstWeak && html`<p class="weak-title">${t('search.weak')}</p>`}
    <input type="checkbox" checked=${isMarked} aria-label=${t('select.one')} onChange=${() => mark(memory)} />
    <a href=${placeOf('memories', { ...params, id: memory.id })} aria-current=${isChosen ? 'true' : undefined}>
      <span class="row-first"><${Mark} memory=${memory} /><span class="row-text" dir="auto">${memory.content}</span><${Age} at=${memory.learned_at} /></span>
      <span class="row-second">${memory.key && html`<code dir="auto">${memory.key}</code>`}<span>${t(`origin.${memory.origin}`)}</span>
        <span dir="auto">${memory.category}</span>${memory.project && html`<span class="project" dir="auto" title=${t('project')}>${memory.project}</span>`}${memory.tier === 'daily' && html`<span>${t('tier.daily')}</span>`}
        ${memory.confidence < 0.7 && html`<span class="look">${t('standing.look')}</span>`}
        ${isPast(memory) && html`<span>${t('standing.past')}</span>`}
        ${isHidden(memory) && html`<span>${t('standing.hidden')}</span>`}</span>
    </a></div>`;
}

function NoMemories({ params }) {
  const isFiltered = params.q || params.category || params.tier || params.origin || params.trust || params.since || params.showing || params.project || params.conversation;
  if (isFiltered) return html`<${Empty} title=${t('memories.none')}>${t('memories.none.hint')}<//>`;
  const command = `curl ${location.origin}/v1/memories -H "Authorization: Bearer $KEY" \\\n  -H 'Content-Type: application/json' -d '{"content": "I prefer window seats"}'`;
  return html`<${Empty} title=${t('memories.empty')} command=${command}>${t('memories.empty.hint')}<//>`;
}

// Whether nothing was ever stored for the user.
const isNew = ({ memories }) => memories.current + memories.forgotten + memories.expired === 0;

// What a newcomer can do here, where later the chosen memory is.
function Welcome() {
  return html`<div class="welcome"><h2>${t('welcome')}</h2><ol>${['connect', 'add', 'talk'].map((name) => html`<li key=${name}><strong>${t(`welcome.${name}`)}</strong> ${t(`welcome.${name}.hint`)}</li>`)}</ol>
    <${Command} text="recalld connect" />
    <p class="faint">${t('welcome.then')}</p></div>`;
}

export function Memories() {
  const { route: { params } } = useApp();
  const [marked, setMarked] = useState(new Map());
  const [total, setTotal] = useState(undefined);
  const list = useRef(null);
  const search = useRef(null);
  const why = useRef(new Map());
  const stats = useStats();
  const categories = stats.data?.categories ?? {};
  const projects = stats.data?.projects ?? {};
  const isShown = (memory) => (params.showing === 'all') || (params.showing === 'hidden') === isHidden(memory);
  useMemoryNews((id, memory) => {
    if (!list.current) return;
    if (!memory || !isShown(memory)) list.current.drop(id);
    else if (list.current.items().some((item) => item.id === id)) list.current.change(id, () => memory);
    else if (!list.current.putBack(memory) && !params.q) list.current.prepend(memory);
    if (!memory || isHidden(memory)) setMarked((old) => { const left = new Map(old); left.delete(id); return left; });
  });

  const chosen = () => list.current?.items().find((memory) => memory.id === params.id);
  const move = (step) => {
    const items = list.current?.items() ?? [];
    const at = items.findIndex((memory) => memory.id === params.id);
    const next = items[at < 0 ? 0 : Math.max(0, Math.min(items.length - 1, at + step))];
    if (!next) return;
    refine({ id: next.id });
    document.querySelector(`[data-id="${CSS.escape(next.id)}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const mark = (memory) => setMarked((old) => { const all = new Map(old); if (!all.delete(memory.id)) all.set(memory.id, memory); return all; });
  const openAdd = () => ask((close) => html`<${AddForm} close=${close} categories=${Object.keys(categories)} />`)
    .then((added) => { if (added?.memory) { if (added.isNew && !params.q) list.current?.prepend(added.memory); refine({ id: added.memory.id }); } });
  useKeys({
    '/': () => search.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    n: openAdd,
    x: () => { const memory = chosen(); if (memory) mark(memory); },
    '#': () => { if (marked.size) forgetAll([...marked.values()]); else if (chosen()) forget(chosen()); },
  });

  // What little speaks for is listed after the answers, under a line of its own.
  const isWeak = (memory) => Boolean(params.q && why.current.get(memory.id)?.isWeak);
  const firstWeak = () => (params.q ? list.current?.items().find(isWeak)?.id : undefined);
  const { id, ...others } = params;
  return html`<div class=${`split ${id ? 'has-detail' : ''}`}><h1 class="unseen" tabindex="-1">${t('nav.memories')}</h1>
    <section class="list-pane" aria-label=${t('nav.memories')}>
      <div class="search-line">
        <input type="search" ref=${search} value=${params.q ?? ''} placeholder=${stats.data?.memories.current ? t('search.count', { n: stats.data.memories.current }) : t('search.hint')} aria-label=${t('search')} autocomplete="off"
          onInput=${(event) => refine({ q: event.currentTarget.value })}
          onKeyDown=${(event) => { if (event.key === 'Escape') event.currentTarget.blur(); if (event.key === 'ArrowDown' || event.key === 'Enter') { event.preventDefault(); move(params.id ? 1 : 0); } }} />
        <button type="button" class="primary" onClick=${openAdd}>${t('add')}</button>
      </div>
      <${Filters} params=${params} categories=${categories} projects=${projects} total=${params.q ? undefined : total} />
      ${marked.size > 0 && html`<div class="bulk" role="status"><span>${t('selected', { n: marked.size })}</span>
        <button type="button" onClick=${() => forgetAll([...marked.values()])}>${t('forget')}</button>
        <button type="button" class="quiet" onClick=${() => setMarked(new Map())}>${t('select.none')}</button></div>`}
      <${Endless} handle=${list} label=${t('nav.memories')} needs=${Object.values({ ...others, n: Object.keys(others).join() })}
        load=${async (after, signal) => { const page = await loadMemories(params, after, signal); setTotal(page.total); why.current = page.why ?? new Map(); return page; }} empty=${html`<${NoMemories} params=${params} />`}
        row=${(memory, isLeaving) => html`<${Row} key=${memory.id} isLeaving=${isLeaving} isWeak=${isWeak(memory)} isFirstWeak=${memory.id === firstWeak()} memory=${memory} params=${params} isChosen=${memory.id === id} isMarked=${marked.has(memory.id)} mark=${mark} />`} />
    </section>
    <aside class="detail-pane" aria-label=${t('memory')}>
      ${id ? html`<${MemoryDetail} key=${id} id=${id} categories=${Object.keys(categories)} why=${params.q ? why.current.get(id) : undefined} hasSelection=${marked.size > 0} close=${() => refine({ id: '' })} />`
        : stats.data && isNew(stats.data) ? html`<${Welcome} />` : html`<${Empty} title=${t('memory.choose')}>${t('memory.choose.hint')}<//>`}
    </aside></div>`;
}
