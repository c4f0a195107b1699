/**
 * One connection of the driver. Pools and listeners create their connections from this class.
 *
 * Guarantees: when `connect` resolves, the timeouts of the session are set and the connection was
 * checked. When it rejects, no connection is left open.
 */
import pg from 'pg';
import type { Sql, SqlStatement } from './database.ts';
import { type SessionTimeouts, searchFirst, settleSession } from './session-store.ts';

export type ClientTerms = {
  readonly config: pg.ClientConfig & { readonly connectionTimeoutMillis: number };
  readonly timeouts: SessionTimeouts;
  /** Awaited on each new connection; if it rejects, the connection is not used. */
  readonly onConnect?: ((sql: Sql) => Promise<void>) | undefined;
  /** Searched before the others once the connection was checked. */
  readonly schema?: string | undefined;
};

type Connected = (error: Error | null, client?: pg.Client) => void;

export class ServerClient extends pg.Client {
  readonly #terms: ClientTerms;
  #backend: number | undefined;

  constructor(terms: ClientTerms) {
    super(terms.config);
    this.#terms = terms;
    // Without this listener, an error before the connection is handed out would end the process.
    this.on('error', () => undefined);
  }

  /** True if there is a pooler in between, which shares the server's connections. */
  get isPooled(): boolean {
    // The process id from the start of the connection, and the one that the server reports.
    const { processID } = this as unknown as { readonly processID: number | null };
    return this.#backend !== undefined && processID !== this.#backend;
  }

  get backend(): number | undefined {
    return this.#backend;
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
    const { config, timeouts, onConnect, schema } = this.#terms;
    try {
      await super.connect();
      this.#backend = await settleSession(this, timeouts, config.connectionTimeoutMillis);
      const sql: Sql = { query: (statement, values) => this.#run(statement, values) };
      await onConnect?.(sql);
      if (schema !== undefined) await searchFirst(sql, schema);
      return this;
    } catch (error) {
      // A server that no longer exists closes nothing.
      void this.end().catch(() => undefined);
      this.connection.stream.destroy();
      throw error;
    }
  }

  async #run<R extends object>(statement: string | SqlStatement, values?: readonly unknown[]): Promise<R[]> {
    const query = {
      ...(typeof statement === 'string' ? { text: statement } : statement),
      ...(values && { values: [...values] }),
      query_timeout: this.#terms.config.connectionTimeoutMillis,
    };
    return (await this.query<R>(query)).rows;
  }
}
