// A server with a scripted model, for the tests of one file. `RECALLD_BIN` names the binary; Python runs the stage.

import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { Recalld } from '@recalld/client';

export class Stage {
  readonly url: string;
  readonly modelUrl: string;
  private readonly admin: Recalld;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, told: { url: string; admin: string; model_url: string }) {
    this.child = child;
    this.url = told.url;
    this.modelUrl = told.model_url;
    this.admin = new Recalld({ url: told.url, key: told.admin });
  }

  static async start(): Promise<Stage> {
    const script = new URL('../../testing/stage.py', import.meta.url).pathname;
    const child = spawn(process.env['RECALLD_PYTHON'] ?? 'python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', resolve);
      child.once('exit', (code) => reject(new Error(`the stage ended with ${code}`)));
    });
    return new Stage(child, JSON.parse(line));
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.end();
    await gone;
  }

  /** A key, of a new user if none is named. */
  async key(kind: 'user' | 'service' = 'user'): Promise<string> {
    const user = `user-${crypto.randomUUID().slice(0, 12)}`;
    return (await this.admin.admin.createKey(kind === 'user' ? { kind, user } : { kind })).key;
  }

  /** A client of a new user. */
  async client(url = this.url): Promise<Recalld> {
    return new Recalld({ url, key: await this.key() });
  }
}

/** A proxy that sends requests on and breaks the connection instead of answering the first `losses` of them. */
export async function breakingProxy(target: string, losses: number) {
  const keys: (string | undefined)[] = [];
  const server = createServer(async (asked, answer) => {
    const parts: Buffer[] = [];
    for await (const part of asked) parts.push(part as Buffer);
    keys.push(asked.headers['idempotency-key'] as string | undefined);
    const { host, connection, 'content-length': length, ...headers } = asked.headers;
    const body = parts.length ? Buffer.concat(parts) : null;
    const got = await fetch(target + asked.url, { method: asked.method!, headers: headers as Record<string, string>, body });
    const content = Buffer.from(await got.arrayBuffer());
    if (keys.length <= losses) {
      asked.socket.destroy();
      return;
    }
    answer.writeHead(got.status, { 'Content-Type': got.headers.get('content-type') ?? 'application/json' });
    answer.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, keys, stop: () => server.close() };
}
