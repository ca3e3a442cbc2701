// One memory: what it says, who wrote it, every version, how it is used, what is like it.

import { html, useLayoutEffect, useRef, useState } from './lib.js';
import { t } from './texts.js';
import { exact, number, percent } from './format.js';
import { placeOf, toast } from './state.js';
import { get, sentence, useLoad } from './api.js';
import { Actor, Age, Bar, Chip, Diff, Empty, Field, Folded, Loaded, Mark, MemoryLink, Problem, Why, isHidden } from './ui.js';
import { erase, forget, readMemory, restore, restoreVersion, revise, useMemoryNews } from './actions.js';
import { useKeys } from './keys.js';

// What is less alike is not worth a look.
const LIKENESS_MIN = 0.25;

// What was typed and not saved, by memory: it survives a look elsewhere.
const drafts = new Map();

function Conflict({ mine, theirs, overwrite, take }) {
  return html`<div class="conflict" role="alert">
    <p><strong>${t('conflict.title')}</strong> ${t('conflict.hint')}</p>
    <h2 class="minor">${t('conflict.theirs')}</h2><p class="prose" dir="auto">${theirs.content}</p>
    <h2 class="minor">${t('conflict.difference')}</h2><${Diff} before=${theirs.content} after=${mine} />
    <div class="actions"><button type="button" onClick=${take}>${t('conflict.take')}</button>
      <button type="button" class="primary" onClick=${overwrite}>${t('conflict.overwrite')}</button></div></div>`;
}

function Editor({ memory, etag, categories, done, reopen }) {
  const [fields, setFields] = useState(() => drafts.get(memory.id)
    ?? { content: memory.content, key: memory.key ?? '', category: memory.category, tier: memory.tier, confidence: memory.confidence, project: memory.project ?? '' });
  const [conflict, setConflict] = useState(null);
  const [error, setError] = useState(null);
  // What the edit began with: a newer version elsewhere must not be overwritten unseen.
  const base = useRef({ memory, etag });
  const input = useRef(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const change = (name, value) => { const next = { ...fields, [name]: value }; drafts.set(memory.id, next); setFields(next); };
  const finish = () => { drafts.delete(memory.id); done(); };
  // What was typed is not lost by one key: it can be had back.
  const discard = () => {
    const draft = drafts.get(memory.id);
    finish();
    if (draft && draft.content !== memory.content) toast(t('edit.discarded'), { undo: () => { drafts.set(memory.id, draft); reopen(); } });
  };
  const save = async () => {
    const { memory: old, etag: tag } = base.current;
    const edit = {};
    for (const [name, value] of Object.entries(fields)) {
      if (value !== (old[name] ?? '')) edit[name] = ['key', 'project'].includes(name) && !value.trim() ? null : value;
    }
    if (Object.keys(edit).length === 0) return finish();
    setError(null);
    try {
      const result = await revise(old, edit, tag);
      if (result.conflict) setConflict(result);
      else finish();
    } catch (refused) {
      setError(refused);
    }
    return undefined;
  };
  const overwrite = () => { base.current = { memory: conflict.conflict, etag: conflict.etag }; setConflict(null); save(); };
  const onKeyDown = (event) => {
    if (event.key === 'Escape') { event.preventDefault(); event.stopPropagation(); discard(); }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); save(); }
  };
  return html`<form class="editor stack" onKeyDown=${onKeyDown} onSubmit=${(event) => { event.preventDefault(); save(); }}>
    ${conflict && html`<${Conflict} mine=${fields.content} theirs=${conflict.conflict} overwrite=${overwrite} take=${finish} />`}
    ${error && html`<${Problem} error=${error} />`}
    <${Field} label=${t('field.content')}><textarea ref=${input} dir="auto" rows="5" maxlength="16384" required value=${fields.content} onInput=${(event) => change('content', event.currentTarget.value)} /><//>
    <div class="columns"><${Field} label=${t('field.key')}><input maxlength="128" value=${fields.key} onInput=${(event) => change('key', event.currentTarget.value)} /><//>
      <${Field} label=${t('field.category')}><input list="edit-categories" required maxlength="64" value=${fields.category} onInput=${(event) => change('category', event.currentTarget.value)} /><//></div>
    <datalist id="edit-categories">${categories.map((name) => html`<option value=${name} />`)}</datalist>
    <div class="columns"><${Field} label=${t('field.tier')}><select value=${fields.tier} onChange=${(event) => change('tier', event.currentTarget.value)}>
        ${['durable', 'daily'].map((tier) => html`<option value=${tier} selected=${tier === fields.tier}>${t(`tier.${tier}`)}</option>`)}</select><//>
      <${Field} label=${t('field.confidence')}><input type="number" min="0" max="1" step="0.05" value=${fields.confidence} onInput=${(event) => change('confidence', Number(event.currentTarget.value))} /><//></div>
    <${Field} label=${t('field.project')}><input maxlength="128" value=${fields.project} onInput=${(event) => change('project', event.currentTarget.value)} /><//>
    <div class="actions"><button type="button" onClick=${discard}>${t('cancel')}</button><button type="submit" class="primary">${t('save')}</button></div></form>`;
}

