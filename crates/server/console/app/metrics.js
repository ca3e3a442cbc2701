// Reads the figures of /metrics and draws them.

import { html } from './lib.js';
import { t } from './texts.js';
import { number } from './format.js';
import { Bar } from './ui.js';

const SAMPLE = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

export function parseMetrics(text) {
  return text.split('\n').map((line) => SAMPLE.exec(line)).filter(Boolean).map(([, name, labels = '', value]) => ({
    name, value: Number(value), labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, key, each]) => [key, each])),
  }));
}

export const sumOf = (samples, name, fits = () => true) => samples.filter((sample) => sample.name === name && fits(sample.labels)).reduce((sum, sample) => sum + sample.value, 0);

// The time within which `share` of the requests were answered, from the buckets of a histogram.
export function quantile(buckets, share) {
  const all = buckets.at(-1)?.[1] ?? 0;
  let [below, under] = [0, 0];
  for (const [bound, count] of buckets) {
    if (all * share <= count) {
      if (!Number.isFinite(bound)) return below;
      return count === under ? bound : below + (bound - below) * ((all * share - under) / (count - under));
    }
    [below, under] = [bound, count];
  }
  return below;
}

export function routesOf(samples) {
  const routes = new Map();
  for (const { name, labels, value } of samples) {
    if (!name.startsWith('recalld_http_request')) continue;
    const key = `${labels.method} ${labels.route}`;
    if (!routes.has(key)) routes.set(key, { key, count: 0, failed: 0, buckets: new Map() });
    const route = routes.get(key);
    if (name === 'recalld_http_requests_total') {
      route.count += value;
      if (labels.status === '5xx') route.failed += value;
    }
    if (name.endsWith('_bucket')) {
      const bound = labels.le === '+Inf' ? Infinity : Number(labels.le);
      route.buckets.set(bound, (route.buckets.get(bound) ?? 0) + value);
    }
  }
  return [...routes.values()].map((route) => ({ ...route, buckets: [...route.buckets].sort(([a], [b]) => a - b) })).sort((a, b) => b.count - a.count);
}

export function milliseconds(seconds) {
  return t('unit.ms', { n: number(seconds * 1000, seconds < 0.01 ? 1 : 0) });
}

// How many requests fell into each span of time.
export function LatencyPlot({ routes }) {
  const total = new Map();
  for (const route of routes) for (const [bound, count] of route.buckets) total.set(bound, (total.get(bound) ?? 0) + count);
  const sorted = [...total].sort(([a], [b]) => a - b);
  const spans = sorted.map(([bound, count], index) => [bound, count - (sorted[index - 1]?.[1] ?? 0)]).filter(([, count]) => count > 0);
  const most = Math.max(1, ...spans.map(([, count]) => count));
  return html`<div class="plot">${spans.map(([bound, count]) => html`<${Bar} key=${bound} label=${Number.isFinite(bound) ? `≤ ${milliseconds(bound)}` : t('plot.over')} share=${count / most} value=${number(count)} />`)}</div>`;
}

// The last values of a figure as a line, with the newest as text.
export function Sparkline({ values, label, value }) {
  const most = Math.max(1, ...values);
  const points = values.map((each, index) => `${(index / Math.max(1, values.length - 1)) * 100},${28 - (each / most) * 26}`).join(' ');
  return html`<div class="spark"><span class="faint">${label}</span><strong>${value}</strong>
    <svg viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true"><polyline points=${points} fill="none" vector-effect="non-scaling-stroke" /></svg></div>`;
}
