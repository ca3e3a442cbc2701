// The keyboard: pages say what their keys do; keys that are typed into fields are left alone.

import { useLayoutEffect, useRef } from './lib.js';
import { state } from './state.js';

// What is bound now, outer parts of the page first.
const layers = [];
let layerCount = 0;

export const isTyping = (target) => target.closest?.('input:not([type=checkbox]):not([type=range]), textarea, select, [contenteditable]');

// Binds keys for as long as the caller is on the page, from the moment on that it is seen. The
// innermost part that binds a key has it: parts are drawn from the outside in.
export function useKeys(bindings) {
  const layer = useRef(null);
  if (!layer.current) {
    layerCount += 1;
    layer.current = { order: layerCount };
  }
  layer.current.bindings = bindings;
  useLayoutEffect(() => {
    layers.push(layer.current);
    layers.sort((a, b) => a.order - b.order);
    return () => layers.splice(layers.indexOf(layer.current), 1);
  }, []);
}

export const isBlocked = () => state.dialog || state.expired || state.paletteOpen || state.helpOpen;

export function pressed(event) {
  if (event.defaultPrevented || event.altKey || isTyping(event.target) || isBlocked()) return;
  const name = (event.ctrlKey || event.metaKey ? 'ctrl+' : '') + event.key;
  const bound = layers.findLast((layer) => Object.hasOwn(layer.bindings, name));
  if (!bound) return;
  event.preventDefault();
  bound.bindings[name](event);
}
