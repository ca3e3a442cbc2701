// Review: what nobody has confirmed, what looks wrong, and one key to settle each.

import { html, useLayoutEffect, useRef, useState } from './lib.js';
import { t } from './texts.js';
import { number } from './format.js';
import { placeOf, setState, useApp } from './state.js';
import { complain, get, post, useLoad } from './api.js';
import { Age, Chip, Diff, Empty, Folded, Header, Loaded, Mark, isHidden } from './ui.js';
import { announce, confirmMemory, forget, restore, restoreVersion, revise, useMemoryNews } from './actions.js';
import { useKeys } from './keys.js';

const UNCONFIRMED = ['inferred', 'assistant', 'tool'];
const PER_ORIGIN = 50;

// What the server lists for review; nothing if it has no such list.
async function queued(signal) {
  try {
    const { items } = await get('v1/review', { limit: 100 }, signal);
    return items.map((item) => ({ kind: item.reason, memory: item.memory, like: item.was, readsLike: item.reads_like, isQueued: true }));
  } catch (error) {
    if (error.status === 404 || error.status === 405) return [];
    throw error;
  }
}

// What agents noted and nobody confirmed.
async function unconfirmed(signal) {
  const pages = await Promise.all(UNCONFIRMED.map((origin) => get('v1/memories', { origin, limit: PER_ORIGIN }, signal)));
  return pages.flatMap((page) => page.memories).filter((memory) => memory.trust !== 'user').map((memory) => ({ kind: 'unconfirmed', memory }));
}

// What is stored and not certain.
async function doubtful(signal) {
  const { memories } = await get('v1/memories', { confidence_below: 0.7, limit: PER_ORIGIN }, signal);
  return memories.map((memory) => ({ kind: 'low_trust', memory }));
}

async function findings(signal) {
  const report = await get('v1/audit', {}, signal);
  return report.findings.flatMap((finding) => finding.examples.map((example) => ({ kind: finding.kind, ...example })));
}

const URGENCY = ['secret', 'quarantined', 'changed_by_agent', 'hidden_by_agent', 'contradiction', 'outdated', 'unconfirmed', 'low_trust', 'duplicate', 'near_duplicate', 'over_cap', 'expired', 'stale', 'never_recalled'];

async function loadReview(signal) {
  const [queue, noted, unsure, found] = await Promise.all([queued(signal), unconfirmed(signal), doubtful(signal), findings(signal)]);
  const waits = new Set(queue.map((item) => item.memory.id));
  const seen = new Set();
  const items = [];
  for (const item of [...queue, ...noted.filter((item) => !waits.has(item.memory.id)), ...unsure, ...found]) {
    const name = `${item.kind}/${item.memory.id}/${item.like?.id ?? ''}`;
    if (!seen.has(name)) items.push({ ...item, name });
    seen.add(name);
  }
  return items.sort((a, b) => URGENCY.indexOf(a.kind) - URGENCY.indexOf(b.kind));
}

// Takes back what an agent did to what the user said.
const undoAgent = (item) => (item.kind === 'hidden_by_agent' ? restore(item.memory) : restoreVersion(item.memory, item.like.version));

