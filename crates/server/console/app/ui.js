// Small pieces that several pages use.

import { html, useLayoutEffect, useRef, useState } from './lib.js';
import { t } from './texts.js';
import { age, exact, number, wordDiff } from './format.js';
import { ask, placeOf, toast } from './state.js';
import { sentence } from './api.js';

export function Age({ at }) {
  return html`<time datetime=${at} title=${exact(at)}><span aria-hidden="true">${age(at)}</span><span class="unseen">${exact(at)}</span></time>`;
}

export function Problem({ error, retry }) {
  return html`<div class="problem" role="alert">
    <p>${sentence(error)}</p>
    ${retry && html`<button type="button" onClick=${retry}>${t('again')}</button>`}
  </div>`;
}

export function Skeleton({ rows = 6 }) {
  return html`<div class="skeleton" role="status" aria-busy="true" aria-label=${t('loading')}>${Array.from({ length: rows }, () => html`<div />`)}</div>`;
}

// What a page says when there is nothing on it: what to do next, and the command for it.
export function Empty({ title, children, command }) {
  return html`<div class="empty">
    <p class="empty-title">${title}</p>
    ${children && html`<p>${children}</p>`}
    ${command && html`<${Command} text=${command} />`}
  </div>`;
}

// A command that is made to be copied.
export function Command({ text }) {
  const copy = () => navigator.clipboard?.writeText(text).then(() => toast(t('copied')), () => {});
  return html`<div class="command"><pre tabindex="0">${text}</pre>
    ${navigator.clipboard && html`<button type="button" class="quiet" aria-label=${t('copy.command')} title=${t('copy.command')} onClick=${copy}>${t('copy')}</button>`}</div>`;
}

// Who made a change. The log knows keys by their id, which says little to a reader.
export function Actor({ id }) {
  if (!/^key_\w{8,}$/.test(id ?? '')) return html`<span class="faint" dir="auto">${id}</span>`;
  return html`<span class="faint" title=${id}>${t('actor.key', { id: id.slice(-4) })}</span>`;
}

// Shows the result of useLoad: its content, or why there is none.
export function Loaded({ of, rows, children }) {
  if (of.data !== undefined) return children(of.data);
  if (of.error) return html`<${Problem} error=${of.error} retry=${of.reload} />`;
  return of.isSlow ? html`<${Skeleton} rows=${rows} />` : null;
}

