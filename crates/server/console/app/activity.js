// Activity: the audit log as it happens.

import { html, useEffect, useRef, useState } from './lib.js';
import { t } from './texts.js';
import { clock, day, number, shortened } from './format.js';
import { ask, placeOf, refreshAll, setState, state, toast, useApp } from './state.js';
import { addressOf, complain, eventsOf, get, headersOf, post, useLoad } from './api.js';
import { Actor, Empty, Header, MemoryLink, Problem, isHidden } from './ui.js';
import { forget, readMemory, restore } from './actions.js';

const SHOWN_MAX = 200;
const PAGE = 50;
const RETRY_MS_MAX = 15_000;

// Follows the log from `last` on until `signal` is aborted. After a break it goes on where it was.
async function followLog(last, onEvent, onState, signal) {
  let wait = 500;
  while (!signal.aborted) {
    try {
      const headers = headersOf({ Accept: 'text/event-stream', ...(last ? { 'Last-Event-ID': last } : {}) });
      const response = await fetch(addressOf('v1/events/stream'), { headers, signal, cache: 'no-store' });
      if (response.status === 404) return onState('off');
      if (response.status === 401) {
        setState({ expired: true });
        return onState('waiting');
      }
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      onState('live');
      wait = 500;
      for await (const event of eventsOf(response)) {
        if (event.event === 'gap') refreshAll();
        if (event.event !== 'change') continue;
        last = event.id;
        onEvent({ ...JSON.parse(event.data), place: event.id });
      }
    } catch {
      if (signal.aborted) return undefined;
    }
    onState('waiting');
    await new Promise((resolve) => { setTimeout(resolve, wait); });
    wait = Math.min(wait * 2, RETRY_MS_MAX);
  }
  return undefined;
}

// Takes back one change of a memory.
async function takeBack(event) {
  try {
    const { data: memory } = await readMemory(event.id);
    if (event.verb === 'remember' && !isHidden(memory)) await forget(memory);
    else if (event.verb === 'retire') await restore(memory);
    else await restore(memory, { at: justBefore(event.at) });
    toast(t('undone'));
  } catch (error) {
    complain(error);
  }
}

// The server counts in microseconds, a Date in milliseconds.
function justBefore(at) {
  const fraction = /\.(\d+)Z$/.exec(at)?.[1] ?? '';
  if (fraction.length <= 3) return new Date(new Date(at).getTime() - 1).toISOString();
  const micros = Number(fraction.padEnd(6, '0').slice(0, 6));
  if (micros === 0) return new Date(new Date(at).getTime() - 1).toISOString();
  return at.replace(/\.\d+Z$/, `.${String(micros - 1).padStart(6, '0')}Z`);
}

async function undoSince(event) {
  try {
    const to = justBefore(event.at);
    const plan = await post('v1/undo', { to, dry_run: true });
    const sure = await ask((close) => html`<h2>${t('undo.since.title')}</h2>
      <p>${t('undo.since.goes', { hidden: number(plan.hidden.length), restored: number(plan.restored.length), kept: number(plan.kept.length) })}</p>
      <ul class="plain">${[...plan.hidden, ...plan.restored].slice(0, 20).map((memory) => html`<li key=${memory.id}><${MemoryLink} memory=${memory} /></li>`)}</ul>
      <div class="actions"><button type="button" onClick=${() => close()}>${t('cancel')}</button><button type="button" class="primary" onClick=${() => close(true)}>${t('undo')}</button></div>`);
    if (!sure) return;
    await post('v1/undo', { to });
    toast(t('undone'));
    refreshAll();
  } catch (error) {
    complain(error);
  }
}

const PLACES = { memory: (id) => placeOf('memories', { id }), conversation: (id) => placeOf('conversations', { id }), message: null, profile: () => placeOf('profile'), document: () => placeOf('document') };

function Line({ event, contents }) {
  const link = PLACES[event.kind]?.(event.id);
  const name = contents.get(event.id) ?? event.id;
  const canUndo = event.kind === 'memory' && ['remember', 'revise', 'retire', 'restore'].includes(event.verb);
  return html`<li class="event"><time datetime=${event.at}>${clock(event.at)}</time>
    <span class="event-what"><strong>${t(`verb.${event.verb}`)}</strong> ${t(`subject.${event.kind}`)} ${link ? html`<a href=${link} dir="auto">${shortened(name, 80)}</a>` : html`<code dir="auto">${event.id}</code>`}</span>
    <span class="faint" dir="auto"><${Actor} id=${event.actor} />${event.source ? ` · ${event.source}` : ''}${event.conversation ? html` · <a href=${placeOf('conversations', { id: event.conversation, message: event.message })}>${t('memory.conversation')}</a>` : ''}</span>
    <span class="event-actions">${canUndo && html`<button type="button" class="quiet" onClick=${() => takeBack(event)}>${t('undo')}</button>`}
      <button type="button" class="quiet" title=${t('undo.since')} onClick=${() => undoSince(event)}>${t('undo.since.short')}</button></span></li>`;
}

export function Activity() {
  const { route: { params }, key } = useApp();
  const [events, setEvents] = useState(null);
  const [next, setNext] = useState(null);
  const [error, setError] = useState(null);
  const [status, setStatus] = useState('waiting');
  const newest = useRef('');
  // The log holds no content: what the newest memories say is looked up beside it.
  const memories = useLoad((signal) => get('v1/memories', { showing: 'all', limit: 200 }, signal), [params.user, events?.[0]?.place]);
  const contents = new Map((memories.data?.memories ?? []).map((memory) => [memory.id, memory.content]));
  useEffect(() => {
    const control = new AbortController();
    setEvents(null);
    const begin = async () => {
      const page = await get('v1/events', { limit: PAGE }, control.signal);
      setEvents(page.events);
      setNext(page.next_page);
      newest.current = page.events[0]?.place ?? '0.0';
      const arrived = (event) => setEvents((old) => [event, ...old.filter((other) => other.place !== event.place)].slice(0, SHOWN_MAX));
      await followLog(newest.current, arrived, setStatus, control.signal);
    };
    begin().catch((refused) => { if (!control.signal.aborted) setError(refused); });
    return () => control.abort();
  }, [params.user, key, state.epoch]);
  const older = async () => {
    try {
      const page = await get('v1/events', { limit: PAGE, after: next });
      setEvents([...events, ...page.events].slice(-SHOWN_MAX));
      setNext(page.next_page);
    } catch (refused) {
      complain(refused);
    }
  };
  const days = Map.groupBy(events ?? [], (event) => day(event.at));
  return html`<div class="page narrow"><${Header} title=${t('nav.activity')}><span role="status" class=${`live is-${status}`}>${t(`live.${status}`)}</span><//>
    <p class="faint">${t('activity.about')}</p>
    ${error && html`<${Problem} error=${error} />`}
    ${events?.length === 0 && html`<${Empty} title=${t('activity.empty')} command='recalld add "Prefers window seats"'>${t('activity.empty.hint')}<//>`}
    ${[...days].map(([name, all]) => html`<section key=${name}><h2>${name}</h2><ul class="plain events">${all.map((event) => html`<${Line} key=${event.place} event=${event} contents=${contents} />`)}</ul></section>`)}
    ${next && html`<button type="button" onClick=${older}>${t('activity.older')}</button>`}</div>`;
}
