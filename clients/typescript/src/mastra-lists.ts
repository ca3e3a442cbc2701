// How Mastra filters, orders and pages lists. Nothing here talks to the server.

import type { MastraDBMessage } from '@mastra/core/agent';
import { type StorageListMessagesInput, filterByDateRange, storageMessageMatchesMetadataFilter, validateStorageMetadataFilter } from '@mastra/core/storage';

/** Gives the messages that a filter lets through. */
export function matching(messages: MastraDBMessage[], filter: StorageListMessagesInput['filter']): MastraDBMessage[] {
  const metadata = validateStorageMetadataFilter(filter?.metadata);
  const inRange = filterByDateRange(messages, (message) => message.createdAt, filter?.dateRange);
  return inRange.filter((message) => storageMessageMatchesMetadataFilter(message.content, metadata));
}

/** Orders by a date; what has the same date stays in its order. */
export function sorted<T extends { createdAt: Date }>(items: T[], field: 'createdAt' | 'updatedAt', direction: 'ASC' | 'DESC'): T[] {
  const time = (item: T) => (item as T & { updatedAt: Date })[field].getTime();
  const sign = direction === 'ASC' ? 1 : -1;
  return items.toSorted((a, b) => sign * (time(a) - time(b)));
}

/** Cuts a page out of a list; `perPage` false takes all. */
export function page<T>(items: T[], number: number, perPage: number | false | undefined, usual: number) {
  const size = perPage === false ? items.length : (perPage ?? usual);
  const start = perPage === false ? 0 : number * size;
  const total = size === 0 && perPage === 0 ? 0 : items.length;
  return {
    items: items.slice(start, start + size),
    total,
    page: number,
    perPage: perPage === false ? (false as const) : size,
    hasMore: size > 0 && start + size < total,
  };
}

/** Gives a message with so many before and after it. */
export function included(
  messages: MastraDBMessage[],
  wanted: { id: string; withPreviousMessages?: number; withNextMessages?: number },
): MastraDBMessage[] {
  const at = messages.findIndex((message) => message.id === wanted.id);
  if (at < 0) return [];
  return messages.slice(Math.max(0, at - (wanted.withPreviousMessages ?? 0)), at + (wanted.withNextMessages ?? 0) + 1);
}
