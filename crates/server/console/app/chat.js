// Chat with the configured model, beside the memories it used and what was learned.

import { html, useEffect, useRef, useState } from './lib.js';
import { t } from './texts.js';
import { number } from './format.js';
import { placeOf, setState, state, useApp } from './state.js';
import { Refusal, addressOf, eventsOf, get, headersOf, lostConnection, sentence } from './api.js';
import { Chip, Empty, Folded, Header, MemoryLink } from './ui.js';

const TURNS_MAX = 60;
const LEARNED_CHECKS = [1500, 4000, 9000];

// Sends a message and calls `on(event, data)` for everything that comes back.
async function talk(message, session, on, signal) {
  const body = { message, ...(session ? { session_id: session } : {}) };
  let response;
  try {
    response = await fetch(addressOf('api/chat?stream=events'), { method: 'POST', headers: headersOf({ 'Content-Type': 'application/json' }), body: JSON.stringify(body), signal });
  } catch (error) {
    if (!signal.aborted) lostConnection();
    throw error;
  }
  if (!response.ok) throw new Refusal(response.status, await response.json().catch(() => ({})));
  for await (const event of eventsOf(response)) on(event.event, JSON.parse(event.data));
}

function Turn({ turn }) {
  return html`<li class=${`bubble is-${turn.role}`}><div class="bubble-top"><strong>${t(`role.${turn.role}`)}</strong>${turn.mode && html`<${Chip}>${turn.mode}<//>`}</div>
    ${turn.used?.length > 0 && html`<details class="faint"><summary>${t('chat.used', { n: turn.used.length })}</summary><ul class="plain">${turn.used.map((memory) => html`<li key=${memory.id}><a href=${placeOf('memories', { id: memory.id })} dir="auto">${memory.content}</a></li>`)}</ul></details>`}
    ${turn.calls?.map((call) => html`<details key=${call.id} class="faint"><summary>${t('chat.call', { name: call.name })}</summary><pre tabindex="0">${call.arguments}\n\n${call.text ?? '…'}</pre></details>`)}
    ${turn.text ? html`<${Folded} text=${turn.text} />` : !turn.error && html`<p class="faint">…</p>`}
    ${turn.error && html`<p class="problem" role="alert">${turn.error}</p>`}
    ${turn.usage && html`<p class="faint">${t('chat.usage', { in: number(turn.usage.tokens_in), out: number(turn.usage.tokens_out) })}</p>`}
    ${turn.learned?.length > 0 && html`<div class="learned"><p class="faint">${t('learned', { n: turn.learned.length })}</p><ul class="plain">${turn.learned.map((memory) => html`<li key=${memory.id}><${MemoryLink} memory=${memory} /></li>`)}</ul></div>`}</li>`;
}

export function Chat() {
  const { me } = useApp();
  const [turns, setTurns] = useState([]);
  const [typed, setTyped] = useState('');
  const [session, setSession] = useState(null);
  const [control, setControl] = useState(null);
  const known = useRef(new Set());
  const end = useRef(null);
  useEffect(() => () => control?.abort(), [control]);
  useEffect(() => end.current?.scrollIntoView({ block: 'end' }), [turns]);
  const last = (how) => setTurns((old) => [...old.slice(0, -1), how(old.at(-1))]);
  const lookForLearned = (conversation) => LEARNED_CHECKS.forEach((wait) => setTimeout(async () => {
    if (!state.key) return;
    const page = await get('v1/memories', { conversation, limit: 100 }).catch(() => null);
    const fresh = page?.memories.filter((memory) => !known.current.has(memory.id)) ?? [];
    for (const memory of fresh) known.current.add(memory.id);
    if (fresh.length) last((turn) => ({ ...turn, learned: [...(turn.learned ?? []), ...fresh] }));
  }, wait));
  const on = (event, data) => {
    if (event === 'started') { setSession(data.session_id); last((turn) => ({ ...turn, used: data.memories, mode: data.mode })); }
    if (event === 'text') last((turn) => ({ ...turn, text: turn.text + data.text }));
    if (event === 'tool_call') last((turn) => ({ ...turn, calls: [...(turn.calls ?? []), { ...data, arguments: typeof data.arguments === 'string' ? data.arguments : JSON.stringify(data.arguments, null, 2) }] }));
    if (event === 'tool_result') last((turn) => ({ ...turn, calls: turn.calls?.map((call) => (call.id === data.id ? { ...call, text: data.text } : call)) }));
    if (event === 'error') last((turn) => ({ ...turn, error: data.detail }));
    if (event === 'done') { last((turn) => ({ ...turn, usage: data.usage })); lookForLearned(data.session_id); }
  };
  const send = async (event) => {
    event.preventDefault();
    const message = typed.trim();
    if (!message || control) return;
    const stop = new AbortController();
    setControl(stop);
    setTyped('');
    setTurns([...turns, { role: 'user', text: message }, { role: 'assistant', text: '' }].slice(-TURNS_MAX));
    try {
      await talk(message, session, on, stop.signal);
    } catch (error) {
      if (error.status === 401) { setState({ expired: true }); setTyped(message); }
      if (!stop.signal.aborted) last((turn) => ({ ...turn, error: sentence(error) }));
    } finally {
      setControl(null);
    }
  };
  if (me && !me.chat) return html`<div class="page narrow"><${Header} title=${t('nav.chat')} /><${Empty} title=${t('chat.off')} command="OPENAI_API_KEY=sk-… recalld serve">${t('chat.off.hint')}<//></div>`;
  return html`<div class="page narrow chat"><${Header} title=${t('nav.chat')}><button type="button" class="quiet" onClick=${() => { control?.abort(); setTurns([]); setSession(null); }}>${t('chat.new')}</button><//>
    ${turns.length === 0 && html`<${Empty} title=${t('chat.empty')}>${t('chat.empty.hint')}<//>`}
    <ol class="bubbles" aria-live="polite">${turns.map((turn, index) => html`<${Turn} key=${index} turn=${turn} />`)}</ol><div ref=${end} />
    <form class="compose" onSubmit=${send}><textarea rows="2" dir="auto" value=${typed} aria-label=${t('chat.message')} placeholder=${t('chat.message')} onInput=${(event) => setTyped(event.currentTarget.value)}
      onKeyDown=${(event) => { if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event); }} />
      ${control ? html`<button type="button" onClick=${() => control.abort()}>${t('chat.stop')}</button>` : html`<button type="submit" class="primary" disabled=${!typed.trim()}>${t('chat.send')}</button>`}</form></div>`;
}
