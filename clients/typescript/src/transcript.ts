// Keeps a framework's own messages in a conversation of recalld.
//
// The text is the message's content, so that people and search can read it. The whole message, as the framework has
// it, travels as metadata and comes back as it was. Metadata is limited; a message that is larger is stored as the
// content itself.

import type { Recalld } from './client.js';
import { NotFound } from './errors.js';
import type { Message, MessageRole, NewMessageBody } from './generated/types.js';

const METADATA_BYTES_MAX = 15_000;
const MESSAGES_MAX = 1_000;
const PAGE = 500;

/** Wraps an original of the framework `name`. */
export function wrapped(name: string, original: unknown, role: MessageRole, text: string): NewMessageBody {
  const encoded = JSON.stringify(original);
  const small = new TextEncoder().encode(encoded).length <= METADATA_BYTES_MAX;
  return small && text.trim() !== ''
    ? { role, content: text, metadata: { [name]: original } }
    : { role, content: encoded, metadata: { [name]: 'content' } };
}

/** Gives the original, if the framework `name` wrote the message. */
export function unwrapped(name: string, stored: Message): unknown {
  const kept = (stored.metadata as Record<string, unknown> | null | undefined)?.[name];
  return kept === 'content' ? JSON.parse(stored.content) : kept;
}

/** Appends messages, in their order. */
export async function append(client: Recalld, conversation: string, messages: NewMessageBody[], extract = false): Promise<void> {
  for (let start = 0; start < messages.length; start += MESSAGES_MAX) {
    const part = messages.slice(start, start + MESSAGES_MAX);
    await client.conversations.append(conversation, { messages: part }, extract ? { extract } : {});
  }
}

/** Reads the latest messages, the oldest first; none of a conversation that does not exist. */
export async function latest(client: Recalld, conversation: string, limit = Number.POSITIVE_INFINITY): Promise<Message[]> {
  let found: Message[] = [];
  let before: number | undefined;
  try {
    while (found.length < limit) {
      const size = Math.min(PAGE, limit - found.length);
      const page = await client.conversations.messages(conversation, { limit: size, ...(before === undefined ? {} : { before }) });
      found = [...page.messages, ...found];
      before = page.next_page ?? undefined;
      if (before === undefined) break;
    }
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
  return found;
}

/** Removes a conversation, if there is one. What was learned from it stays. */
export async function erase(client: Recalld, conversation: string): Promise<void> {
  try {
    await client.conversations.erase(conversation, { keep_memories: true });
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
}

/** Gives the words of a message's content, whichever of the usual forms it has. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((part) => (typeof part === 'string' ? part : (part as { text?: unknown } | null)?.text));
  return texts.filter((text) => typeof text === 'string').join('\n');
}
