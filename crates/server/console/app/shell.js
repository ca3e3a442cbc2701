// The frame around every page: navigation, the user that is looked at, dialogs, notices, keys.

import { html, useEffect, useLayoutEffect, useRef, useState } from './lib.js';
import { LANGUAGES, chooseLanguage, language, t } from './texts.js';
import { number } from './format.js';
import { ask, canOpen, dropToast, go, placeOf, setState, signOut, state, undoChange, useApp } from './state.js';
import { get, useLoad } from './api.js';
import { Field } from './ui.js';
import { isBlocked, isTyping, useKeys } from './keys.js';
import { useStats } from './stats.js';
import { SignIn } from './signin.js';

// How long after `g` a letter names a page.
const LEAP_MS = 2000;

export const NAVIGATION = [
  ['memories', 'g m'], ['ask', 'g a'], ['review', 'g r'], ['conversations', 'g c'], ['document', 'g d'],
  ['profile', 'g p'], ['knowledge', 'g k'], ['activity', 'g v'], ['chat', 'g t'], ['operations', 'g o'],
];

const pagesFor = (me) => NAVIGATION.filter(([name]) => name !== 'operations' || (me && me.kind !== 'user'));

function ChooseUser({ close }) {
  const [typed, setTyped] = useState('');
  const users = useLoad((signal) => get('v1/admin/users', { limit: 50, query: typed }, signal), [typed]);
  const found = (users.data?.users ?? []).filter((user) => canOpen(user));
  return html`<form class="stack" onSubmit=${(event) => { event.preventDefault(); if (typed.trim()) close(typed.trim()); }}><h2>${t('user.choose')}</h2>
    <${Field} label=${t('user')}><input autofocus value=${typed} onInput=${(event) => setTyped(event.currentTarget.value)} /><//>
    <ul class="plain choices">${found.map((user) => html`<li key=${user.id}><button type="button" onClick=${() => close(user.id)}><span dir="auto">${user.id}</span><span class="faint">${number(user.memories)}</span></button></li>`)}</ul>
    <div class="actions"><button type="button" onClick=${() => close()}>${t('cancel')}</button><button type="submit" class="primary" disabled=${!typed.trim()}>${t('user.open')}</button></div></form>`;
}

const switchUser = async () => {
  const user = await ask((close) => html`<${ChooseUser} close=${close} />`);
  if (user) go(state.route.page === 'operations' ? 'memories' : state.route.page, { user });
};

// What stands beside the names of pages. Nothing stands for zero: it would only ask for attention.
function countsOf(stats, reviewLeft) {
  const count = (value) => (value ? number(value) : '');
  return {
    memories: count(stats.memories.current), review: count(reviewLeft ?? stats.unconfirmed), conversations: count(stats.conversations), knowledge: count(stats.knowledge),
    document: `${number(stats.document.tokens)} / ${number(stats.document.tokens_max)}`,
  };
}

function Sidebar() {
  const { me, route, reviewLeft } = useApp();
  const stats = useStats();
  const counts = stats.data ? countsOf(stats.data, reviewLeft) : {};
  const name = me?.kind === 'user' ? me.user : route.params.user;
  return html`<nav class="sidebar" aria-label=${t('nav')} id="menu">
    <a class="brand" href=${placeOf('memories')}><span class="logo" aria-hidden="true" /> recalld</a>
    ${me && (me.kind === 'user' ? html`<p class="who" dir="auto" title=${t('signed.in')}>${name}</p>` : html`<button type="button" class="who" onClick=${switchUser}><span dir="auto">${name}</span> ▾</button>`)}
    <ul>${pagesFor(me).map(([page]) => html`<li key=${page}><a href=${placeOf(page)} aria-current=${route.page === page ? 'page' : undefined}><span>${t(`nav.${page}`)}</span><span class="count">${counts[page] ?? ''}</span></a></li>`)}</ul>
    <div class="sidebar-end">
      <button type="button" class="quiet" onClick=${() => setState({ paletteOpen: true })}>${t('palette')} <kbd>Ctrl K</kbd></button>
      <button type="button" class="quiet" onClick=${() => setState({ helpOpen: true })}>${t('keys')} <kbd>?</kbd></button>
      <span class="select"><select aria-label=${t('language')} value=${language()} onChange=${(event) => { chooseLanguage(event.currentTarget.value); setState({}); }}>${Object.entries(LANGUAGES).map(([code, text]) => html`<option value=${code} selected=${code === language()}>${text}</option>`)}</select></span>
      <button type="button" class="quiet" onClick=${signOut}>${t('sign.out')}</button></div></nav>`;
}

