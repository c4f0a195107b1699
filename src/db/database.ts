/**
 * The pool of connections to PostgreSQL. It is the only interface to the driver for the rest of
 * Oja.
 *
 * Guarantees: a transaction that resolves was committed; one that rejects was rolled back, unless
 * the error is a ConnectionLostError: the outcome is unknown. A broken connection never returns to
 * the pool, so the pool recovers by itself when the database comes back.
 */
import { once } from 'node:events';
import pg from 'pg';
import { Bag } from '../core/bag.ts';
import {
  ConnectionLostError,
  DatabaseUnavailableError,
  noConnection,
  readOnlyState,
  sqlState,
} from './database-errors.ts';
import { Lease } from './lease.ts';
import { type ListenHandlers, listenOn } from './listen.ts';
import { rowValues } from './row-values.ts';
import { type ClientTerms, ServerClient } from './server-client.ts';
import { endSilentConnections } from './silent-connections.ts';

export type Row = Record<string, unknown>;

/**
 * An SQL statement with a name is prepared once for each connection. A name must always have the
 * same text.
 */
export type SqlStatement = { readonly name?: string; readonly text: string };

export interface Sql {
  /**
   * The cells of an installation on several servers. Statements that read all merchants run in each
   * of them (`in-each-cell.ts`), outside of the transaction. Absent: they run here.
   */
  cells?: readonly Queries[];
  /** Runs one SQL statement and returns its rows, with values as `row-values.ts` describes. */
  query<R extends object = Row>(statement: string | SqlStatement, values?: readonly unknown[]): Promise<R[]>;
}

/** An open transaction. Usable only until the function that received it returns. */
export interface Tx extends Sql {
  readonly kind: 'tx';
}

export type TransactionOptions = {
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readonly readOnly?: boolean;
  /** True: statements, and waits for locks, may take as long as they need, as in a migration. */
  readonly patient?: boolean;
  /**
   * True: a prepared statement is planned once, for all values. Otherwise PostgreSQL may plan it
   * for each value. For statements whose plan is right for all values, and that are faster than
   * their planning.
   */
  readonly genericPlans?: boolean;
};

/** Statements and transactions, which is enough for most users of a database. */
export interface Queries extends Sql {
  /** Commits when `work` resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export interface Database extends Queries {
  /**
   * One connection for statements that cannot run in a transaction, such as building an index
   * during traffic: each statement commits by itself and has no time limit. The connection is
   * closed afterwards.
   */
  session<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Listens on a separate connection, reconnecting for ever. Notifications that are sent while it
   * is down are lost.
   */
  listen(channel: string, handlers: ListenHandlers): AsyncDisposable;
  /** Waits for running work, then closes every connection. */
  [Symbol.asyncDispose](): Promise<void>;
}

export type DatabaseOptions = {
  readonly connectionString: string;
  readonly connectionsMax: number;
  readonly applicationName: string;
  /** The schema that is searched before `public`. Default: none. */
  readonly schema?: string | undefined;
  /** An idle connection broke. The pool has already removed it; this is for the log. */
  readonly onPoolError: (error: Error) => void;
  /** How long a caller waits for a connection, new or freed. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /**
   * PostgreSQL cancels a statement that runs longer, and a transaction that waits longer for its
   * next one. Default: the server's own settings.
   */
  readonly statementTimeoutMs?: number;
  /**
   * Ends silent connections long before the statement's timeout: see silent-connections.ts.
   * Default: no.
   */
  readonly watchSilence?: boolean;
  /** PostgreSQL refuses a statement (55P03) that waits longer for a lock. Default: no limit. */
  readonly lockTimeoutMs?: number;
  /** Awaited on each new connection; if it rejects, the connection is not used. */
  readonly onConnect?: (sql: Sql) => Promise<void>;
};

/**
 * A server that vanished without closing its connection (a cut cable) is considered lost this long
 * after its own timeout.
 */
const silenceGraceMs = 5_000;
/** How long a caller waits for a connection. */
const WAIT_MS = 5_000;
/** How long to wait for the server to close the connections that the pool has ended. */
const goodbyeMaxMs = 2_000;

export function openDatabase(options: DatabaseOptions): Database {
  const config = {
    connectionString: options.connectionString,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? WAIT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: rowValues,
  };
  const timeouts = { statementMs: options.statementTimeoutMs, lockMs: options.lockTimeoutMs };
  const { onConnect, schema } = options;
  const pooled = { timeouts, onConnect, schema, config: { ...config, pipeline: true } };
  return new PooledDatabase(pooled, { config, timeouts: {}, onConnect }, options);
}

class PooledDatabase implements Database {
  cells?: readonly Queries[];
  readonly #pool: pg.Pool;
  /** The connections that the server has not closed yet, even after the pool has ended them. */
  readonly #connections = new Set<pg.PoolClient>();
  readonly #listenerTerms: ClientTerms;
  readonly #listeners = new Set<AsyncDisposable>();
  readonly #leases = new Bag<Lease>();
  readonly #silence: Disposable | undefined;
  readonly #answerTimeoutMs: number | undefined;