async function keep(item) {
  if (!item.isQueued) return confirmMemory(item.memory);
  try {
    const memory = await post(`v1/memories/${encodeURIComponent(item.memory.id)}/confirm`);
    announce(item.memory.id, memory ?? item.memory);
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

function Correct({ memory, done }) {
  const [content, setContent] = useState(memory.content);
  const input = useRef(null);
  useLayoutEffect(() => { input.current?.focus(); input.current?.select(); }, []);
  const submit = async (event) => {
    event.preventDefault();
    try {
      await revise(memory, { content, confidence: 1 });
      done(true);
    } catch (error) {
      complain(error);
    }
  };
  return html`<form class="stack" onSubmit=${submit} onKeyDown=${(event) => { if (event.key === 'Escape') done(false); if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event); }}>
    <textarea ref=${input} dir="auto" rows="3" aria-label=${t('field.content')} required maxlength="16384" value=${content} onInput=${(event) => setContent(event.currentTarget.value)} />
    <div class="actions"><button type="button" onClick=${() => done(false)}>${t('cancel')}</button><button type="submit" class="primary">${t('save')}</button></div></form>`;
}

function Item({ item, isChosen, isCorrecting, choose, keepIt, correct, corrected, drop, revert }) {
  const { memory, like } = item;
  const isGone = item.kind === 'hidden_by_agent';
  return html`<li class=${`review-item card ${isChosen ? 'is-chosen' : ''}`} aria-current=${isChosen ? 'true' : undefined} data-review=${item.name} onClick=${choose}>
    <div class="answer-top"><${Chip} tone="tone-look">${t(`finding.${item.kind}`)}<//><${Mark} memory=${memory} /><span class="faint">${t(`origin.${memory.origin}`)}</span><${Age} at=${memory.learned_at} /></div>
    ${isCorrecting ? html`<${Correct} memory=${memory} done=${corrected} />` : html`<${Folded} text=${memory.content} />`}
    ${item.readsLike && html`<p class="faint">${t('reads.like', { what: t(`reads.${item.readsLike}`) })}</p>`}
    ${like && html`<div class="like"><p class="faint">${t(item.isQueued ? 'review.was' : 'review.like')}</p><${Diff} before=${like.content} after=${memory.content} /></div>`}
    ${!isCorrecting && html`<div class="actions start">
      <button type="button" onClick=${keepIt}>${t(isGone ? 'keep.hidden' : 'keep')}${isChosen && html`<kbd>y</kbd>`}</button>
      ${['changed_by_agent', 'hidden_by_agent'].includes(item.kind) && html`<button type="button" onClick=${revert}>${t('take.back')}${isChosen && html`<kbd>u</kbd>`}</button>`}
      ${!isGone && html`<button type="button" onClick=${correct}>${t('correct')}${isChosen && html`<kbd>c</kbd>`}</button>
      <button type="button" onClick=${drop}>${t('forget')}${isChosen && html`<kbd>d</kbd>`}</button>`}
      <a class="beside" href=${placeOf('memories', { id: memory.id })}>${t('open')}</a></div>`}</li>`;
}

export function Review() {
  const { route: { params } } = useApp();
  const review = useLoad(loadReview, [params.user]);
  const [settled, setSettled] = useState(new Set());
  const [at, setAt] = useState(0);
  const [correcting, setCorrecting] = useState(null);
  const items = (review.data ?? []).filter((item) => !settled.has(item.name));
  // The sidebar counts what this page counts while it is open.
  useLayoutEffect(() => {
    setState({ reviewLeft: review.data ? items.length : null });
    return () => setState({ reviewLeft: null });
  }, [review.data, items.length]);
  const place = Math.min(at, Math.max(0, items.length - 1));
  const chosen = items[place];
  const settle = (name) => setSettled((old) => new Set(old).add(name));
  // What was settled and is there again, by undo, waits again.
  useMemoryNews((id, memory) => {
    const back = (review.data ?? []).filter((item) => item.memory.id === id && settled.has(item.name)).map((item) => item.name);
    if (!memory || isHidden(memory) || back.length === 0) return;
    setSettled((old) => new Set([...old].filter((name) => !back.includes(name))));
    review.reload();
  });
  // What only needs a nod is settled for this visit; what an agent noted is confirmed for good.
  const keepIt = async (item) => {
    const confirms = item.isQueued || ['unconfirmed', 'low_trust'].includes(item.kind);
    if (!confirms || await keep(item)) settle(item.name);
  };
  const drop = async (item) => { if (await forget(item.memory)) for (const other of items) if (other.memory.id === item.memory.id) settle(other.name); };
  const revert = async (item) => { if (['changed_by_agent', 'hidden_by_agent'].includes(item.kind) && await undoAgent(item)) settle(item.name); };
  const move = (step) => {
    const next = Math.max(0, Math.min(items.length - 1, place + step));
    setAt(next);
    if (items[next]) document.querySelector(`[data-review="${CSS.escape(items[next].name)}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({ j: () => move(1), k: () => move(-1), y: () => chosen && keepIt(chosen), c: () => chosen && !isHidden(chosen.memory) && setCorrecting(chosen.name), d: () => chosen && !isHidden(chosen.memory) && drop(chosen), u: () => chosen && revert(chosen) });
  return html`<div class="page narrow"><${Header} title=${t('nav.review')}>${review.data && html`<span class="faint" role="status">${t('review.left', { n: items.length })}</span>`}<//>
    <p class="faint">${t('review.about')}</p>
    <${Loaded} of=${review} rows=${5}>${() => (items.length === 0 ? html`<${Empty} title=${t('review.empty')} command="recalld audit">${t('review.empty.hint')}<//>`
      : html`<ul class="plain stack">${items.slice(0, 100).map((item, index) => html`<${Item} key=${item.name} item=${item} isChosen=${index === place} isCorrecting=${correcting === item.name}
        choose=${() => setAt(index)} keepIt=${() => keepIt(item)} correct=${() => { setAt(index); setCorrecting(item.name); }}
        corrected=${(saved) => { setCorrecting(null); if (saved) settle(item.name); }} drop=${() => drop(item)} revert=${() => revert(item)} />`)}</ul>
        ${items.length > 100 && html`<p class="faint">${t('review.more', { n: number(items.length - 100) })}</p>`}`)}<//></div>`;
}
