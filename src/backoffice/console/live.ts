/**
 * Sends live data of the console as server-sent events: counts, providers, floats, alarms, tasks
 * and approvals. One poll serves all watchers, and unchanged data is not sent.
 *
 * Guarantees: the number of watchers is bounded; an ended session receives no later data; watching
 * does not keep a session alive; a watcher that reads too slowly is disconnected.
 */

import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { operationNamed } from '../operations/registry.ts';
import { type Operator, runOperation } from '../operations/run-operation.ts';
import type { Services } from '../operations/services.ts';
import { listOpen } from '../users/session-store.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { requireOpen } from './require-open.ts';

const POLL_MS = 2_000;
/** Polls between two comments, which keep proxies from closing the stream. */
const POLLS_PER_COMMENT = 10;
const WATCHERS_MAX = 300;
/** Watchers of one person. Each tab has one. */
const WATCHERS_PER_USER = 10;
const BACKLOG_BYTES_MAX = 1_048_576;

/** The operation of each event. All are open to every role. */
const sources = {
  counts: 'work.count',
  providers: 'provider.list',
  floats: 'float.list',
  alarms: 'alarm.list',
  tasks: 'task.list',
  approvals: 'approval.count',
} as const;

type Kind = keyof typeof sources;

const operator: Operator = { name: 'console', principal: 'gateway', edge: 'console', roles: ['viewer'] };

type Watcher = {
  readonly response: ServerResponse;
  readonly session: string;
  readonly user: string;
};

/** Returns the sessions that are still open. This does not count as using them. */
type ListOpen = (sessions: readonly string[]) => Promise<readonly string[]>;

class LiveEvents implements AsyncDisposable {
  readonly #services: Services;
  readonly #listOpen: ListOpen;
  readonly #watchers = new Set<Watcher>();
  readonly #last = new Map<Kind, string>();
  readonly #stopping = new AbortController();
  #id = 0;
  #polls = 0;
  #polling: Promise<void> | undefined;

  constructor(services: Services, listOpen: ListOpen) {
    this.#services = services;
    this.#listOpen = listOpen;
  }

  /** Adds a watcher. Returns false if there are too many. A closed connection is ignored. */
  watch(watcher: Watcher): boolean {
    // Its "close" event has already happened.
    if (watcher.response.closed) return true;
    const own = [...this.#watchers].filter(({ user }) => user === watcher.user);
    if (
      this.#watchers.size >= WATCHERS_MAX ||
      own.length >= WATCHERS_PER_USER ||
      this.#stopping.signal.aborted
    ) {
      return false;
    }
    this.#watchers.add(watcher);
    watcher.response.once('close', () => this.#watchers.delete(watcher));
    for (const [kind, data] of this.#last) watcher.response.write(this.#text(kind, data));
    this.#polling ??= this.#pollWhileWatched();
    return true;
  }

  async #pollWhileWatched(): Promise<void> {
    while (this.#watchers.size > 0) {
      await this.#poll();
      await sleep(POLL_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
    this.#last.clear();
    this.#polling = undefined;
  }

  async #poll(): Promise<void> {
    this.#polls += 1;
    // Without the database, open sessions are unknown and nothing is sent.
    const isKnown = await this.#dropEnded().catch(() => false);
    if (this.#polls % POLLS_PER_COMMENT === 0) this.#send(': still here\n\n');
    if (!isKnown) return;
    for (const kind of Object.keys(sources) as Kind[]) {
      // After a failure, the next poll sends the data.
      const data = await this.#read(kind).catch(() => undefined);
      if (data === undefined || data === this.#last.get(kind)) continue;
      this.#last.set(kind, data);
      this.#id += 1;
      this.#send(this.#text(kind, data));
    }
  }

  async #read(kind: Kind): Promise<string> {
    const { output } = await runOperation(this.#services, operationNamed(sources[kind]), {}, operator);
    return JSON.stringify(output);
  }

  #text(kind: Kind, data: string): string {
    return `id: ${this.#id}\nevent: ${kind}\ndata: ${data}\n\n`;
  }

  #send(text: string): void {
    for (const { response } of this.#watchers) {
      if (response.writableLength > BACKLOG_BYTES_MAX) response.destroy();
      else response.write(text);
    }
  }

  /** Disconnects ended sessions, with one query for all watchers. */
  async #dropEnded(): Promise<boolean> {
    const watched = [...this.#watchers];
    const open = new Set(await this.#listOpen([...new Set(watched.map(({ session }) => session))]));
    for (const watcher of watched) {
      if (open.has(watcher.session)) continue;
      this.#watchers.delete(watcher);
      watcher.response.end('event: signed_out\ndata: {}\n\n');
    }
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    for (const { response } of this.#watchers) response.end();
    this.#watchers.clear();
    await this.#polling;
  }
}

/** Serves the stream of the console. The portal has none. */
export function serveLive(app: FastifyInstance, { services, database, face }: ConsoleDependencies): void {
  if (face !== 'console') return;
  const live = new LiveEvents(services, (sessions) => listOpen(database, sessions));
  // The streams must end before the server waits for its connections.
  app.addHook('preClose', () => live[Symbol.asyncDispose]());
  app.get('/api/live', (request, reply) => {
    const { session, user } = requireOpen(request);
    const response = reply.raw;
    const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
    reply.hijack();
    response.writeHead(200, headers as Record<string, string>);
    response.write('retry: 3000\n\n');
    // A refused watcher retries after a minute.
    if (!live.watch({ response, session: session.id, user: user.id })) {
      response.end('retry: 60000\nevent: full\ndata: {}\n\n');
    }
  });
}
