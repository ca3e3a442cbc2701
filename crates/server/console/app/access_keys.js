// The keys of the deployment: made, shown once, replaced and revoked.

import { html, useState } from './lib.js';
import { t } from './texts.js';
import { exact } from './format.js';
import { ask, toast } from './state.js';
import { complain, get, post, remove, useLoad } from './api.js';
import { Age, Chip, Field, Loaded, Problem } from './ui.js';

const DAY_MS = 86_400_000;
const inDays = (days) => new Date(Date.now() + Number(days) * DAY_MS).toISOString();
const isRestricted = (key) => key.scopes.join(' ') !== 'read write';

// Why a key is refused, as the name of a text; nothing if it is accepted.
function endOf(key) {
  if (key.revoked_at) return 'keys.revoked';
  return key.expires_at && new Date(key.expires_at) <= new Date() ? 'keys.expired' : '';
}

function NewKey({ close }) {
  const [fields, setFields] = useState({ kind: 'user', user: '', name: '', access: '', days: '' });
  const [error, setError] = useState(null);
  const set = (name) => (event) => setFields({ ...fields, [name]: event.currentTarget.value });
  const submit = async (event) => {
    event.preventDefault();
    const body = {
      kind: fields.kind, ...(fields.name ? { name: fields.name } : {}), ...(fields.kind === 'user' ? { user: fields.user } : {}),
      ...(fields.access ? { scopes: [fields.access] } : {}), ...(fields.days ? { expires_at: inDays(fields.days) } : {}),
    };
    try {
      close(await post('v1/admin/keys', body));
    } catch (refused) {
      setError(refused);
    }
  };
  return html`<form class="stack" onSubmit=${submit}><h2>${t('keys.new')}</h2>${error && html`<${Problem} error=${error} />`}
    <${Field} label=${t('keys.kind')} hint=${t(`keys.kind.${fields.kind}`)}><select value=${fields.kind} onChange=${set('kind')}>${['user', 'service', 'admin'].map((kind) => html`<option value=${kind}>${kind}</option>`)}</select><//>
    ${fields.kind === 'user' && html`<${Field} label=${t('user')}><input required maxlength="256" value=${fields.user} onInput=${set('user')} /><//>`}
    <div class="columns"><${Field} label=${t('keys.access')}><select value=${fields.access} onChange=${set('access')}>${['', 'read', 'write'].map((access) => html`<option value=${access}>${t(`keys.access.${access || 'all'}`)}</option>`)}</select><//>
      <${Field} label=${t('keys.expires')}><select value=${fields.days} onChange=${set('days')}>${['', '7', '30', '90', '365'].map((days) => html`<option value=${days}>${days ? t('keys.days', { n: Number(days) }) : t('keys.never')}</option>`)}</select><//></div>
    <${Field} label=${t('keys.name')}><input maxlength="128" value=${fields.name} onInput=${set('name')} /><//>
    <div class="actions"><button type="button" onClick=${() => close()}>${t('cancel')}</button><button type="submit" class="primary">${t('keys.make')}</button></div></form>`;
}

export function Keys() {
  const keys = useLoad((signal) => get('v1/admin/keys', {}, signal), []);
  const make = async () => {
    const made = await ask((close) => html`<${NewKey} close=${close} />`);
    if (made) await showOnce(made);
  };
  const showOnce = async (made) => {
    keys.reload();
    await ask((close) => html`<h2>${t('keys.made')}</h2><p>${t('keys.once')}</p><pre tabindex="0" class="breakable">${made.key}</pre>
      <div class="actions"><button type="button" onClick=${() => navigator.clipboard?.writeText(made.key).then(() => toast(t('copied')), complain)}>${t('copy')}</button><button type="button" class="primary" onClick=${() => close()}>${t('close')}</button></div>`);
  };
  const rotate = async (key) => {
    const sure = await ask((close) => html`<h2>${t('keys.rotate.title')}</h2><p dir="auto">${key.name ?? key.id}</p><p>${t('keys.rotate.hint')}</p>
      <div class="actions"><button type="button" onClick=${() => close()}>${t('cancel')}</button><button type="button" class="primary" onClick=${() => close(true)}>${t('keys.rotate')}</button></div>`);
    if (!sure) return;
    try {
      await showOnce(await post(`v1/admin/keys/${encodeURIComponent(key.id)}/rotate`, {}));
    } catch (error) {
      complain(error);
    }
  };
  const revoke = async (key) => {
    const sure = await ask((close) => html`<h2>${t('keys.revoke.title')}</h2><p dir="auto">${key.name ?? key.id}</p><p>${t('keys.revoke.hint')}</p>
      <div class="actions"><button type="button" onClick=${() => close()}>${t('cancel')}</button><button type="button" class="danger" onClick=${() => close(true)}>${t('keys.revoke')}</button></div>`);
    if (!sure) return;
    try {
      await remove(`v1/admin/keys/${encodeURIComponent(key.id)}`);
      keys.reload();
    } catch (error) {
      complain(error);
    }
  };
  return html`<section class="card"><div class="answer-top"><h2>${t('ops.keys')}</h2><button type="button" class="push" onClick=${make}>${t('keys.new')}</button></div>
    <${Loaded} of=${keys}>${(listed) => html`<div class="table-box" tabindex="0" role="region" aria-label=${t('ops.keys')}><table><thead><tr><th>${t('keys.name')}</th><th>${t('keys.kind')}</th><th>${t('keys.used')}</th><th>${t('keys.expires')}</th><th><span class="unseen">${t('actions')}</span></th></tr></thead>
      <tbody>${listed.keys.toReversed().slice(0, 200).map((key) => html`<tr key=${key.id} class=${endOf(key) ? 'is-hidden' : ''}><td dir="auto">${key.name ?? key.id}</td><td dir="auto">${key.kind}${key.user ? ` · ${key.user}` : ''}${key.namespace ? ` · ${key.namespace}` : ''}${isRestricted(key) ? html` <${Chip}>${key.scopes.join(' ')}<//>` : ''}</td>
        <td>${key.last_used_at ? html`<${Age} at=${key.last_used_at} />` : t('keys.unused')}</td><td>${key.expires_at ? html`<time datetime=${key.expires_at}>${exact(key.expires_at)}</time>` : t('keys.never')}</td><td class="row-actions">${endOf(key) ? t(endOf(key)) : html`<button type="button" class="quiet" onClick=${() => rotate(key)}>${t('keys.rotate')}…</button><button type="button" class="quiet danger" onClick=${() => revoke(key)}>${t('keys.revoke')}…</button>`}</td></tr>`)}</tbody></table></div>`}<//></section>`;
}

