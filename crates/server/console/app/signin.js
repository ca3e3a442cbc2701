// Signing in: with a key or token, or with a link that works once.

import { html, useLayoutEffect, useRef, useState } from './lib.js';
import { t } from './texts.js';
import { canOpen, keepKey, placeOf, readLocation, refreshAll, setState, state } from './state.js';
import { request, sentence } from './api.js';

// Whoever acts for users begins with one of them: `local` if it is there, else the first.
async function firstUser(key, me) {
  const { data } = await request('GET', 'v1/admin/users', { query: { limit: 50 }, key, quiet: true });
  const ids = data.users.filter((user) => canOpen(user, me)).map((user) => user.id);
  return ids.includes('local') ? 'local' : ids[0] ?? 'local';
}

// Checks a key, and keeps it in this tab if it is good.
export async function signIn(key) {
  const { data: me } = await request('GET', 'v1/me', { key, quiet: true });
  const isSame = state.me && state.me.kind === me.kind && state.me.user === me.user;
  if (me.kind !== 'user' && !state.route.params.user) {
    const user = await firstUser(key, me);
    history.replaceState(null, '', placeOf(state.route.page, { ...state.route.params, user }));
    readLocation();
  }
  keepKey(key);
  setState({ me, expired: false });
  if (isSame) refreshAll();
}

const CODE = /^#signin=([\w-]+)$/;

// Follows `/#signin=CODE`. The code leaves the address at once, whatever becomes of it.
export async function followSignInLink() {
  const code = CODE.exec(location.hash)?.[1];
  if (!code) return null;
  history.replaceState(null, '', '#/');
  readLocation();
  try {
    const { data } = await request('POST', 'v1/sign-in', { body: { code }, key: '', quiet: true });
    await signIn(data.key);
    return null;
  } catch (error) {
    return error;
  }
}

export function SignIn({ isAgain, problem }) {
  const [key, setKey] = useState('');
  const [error, setError] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const input = useRef(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await signIn(key.trim());
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return html`<form class="signin stack" onSubmit=${submit}>
    ${isAgain ? html`<h2>${t('signin.again')}</h2>` : html`<h1><span class="logo" aria-hidden="true" /> recalld</h1>`}
    <p>${isAgain ? t('signin.again.hint') : t('signin.hint')}</p>
    ${(error ?? problem) && html`<p class="problem" role="alert">${sentence(error ?? problem)}</p>`}
    <label class="field"><span>${t('signin.key')}</span><input ref=${input} autofocus type="password" autocomplete="off" spellcheck=${false} required value=${key} placeholder="rk_…" onInput=${(event) => setKey(event.currentTarget.value)} /></label>
    <button type="submit" class="primary" disabled=${isBusy || !key.trim()}>${t('signin')}</button>
    ${!isAgain && html`<div class="faint"><p>${t('signin.where')}</p><pre tabindex="0">recalld console</pre><p>${t('signin.other')}</p><pre tabindex="0">recalld keys create --kind user --user ana</pre></div>`}
  </form>`;
}
