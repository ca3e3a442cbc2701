// Small JSON documents of an adapter, over the server's `/langgraph/store` routes. They are not searched by meaning.

import type { Recalld } from './client.js';

const PAGE = 100;

/** The documents of one kind. */
export class Documents<T extends object> {
  private readonly client: Recalld;
  private readonly namespace: string[];

  constructor(client: Recalld, ...namespace: string[]) {
    this.client = client;
    this.namespace = namespace;
  }

  async put(key: string, value: T): Promise<void> {
    const body = { namespace: this.namespace, key, value, index: false };
    await this.send('PUT', '/langgraph/store/items', { body, answer: 'none' });
  }

  async get(key: string): Promise<T | null> {
    const query = { namespace: this.namespace.join('.'), key };
    const item = await this.send<{ value: T } | null>('GET', '/langgraph/store/items', { query, answer: 'json' });
    return item?.value ?? null;
  }

  async delete(key: string): Promise<void> {
    await this.send('DELETE', '/langgraph/store/items', { body: { namespace: this.namespace, key }, answer: 'none' });
  }

  /** Gives all documents whose fields have these values. */
  async all(filter: Record<string, unknown> = {}): Promise<T[]> {
    const found: T[] = [];
    for (;;) {
      const body = { namespace_prefix: this.namespace, filter, limit: PAGE, offset: found.length };
      const { items } = await this.send<{ items: { value: T }[] }>('POST', '/langgraph/store/items/search', { body, answer: 'json' });
      found.push(...items.map((item) => item.value));
      if (items.length < PAGE) return found;
    }
  }

  private send<R>(method: string, path: string, rest: { query?: object; body?: unknown; answer: 'json' | 'none' }): Promise<R> {
    return this.client.transport.send<R>({ method, path, repeat: 'safe', ...rest });
  }
}
