// Puts the console together.

import { html, render, useEffect, useErrorBoundary, useState } from './lib.js';
import { t } from './texts.js';
import { readLocation, setState, signOut, state, useApp } from './state.js';
import { pressed } from './keys.js';
import { SignIn, followSignInLink, signIn } from './signin.js';
import { Shell } from './shell.js';
import { Memories } from './memories.js';
import { Ask } from './asking.js';
import { Review } from './review.js';
import { Conversations } from './conversations.js';
import { MemoryDocument } from './document.js';
import { Activity } from './activity.js';
import { Profile } from './profile.js';
import { Knowledge } from './knowledge.js';
import { Operations } from './operations.js';
import { Chat } from './chat.js';
import { Consent } from './consent.js';

const PAGES = { memories: Memories, ask: Ask, review: Review, conversations: Conversations, document: MemoryDocument, activity: Activity, profile: Profile, knowledge: Knowledge, operations: Operations, chat: Chat, authorize: Consent };

function Console() {
  const { me, key } = useApp();
  const [problem, setProblem] = useState(null);
  const [isReady, setReady] = useState(false);
  const [crash, recover] = useErrorBoundary((error) => console.error(error));
  useEffect(() => {
    const begin = async () => {
      const refused = await followSignInLink();
      if (refused) setProblem(refused);
      else if (state.key && !state.me) await signIn(state.key).catch((error) => { if (error.status === 401) signOut(); else setProblem(error); });
      setReady(true);
    };
    begin();
  }, []);
  if (crash) return html`<main class="lone"><h1>${t('crash')}</h1><pre>${String(crash)}</pre><button type="button" class="primary" onClick=${recover}>${t('again')}</button></main>`;
  if (!isReady) return null;
  if (!key || !me) return html`<main class="lone"><${SignIn} problem=${problem} /></main>`;
  return html`<${Shell} pages=${PAGES} />`;
}

window.addEventListener('hashchange', async () => {
  const refused = location.hash.startsWith('#signin=') ? await followSignInLink() : readLocation();
  if (refused) setState({});
});
window.addEventListener('keydown', pressed);
window.addEventListener('offline', () => setState({ offline: true }));
render(html`<${Console} />`, document.getElementById('app'));
