// What the user has, in figures: asked for once, however many parts of the page show it.

import { useApp } from './state.js';
import { get, useLoad } from './api.js';

let shared = { name: '', answer: null };

export function useStats() {
  const { key, route, epoch, changes } = useApp();
  const name = JSON.stringify([key, route.params.user, epoch, changes.length]);
  return useLoad(() => {
    if (shared.name !== name) shared = { name, answer: get('v1/stats') };
    shared.answer.catch(() => { shared = { name: '', answer: null }; });
    return shared.answer;
  }, [name]);
}
