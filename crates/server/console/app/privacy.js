// Taking a user's data away: to keep it, or for good.

import { html } from './lib.js';
import { t } from './texts.js';
import { number } from './format.js';
import { ask, signOut, state } from './state.js';
import { addressOf, complain, headerText, headersOf, request } from './api.js';
import { confirmErase, save } from './ui.js';

const asUser = (id) => ({ 'Recalld-User': headerText(id) });

// Downloads everything a user has.
export async function exportUser(id) {
  try {
    const response = await fetch(addressOf('v1/export'), { headers: { ...headersOf(), ...asUser(id) } });
    if (!response.ok) throw new Error((await response.json()).detail);
    save(`recalld-${id.replace(/[^\w.-]/g, '_')}.zip`, await response.blob());
  } catch (error) {
    complain(error);
  }
}

// Erases a user after their id was typed, and hands over the receipt.
export async function eraseUser(id, done) {
  try {
    const { data: plan } = await request('DELETE', 'v1/me', { query: { dry_run: true }, headers: asUser(id) });
    const rows = plan.erased.filter((kind) => kind.rows > 0);
    const sure = await confirmErase({
      title: t('user.erase', { id }), word: id,
      children: html`<p>${t('user.erase.goes')}</p><ul>${rows.map((kind) => html`<li key=${kind.kind}>${kind.kind}: ${number(kind.rows)}</li>`)}</ul><p>${t('erase.final')}</p>`,
    });
    if (!sure) return false;
    const { data: receipt } = await request('DELETE', 'v1/me', { headers: asUser(id) });
    done();
    await ask((close) => html`<h2>${t('receipt.title')}</h2><p>${t('receipt.hint')}</p><pre tabindex="0">${JSON.stringify(receipt, null, 2)}</pre>
      <div class="actions"><button type="button" onClick=${() => close()}>${t('close')}</button><button type="button" class="primary" onClick=${() => save('recalld-receipt.json', new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' }))}>${t('receipt.save')}</button></div>`);
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

// What a user may do with their own data. Their key goes with it.
export function OwnData() {
  const { me } = state;
  if (me?.kind !== 'user') return null;
  return html`<section class="card"><h2>${t('privacy.title')}</h2><p class="faint">${t('privacy.about')}</p>
    <div class="actions start"><button type="button" onClick=${() => exportUser(me.user)}>${t('export')}</button>
      <button type="button" class="danger" onClick=${() => eraseUser(me.user, () => {}).then((isGone) => { if (isGone) signOut(); })}>${t('privacy.erase')}…</button></div></section>`;
}
