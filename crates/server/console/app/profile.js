// Profile: the structured categories of the deployment, as forms made from their JSON Schema.

import { html, useState } from './lib.js';
import { t } from './texts.js';
import { toast, useApp } from './state.js';
import { complain, get, request, useLoad } from './api.js';
import { Age, Empty, Header, Loaded, confirmErase } from './ui.js';
import { OwnData } from './privacy.js';
import { SchemaValue, emptyOf, resolved } from './schema.js';

// Blank lines come from typing, not from meaning.
const tidied = (value) => {
  if (Array.isArray(value)) return value.map(tidied).filter((each) => each !== '');
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tidied(each)]));
  return value;
};

function Category({ category, replace, reload }) {
  const [draft, setDraft] = useState(undefined);
  const [problem, setProblem] = useState(null);
  const path = `v1/profile/${encodeURIComponent(category.name)}`;
  const value = draft ?? category.kept?.value ?? emptyOf(resolved(category.schema, category.schema, {}));
  const save = async (event) => {
    event.preventDefault();
    const tag = category.kept ? { 'If-Match': `"v${category.kept.version}"` } : { 'If-None-Match': '*' };
    try {
      const { data } = await request('PUT', path, { body: tidied(value), headers: tag });
      // The answer is what is stored now: whoever goes on at once edits that.
      replace({ ...category, kept: data });
      setDraft(undefined);
      setProblem(null);
      toast(t('saved.plain'));
    } catch (error) {
      if (error.status === 412) setProblem(t('profile.conflict'));
      else setProblem(error.message);
    }
  };
  const clear = async () => {
    const sure = await confirmErase({ title: t('profile.erase', { name: category.name }), word: t('erase.word'), children: html`<p>${t('erase.final')}</p>` });
    if (!sure) return;
    try {
      await request('DELETE', path);
      setDraft(undefined);
      reload();
    } catch (error) {
      complain(error);
    }
  };
  return html`<form class="card stack" onSubmit=${save}><div class="answer-top"><h2 dir="auto">${category.name}</h2>${category.kept && html`<${Age} at=${category.kept.updated_at} />`}</div>
    <p class="faint" dir="auto">${category.description}</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <${SchemaValue} schema=${category.schema} root=${category.schema} value=${value} change=${setDraft} title=${category.name} />
    <div class="actions">${category.kept && draft === undefined && html`<button type="button" class="danger" onClick=${clear}>${t('erase')}…</button>`}
      ${draft !== undefined && html`<button type="button" onClick=${() => { setDraft(undefined); setProblem(null); reload(); }}>${t('cancel')}</button><button type="submit" class="primary">${t('save')}</button>`}</div></form>`;
}

export function Profile() {
  const { route: { params } } = useApp();
  const profile = useLoad((signal) => get('v1/profile', {}, signal), [params.user]);
  const replace = (newer) => profile.replace({ ...profile.data, categories: profile.data.categories.map((category) => (category.name === newer.name ? newer : category)) });
  return html`<div class="page narrow"><${Header} title=${t('nav.profile')} /><p class="faint">${t('profile.about')}</p>
    <${Loaded} of=${profile}>${({ categories }) => (categories.length === 0 ? html`<${Empty} title=${t('profile.empty')}>${t('profile.empty.hint')}<//>`
      : html`<div class="stack">${categories.map((category) => html`<${Category} key=${`${params.user}/${category.name}`} category=${category} replace=${replace} reload=${profile.reload} />`)}</div>`)}<//><${OwnData} /></div>`;
}