  constructor(pooled: ClientTerms, listener: ClientTerms, options: DatabaseOptions) {
    const { statementTimeoutMs } = options;
    // 0 disables the timeout, as in PostgreSQL.
    this.#answerTimeoutMs = statementTimeoutMs ? statementTimeoutMs + silenceGraceMs : undefined;
    this.#pool = new pg.Pool({
      max: options.connectionsMax,
      idleTimeoutMillis: 60_000,
      // The timeout to connect and to set up the session.
      connectionTimeoutMillis: 2 * pooled.config.connectionTimeoutMillis,
      Client: class extends ServerClient {
        constructor() {
          super(pooled);
        }
      },
    });
    this.#pool.on('error', options.onPoolError);
    if (options.watchSilence) this.#silence = endSilentConnections(this.#leases, listener);
    this.#pool.on('connect', (client) => {
      this.#connections.add(client);
      // Until its lease listens for errors, an error without a listener would end the process.
      client.on('error', () => undefined);
    });
    this.#pool.on('remove', (client) => this.#connections.delete(client));
    this.#listenerTerms = listener;
  }

  async query<R extends object = Row>(
    statement: string | SqlStatement,
    values?: readonly unknown[],
  ): Promise<R[]> {
    const lease = await this.#borrow();
    try {
      return await lease.run<R>(statement, values);
    } catch (error) {
      throw lease.explain(error, ConnectionLostError);
    } finally {
      lease.giveBack();
    }
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const lease = await this.#borrow();
    const tx = new LeasedTx(lease, options.readOnly ?? false, this.cells);
    try {
      await tx.query(beginStatement(options));
      if (options.patient) {
        lease.waitPatiently();
        await tx.query(patience);
      }
      const result = await work(tx).finally(() => tx.end());
      await commit(lease);
      return result;
    } catch (error) {
      await rollback(lease);
      throw error;
    } finally {
      tx.end();
      lease.giveBack();
    }
  }

  async session<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const lease = await this.#borrow();
    try {
      lease.waitPatiently();
      await lease.send('set statement_timeout = 0; set lock_timeout = 0');
      return await work({ query: (statement, values) => lease.run(statement, values) });
    } catch (error) {
      throw lease.explain(error, ConnectionLostError);
    } finally {
      // Its settings and locks end with it.
      lease.condemn();
      lease.giveBack();
    }
  }

  listen(channel: string, handlers: ListenHandlers): AsyncDisposable {
    const listener = listenOn(this.#listenerTerms, channel, handlers);
    this.#listeners.add(listener);
    return {
      [Symbol.asyncDispose]: async () => {
        this.#listeners.delete(listener);
        await listener[Symbol.asyncDispose]();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#silence?.[Symbol.dispose]();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    await Promise.all(listeners.map((listener) => listener[Symbol.asyncDispose]()));
    if (!this.#pool.ending) {
      await this.#pool.end();
    }
    await this.#goodbye();
  }

  /**
   * Waits until the server has closed its connections. The pool itself ends as soon as it has
   * requested that. A server that is stopped before it has read the request would break the
   * connection, and the log would report an error.
   */
  async #goodbye(): Promise<void> {
    const giveUp = AbortSignal.timeout(goodbyeMaxMs);
    while (this.#connections.size > 0 && !giveUp.aborted) {
      await once(this.#pool, 'remove', { signal: giveUp }).catch(() => undefined);
    }
  }

  async #borrow(): Promise<Lease> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw noConnection(error);
    });
    const lease = new Lease(client, this.#answerTimeoutMs, () => this.#leases.delete(lease));
    this.#leases.add(lease);
    return lease;
  }
}

class LeasedTx implements Tx {
  readonly kind = 'tx';
  readonly cells?: readonly Queries[];
  readonly #lease: Lease;
  readonly #readOnly: boolean;
  #open = true;

  constructor(lease: Lease, readOnly: boolean, cells: readonly Queries[] | undefined) {
    this.#lease = lease;
    this.#readOnly = readOnly;
    if (cells !== undefined) this.cells = cells;
  }

  async query<R extends object = Row>(
    statement: string | SqlStatement,
    values?: readonly unknown[],
  ): Promise<R[]> {
    if (!this.#open) {
      throw new Error('the transaction is over: a statement was sent after its end');
    }
    try {
      return await this.#lease.run<R>(statement, values);
    } catch (error) {
      if (this.#readOnly && sqlState(error) === readOnlyState) {
        throw error; // Caused by the caller, not by a standby.
      }
      // No commit has been sent, so a broken connection means that nothing is stored.
      throw this.#lease.explain(error, DatabaseUnavailableError);
    }
  }

  end(): void {
    this.#open = false;
  }
}

const patience = `
  set local statement_timeout = 0;
  set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`;

function beginStatement(options: TransactionOptions): string {
  const { isolation = 'read committed', readOnly = false, genericPlans = false } = options;
  // Not "read write": a standby must refuse the writes themselves, which shows that it is a
  // standby.
  const begin = `begin isolation level ${isolation}${readOnly ? ' read only' : ''}`;
  return genericPlans ? `${begin}; set local plan_cache_mode = force_generic_plan` : begin;
}

/**
 * PostgreSQL answers COMMIT of a transaction in which a statement failed with ROLLBACK, and no
 * error.
 */
async function commit(lease: Lease): Promise<void> {
  let command: string;
  try {
    command = (await lease.send('commit')).command;
  } catch (error) {
    throw lease.explain(error, ConnectionLostError);
  }
  if (command !== 'COMMIT') {
    throw new Error(
      `nothing was committed (${command}): a statement of the transaction had failed without an error`,
    );
  }
}

/** Best effort: if a connection cannot even roll back, it is closed, which rolls back. */
async function rollback(lease: Lease): Promise<void> {
  if (lease.healthy) {
    await lease.send('rollback').catch(() => lease.condemn());
  }
}