// A modal dialog of the browser: it holds the focus, first in the field with `autofocus`, and
// Escape closes it.
function Modal({ close, children, label, isFirm }) {
  const box = useRef(null);
  // A dialog that leaves the page gives the focus back to what had it.
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return html`<dialog ref=${box} aria-label=${label} onCancel=${(event) => { event.preventDefault(); if (!isFirm) close(); }}
    onClick=${(event) => { if (event.target === box.current && !isFirm) close(); }}><div class="dialog-body">${children}</div></dialog>`;
}

const KEYS = [['/', 'search'], ['j k', 'move'], ['Enter', 'open'], ['e', 'edit'], ['n', 'add'], ['x', 'select'], ['#', 'forget'], ['z', 'undo'], ['y c d u', 'review'], ['g …', 'go'], ['Ctrl K', 'palette'], ['Esc', 'close'], ['?', 'help']];

function Help() {
  const close = () => setState({ helpOpen: false });
  return html`<${Modal} close=${close} label=${t('keys')}><h2>${t('keys')}</h2><dl class="keys">${KEYS.map(([key, name]) => html`<div key=${key}><dt>${key.split(' ').map((each) => html`<kbd key=${each}>${each}</kbd>`)}</dt><dd>${t(`key.${name}`)}</dd></div>`)}
    ${pagesFor(state.me).map(([page, keys]) => html`<div key=${page}><dt>${keys.split(' ').map((each) => html`<kbd key=${each}>${each}</kbd>`)}</dt><dd>${t(`nav.${page}`)}</dd></div>`)}</dl>
    <div class="actions"><button type="button" class="primary" onClick=${close}>${t('close')}</button></div><//>`;
}

function Palette() {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const close = () => setState({ paletteOpen: false });
  const commands = [
    ...pagesFor(state.me).map(([page]) => [t(`nav.${page}`), () => go(page)]),
    ...(state.me?.kind === 'user' ? [] : [[t('user.choose'), switchUser]]),
    [t('undo'), () => undoChange()], [t('keys'), () => setState({ helpOpen: true })], [t('sign.out'), signOut],
  ];
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter(([name]) => words.every((word) => name.toLowerCase().includes(word)));
  if (typed.trim()) found.push([t('palette.search', { what: typed }), () => go('memories', { q: typed })], [t('palette.ask', { what: typed }), () => go('ask', { q: typed })]);
  const place = Math.min(at, found.length - 1);
  const run = (command) => { close(); command?.[1](); };
  const onKeyDown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) { event.preventDefault(); setAt(Math.max(0, Math.min(found.length - 1, place + step))); }
    if (event.key === 'Enter') { event.preventDefault(); run(found[place]); }
  };
  return html`<${Modal} close=${close} label=${t('palette')}><input autofocus class="palette" value=${typed} placeholder=${t('palette.hint')} role="combobox" aria-expanded="true" aria-controls="commands" aria-label=${t('palette.hint')} aria-activedescendant=${`command-${place}`}
      onInput=${(event) => { setTyped(event.currentTarget.value); setAt(0); }} onKeyDown=${onKeyDown} />
    <ul class="plain choices" role="listbox" id="commands" aria-label=${t('palette')}>${found.map((command, index) => html`<li key=${command[0]} role="option" id=${`command-${index}`} aria-selected=${index === place} onClick=${() => run(command)} dir="auto">${command[0]}</li>`)}</ul><//>`;
}

