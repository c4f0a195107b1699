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

/** The one connection to the real database, and the clock that it shows. */
export class Server {
  readonly database: Queries;
  readonly #time: SimulatedTime;
  /** The offset of the database's clock. */
  aheadMs = 0;
  #shownMs = Number.NaN;
  #isInside = false;

  constructor(database: Queries, time: SimulatedTime) {
    this.database = database;
    this.#time = time;
  }

  /** With the simulated time in the database and the real timers in the driver. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isInside) return await work();
    this.#isInside = true;
    try {
      return await this.#time.real(async () => {
        const nowMs = Math.floor((this.#time.nowMs + this.aheadMs) / SHOWN_MS) * SHOWN_MS;
        // It happens before the statements sent after it.
        const setting = nowMs === this.#shownMs ? undefined : setClock(this.database, nowMs);
        this.#shownMs = nowMs;
        const [result] = await Promise.all([work(), setting]);
        return result;
      });
    } finally {
      this.#isInside = false;
    }
  }
}

export function simulatedDatabase(server: Server, steps: Steps, process: string): Database {
  const { database } = server;
  return {
    query: (statement, values) =>
      steps.wait('commit', process, nameOf(statement), () =>
        server.run(() => database.query(alone(statement), values)),
      ),
    transaction: (work, options) =>
      steps.wait(
        'commit',
        process,
        'commits a transaction',
        () => server.run(() => database.transaction(work, options)),
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
