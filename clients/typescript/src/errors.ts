// What can go wrong, as types. Every error of the server has a stable `code` and often a `hint`.

import type { FieldProblem } from './generated/types.js';

/** The base of all errors of this package. */
export class RecalldError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The server could not be reached, or the connection broke. */
export class ConnectionFailed extends RecalldError {}

/** The server did not answer in time. */
export class TimedOut extends ConnectionFailed {}

/** The server refused the request or failed. */
export class ApiError extends RecalldError {
  /** The HTTP status. */
  readonly status: number;
  /** The stable word for a program, such as `secret_refused`. */
  readonly code: string;
  readonly title: string;
  /** What is wrong this time. */
  readonly detail: string;
  /** What to do about it. */
  readonly hint: string | undefined;
  /** Where in the request it is wrong. */
  readonly errors: FieldProblem[];
  /** How long the server asks to wait. */
  readonly retryAfterS: number | undefined;
  /** With `outcome_unknown`: ask `client.requestOutcome(key)` later. */
  readonly idempotencyKey: string | undefined;

  constructor(status: number, problem: Record<string, unknown>, headers: Headers) {
    const text = (name: string) => (typeof problem[name] === 'string' ? problem[name] : undefined);
    const title = text('title') ?? `HTTP ${status}`;
    const detail = text('detail') ?? title;
    const code = text('code') ?? 'unknown';
    const hint = text('hint');
    super(`${detail}${hint ? ` (hint: ${hint})` : ''} [${status} ${code}]`);
    this.status = status;
    this.code = code;
    this.title = title;
    this.detail = detail;
    this.hint = hint;
    this.errors = Array.isArray(problem['errors']) ? (problem['errors'] as FieldProblem[]) : [];
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    this.retryAfterS = Number.isFinite(seconds) ? seconds : undefined;
    this.idempotencyKey = headers.get('idempotency-key') ?? undefined;
  }
}

/** The request is not valid; `errors` says where. */
export class InvalidRequest extends ApiError {}
/** The key is missing, wrong or revoked. */
export class Unauthenticated extends ApiError {}
/** The key may not do that. */
export class Forbidden extends ApiError {}
/** There is no such thing for this user. */
export class NotFound extends ApiError {}
/** It collides with what is there; for a memory, its key holds a different statement. */
export class Conflict extends ApiError {}
/** It has changed since it was read. */
export class Stale extends ApiError {}
/** The text contains a secret, which is not stored. */
export class SecretRefused extends ApiError {}
/** Too many requests. */
export class RateLimited extends ApiError {}
/** The server failed. */
export class ServerError extends ApiError {}
/** The server, its storage or its model cannot be used now. */
export class Unavailable extends ServerError {}
/** The write goes on, and its outcome is not known yet. */
export class OutcomeUnknown extends ServerError {}

const BY_CODE: Record<string, typeof ApiError> = { secret_refused: SecretRefused, outcome_unknown: OutcomeUnknown };
const BY_STATUS: Record<number, typeof ApiError> = {
  401: Unauthenticated,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  412: Stale,
  429: RateLimited,
  503: Unavailable,
};

/** Reads the error of an answer, whatever its body is. */
export function errorFrom(status: number, headers: Headers, text: string): ApiError {
  let problem: Record<string, unknown> = { detail: text.slice(0, 500) };
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null) problem = read as Record<string, unknown>;
  } catch {
    // A proxy in front of the server may answer with anything.
  }
  const usual = status >= 500 ? ServerError : InvalidRequest;
  const kind = BY_CODE[String(problem['code'])] ?? BY_STATUS[status] ?? usual;
  return new kind(status, problem, headers);
}
