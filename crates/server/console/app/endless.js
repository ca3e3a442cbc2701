// A list without an end that holds a bounded number of rows in the page and of items in memory.

import { html, useEffect, useLayoutEffect, useRef, useState } from './lib.js';
import { t } from './texts.js';
import { state } from './state.js';
import { Problem, Skeleton } from './ui.js';

export const PAGE_ITEMS = 40;
const PAGES_SHOWN_MAX = 5;
const PAGES_HELD_AROUND = 6;
const MARGIN_PX = 600;
const LEAVE_MS = 160;

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

// `load(after, signal)` gives { items, next }. `needs` starts the list anew. The list is reachable
// from outside through `handle.current`: items(), change(id, how), drop(id), putBack(item),
// prepend(item).
export function Endless({ load, needs, row, empty, handle, label }) {
  const [, draw] = useState(0);
  const redraw = () => draw((count) => count + 1);
  const box = useRef(null);
  const list = useRef({ pages: [], control: null, error: null, isFirst: true, dropped: new Map(), leaving: new Set() }).current;

  const fetchPage = async (index, control) => {
    const page = list.pages[index];
    if (!page || page.isLoading) return;
    page.isLoading = true;
    try {
      const { items, next } = await load(page.after, control.signal);
      if (control.signal.aborted) return;
      page.items = items;
      if (next && index === list.pages.length - 1) list.pages.push({ after: next, items: null, height: 0 });
      list.error = null;
    } catch (error) {
      if (control.signal.aborted) return;
      list.error = error;
    } finally {
      page.isLoading = false;
    }
    redraw();
  };

  useEffect(() => {
    list.control?.abort();
    const control = new AbortController();
    list.control = control;
    // What is shown stays until the answer is there, so that nothing flickers.
    const first = { after: undefined, items: null, height: 0, isLoading: true };
    load(undefined, control.signal).then(({ items, next }) => {
      if (control.signal.aborted) return;
      first.items = items;
      first.isLoading = false;
      list.pages = next ? [first, { after: next, items: null, height: 0 }] : [first];
      list.error = null;
      list.dropped.clear();
      if (box.current && list.needs !== JSON.stringify(needs)) box.current.scrollTop = 0;
      list.needs = JSON.stringify(needs);
      list.isFirst = false;
      redraw();
    }, (error) => {
      if (control.signal.aborted) return;
      list.error = error;
      list.isFirst = false;
      redraw();
    });
    return () => control.abort();
  }, [...needs, state.epoch]);

  // Which pages are near what the reader sees.
  const near = () => {
    const top = (box.current?.scrollTop ?? 0) - MARGIN_PX;
    const bottom = top + (box.current?.clientHeight ?? 800) + 2 * MARGIN_PX;
    let [first, last, at] = [0, 0, 0];
    list.pages.forEach((page, index) => {
      const end = at + page.height;
      if (end < top) first = Math.min(index + 1, list.pages.length - 1);
      if (at <= bottom) last = index;
      at = end;
    });
    return [first, Math.min(Math.max(first, last), first + PAGES_SHOWN_MAX - 1)];
  };

  const [first, last] = near();
  useLayoutEffect(() => {
    for (const element of box.current?.querySelectorAll('[data-page]') ?? []) {
      const page = list.pages[Number(element.dataset.page)];
      if (page?.items) page.height = element.offsetHeight;
    }
    list.pages.forEach((page, index) => {
      const isNear = first <= index && index <= last;
      if (isNear && !page.items && !list.error) fetchPage(index, list.control);
      if (index < first - PAGES_HELD_AROUND || last + PAGES_HELD_AROUND < index) page.items = null;
    });
    const [wantedFirst, wantedLast] = near();
    if (wantedFirst !== first || wantedLast !== last) redraw();
  });

  if (handle) {
    const each = (how) => { list.pages.forEach((page) => { if (page.items) page.items = how(page.items); }); redraw(); };
    handle.current = {
      items: () => list.pages.flatMap((page) => page.items ?? []),
      change: (id, how) => each((items) => items.map((item) => (item.id === id ? how(item) : item))),
      drop: (id) => {
        list.pages.forEach((page) => { const at = page.items?.findIndex((item) => item.id === id) ?? -1; if (at >= 0) list.dropped.set(id, { page, at }); });
        const without = () => each((items) => items.filter((item) => item.id !== id || !list.dropped.has(id)));
        if (isCalm()) return without();
        list.leaving.add(id);
        redraw();
        setTimeout(() => { list.leaving.delete(id); without(); }, LEAVE_MS);
        return undefined;
      },
      // Puts back what was dropped, where it was. Tells whether it could.
      putBack: (item) => {
        const place = list.dropped.get(item.id);
        list.dropped.delete(item.id);
        if (!place?.page.items || !list.pages.includes(place.page)) return false;
        if (place.page.items.some((other) => other.id === item.id)) return true;
        place.page.items = place.page.items.toSpliced(place.at, 0, item);
        redraw();
        return true;
      },
      prepend: (item) => { if (list.pages[0]?.items) list.pages[0].items = [item, ...list.pages[0].items]; redraw(); },
    };
  }

  let frame = 0;
  const scrolled = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const [a, b] = near();
      if (a !== first || b !== last || !list.pages[b]?.items) redraw();
    });
  };

  if (list.isFirst) return html`<div class="endless" ref=${box}><${Skeleton} rows=${8} /></div>`;
  const isEmpty = list.pages.every((page) => page.items && page.items.length === 0);
  return html`<div class="endless" ref=${box} onScroll=${scrolled} role=${isEmpty ? undefined : 'list'} aria-label=${isEmpty ? undefined : label}>
    ${list.error && html`<${Problem} error=${list.error} retry=${() => { list.error = null; redraw(); }} />`}
    ${isEmpty && !list.error && empty}
    ${list.pages.map((page, index) => {
      if (index < first || last < index || !page.items) {
        const blank = index >= first && index <= last && !page.items && !list.error;
        return html`<${Spacer} key=${`gap-${index}`} height=${page.height || (blank ? 120 : 0)} />`;
      }
      return html`<div key=${`page-${index}`} role="presentation" data-page=${index}>${page.items.map((item) => row(item, list.leaving.has(item.id)))}</div>`;
    })}
    ${list.pages.length > 0 && !isEmpty && !list.error && list.pages.at(-1).items && html`<p class="list-end" role="presentation">${t('list.end')}</p>`}
  </div>`;
}

function Spacer({ height }) {
  const gap = useRef(null);
  useLayoutEffect(() => { gap.current.style.height = `${height}px`; }, [height]);
  return html`<div ref=${gap} role="presentation" />`;
}