const LINK = /(https?:\/\/[^\s<>"']+)/;

async function follow(link) {
  const sure = await ask((close) => html`<h2>${t('link.title')}</h2>
    <p class="breakable">${link}</p>
    <div class="actions"><button type="button" onClick=${() => close()}>${t('cancel')}</button>
      <button type="button" class="primary" onClick=${() => close(true)}>${t('link.open')}</button></div>`);
  if (sure) window.open(link, '_blank', 'noopener,noreferrer');
}

// Text as it is. Addresses open after a question; everything else is just text.
export function Plain({ text }) {
  if (!text.includes('://')) return text;
  return text.split(LINK).map((part, index) => index % 2 === 0 ? part
    : html`<button type="button" class="link" onClick=${() => follow(part)}>${part}</button>`);
}

// Text that folds after four lines.
export function Folded({ text }) {
  const [isOpen, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);
  const box = useRef(null);
  useLayoutEffect(() => {
    if (!isOpen && box.current) setLong(box.current.scrollHeight > box.current.clientHeight + 2);
  }, [text, isOpen]);
  return html`<div class="folded">
    <div ref=${box} dir="auto" class=${isOpen ? 'prose' : 'prose is-folded'}><${Plain} text=${text} /></div>
    ${(isLong || isOpen) && html`<button type="button" class="quiet" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
      ${isOpen ? t('less') : t('more')}</button>`}
  </div>`;
}

export function Diff({ before, after }) {
  return html`<p class="diff prose" dir="auto">${wordDiff(before, after).map(([kind, text]) => {
    if (kind === 'gone') return html`<del>${text}</del>`;
    return kind === 'new' ? html`<ins>${text}</ins>` : text;
  })}</p>`;
}

// A horizontal bar with its number. The width is an SVG attribute: styles are not inlined.
export function Bar({ label, share, value, tone = '' }) {
  const width = Math.max(0, Math.min(1, share || 0)) * 100;
  return html`<div class="bar">
    <span class="bar-label">${label}</span>
    <svg class=${`bar-track ${tone}`} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-back" width="100" height="8" rx="1" /><rect class="bar-fill" width=${width} height="8" rx="1" />
    </svg>
    <span class="bar-value">${value}</span>
  </div>`;
}

// Why something has its place: each way of searching as a bar, and what the result is multiplied by.
export function Why({ explain }) {
  const factors = Object.entries(explain.factors).filter(([, value]) => Math.abs(value - 1) > 0.0005);
  return html`<div class="why">
    ${explain.arms.map((arm) => html`<div key=${arm.name}>
      <${Bar} label=${t(`arm.${arm.name}`)} share=${arm.share} value=${number(arm.share, 2)} />
      <p class="faint why-line">${arm.rank ? t('why.rank', { rank: number(arm.rank) }) : t('why.unranked')} · ${t('why.score', { score: number(arm.score, 3) })} · ${t('why.weight', { weight: number(arm.weight, 2) })}</p>
    </div>`)}
    ${factors.length > 0 && html`<ul class="factors" aria-label=${t('why.factors')}>${factors.map(([name, value]) => html`<li key=${name} class="chip">${t(`factor.${name}`)} × ${number(value, 2)}</li>`)}</ul>`}
  </div>`;
}

export function Gauge({ value, most, label }) {
  const share = most ? value / most : 0;
  return html`<div class="gauge"><${Bar} label=${label} share=${share} tone=${share > 0.9 ? 'tone-look' : ''}
    value=${t('gauge', { value: number(value), most: number(most) })} /></div>`;
}

// Whether it was forgotten or has expired.
export const isHidden = (memory) => memory.standing !== 'active';

// Whether the user said it, somebody noted it, or it needs a look. Shape and word say so, not only colour.
export function standingOf(memory) {
  if (isHidden(memory)) return 'hidden';
  if (memory.confidence < 0.7 || memory.review === 'quarantined') return 'look';
  return memory.origin === 'user' ? 'said' : 'noted';
}

const SHAPES = {
  said: html`<circle cx="6" cy="6" r="4.5" fill="currentColor" />`,
  noted: html`<circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="1.6" />`,
  look: html`<path d="M6 1 L11 10.5 L1 10.5 Z" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" />`,
  hidden: html`<path d="M2 2 L10 10 M10 2 L2 10" stroke="currentColor" stroke-width="1.6" />`,
};

export function Mark({ memory }) {
  const standing = standingOf(memory);
  return html`<svg class=${`mark is-${standing}`} viewBox="0 0 12 12" role="img" aria-label=${t(`standing.${standing}`)}>${SHAPES[standing]}</svg>`;
}

export function Chip({ children, tone = '' }) {
  return html`<span class=${`chip ${tone}`}>${children}</span>`;
}

export function Field({ label, hint, children }) {
  return html`<label class="field"><span>${label}</span>${children}${hint && html`<small>${hint}</small>`}</label>`;
}

export function Select({ label, value, options, onChange }) {
  return html`<span class="select">
    <select aria-label=${label} value=${value ?? ''} onChange=${(event) => onChange(event.currentTarget.value)}>
      ${options.map(([name, text]) => html`<option value=${name} selected=${name === (value ?? '')}>${text}</option>`)}
    </select></span>`;
}

export function Header({ title, children }) {
  return html`<header class="page-header"><h1 tabindex="-1">${title}</h1><div class="page-tools">${children}</div></header>`;
}

export function MemoryLink({ memory }) {
  return html`<a class="memory-link" href=${placeOf('memories', { id: memory.id })}><${Mark} memory=${memory} /><span dir="auto">${memory.content}</span></a>`;
}

// Downloads bytes that the page already has.
export function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Asks for a word before something is gone for good.
export function confirmErase({ title, word, children }) {
  function Erase({ close }) {
    const [typed, setTyped] = useState('');
    const submit = (event) => {
      event.preventDefault();
      if (typed === word) close(true);
    };
    return html`<form onSubmit=${submit}><h2>${title}</h2>${children}
      <${Field} label=${t('erase.type', { word })}><input autofocus value=${typed} autocomplete="off" spellcheck=${false} onInput=${(event) => setTyped(event.currentTarget.value)} /><//>
      <div class="actions"><button type="button" onClick=${() => close()}>${t('cancel')}</button>
        <button type="submit" class="danger" disabled=${typed !== word}>${t('erase')}</button></div></form>`;
  }
  return ask((close) => html`<${Erase} close=${close} />`);
}
