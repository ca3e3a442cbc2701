// The memory document: what every conversation can begin with, and how full it is.

import { html } from './lib.js';
import { t } from './texts.js';
import { number } from './format.js';
import { placeOf, useApp } from './state.js';
import { get, useLoad } from './api.js';
import { Age, Chip, Empty, Folded, Gauge, Header, Loaded } from './ui.js';

const NEXT_OUT = 3;

// When the document is full, what was forgotten leaves first, then the oldest.
function Facts({ facts, isFull }) {
  const byAge = [...facts].sort((a, b) => a.added_at.localeCompare(b.added_at));
  const inOrder = [...byAge.filter((fact) => !fact.is_active), ...byAge.filter((fact) => fact.is_active)];
  const leaving = new Set(isFull ? inOrder.slice(0, NEXT_OUT).map((fact) => fact.id) : []);
  return html`<ul class="plain facts">${byAge.toReversed().map((fact) => html`<li key=${fact.id} class=${`fact ${fact.is_active ? '' : 'is-hidden'}`}>
    <a class="fact-text" href=${placeOf('memories', { id: fact.id })} dir="auto">${fact.content}</a>
    <div class="row-second"><${Age} at=${fact.added_at} />${!fact.is_active && html`<span>${t('standing.hidden')}</span>`}${leaving.has(fact.id) && html`<${Chip} tone="tone-look">${t('document.leaving')}<//>`}
      ${fact.source_conversation_id && html`<a href=${placeOf('conversations', { id: fact.source_conversation_id, message: fact.source_message_id })}>${t('memory.conversation')}</a>`}</div></li>`)}</ul>`;
}

function Places({ places }) {
  return html`<ul class="plain facts">${places.map((place) => {
    const mentions = Object.entries(place.mentioned_in);
    return html`<li key=${place.place_id} class="fact"><strong dir="auto">${place.place_name}</strong>
      ${place.notes && html`<${Folded} text=${place.notes} />`}
      <div class="row-second"><${Age} at=${place.added_at} />${mentions.map(([id, messages]) => html`<a key=${id} href=${placeOf('conversations', { id, message: messages[0]?.[0] })}>${t('document.mentioned', { n: messages.length })}</a>`)}</div></li>`;
  })}</ul>`;
}

export function MemoryDocument() {
  const { route: { params } } = useApp();
  const document = useLoad((signal) => Promise.all([get('v1/document', {}, signal), get('v1/stats', {}, signal)]), [params.user]);
  return html`<div class="page narrow"><${Header} title=${t('nav.document')} />
    <p class="faint">${t('document.about')}</p>
    <${Loaded} of=${document}>${([one, stats]) => {
      const most = stats.document.tokens_max;
      const isFull = one.metadata.token_count > most * 0.9;
      return html`<${Gauge} label=${t('tokens')} value=${one.metadata.token_count} most=${most} />
        <p class="faint">${isFull ? t('document.full') : t('document.room', { n: number(Math.max(0, most - one.metadata.token_count)) })}</p>
        <section><h2>${t('document.facts', { n: one.metadata.total_active_facts })}</h2>
          ${one.facts.length ? html`<${Facts} facts=${one.facts} isFull=${isFull} />` : html`<${Empty} title=${t('document.empty')} command='recalld add "Prefers window seats"'>${t('document.empty.hint')}<//>`}</section>
        <section><h2>${t('document.places', { n: one.places_of_interest.length })}</h2>
          ${one.places_of_interest.length ? html`<${Places} places=${one.places_of_interest} />` : html`<p class="faint">${t('document.places.empty')}</p>`}</section>`;
    }}<//></div>`;
}
