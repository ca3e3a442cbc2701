// The client: what is generated, and by hand what streams or is not JSON.

import { ServerError } from './errors.js';
import { ClientApi, EventsApi } from './generated/api.js';
import type * as T from './generated/types.js';
import type { CallOptions } from './request.js';
import type { ServerSentEvent } from './sse.js';
import { type Settings, Transport } from './transport.js';

/** How a client is set up. `url` and `key` default to RECALLD_URL and RECALLD_KEY. */
export interface RecalldOptions {
  url?: string;
  key?: string;
  /** How long one attempt may take; 30 seconds by default. */
  timeoutMs?: number;
  /** How often a request is sent again; 2 by default. */
  retries?: number;
  fetch?: typeof fetch;
}

/** As whom, and within what, a client acts. */
export interface Acting {
  /** The user, for a service key. */
  user?: string;
  conversation?: string;
  message?: string;
  /** Memories of other projects are neither seen nor changed. */
  project?: string;
}

/** What a message is sent with. */
export interface ChatOptions extends CallOptions {
  /** The conversation; a new one if none is named. */
  sessionId?: string;
  mode?: 'task' | 'conversation';
  model?: string;
}

/** A client of one server, as one caller. */
export class Recalld extends ClientApi {
  /** Sends what has no method of its own. */
  readonly transport: Transport;

  constructor(options: RecalldOptions = {}) {
    const transport = new Transport(settings(options));
    super(transport);
    this.transport = transport;
  }

  /** Gives a client for another user (with a service key), or within a conversation or project. */
  acting({ user, conversation, message, project }: Acting): Recalld {
    const given = { 'Recalld-User': user, 'Recalld-Conversation': conversation, 'Recalld-Message': message, 'Recalld-Project': project };
    const named = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const { headers, ...rest } = this.transport.settings;
    const other = new Recalld(rest);
    Object.assign(other.transport.settings.headers, headers, Object.fromEntries(named));
    return other;
  }

  /** A conversation with a model that remembers. */
  get chat(): Chat {
    return new Chat(this.transport);
  }

  /** The log of changes. */
  override get events(): Events {
    return new Events(this.transport);
  }

  /** Imports an archive, or memories from another product. A long one gives a status to ask for again. */
  importData(
    data: Uint8Array,
    query: { from?: string; dry_run?: boolean } = {},
    options: CallOptions & { contentType?: string } = {},
  ): Promise<T.ImportReport | T.ImportStatus> {
    const isZip = data[0] === 0x50 && data[1] === 0x4b;
    const kind = options.contentType ?? (isZip ? 'application/zip' : 'application/json');
    return this.transport.send(
      {
        method: 'POST',
        path: '/v1/import',
        query,
        content: data,
        headers: { 'Content-Type': kind },
        repeat: 'never',
        answer: 'json',
      },
      options,
    );
  }
}

/** A conversation with a model that remembers. A message is never repeated by itself: a reply costs money. */
export class Chat {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Sends a message and waits for the whole reply. */
  send(message: string, options: ChatOptions = {}): Promise<T.ChatReply> {
    return this.transport.send(this.call(message, options, 'none'), options);
  }

  /** Sends a message and gives the reply as it is made: `started`, `text`, `tool_call`, `done`, … */
  async *stream(message: string, options: ChatOptions = {}): AsyncGenerator<ServerSentEvent<any>> {
    for await (const event of this.transport.stream(this.call(message, options, 'events'), options)) {
      if (event.event === 'error') {
        const problem = { code: 'model_failed', title: 'The reply failed', ...event.data };
        throw new ServerError(502, problem, new Headers());
      }
      yield event;
    }
  }

  private call(message: string, { sessionId, mode, model }: ChatOptions, stream: string) {
    const body = { message, session_id: sessionId, mode, model };
    return { method: 'POST', path: '/api/chat', query: { stream }, body, repeat: 'never', answer: 'json' } as const;
  }
}

/** The log of changes. */
export class Events extends EventsApi {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    super(transport);
    this.transport = transport;
  }

  /** Gives changes as they happen, from now on or after the event that is named. */
  follow(options: CallOptions & { lastEventId?: string } = {}): AsyncGenerator<ServerSentEvent<T.EventBody>> {
    const headers = { 'Last-Event-ID': options.lastEventId };
    const call = { method: 'GET', path: '/v1/events/stream', headers, repeat: 'never', answer: 'json' } as const;
    return this.transport.stream(call, options);
  }
}

function settings(options: RecalldOptions): Settings {
  const environment = globalThis.process?.env ?? {};
  const key = options.key ?? environment['RECALLD_KEY'];
  if (!key) throw new Error('no key: pass { key } or set RECALLD_KEY (`recalld keys create --kind user --for you -q`)');
  const url = options.url ?? environment['RECALLD_URL'] ?? 'http://127.0.0.1:7077';
  return {
    url: url.replace(/\/+$/, ''),
    key,
    timeoutMs: options.timeoutMs ?? 30_000,
    retries: options.retries ?? 2,
    headers: {},
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
  };
}
