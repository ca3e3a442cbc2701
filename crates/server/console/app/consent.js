// Consent: an application asks to use the memory, and the user decides.

import { html, useEffect, useState } from './lib.js';
import { t } from './texts.js';
import { go, state, useApp } from './state.js';
import { post } from './api.js';
import { Empty, Header, Problem } from './ui.js';

// What the id of a client says about it. The server checks it; this is only shown.
function clientOf(id) {
  try {
    const text = atob(id.replace(/^rc_/, '').replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0))));
  } catch {
    return null;
  }
}

// Where the answer goes, as people recognise it.
function placeOfAnswer(address) {
  try {
    const url = new URL(address);
    return ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) ? t('consent.here') : url.host || url.protocol;
  } catch {
    return address;
  }
}

export function Consent() {
  const { route: { params }, me } = useApp();
  const [error, setError] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const client = clientOf(params.client_id ?? '');
  useEffect(() => { if (!params.client_id) go('memories'); }, []);
  const decide = async (allow) => {
    setBusy(true);
    setError(null);
    try {
      const { client_id: id, redirect_uri: address, code_challenge: challenge, state: opaque, scope, resource } = params;
      const answer = await post('v1/oauth/grants', { client_id: id, redirect_uri: address, code_challenge: challenge, ...(opaque ? { state: opaque } : {}), ...(scope ? { scope } : {}), ...(resource ? { resource } : {}), allow });
      location.assign(answer.redirect_to);
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  if (!client) return html`<div class="page narrow"><${Header} title=${t('nav.authorize')} /><${Empty} title=${t('consent.unknown')}>${t('consent.unknown.hint')}<//></div>`;
  const scopes = (params.scope ?? '').split(/\s+/).filter((word) => ['read', 'write'].includes(word));
  return html`<div class="page narrow"><${Header} title=${t('nav.authorize')} />
    <section class="card consent"><p><strong dir="auto">${client.n}</strong> ${t('consent.asks', { user: me?.kind === 'user' ? me.user : state.route.params.user ?? '' })}</p>
      <ul>${(scopes.length ? scopes : ['read', 'write']).map((scope) => html`<li key=${scope}>${t(`consent.scope.${scope}`)}</li>`)}</ul>
      <p class="faint">${t('consent.goes', { place: placeOfAnswer(params.redirect_uri ?? '') })}</p>
      ${error && html`<${Problem} error=${error} />`}
      <div class="actions"><button type="button" disabled=${isBusy} onClick=${() => decide(false)}>${t('consent.refuse')}</button>
        <button type="button" class="primary" disabled=${isBusy} onClick=${() => decide(true)}>${t('consent.allow')}</button></div></section></div>`;
}
