// The client of recalld, the memory server for LLM agents.

export { type Acting, type ChatOptions, Recalld, type RecalldOptions } from './client.js';
export * from './errors.js';
export type * from './generated/types.js';
export { VERSION } from './generated/version.js';
export type { CallOptions } from './request.js';
export type { ServerSentEvent } from './sse.js';