function History({ memory, versions }) {
  const newest = [...versions].reverse();
  return html`<section><h2 class="minor">${t('history')}</h2><ol class="history">${newest.map((version, index) => {
    const before = newest[index + 1];
    const isNow = index === 0;
    return html`<li key=${version.memory.version}>
      <div class="history-line"><span class="version">v${number(version.memory.version)}</span><span>${t(`act.${version.act}`)}</span><${Age} at=${version.at} />
        <${Actor} id=${version.actor} />
        ${!isNow && html`<button type="button" class="quiet" onClick=${() => restoreVersion(memory, version.memory.version)}>${t('restore')}</button>`}</div>
      ${before && before.memory.content !== version.memory.content ? html`<${Diff} before=${before.memory.content} after=${version.memory.content} />`
        : !before && html`<${Folded} text=${version.memory.content} />`}
      ${before && ['category', 'key', 'tier', 'confidence'].filter((name) => before.memory[name] !== version.memory[name])
        .map((name) => html`<p class="faint" key=${name}>${t(`field.${name}`)}: <del>${String(before.memory[name] ?? '–')}</del> <ins>${String(version.memory[name] ?? '–')}</ins></p>`)}
    </li>`;
  })}</ol></section>`;
}

function Origin({ memory }) {
  const link = memory.conversation && placeOf('conversations', { id: memory.conversation, message: memory.message });
  return html`<p class="origin"><${Mark} memory=${memory} /> ${t(`said.${memory.origin}`)}, <time datetime=${memory.learned_at}>${exact(memory.learned_at)}</time>
    ${memory.source && html`<span> · <span dir="auto">${memory.source}</span></span>`}
    ${link && html`<span> · <a href=${link}>${t('memory.conversation')}</a></span>`}</p>`;
}

function Validity({ memory }) {
  const { valid_from: from, valid_until: until, superseded_by: newer } = memory;
  if (!until && (!from || from === memory.learned_at)) return null;
  return html`<p class="faint validity">${from && t('valid.from', { day: from.slice(0, 10) })}${from && until && ' · '}${until && t('valid.until', { day: until.slice(0, 10) })}
    ${newer && html`<span> · <a href=${placeOf('memories', { id: newer })}>${t('valid.newer')}</a></span>`}</p>`;
}

function Usage({ id, version }) {
  const usage = useLoad((signal) => get(`v1/memories/${encodeURIComponent(id)}/recalls`, {}, signal), [id, version]);
  if (!usage.data) return null;
  const { times, last_on: last } = usage.data;
  return html`<p class="faint">${times ? t('recalled', { n: times, day: last }) : t('recalled.never')}</p>`;
}

