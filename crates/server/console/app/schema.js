// Forms made from a JSON Schema. What a form cannot show is edited as a tree.

import { html } from './lib.js';
import { t } from './texts.js';
import { Tree } from './tree.js';

const DEPTH_MAX = 8;

// Follows references, and the branch of an `if` on the type that the value takes.
export function resolved(schema, root, value, depth = 0) {
  if (schema === true || schema === undefined || depth > DEPTH_MAX) return {};
  if (schema.$ref) return resolved(schema.$ref.split('/').slice(1).reduce((at, name) => at?.[name], root), root, value, depth + 1);
  if (schema.if && (schema.then || schema.else)) {
    const fits = schema.if.type === 'array' ? Array.isArray(value) : typeof value === schema.if.type;
    return resolved(fits ? schema.then : schema.else, root, value, depth + 1);
  }
  return schema;
}

// The one kind of value that a schema asks for; `any` if it allows several.
function kindOfSchema(schema) {
  if (schema.enum) return 'enum';
  if (schema.anyOf || schema.oneOf || schema.allOf) return 'any';
  const types = [schema.type].flat().filter((type) => type && type !== 'null');
  if (types.length === 1) return types[0];
  if (types.length === 0 && schema.properties) return 'object';
  return types.length === 0 && schema.items ? 'array' : 'any';
}

export function emptyOf(schema) {
  return { object: {}, array: [], boolean: false, number: 0, integer: 0 }[kindOfSchema(schema)] ?? '';
}

const titleOf = (name, schema) => schema.title ?? (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ');

function Text({ title, hint, type = 'text', value, change, schema }) {
  const read = (text) => (text === '' ? undefined : type === 'number' ? Number(text) : text);
  return html`<label class="field"><span>${title}</span><input dir="auto" type=${type} step="any" min=${schema.minimum} max=${schema.maximum} maxlength=${schema.maxLength}
    value=${value ?? ''} onInput=${(event) => change(read(event.currentTarget.value))} />${hint}</label>`;
}

function Choice({ title, hint, value, change, schema }) {
  return html`<label class="field"><span>${title}</span><select value=${value ?? ''} onChange=${(event) => change(schema.enum.find((each) => String(each) === event.currentTarget.value))}>
    <option value="">–</option>${schema.enum.map((each) => html`<option value=${String(each)} selected=${each === value}>${String(each)}</option>`)}</select>${hint}</label>`;
}

// A list of texts, one a line.
function Lines({ title, value, change, schema }) {
  const read = (text) => (text.trim() ? text.split('\n') : undefined);
  return html`<label class="field"><span>${title}</span><textarea dir="auto" rows="3" value=${(value ?? []).join('\n')} onInput=${(event) => change(read(event.currentTarget.value))} />
    <small>${schema.description ?? t('profile.lines')}</small></label>`;
}

function Entries({ schema, root, value, change, depth }) {
  const list = Array.isArray(value) ? value : [];
  const set = (index, next) => change(list.map((each, at) => (at === index ? next : each)));
  const fresh = () => change([...list, emptyOf(resolved(schema.items, root))]);
  return html`<div class="stack">${list.map((entry, index) => html`<fieldset key=${index}><legend>${index + 1}</legend>
      <${SchemaValue} schema=${schema.items} root=${root} value=${entry} change=${(next) => set(index, next)} title=${String(index + 1)} depth=${depth + 1} />
      <div class="actions"><button type="button" class="quiet danger" onClick=${() => change(list.filter((_, at) => at !== index))}>${t('tree.remove', { name: index + 1 })}</button></div></fieldset>`)}
    <div class="actions start"><button type="button" onClick=${fresh}>${t('add')}</button></div></div>`;
}

function Properties({ schema, root, value, change, depth }) {
  const object = value && typeof value === 'object' && !Array.isArray(value) ? value : {};
  const known = Object.keys(schema.properties ?? {});
  const extra = Object.fromEntries(Object.entries(object).filter(([name]) => !known.includes(name)));
  const set = (name, next) => {
    const copy = { ...object, [name]: next };
    if (next === undefined) delete copy[name];
    change(copy);
  };
  const own = () => Object.fromEntries(Object.entries(object).filter(([name]) => known.includes(name)));
  return html`<div class="stack">${known.map((name) => html`<${SchemaValue} key=${name} schema=${schema.properties[name]} root=${root} value=${object[name]} depth=${depth + 1}
      title=${`${titleOf(name, resolved(schema.properties[name], root))}${schema.required?.includes(name) ? ' *' : ''}`} change=${(next) => set(name, next)} />`)}
    ${(Object.keys(extra).length > 0 || (known.length === 0 && schema.additionalProperties !== false)) && html`<${Tree} value=${extra} label=${t('profile.extra')} change=${(next) => change({ ...own(), ...next })} />`}</div>`;
}

// One value with its title.
export function SchemaValue({ schema: raw, root, value, change, title, depth = 0 }) {
  const schema = resolved(raw, root, value);
  const kind = kindOfSchema(schema);
  const hint = schema.description && html`<small>${schema.description}</small>`;
  const simple = { title, hint, value, change, schema };
  if (kind === 'enum') return html`<${Choice} ...${simple} />`;
  if (kind === 'boolean') return html`<label class="check"><input type="checkbox" checked=${Boolean(value)} onChange=${(event) => change(event.currentTarget.checked)} /><span>${title}</span>${hint}</label>`;
  if (kind === 'number' || kind === 'integer') return html`<${Text} ...${simple} type="number" />`;
  if (kind === 'string') return html`<${Text} ...${simple} type=${schema.format === 'date' ? 'date' : 'text'} />`;
  if (kind === 'array' && kindOfSchema(resolved(schema.items, root)) === 'string') return html`<${Lines} ...${simple} />`;
  if (kind === 'any' && (value === undefined || value === null || typeof value === 'string')) return html`<${Text} ...${simple} />`;
  let inner = html`<${Tree} value=${value ?? {}} label=${title} change=${change} />`;
  if (depth < DEPTH_MAX && kind === 'object') inner = html`<${Properties} schema=${schema} root=${root} value=${value} change=${change} depth=${depth} />`;
  if (depth < DEPTH_MAX && kind === 'array') inner = html`<${Entries} schema=${schema} root=${root} value=${value} change=${change} depth=${depth} />`;
  return depth === 0 || /^\d+$/.test(title) ? inner : html`<fieldset><legend>${title}</legend>${hint}${inner}</fieldset>`;
}
