/**
 * The database as one simulated process sees it. It is the real one, but each statement and each
 * transaction is a step, and the process can die before and after it. A transaction happens as a
 * whole. Lock conflicts between transactions are not simulated.
 */
import type { Database, Queries, SqlStatement } from '../../src/db/database.ts';
import { setClock } from './database-time.ts';
import type { SimulatedTime } from './simulated-time.ts';
import type { Steps } from './steps.ts';

/** Setting the clock costs as much as a small statement. */
const SHOWN_MS = 50;

/** The connection to the real database, one for each of its cells, and the clock that they show. */
export class Server {
  readonly database: Queries;
  /** None if the database has one cell. */
  readonly cells: readonly Queries[];
  readonly #time: SimulatedTime;
  /** The offset of the database's clock. */
  aheadMs = 0;
  readonly #shownMs = new Map<Queries, number>();
  #isInside = false;

  constructor(database: Queries, cells: readonly Queries[], time: SimulatedTime) {
    this.database = database;
    this.cells = cells;
    this.#time = time;
  }

  /** With the simulated time in the database and the real timers in the driver. */
  async run<T>(work: () => Promise<T>, database = this.database): Promise<T> {
    if (this.#isInside) return await work();
    this.#isInside = true;
    try {
      return await this.#time.real(async () => {
        const nowMs = Math.floor((this.#time.nowMs + this.aheadMs) / SHOWN_MS) * SHOWN_MS;
        // It happens before the statements sent after it.
        const setting = nowMs === this.#shownMs.get(database) ? undefined : setClock(database, nowMs);
        this.#shownMs.set(database, nowMs);
        const [result] = await Promise.all([work(), setting]);
        return result;
      });
    } finally {
      this.#isInside = false;
    }
  }
}

/** `database` is that of the server, or one of its cells. */
export function simulatedDatabase(
  server: Server,
  steps: Steps,
  process: string,
  database = server.database,
): Database {
  return {
    query: (statement, values) =>
      steps.wait('commit', process, nameOf(statement), () =>
        server.run(() => database.query(alone(statement), values), database),
      ),
    transaction: (work, options) =>
      steps.wait(
        'commit',
        process,
        'commits a transaction',
        () => server.run(() => database.transaction(work, options), database),
        { isWhole: true },
      ),
    session: () => Promise.reject(new Error('no simulated process opens a session')),
    listen: () => ({ [Symbol.asyncDispose]: async () => undefined }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/**
 * Between two steps no transaction of this database is open. Other databases of the server have
 * transactions, which must not influence a seed.
 */
function alone(statement: string | SqlStatement): string | SqlStatement {
  if (typeof statement === 'string' || statement.name !== 'read_oldest_transaction') return statement;
  return { text: 'select pg_snapshot_xmax(pg_current_snapshot())::text as oldest' };
}

/** The purpose of the statements in a story. */
const purposes: Readonly<Record<string, string>> = {
  commit_purchases: 'stores purchases and answers',
  find_due_providers: 'looks for purchases that are due',
  find_final_purchases: 'looks whether a purchase has become final',
  find_live_gateways: 'looks which gateways live',
  hurry_by_reference: 'makes a purchase due at once',
  touch_gateway: 'says that it lives',
};

function nameOf(statement: string | SqlStatement): string {
  const { name, text } = typeof statement === 'string' ? { name: undefined, text: statement } : statement;
  const purpose = purposes[name ?? ''];
  return purpose ?? `runs ${name ?? `"${text.trim().replace(/\s+/g, ' ').slice(0, 50)}…"`}`;
}