function Similar({ id, version }) {
  const similar = useLoad((signal) => get(`v1/memories/${encodeURIComponent(id)}/similar`, { limit: 5 }, signal), [id, version]);
  const alike = (similar.data?.results ?? []).filter((found) => found.score >= LIKENESS_MIN);
  if (alike.length === 0) return null;
  return html`<section><h2 class="minor">${t('similar')}</h2><ul class="plain">${alike.map((found) => html`<li key=${found.memory.id}>
    <${MemoryLink} memory=${found.memory} /><${Bar} label=${t('likeness')} share=${found.score} value=${percent(found.score, 0)} /></li>`)}</ul></section>`;
}

function Rank({ why }) {
  return html`<section><h2 class="minor">${t('why.title', { place: number(why.place) })}</h2><${Why} explain=${why.explain} /></section>`;
}

export function MemoryDetail({ id, categories = [], why, hasSelection, close }) {
  const [isEditing, setEditing] = useState(drafts.has(id));
  const memory = useLoad((signal) => readMemory(id, signal), [id]);
  const version = memory.data?.data.version;
  const past = useLoad((signal) => (version ? get(`v1/memories/${encodeURIComponent(id)}/history`, {}, signal) : Promise.resolve(undefined)), [id, version]);
  useMemoryNews((changed, now) => {
    if (changed !== id) return;
    if (now) memory.reload();
    else close();
  });
  const shown = memory.data?.data;
  useKeys({
    e: () => shown && !isHidden(shown) && setEditing(true),
    // With a selection the key is for all that is selected.
    ...(hasSelection ? {} : { '#': () => shown && (isHidden(shown) ? restore(shown) : forget(shown)) }),
    Escape: close,
  });
  if (memory.error?.status === 404) {
    return html`<div class="detail"><${Empty} title=${t('memory.missing')}>${t('memory.missing.hint')}<//><div class="actions middle"><button type="button" onClick=${close}>${t('close')}</button></div></div>`;
  }
  return html`<${Loaded} of=${memory} rows=${4}>${({ data, etag }) => html`<article class="detail">
    <div class="detail-top"><button type="button" class="quiet back" onClick=${close}>← ${t('back')}</button>
      <span class="chips"><${Chip}>${data.category}<//><${Chip}>${t(`tier.${data.tier}`)}<//>${data.key && html`<${Chip}><code>${data.key}</code><//>`}
        ${data.project && html`<${Chip}><span title=${t('project')}>${data.project}</span><//>`}
        ${data.in_document && html`<${Chip}>${t('in.document')}<//>`}${isHidden(data) && html`<${Chip} tone="tone-look">${t('standing.hidden')}<//>`}</span></div>
    ${isEditing ? html`<${Editor} memory=${data} etag=${etag} categories=${categories} done=${() => setEditing(false)} reopen=${() => setEditing(true)} />`
      : html`<div class="statement"><${Folded} text=${data.content} /></div>
      <div class="actions start">
        ${isHidden(data) ? html`<button type="button" class="primary" onClick=${() => restore(data)}>${t('restore')}</button>`
          : html`<button type="button" onClick=${() => setEditing(true)}>${t('edit')}<kbd>e</kbd></button>
             <button type="button" title=${t('forget.hint')} onClick=${() => forget(data)}>${t('forget')}<kbd>#</kbd></button>`}
        <button type="button" class="danger" onClick=${() => erase(data)}>${t('erase')}…</button></div>`}
    <${Origin} memory=${data} />
    <p class="faint">${t('trust', { share: percent(data.confidence) })}${data.trust && data.trust !== data.origin ? ` · ${t('trust.lineage', { origin: t(`origin.${data.trust}`) })}` : ''}${data.expires_at ? ` · ${t('expires', { when: exact(data.expires_at) })}` : ''}</p>
    <${Validity} memory=${data} />
    <${Usage} id=${id} version=${version} />
    ${why?.explain && html`<${Rank} why=${why} />`}
    ${past.data ? html`<${History} memory=${data} versions=${past.data.versions} />` : past.error && html`<p class="faint">${sentence(past.error)}</p>`}
    <${Similar} id=${id} version=${version} />
  </article>`}<//>`;
}
