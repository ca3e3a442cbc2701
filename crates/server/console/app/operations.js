// Operations: users, keys, requests, the store, models, and what was learned. For administrators.

import { html, useEffect, useState } from './lib.js';
import { t } from './texts.js';
import { bytes, number, percent } from './format.js';
import { canOpen, go, placeOf, useApp } from './state.js';
import { complain, get, request, useLoad } from './api.js';
import { Age, Bar, Chip, Empty, Header, Loaded, Problem } from './ui.js';
import { eraseUser, exportUser } from './privacy.js';
import { Keys } from './access_keys.js';
import { LatencyPlot, Sparkline, milliseconds, parseMetrics, quantile, routesOf, sumOf } from './metrics.js';

const POLL_MS = 5000;
const SAMPLES_MAX = 60;
function Users() {
  const [query, setQuery] = useState('');
  const users = useLoad((signal) => get('v1/admin/users', { limit: 50, query }, signal), [query]);
  const [more, setMore] = useState([]);
  useEffect(() => setMore([]), [query]);
  const last = more.at(-1) ?? users.data;
  const next = async () => {
    try {
      setMore([...more, await get('v1/admin/users', { limit: 50, query, after: last.next_page })].slice(-4));
    } catch (error) {
      complain(error);
    }
  };
  return html`<section class="card"><div class="answer-top"><h2>${t('ops.users')}</h2><input class="push short" type="search" value=${query} placeholder=${t('users.search')} aria-label=${t('users.search')} onInput=${(event) => setQuery(event.currentTarget.value)} /></div><${Loaded} of=${users}>${(first) => {
    const all = [first, ...more].flatMap((page) => page.users);
    if (all.length === 0 && query) return html`<p class="faint">${t('ask.none')}</p>`;
    if (all.length === 0) return html`<${Empty} title=${t('users.empty')} command="recalld keys create --kind user --user ana" />`;
    return html`<div class="table-box" tabindex="0" role="region" aria-label=${t('ops.users')}><table><thead><tr><th>${t('user')}</th><th class="figure">${t('nav.memories')}</th><th class="figure">${t('users.messages')}</th><th class="figure">${t('users.bytes')}</th><th>${t('users.active')}</th><th><span class="unseen">${t('actions')}</span></th></tr></thead>
      <tbody>${all.map((user) => html`<tr key=${`${user.namespace ?? ''}/${user.id}`}><td dir="auto">${!canOpen(user) ? html`${user.id} <${Chip}>${user.namespace ?? ''}<//>` : html`<a href=${placeOf('memories', { user: user.id })}>${user.id}</a>`}</td>
        <td class="figure">${number(user.memories)}</td><td class="figure">${number(user.messages)}</td><td class="figure">${bytes(user.bytes)}</td><td>${user.last_active_at ? html`<${Age} at=${user.last_active_at} />` : '–'}</td>
        <td class="row-actions">${canOpen(user) && html`<button type="button" class="quiet" onClick=${() => exportUser(user.id)}>${t('export')}</button><button type="button" class="quiet danger" onClick=${() => eraseUser(user.id, users.reload)}>${t('erase')}…</button>`}</td></tr>`)}</tbody></table></div>
      ${last?.next_page && html`<button type="button" onClick=${next}>${t('more')}</button>`}`;
  }}<//></section>`;
}

function useMetrics() {
  const [history, setHistory] = useState([]);
  const [error, setError] = useState(null);
  useEffect(() => {
    const control = new AbortController();
    const read = () => request('GET', 'metrics', { signal: control.signal }).then(({ data }) => {
      setError(null);
      setHistory((old) => [...old, { at: Date.now(), samples: parseMetrics(data) }].slice(-SAMPLES_MAX));
    }, (refused) => { if (!control.signal.aborted) setError(refused); });
    read();
    const timer = setInterval(() => { if (!document.hidden) read(); }, POLL_MS);
    return () => { clearInterval(timer); control.abort(); };
  }, []);
  return { history, error };
}

function Requests({ history }) {
  const now = history.at(-1);
  if (!now) return null;
  const routes = routesOf(now.samples);
  const counts = history.map((each) => sumOf(each.samples, 'recalld_http_requests_total'));
  const rates = counts.slice(1).map((count, index) => Math.max(0, count - counts[index]) / ((history[index + 1].at - history[index].at) / 1000));
  return html`<section class="card"><h2>${t('ops.requests')}</h2><div class="sparks">
      <${Sparkline} label=${t('ops.rate')} values=${rates} value=${t('unit.per.second', { n: number(rates.at(-1) ?? 0, 1) })} />
      <${Sparkline} label=${t('ops.total')} values=${counts} value=${number(counts.at(-1) ?? 0)} /></div>
    <h3>${t('ops.latency')}</h3><${LatencyPlot} routes=${routes} />
    <div class="table-box" tabindex="0" role="region" aria-label=${t('ops.routes')}><table><thead><tr><th>${t('ops.route')}</th><th class="figure">${t('ops.count')}</th><th class="figure">p50</th><th class="figure">p99</th><th class="figure">5xx</th></tr></thead>
      <tbody>${routes.slice(0, 20).map((route) => html`<tr key=${route.key}><td><code>${route.key}</code></td><td class="figure">${number(route.count)}</td><td class="figure">${milliseconds(quantile(route.buckets, 0.5))}</td><td class="figure">${milliseconds(quantile(route.buckets, 0.99))}</td><td class="figure">${number(route.failed)}</td></tr>`)}</tbody></table></div></section>`;
}

