/**
 * What moves on the screens of the console, as server-sent events. One look for all who watch,
 * while anybody does: counts, providers, floats, alarms, long work, approvals. What has not changed
 * is not sent.
 *
 * Guarantees: a bounded number watches; a session that has ended is told nothing of a later look,
 * and watching does not keep one alive; whoever reads too slowly is left.
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

const LOOK_MS = 2_000;
/** Proxies end what says nothing. */
const BEAT_LOOKS = 10;
const WATCHERS_MAX = 300;
/** Of one session: a tab has one. */
const OWN_MAX = 10;
const BACKLOG_BYTES_MAX = 1_048_576;

/** What each event has: what the operation answers, which is open to every role. */
const questions = {
  counts: 'work.count',
  providers: 'provider.list',
  floats: 'float.list',
  alarms: 'alarm.list',
  tasks: 'task.list',
  approvals: 'approval.count',
} as const;

type Kind = keyof typeof questions;

const looker: Operator = { name: 'console', principal: 'gateway', edge: 'console', roles: ['viewer'] };

type Watcher = {
  readonly response: ServerResponse;
  readonly session: string;
};

/** Gives those of the sessions that are open still. It does not count as their use. */
type ListOpen = (sessions: readonly string[]) => Promise<readonly string[]>;

class LiveEvents implements AsyncDisposable {
  readonly #services: Services;
  readonly #listOpen: ListOpen;
  readonly #watchers = new Set<Watcher>();
  readonly #last = new Map<Kind, string>();
  readonly #stopping = new AbortController();
  #id = 0;
  #looks = 0;
  #looking: Promise<void> | undefined;

  constructor(services: Services, listOpen: ListOpen) {
    this.#services = services;
    this.#listOpen = listOpen;
  }

  /** False where too many watch. Whoever has hung up by now is no watcher, and not told so. */
  watch(watcher: Watcher): boolean {
    // Its "close" is over and would not come again.
    if (watcher.response.closed) return true;
    const own = [...this.#watchers].filter(({ session }) => session === watcher.session);
    if (this.#watchers.size >= WATCHERS_MAX || own.length >= OWN_MAX || this.#stopping.signal.aborted) {
      return false;
    }
    this.#watchers.add(watcher);
    watcher.response.once('close', () => this.#watchers.delete(watcher));
    for (const [kind, data] of this.#last) watcher.response.write(this.#text(kind, data));
    this.#looking ??= this.#lookOn();
    return true;
  }

  async #lookOn(): Promise<void> {
    while (this.#watchers.size > 0) {
      await this.#look();
      await sleep(LOOK_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
    this.#last.clear();
    this.#looking = undefined;
  }

  async #look(): Promise<void> {
    this.#looks += 1;
    // Who may be told is not known while the database stands still: then nobody is told anything.
    const isKnown = await this.#leaveEnded().catch(() => false);
    if (this.#looks % BEAT_LOOKS === 0) this.#send(': still here\n\n');
    if (!isKnown) return;
    for (const kind of Object.keys(questions) as Kind[]) {
      // A database that stands still for a moment: the next look tells.
      const data = await this.#ask(kind).catch(() => undefined);
      if (data === undefined || data === this.#last.get(kind)) continue;
      this.#last.set(kind, data);
      this.#id += 1;
      this.#send(this.#text(kind, data));
    }
  }

  async #ask(kind: Kind): Promise<string> {
    const { output } = await runOperation(this.#services, operationNamed(questions[kind]), {}, looker);
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

  /** One question for all who watch. */
  async #leaveEnded(): Promise<boolean> {
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
    await this.#looking;
  }
}

/** The stream of what moves, for the console. A merchant's people see their own on their pages. */
export function serveLive(app: FastifyInstance, { services, database, face }: ConsoleDependencies): void {
  if (face !== 'console') return;
  const live = new LiveEvents(services, (sessions) => listOpen(database, sessions));
  // Before the server waits for its connections to end.
  app.addHook('preClose', () => live[Symbol.asyncDispose]());
  app.get('/api/live', (request, reply) => {
    const { session } = requireOpen(request);
    const response = reply.raw;
    const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
    reply.hijack();
    response.writeHead(200, headers as Record<string, string>);
    response.write('retry: 3000\n\n');
    // Whoever is one too many asks again in a minute.
    if (!live.watch({ response, session: session.id })) {
      response.end('retry: 60000\nevent: full\ndata: {}\n\n');
    }
  });
}
