// The keyboard: pages say what their keys do; keys that are typed into fields are left alone.

import { useEffect } from './lib.js';
import { state } from './state.js';

const layers = [];

const isTyping = (target) => target.closest?.('input:not([type=checkbox]):not([type=range]), textarea, select, [contenteditable]');

// Binds keys for as long as the caller is on the page. The last who binds a key has it.
export function useKeys(bindings) {
  useEffect(() => {
    layers.push(bindings);
    return () => layers.splice(layers.indexOf(bindings), 1);
  });
}

export function pressed(event) {
  if (event.defaultPrevented || event.altKey || isTyping(event.target)) return;
  if (state.dialog || state.expired || state.paletteOpen || state.helpOpen) return;
  const name = (event.ctrlKey || event.metaKey ? 'ctrl+' : '') + event.key;
  const bindings = layers.findLast((layer) => layer[name]);
  if (!bindings) return;
  event.preventDefault();
  bindings[name]();
}
