// Times, numbers and differences as a person reads them.

import { locale } from './texts.js';

const STEPS = [[60, 'second'], [60, 'minute'], [24, 'hour'], [30.4, 'day'], [12, 'month'], [Infinity, 'year']];

// How long ago, in as few characters as possible: "2 d".
export function age(moment, now = Date.now()) {
  let amount = Math.max(0, (now - new Date(moment).getTime()) / 1000);
  for (const [size, unit] of STEPS) {
    if (amount < size) {
      const format = new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: 0 });
      return format.format(Math.floor(amount));
    }
    amount /= size;
  }
  return '';
}

// The exact moment, in the reader's zone.
export function exact(moment) {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return String(moment);
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' }).format(date);
}

export function clock(moment) {
  return new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(new Date(moment));
}

export function day(moment) {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'full' }).format(new Date(moment));
}

export function number(value, digits = 0) {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value);
}

// A size as people write it: "684 kB".
export function bytes(value) {
  if (value < 1000) return `${number(value)} B`;
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  const format = new Intl.NumberFormat(locale(), { style: 'unit', unit: units[power], unitDisplay: 'short', maximumSignificantDigits: 3 });
  return format.format(value / 1000 ** power);
}

export function percent(share, digits = 1) {
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: digits }).format(share);
}

// Shortens without cutting a character of several code units in two.
export function shortened(text, most) {
  const characters = Array.from(text.slice(0, most * 4));
  return characters.length <= most && text.length <= most * 4 ? text : `${characters.slice(0, most - 1).join('')}…`;
}

const DIFF_CELLS_MAX = 1_000_000;

// The words that went and came: a list of [kind, text] with kind "same", "gone" or "new".
export function wordDiff(before, after) {
  const split = (text) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
  const [a, b] = [split(before), split(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const parts = [];
  const push = (kind, text) => {
    if (!text) return;
    const last = parts.at(-1);
    if (last && last[0] === kind) last[1] += text;
    else parts.push([kind, text]);
  };
  push('same', a.slice(0, head).join(''));
  const [left, right] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  if (left.length * right.length > DIFF_CELLS_MAX) {
    push('gone', left.join(''));
    push('new', right.join(''));
  } else {
    for (const [kind, word] of commonPath(left, right)) push(kind, word);
  }
  push('same', a.slice(a.length - tail).join(''));
  return parts;
}

// Walks the longest common subsequence of two lists of words.
function commonPath(a, b) {
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = a[i] === b[j]
        ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const path = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      path.push(['same', a[i]]);
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
      path.push(['gone', a[i]]);
      i += 1;
    } else {
      path.push(['new', b[j]]);
      j += 1;
    }
  }
  return path;
}
