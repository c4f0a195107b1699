/**
 * One connection of the driver, to whichever server is the right one now. A pool makes its
 * connections of this class, and so does who listens.
 *
 * Guarantees: when `connect` resolves, the time-outs of the session are set and the server is one
 * that Oja can use. When it rejects, nothing is left open, and the server is tried after the
 * others.
 */
import pg from 'pg';
import type { SqlStatement } from './database.ts';
import { isRefusedForGood, reasonOf } from './database-errors.ts';
import { type DatabaseServers, ServerRefusedError } from './database-servers.ts';
import type { ListedServer } from './server-list.ts';
import { type ServerState, type SessionTimeouts, settleSession } from './server-state-store.ts';

export type ClientTerms = {
  readonly servers: DatabaseServers;
  readonly config: pg.ClientConfig;
  readonly timeouts: SessionTimeouts;
};

type Connected = (error: Error | null, client?: pg.Client) => void;

export class ServerClient extends pg.Client {
  readonly #terms: ClientTerms;
  readonly #server: ListedServer;
  #state: ServerState | undefined;

  constructor(terms: ClientTerms) {
    const server = terms.servers.next();
    super({
      ...terms.config,
      connectionString: server.connectionString,
      connectionTimeoutMillis: timeoutOf(terms),
    });
    this.#terms = terms;
    this.#server = server;
    // Nobody listens before the connection is handed out, and an error without a listener would end
    // the process.
    this.on('error', () => undefined);
  }

  /** True where another program stands between, and hands out the server's connections. */
  get isPooled(): boolean {
    // The number that came with the connection, and the one that the server's process says.
    const { processID } = this as unknown as { readonly processID: number | null };
    return this.#state !== undefined && processID !== this.#state.backend;
  }

  get backend(): number | undefined {
    return this.#state?.backend;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const joined = this.#join();
    if (callback === undefined) return joined;
    joined.then(
      (client) => callback(null, client),
      (error: Error) => callback(error),
    );
    return undefined;
  }

  async #join(): Promise<pg.Client> {
    const { servers, timeouts } = this.#terms;
    const terms = { askTimeline: servers.isChoosy, answerMs: timeoutOf(this.#terms) };
    try {
      await super.connect();
      this.#state = await settleSession(this, timeouts, terms);
      const fault = servers.faultOf(this.#state);
      if (fault !== undefined) throw new Error(fault);
      await servers.lookAt({ query: (statement, values) => this.#run(statement, values) });
    } catch (error) {
      const reason = reasonOf(error);
      servers.leave(this.#server, reason, isRefusedForGood(error));
      this.#breakOff();
      throw new ServerRefusedError(reason, { cause: error });
    }
    const leave = servers.join(this.#server, this.#state, (reason) => this.#breakOff(reason));
    this.once('end', leave);
    return this;
  }

  async #run<R extends object>(statement: string | SqlStatement, values?: readonly unknown[]): Promise<R[]> {
    const query = {
      ...(typeof statement === 'string' ? { text: statement } : statement),
      ...(values && { values: [...values] }),
      query_timeout: timeoutOf(this.#terms),
    };
    return (await this.query<R>(query)).rows;
  }

  /** A server that is not there any more closes nothing. */
  #breakOff(reason?: string): void {
    const { stream } = this.connection;
    if (reason !== undefined) {
      stream.destroy(new Error(reason));
      return;
    }
    void this.end().catch(() => undefined);
    stream.destroy();
  }
}

function timeoutOf({ servers, config }: ClientTerms): number {
  return servers.connectTimeoutMs(config.connectionTimeoutMillis);
}
