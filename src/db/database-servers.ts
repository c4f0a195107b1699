/**
 * The servers that a process may connect to, and what it has seen of them. Shared by all of its
 * pools.
 *
 * Guarantees: where several are named, or one is asked to take writes, no connection to a standby
 * is used. Once a primary was seen, none to a primary before it is: a server that was frozen or cut
 * off while another was promoted still takes itself for the primary. Connections that were open to
 * it are broken, so that nobody waits for an answer that never comes.
 */
import { chooseServer } from './choose-server.ts';
import type { Sql } from './database.ts';
import { DatabaseUnavailableError, reasonOf } from './database-errors.ts';
import { type ListedServer, readServerList, type ServerList } from './server-list.ts';
import type { ServerState } from './server-state-store.ts';

/** How long one server has to take a connection: of one alone, and of several. */
const ONE_MS = 5_000;
const EACH_MS = 2_000;

/** One server could not be connected to, or is no good. */
export class ServerRefusedError extends Error {
  override readonly name = 'ServerRefusedError';
}

/** An open connection, as far as it is looked at here. */
type Joined = { readonly timeline: number; readonly breakOff: (reason: string) => void };

export class DatabaseServers {
  readonly #list: ServerList;
  readonly #faults: { atMs: number; reason: string; lasting: boolean }[] = [];
  readonly #joined = new Set<Joined>();
  #timeline = 0;
  #onConnect: (sql: Sql) => Promise<void> = async () => undefined;

  /** Throws ServerListError. */
  constructor(url: string) {
    this.#list = readServerList(url);
  }

  /** `look` is waited for on each new connection; if it rejects, the connection is not used. */
  onConnect(look: (sql: Sql) => Promise<void>): void {
    this.#onConnect = look;
  }

  async lookAt(sql: Sql): Promise<void> {
    await this.#onConnect(sql);
  }

  /** True where it matters which server answers. */
  get isChoosy(): boolean {
    return this.#list.mustWrite;
  }

  /** How long one server has to take a connection. */
  connectTimeoutMs(usualMs: number = ONE_MS): number {
    return this.#list.connectTimeoutMs ?? (this.#list.servers.length > 1 ? EACH_MS : usualMs);
  }

  next(): ListedServer {
    const times = this.#list.servers.map((_, index) => this.#faults[index]?.atMs);
    return this.#list.servers[chooseServer(times, performance.now())] as ListedServer;
  }

  /** What makes a server no good for Oja; undefined for one that is. */
  faultOf({ isStandby, isReadOnly, timeline }: ServerState): string | undefined {
    if (!this.isChoosy) return undefined;
    if (isStandby) return 'is a standby';
    if (isReadOnly) return 'is read-only';
    if (timeline !== null && timeline < this.#timeline) return 'was the primary before another was promoted';
    return undefined;
  }

  /** A connection to a sound server stands. Gives what is to be called when it has ended. */
  join(server: ListedServer, state: ServerState, breakOff: Joined['breakOff']): () => void {
    delete this.#faults[this.#list.servers.indexOf(server)];
    if (state.timeline === null) return () => undefined;
    const joined = { timeline: state.timeline, breakOff };
    this.#joined.add(joined);
    if (state.timeline > this.#timeline) this.#turnTo(state.timeline);
    return () => this.#joined.delete(joined);
  }

  #turnTo(timeline: number): void {
    this.#timeline = timeline;
    for (const joined of [...this.#joined]) {
      if (joined.timeline < timeline) joined.breakOff('another server was promoted');
    }
  }

  /** A connection could not be had there. `lasting`: the others would say the same. */
  leave(server: ListedServer, reason: string, lasting: boolean): void {
    this.#faults[this.#list.servers.indexOf(server)] = { atMs: performance.now(), reason, lasting };
  }

  /** Connects to one server after the other. Rejects with DatabaseUnavailableError. */
  async tryEach<T>(connect: () => Promise<T>): Promise<T> {
    const startedAtMs = performance.now();
    for (;;) {
      try {
        return await connect();
      } catch (error) {
        // Other errors are not a server's, such as a pool whose connections are all in use.
        if (error instanceof ServerRefusedError && this.#isOneLeft(startedAtMs)) continue;
        const reason = this.#explain(error);
        throw new DatabaseUnavailableError(`no database connection: ${reason}`, { cause: error });
      }
    }
  }

  /** True where a server is left that was not tried since then. */
  #isOneLeft(sinceMs: number): boolean {
    const faults = this.#list.servers.map((_, index) => this.#faults[index]);
    if (faults.some((fault) => fault !== undefined && fault.atMs >= sinceMs && fault.lasting)) return false;
    return faults.some((fault) => fault === undefined || fault.atMs < sinceMs);
  }

  #explain(error: unknown): string {
    if (!(error instanceof ServerRefusedError) || this.#list.servers.length === 1) return reasonOf(error);
    const told = this.#list.servers.map(({ name }, index) => {
      const fault = this.#faults[index];
      return fault === undefined ? `${name} was not tried` : `${name} ${fault.reason}`;
    });
    return told.join('; ');
  }
}
