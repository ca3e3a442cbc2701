// Ask: what a question finds and why, and what a model would be given.

import { html, useLayoutEffect, useRef, useState } from './lib.js';
import { t } from './texts.js';
import { number } from './format.js';
import { placeOf, refine, useApp } from './state.js';
import { get, post, useLoad } from './api.js';
import { Chip, Empty, Folded, Gauge, Header, Loaded, Mark, Select, Why } from './ui.js';
import { useKeys } from './keys.js';

const KINDS = ['memory', 'message', 'entity', 'profile', 'knowledge'];
const BUDGETS = { min: 50, max: 4000, step: 50, usual: 500 };

function linkOf(found) {
  if (found.memory && !found.shared) return placeOf('memories', { id: found.memory.id });
  if (found.message) return placeOf('conversations', { id: found.message.conversation, message: found.message.id });
  if (found.knowledge) return placeOf('knowledge', { id: found.knowledge.document });
  return found.profile ? placeOf('profile') : null;
}

function Answer({ found, place, isUsed }) {
  const link = linkOf(found);
  return html`<li class=${`answer ${isUsed ? '' : 'is-left-out'} ${found.weak ? 'is-weak' : ''}`}>
    <div class="answer-top"><span class="place">${number(place)}</span>${found.memory && html`<${Mark} memory=${found.memory} />`}
      <${Chip}>${t(`kind.${found.kind}`)}<//>${found.shared && html`<${Chip}>${t('shared')}<//>`}
      ${found.weak && html`<${Chip}>${t('weak')}<//>`}
      ${!isUsed && html`<${Chip} tone="tone-look">${t('left.out')}<//>`}
      <span class="score">${number(found.score, 3)}</span></div>
    <${Folded} text=${found.text} />
    ${found.explain && html`<${Why} explain=${found.explain} />`}
    ${link && html`<a href=${link}>${t('open')}</a>`}</li>`;
}

function Prompt({ user }) {
  const prompt = useLoad((signal) => get('v1/prompt', { first_message: true }, signal), [user]);
  return html`<details class="card"><summary><h2>${t('ask.prompt')}</h2></summary>
    <${Loaded} of=${prompt} rows=${3}>${(block) => html`<p class="faint">${t('ask.counts', { cl100k: number(block.tokens.cl100k_base), o200k: number(block.tokens.o200k_base), left: number(block.left_out) })}</p>
      <pre class="context" tabindex="0" dir="auto">${block.text}</pre>`}<//></details>`;
}

// The context with the budget that it keeps to: the slider may have moved on meanwhile.
async function gathered(topic, budget, signal) {
  return { ...await post('v1/context', { topic, max_tokens: budget }, signal), budget };
}

export function Ask() {
  const { route: { params } } = useApp();
  const asked = params.q ?? '';
  // What is typed belongs to the question that it began with: a new address brings its own.
  const [draft, setDraft] = useState({ of: asked, text: asked });
  const typed = draft.of === asked ? draft.text : asked;
  const [budget, setBudget] = useState(Number(params.budget) || BUDGETS.usual);
  const input = useRef(null);
  const question = asked.trim();
  useLayoutEffect(() => { if (!question) input.current?.focus(); }, []);
  useKeys({ '/': () => input.current?.focus() });
  const body = { query: question, limit: 20, explain: true, ...(params.kind ? { kinds: [params.kind] } : {}) };
  const answers = useLoad((signal) => (question ? post('v1/search', body, signal) : Promise.resolve(null)), [question, params.kind, params.user]);
  const context = useLoad((signal) => (question ? gathered(question, budget, signal) : Promise.resolve(null)), [question, budget, params.user]);
  const used = new Set(context.data?.memories ?? []);
  const isUsed = (found) => !context.data || !found.memory || used.has(found.memory.id);
  return html`<div class="page"><${Header} title=${t('nav.ask')} />
    <form class="search-line" onSubmit=${(event) => { event.preventDefault(); setDraft({ of: typed, text: typed }); refine({ q: typed }); }}>
      <input type="search" ref=${input} value=${typed} placeholder=${t('ask.hint')} aria-label=${t('ask.question')} autocomplete="off"
        onInput=${(event) => setDraft({ of: asked, text: event.currentTarget.value })} />
      <button type="submit" class="primary">${t('ask')}</button>
      <${Select} label=${t('ask.kind')} value=${params.kind} onChange=${(kind) => refine({ kind })} options=${[['', t('ask.kind.any')], ...KINDS.map((kind) => [kind, t(`kind.${kind}`)])]} /></form>
    ${!question ? html`<${Empty} title=${t('ask.empty')} command=${'recalld search "where does she like to sit" --explain'}>${t('ask.empty.hint')}<//>`
      : html`<div class="two-columns"><section aria-label=${t('ask.answers')}>
        <${Loaded} of=${answers} rows=${5}>${(found) => (!found ? null : found.results.length === 0 ? html`<${Empty} title=${t('ask.none')}>${t('ask.none.hint')}<//>`
          : html`<ol class="answers">${found.results.map((one, index) => html`<${Answer} key=${index} found=${one} place=${index + 1} isUsed=${isUsed(one)} />`)}</ol>`)}<//>
      </section><div class="stack">
        <label class="field"><span>${t('ask.budget', { n: number(budget) })}</span>
          <input type="range" min=${BUDGETS.min} max=${BUDGETS.max} step=${BUDGETS.step} value=${budget} onInput=${(event) => setBudget(Number(event.currentTarget.value))} onChange=${() => refine({ budget })} /></label>
        <section class="card"><h2>${t('ask.context')}</h2><${Loaded} of=${context} rows=${3}>${(given) => given && html`
          <${Gauge} label=${t('tokens')} value=${Math.max(given.tokens.cl100k_base, given.tokens.o200k_base)} most=${given.budget} />
          <p class="faint">${t('ask.counts', { cl100k: number(given.tokens.cl100k_base), o200k: number(given.tokens.o200k_base), left: number(given.left_out) })}</p>
          ${given.text ? html`<pre class="context" tabindex="0" dir="auto">${given.text}</pre>` : html`<p>${t('ask.context.none')}</p>`}`}<//></section>
        <${Prompt} user=${params.user} /></div></div>`}
  </div>`;
}