function Toasts() {
  const { toasts } = useApp();
  return html`<div class="toasts" role="status" aria-live="polite">${toasts.map((one) => html`<div key=${one.id} class=${`toast is-${one.kind}`}><span dir="auto">${one.text}</span>
    ${one.undo && html`<button type="button" onClick=${one.undo}>${t('undo')}<kbd>z</kbd></button>`}
    <button type="button" class="quiet" aria-label=${t('dismiss')} onClick=${() => dropToast(one.id)}>×</button></div>`)}</div>`;
}

export function Shell({ pages }) {
  const { route, offline, dialog, expired, helpOpen, paletteOpen, menuOpen, me } = useApp();
  const main = useRef(null);
  const prefix = useRef(0);
  const Page = Object.hasOwn(pages, route.page) ? pages[route.page] : null;
  const letters = Object.fromEntries(pagesFor(me).map(([page, keys]) => [keys.split(' ')[1], page]));
  const user = route.params.user ?? '';
  // After `g`, the next letter names a page. The browser's own clock tells when both were pressed.
  const leap = { g: (event) => { prefix.current = event.timeStamp; }, z: () => undoChange(), '?': () => setState({ helpOpen: true }), 'ctrl+k': () => setState({ paletteOpen: true }) };
  useKeys(leap);
  useLayoutEffect(() => {
    const follow = (event) => {
      const isSoon = prefix.current && event.timeStamp - prefix.current < LEAP_MS;
      // Any other key ends it, so that a letter that is typed later leads nowhere.
      prefix.current = 0;
      if (!isSoon || !letters[event.key] || event.ctrlKey || event.metaKey || isTyping(event.target) || isBlocked()) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      go(letters[event.key]);
    };
    window.addEventListener('keydown', follow, true);
    return () => window.removeEventListener('keydown', follow, true);
  });
  // Whoever follows a link with the keyboard goes on from the title of the new page, unless the page
  // begins in a field of its own.
  useLayoutEffect(() => {
    document.title = `${t(`nav.${route.page}`)} · recalld`;
    if (main.current?.contains(document.activeElement) && isTyping(document.activeElement)) return;
    main.current?.querySelector('h1')?.focus({ preventScroll: true });
  }, [route.page, user]);
  return html`<div class=${`shell ${menuOpen ? 'is-menu-open' : ''}`}>
    <a class="skip" href="#main" onClick=${(event) => { event.preventDefault(); main.current.focus(); }}>${t('skip')}</a>
    <header class="topbar"><button type="button" class="quiet" aria-expanded=${menuOpen} aria-controls="menu" aria-label=${t('menu')} onClick=${() => setState({ menuOpen: !menuOpen })}>☰</button><span class="brand"><span class="logo" aria-hidden="true" /> recalld</span><span class="faint push">${t(`nav.${route.page}`)}</span></header>
    <${Sidebar} />
    <main ref=${main} id="main" tabindex="-1">${offline && html`<p class="banner" role="status">${t('offline')}</p>`}
      ${Page ? html`<${Page} key=${`${route.page}/${user}`} />` : html`<div class="page"><h1 tabindex="-1">${t('page.unknown')}</h1><a href=${placeOf('memories')}>${t('nav.memories')}</a></div>`}</main>
    <${Toasts} />
    ${dialog && html`<${Modal} key=${`dialog-${dialog.id}`} close=${dialog.close} label=${t('dialog')}>${dialog.content(dialog.close)}<//>`}
    ${helpOpen && html`<${Help} />`}${paletteOpen && html`<${Palette} />`}
    ${expired && html`<${Modal} key="expired" isFirm close=${() => {}} label=${t('signin.again')}><${SignIn} isAgain /><//>`}
  </div>`;
}