function Learning({ history }) {
  const now = history.at(-1);
  const outcomes = now?.samples.filter((sample) => sample.name === 'recalld_extraction_total') ?? [];
  if (!outcomes.length) return null;
  return html`<section class="card"><h2>${t('ops.learning')}</h2><dl class="figures">${outcomes.sort((a, b) => b.value - a.value).map((sample) => html`<div key=${sample.labels.outcome}><dt>${sample.labels.outcome}</dt><dd>${number(sample.value)}</dd></div>`)}</dl></section>`;
}

function Store() {
  const store = useLoad((signal) => get('v1/admin/store', {}, signal), []);
  return html`<section class="card"><h2>${t('ops.store')}</h2><${Loaded} of=${store} rows=${3}>${(one) => html`<dl class="figures">
    ${Object.entries({ [t('ops.version')]: one.version, [t('ops.embedding')]: one.embedding_model ?? t('ops.none'), [t('ops.chat')]: one.chat_model ?? t('ops.none'), ...one.figures }).map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${shownFigure(name, value)}</dd></div>`)}</dl>`}<//></section>`;
}

// Figures of the store come as text: counts, bytes and names.
function shownFigure(name, value) {
  if (!/^\d+$/.test(value)) return value;
  return name.startsWith('bytes') ? bytes(Number(value)) : number(Number(value));
}

const figureOf = (figure, show) => (figure ? `${show(figure.value)} (${show(figure.low)}–${show(figure.high)})` : '–');

// What the two arms of the rollout are compared by, with how it is written.
const ROLLOUT = [['messages', number], ['conversations', number], ['tool_share', percent], ['first_word_ms', number], ['tokens_in', number], ['tokens_out', number], ['miss_share', percent], ['follow_up_share', percent]];

// One figure of all arms as bars beside each other.
function ArmBars({ name, show, arms }) {
  const values = arms.map((arm) => (typeof arm[name] === 'number' ? { value: arm[name] } : arm[name]));
  const most = Math.max(...values.map((figure) => figure?.high ?? figure?.value ?? 0), Number.MIN_VALUE);
  return html`<div class="arms"><h3>${t(`rollout.${name}`)}</h3>${arms.map((arm, index) => html`<${Bar} key=${arm.arm} label=${arm.arm} share=${(values[index]?.value ?? 0) / most}
    value=${typeof arm[name] === 'number' ? show(arm[name]) : figureOf(arm[name], show)} />`)}</div>`;
}

function Rollout() {
  const rollout = useLoad((signal) => get('v1/admin/rollout', {}, signal), []);
  return html`<section class="card"><h2>${t('ops.rollout')}</h2><${Loaded} of=${rollout} rows=${3}>${(one) => html`<p class="faint">${t('rollout.phase', { phase: one.phase, percent: number(one.percent) })}</p>
    ${one.arms.length === 0 ? html`<p class="faint">${t('rollout.empty')}</p>` : html`<div class="plot">${ROLLOUT.map(([name, show]) => html`<${ArmBars} key=${name} name=${name} show=${show} arms=${one.arms} />`)}</div>`}`}<//></section>`;
}

function Runs() {
  const { route: { params } } = useApp();
  const runs = useLoad((signal) => get('v1/extraction/runs', { limit: 20 }, signal), [params.user]);
  return html`<section class="card"><h2>${t('ops.runs')}</h2><${Loaded} of=${runs} rows=${2}>${(one) => (one.runs.length === 0 ? html`<p class="faint">${t('runs.empty')}</p>`
    : html`<div class="table-box" tabindex="0" role="region" aria-label=${t('ops.runs')}><table><thead><tr><th>${t('runs.name')}</th><th>${t('runs.status')}</th><th>${t('runs.began')}</th><th class="figure">${t('runs.calls')}</th></tr></thead>
      <tbody>${one.runs.map((run) => html`<tr key=${run.name}><td>${run.name}</td><td>${run.status}${run.error ? html`<br /><small>${run.error}</small>` : ''}</td><td><${Age} at=${run.started_at} /></td><td class="figure">${number(run.tool_calls)}</td></tr>`)}</tbody></table></div>`)}<//></section>`;
}

export function Operations() {
  const { me } = useApp();
  const { history, error } = useMetrics();
  useEffect(() => { if (me && me.kind === 'user') go('memories'); }, [me]);
  const isAdmin = me?.kind === 'admin';
  return html`<div class="page"><${Header} title=${t('nav.operations')} />
    <div class="cards"><${Users} />${isAdmin && html`<${Keys} />`}${error && html`<${Problem} error=${error} />`}<${Requests} history=${history} />${isAdmin && html`<${Store} />`}<${Learning} history=${history} /><${Runs} />${isAdmin && html`<${Rollout} />`}</div></div>`;
}
