/**
 * The connections to a cell that may move to another server while they are used.
 *
 * Guarantees: a statement that meets a moving cell waits and is repeated at the new server. It was
 * refused before it changed anything, so nothing is lost and nothing is done twice. A transaction
 * is repeated only if its first statement was refused. Listeners move along.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { singleFlight } from '../core/single-flight.ts';
import type { Database, Sql, SqlStatement, TransactionOptions, Tx } from './database.ts';
import { DatabaseUnavailableError, isCellMoved, isLockTimeout } from './database-errors.ts';
import type { ListenHandlers } from './listen.ts';

/** How long a statement follows a cell. A move keeps writes waiting for up to three seconds. */
const FOLLOW_MS = 10_000;
const PAUSE_MS = 25;
/** How often the catalogue is read while the server of the cell does not answer. */
const LOOK_MS = 1_000;

type Listener = { readonly channel: string; readonly handlers: ListenHandlers; on: AsyncDisposable };

export class MovableDatabase implements Database {
  readonly #open: (connectionString: string) => Database;
  readonly #listeners = new Set<Listener>();
  readonly #follow: () => Promise<void>;
  #address: string;
  #database: Database;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #movingAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  /** `locate` returns the present address of the cell. */
  constructor(address: string, open: (connectionString: string) => Database, locate: () => Promise<string>) {
    this.#address = address;
    this.#open = open;
    this.#database = open(address);
    this.#follow = singleFlight(async () => this.#goTo(await locate()));
  }

  async query<R extends object>(statement: string | SqlStatement, values?: readonly unknown[]): Promise<R[]> {
    return await this.#repeat(
      (database) => database.query<R>(statement, values),
      () => true,
    );
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T> {
    let isUntouched = true;
    return await this.#repeat(
      (database) =>
        database.transaction(
          (tx) =>
            work({
              kind: 'tx',
              query: async (statement, values) => {
                const rows = await tx.query(statement, values);
                isUntouched = false;
                // The caller states the type of the rows.
                return rows as never;
              },
            }),
          options,
        ),
      () => isUntouched,
    );
  }

  async session<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return await this.#database.session(work);
  }

  listen(channel: string, handlers: ListenHandlers): AsyncDisposable {
    const listener = { channel, handlers, on: this.#database.listen(channel, handlers) };
    this.#listeners.add(listener);
    return {
      [Symbol.asyncDispose]: async () => {
        this.#listeners.delete(listener);
        await listener.on[Symbol.asyncDispose]();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#database[Symbol.asyncDispose]();
  }

  async #repeat<T>(run: (database: Database) => Promise<T>, mayRepeat: () => boolean): Promise<T> {
    const endMs = performance.now() + FOLLOW_MS;
    for (;;) {
      const database = this.#database;
      try {
        return await run(database);
      } catch (error) {
        const repeats =
          mayRepeat() &&
          !this.#isClosed &&
          performance.now() < endMs &&
          // A failed look-up leaves the error of the statement.
          (await this.#hasMoved(database, error).catch(() => false));
        if (!repeats) throw error;
      }
      await sleep(PAUSE_MS);
    }
  }

  /** Whether the statement was refused because the cell moves, or is at another server now. */
  async #hasMoved(database: Database, error: unknown): Promise<boolean> {
    if (database !== this.#database) return isCellMoved(error) || error instanceof DatabaseUnavailableError;
    if (isCellMoved(error)) {
      await this.#follow();
      return true;
    }
    if (isLockTimeout(error)) {
      if ((await database.query(movingStatement)).length > 0) this.#movingAtMs = performance.now();
      // The move may have been undone since.
      return performance.now() - this.#movingAtMs < LOOK_MS;
    }
    if (!(error instanceof DatabaseUnavailableError)) return false;
    if (performance.now() - this.#lookedAtMs < LOOK_MS) return false;
    this.#lookedAtMs = performance.now();
    await this.#follow();
    return database !== this.#database;
  }

  #goTo(address: string): void {
    if (address === this.#address || this.#isClosed) return;
    const old = this.#database;
    this.#address = address;
    this.#database = this.#open(address);
    for (const listener of this.#listeners) {
      listener.on = this.#database.listen(listener.channel, listener.handlers);
    }
    // It waits for statements that still run there, and closes its listeners.
    void old[Symbol.asyncDispose]().catch(() => undefined);
  }
}

/**
 * A move takes this lock at the old server (move-cell-store.ts), and nothing else does. The move
 * may have ended since the statement was refused.
 */
const movingStatement = `
  select
  from pg_locks
  where relation = to_regclass('purchases')
  and database = (select oid from pg_database where datname = current_database())
  and mode = 'ShareRowExclusiveLock'
  union all
  select
  from pg_class
  where oid = to_regclass('purchases')
  and relkind = 'c'`;
