// Texts in the reader's language.

import { CATALOGUE } from './catalogue.js';

export const LANGUAGES = { en: 'English', zh: '中文' };
const CHOICE = 'recalld.language';

let chosen = LANGUAGES[localStorage.getItem(CHOICE)] ? localStorage.getItem(CHOICE) : (navigator.language.startsWith('zh') ? 'zh' : 'en');
document.documentElement.lang = chosen;

export const language = () => chosen;

// How the reader writes times and numbers, in the chosen language.
export const locale = () => navigator.languages.find((each) => each.startsWith(chosen)) ?? chosen;

export function chooseLanguage(code) {
  chosen = code;
  localStorage.setItem(CHOICE, code);
  document.documentElement.lang = code;
}

// Gives the text `name` with {placeholders} filled in. English chooses between "one|many" by {n}.
// A word of the server that the catalogue does not know is shown as it is.
export function t(name, values = {}) {
  const entry = CATALOGUE[name];
  if (!entry) return name.slice(name.indexOf('.') + 1).replaceAll('_', ' ');
  let text = entry[Object.keys(LANGUAGES).indexOf(chosen)];
  if (text.includes('|')) text = text.split('|')[values.n === 1 ? 0 : 1];
  return text.replace(/\{(\w+)\}/g, (_, each) => (typeof values[each] === 'number' ? values[each].toLocaleString(locale()) : String(values[each] ?? '')));
}
