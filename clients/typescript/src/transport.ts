// Sends requests with fetch, and again where that is harmless.

import { ApiError, ConnectionFailed, TimedOut, errorFrom } from './errors.js';
import { VERSION } from './generated/version.js';
import { type Call, type CallOptions, type Sender, mayRepeat } from './request.js';
import { type ServerSentEvent, events } from './sse.js';

const PAUSE_MS_MAX = 30_000;

/** With these the server says that it did not do what was asked. */
const NOT_DONE = new Set(['rate_limited', 'busy', 'timeout', 'model_unavailable']);

/** Where requests go, and as whom. */
export interface Settings {
  url: string;
  key: string;
  timeoutMs: number;
  retries: number;
  headers: Record<string, string>;
  fetch: typeof fetch;
}

/** Sends requests to one server as one caller. */
export class Transport implements Sender {
  readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  async send<T>(call: Call, options: CallOptions = {}): Promise<T> {
    const key = call.repeat === 'keyed' ? (call.idempotencyKey ?? crypto.randomUUID()) : undefined;
    options.signal?.throwIfAborted();
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt > this.settings.retries;
      let pauseMs: number;
      try {
        const response = await this.ask(call, key, options);
        return (await read(call, response)) as T;
      } catch (error) {
        options.signal?.throwIfAborted();
        if (last || !isWorthRepeating(call, error)) throw error;
        pauseMs = pause(attempt, error instanceof ApiError ? error.retryAfterS : undefined);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      options.signal?.throwIfAborted();
    }
  }

  /** Reads a stream of events. It is not repeated: the caller decides how to go on. */
  async *stream(call: Call, options: CallOptions = {}): AsyncGenerator<ServerSentEvent<any>> {
    const response = await this.ask(call, undefined, { ...options, timeoutMs: 0 });
    if (!response.ok) throw errorFrom(response.status, response.headers, await response.text());
    if (response.body === null) return;
    try {
      yield* events(response.body);
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error instanceof SyntaxError ? error : new ConnectionFailed('the stream broke off', { cause: error });
    }
  }

  private async ask(call: Call, key: string | undefined, options: CallOptions): Promise<Response> {
    const url = new URL(this.settings.url + call.path);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const timeoutMs = options.timeoutMs ?? this.settings.timeoutMs;
    const signals = [options.signal, timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined];
    const signal = AbortSignal.any(signals.filter((each) => each !== undefined));
    const json = call.body === undefined ? undefined : JSON.stringify(call.body);
    const headers = new Headers({ 'User-Agent': `recalld-typescript/${VERSION}`, ...this.settings.headers });
    if (json !== undefined) headers.set('Content-Type', 'application/json');
    for (const [name, value] of Object.entries({ ...call.headers, 'Idempotency-Key': key })) {
      if (value !== undefined) headers.set(name, value);
    }
    headers.set('Authorization', `Bearer ${this.settings.key}`);
    const body = (json ?? call.content ?? null) as BodyInit | null;
    try {
      return await this.settings.fetch(url, { method: call.method, headers, body, signal });
    } catch (error) {
      options.signal?.throwIfAborted();
      throw typed(error, timeoutMs);
    }
  }
}

async function read(call: Call, response: Response): Promise<unknown> {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw typed(error, 0);
  }
  const text = () => new TextDecoder().decode(bytes);
  if (!response.ok) throw errorFrom(response.status, response.headers, text());
  switch (call.answer) {
    case 'json':
      return JSON.parse(text());
    case 'text':
      return text();
    case 'bytes':
      return bytes;
    case 'none':
      return undefined;
  }
}

function typed(error: unknown, timeoutMs: number): ConnectionFailed {
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
  if (isTimeout) return new TimedOut(`no answer within ${timeoutMs} ms`, { cause: error });
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return new ConnectionFailed(cause instanceof Error ? cause.message || cause.name : String(cause), { cause: error });
}

function isWorthRepeating(call: Call, error: unknown): boolean {
  if (error instanceof ConnectionFailed) return neverSent(error) || mayRepeat(call);
  if (!(error instanceof ApiError) || error.code === 'model_failed') return false;
  if (NOT_DONE.has(error.code) || (error.code === 'unknown' && error.status === 503)) return true;
  const unknown = [502, 504].includes(error.status) || ['overdue', 'storage_unavailable'].includes(error.code);
  return unknown && mayRepeat(call);
}

/** Node says so by the code of the cause. */
function neverSent(error: ConnectionFailed): boolean {
  const cause = error.cause instanceof Error ? error.cause.cause : undefined;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(String(code));
}

function pause(attempt: number, askedS: number | undefined): number {
  const usual = 250 * 2 ** attempt * (0.5 + Math.random() / 2);
  return Math.min(Math.max((askedS ?? 0) * 1000, usual), PAUSE_MS_MAX);
}
