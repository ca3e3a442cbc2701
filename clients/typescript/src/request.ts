// A request as plain data, before it is sent.

/** What every call takes. */
export interface CallOptions {
  /** Cancels the call. */
  signal?: AbortSignal;
  /** How long one attempt may take, instead of the client's time-out. */
  timeoutMs?: number;
}

/** Whether a request may be sent again when it is not known what became of it: `keyed` under an Idempotency-Key. */
export type Repeat = 'never' | 'safe' | 'keyed';

/** How the answer is read. */
export type Answer = 'json' | 'text' | 'bytes' | 'none';

/** A request. */
export interface Call {
  method: string;
  path: string;
  query?: object;
  body?: unknown;
  /** A body that is not JSON. */
  content?: Uint8Array;
  headers?: Record<string, string | undefined>;
  idempotencyKey?: string | undefined;
  repeat: Repeat;
  answer: Answer;
}

/** What sends requests. */
export interface Sender {
  send<T>(call: Call, options?: CallOptions): Promise<T>;
}

/** Tells whether repeating is harmless. With a precondition, a repetition would fail on its own success. */
export function mayRepeat(call: Call): boolean {
  const conditional = call.headers?.['If-Match'] !== undefined || call.headers?.['If-None-Match'] !== undefined;
  return call.repeat === 'keyed' || (call.repeat === 'safe' && !conditional);
}

/** Writes a path with its parts escaped. */
export function place(texts: TemplateStringsArray, ...parts: string[]): string {
  return texts.reduce((path, text, number) => path + encodeURIComponent(parts[number - 1] ?? '') + text);
}

/** Gives the ETag of a version, or the ETag itself. */
export function etag(version: number | string | undefined): string | undefined {
  return typeof version === 'number' ? `"v${version}"` : version;
}
