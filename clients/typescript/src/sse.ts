// Reads server-sent events.

/** One event of a stream. */
export interface ServerSentEvent<T = unknown> {
  event: string;
  /** The JSON of the event. */
  data: T;
  id?: string;
}

/** Puts the bytes of a stream together to events. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent<any>> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = read(block);
      if (event) yield event;
    }
  }
}

function read(block: string): ServerSentEvent | undefined {
  const found: { event: string; data: string[]; id?: string } = { event: 'message', data: [] };
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') found.event = value;
    if (name === 'data') found.data.push(value);
    if (name === 'id') found.id = value;
  }
  if (found.data.length === 0) return undefined;
  const { event, id } = found;
  return { event, data: JSON.parse(found.data.join('\n')), ...(id === undefined ? {} : { id }) };
}
