// A JSON value as a tree that can be edited in place.

import { html, useState } from './lib.js';
import { t } from './texts.js';

const kindOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const EMPTY = { string: '', number: 0, boolean: false, null: null, object: {}, array: [] };

function Leaf({ value, label, change }) {
  const kind = kindOf(value);
  if (kind === 'boolean') return html`<input type="checkbox" checked=${value} aria-label=${label} onChange=${(event) => change(event.currentTarget.checked)} />`;
  if (kind === 'null') return html`<code>null</code>`;
  const read = (text) => (kind === 'number' ? Number(text) : text);
  return html`<input type=${kind === 'number' ? 'number' : 'text'} step="any" dir="auto" value=${String(value)} aria-label=${label} onChange=${(event) => change(read(event.currentTarget.value))} />`;
}

function AddEntry({ isList, names, add }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState('string');
  const submit = () => {
    if (!isList && (!name.trim() || names.includes(name))) return;
    add(name, structuredClone(EMPTY[kind]));
    setName('');
  };
  return html`<div class="tree-add">
    ${!isList && html`<input value=${name} placeholder=${t('tree.name')} aria-label=${t('tree.name')} onInput=${(event) => setName(event.currentTarget.value)}
      onKeyDown=${(event) => { if (event.key === 'Enter') { event.preventDefault(); submit(); } }} />`}
    <select value=${kind} aria-label=${t('tree.kind')} onChange=${(event) => setKind(event.currentTarget.value)}>${Object.keys(EMPTY).map((each) => html`<option value=${each}>${t(`json.${each}`)}</option>`)}</select>
    <button type="button" class="quiet" onClick=${submit}>${t('add')}</button></div>`;
}

export function Tree({ value, label = 'value', change, depth = 0 }) {
  const kind = kindOf(value);
  if (kind !== 'object' && kind !== 'array') return html`<${Leaf} value=${value} label=${label} change=${change} />`;
  const entries = Object.entries(value);
  const isList = kind === 'array';
  // Entries are defined, never assigned: a field may be called `__proto__`.
  const changed = (name, next) => change(isList ? value.with(Number(name), next) : Object.fromEntries(entries.map((entry) => (entry[0] === name ? [name, next] : entry))));
  const added = (name, next) => change(isList ? [...value, next] : Object.fromEntries([...entries, [name, next]]));
  const without = (name) => change(isList ? value.filter((_, index) => String(index) !== name) : Object.fromEntries(entries.filter(([other]) => other !== name)));
  return html`<div class="tree"><ul>${entries.map(([name, entry]) => html`<li key=${name}>
      <div class="tree-line"><span class="tree-name" dir="auto">${isList ? `${Number(name) + 1}.` : name}</span>
        ${depth < 30 && html`<${Tree} value=${entry} label=${`${label} ${name}`} depth=${depth + 1} change=${(next) => changed(name, next)} />`}
        <button type="button" class="quiet" aria-label=${t('tree.remove', { name })} onClick=${() => without(name)}>×</button></div></li>`)}</ul>
    <${AddEntry} isList=${isList} names=${entries.map(([name]) => name)} add=${added} /></div>`;
}
