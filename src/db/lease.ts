/**
 * One connection while it is out of the pool, and its known state. A connection that is not known
 * to be usable is closed instead of returned.
 */
import pg from 'pg';
import type { SqlStatement } from './database.ts';
import {
  ConnectionLostError,
  type ConnectionVerdict,
  checkConnection,
  DatabaseUnavailableError,
  reasonOf,
} from './database-errors.ts';
import type { ServerClient } from './server-client.ts';

/**
 * PostgreSQL's wait for its synchronous standby. Cancelling that wait, by a timeout or by hand, is
 * not an error: the commit remains here, and a warning reports that the standby may not have it.
 */
const standbyWait = 'SyncRepWaitForLSN';

export class Lease {
  readonly #client: pg.PoolClient;
  readonly #onEnd: () => void;
  #isUnreplicated = false;
  #verdict: ConnectionVerdict = 'usable';
  #answerTimeoutMs: number | undefined;
  #unanswered = 0;
  #heardAtMs = 0;

  /** A slower answer ends the connection. Undefined: no limit. */
  constructor(client: pg.PoolClient, answerTimeoutMs: number | undefined, onEnd: () => void) {
    this.#client = client;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.#onEnd = onEnd;
    client.on('error', this.#onError);
    client.on('notice', this.#onNotice);
  }

  get healthy(): boolean {
    return this.#verdict === 'usable';
  }

  async run<R extends object>(statement: string | SqlStatement, values?: readonly unknown[]): Promise<R[]> {
    return (await this.send(statement, values)).rows as R[];
  }

  async send(statement: string | SqlStatement, values?: readonly unknown[]): Promise<pg.QueryResult> {
    if (this.#verdict === 'broken') {
      throw new DatabaseUnavailableError('the database connection broke before the statement was sent');
    }
    if (this.#unanswered++ === 0) this.#heardAtMs = performance.now();
    try {
      const query = typeof statement === 'string' ? { text: statement } : statement;
      this.#isUnreplicated = false;
      const result = await sendQuery(this.#client, query, this.#answerTimeoutMs, values);
      if (this.#isUnreplicated) throw new ConnectionLostError('committed, but perhaps not on the standby');
      // Several statements in one text, as in a migration: the result is that of the last one.
      return Array.isArray(result) ? (result.at(-1) as pg.QueryResult) : result;
    } catch (error) {
      // The error goes to the sender of the query, not to the socket of the answer.
      if (error instanceof Error) Error.captureStackTrace(error);
      if (!this.#isUnreplicated) this.#worsen(checkConnection(error));
      throw error;
    } finally {
      this.#unanswered -= 1;
      this.#heardAtMs = performance.now();
    }
  }

  /**
   * Since when it has waited for an answer, by `performance.now()`. Undefined: it is not waiting.
   */
  get waitingSinceMs(): number | undefined {
    return this.#unanswered === 0 ? undefined : this.#heardAtMs;
  }

  /** The process id of the server, as the server reports it. */
  get backend(): number | undefined {
    return (this.#client as pg.PoolClient & Pick<ServerClient, 'backend'>).backend;
  }

  /** Ends the connection at once, without notifying the server. */
  breakOff(reason: string): void {
    streamOf(this.#client).destroy(new Error(reason));
  }

  /**
   * The error for the caller: one of the given kind if the connection broke, else the error of
   * PostgreSQL or the driver.
   */
  explain(error: unknown, whenBroken: typeof ConnectionLostError | typeof DatabaseUnavailableError): unknown {
    if (this.#verdict === 'broken' && !(error instanceof DatabaseUnavailableError)) {
      return new whenBroken(`database connection broke: ${reasonOf(error)}`, { cause: error });
    }
    if (this.#verdict === 'standby') {
      return new DatabaseUnavailableError(`database is read-only: ${reasonOf(error)}`, { cause: error });
    }
    return error;
  }

  giveBack(): void {
    this.#onEnd();
    this.#client.release(!this.healthy);
    this.#client.off('error', this.#onError);
    this.#client.off('notice', this.#onNotice);
  }

  /** Removes the time limit of the server's answers from now on. */
  waitPatiently(): void {
    this.#answerTimeoutMs = undefined;
  }

  /** The connection will not return to the pool. */
  condemn(): void {
    this.#worsen('broken');
  }

  readonly #onError = (): void => this.condemn();
  readonly #onNotice = (notice: { readonly routine?: string | undefined }): void => {
    if (notice.routine === standbyWait) this.#isUnreplicated = true;
  };

  #worsen(verdict: ConnectionVerdict): void {
    if (this.#verdict === 'usable' || verdict === 'broken') {
      this.#verdict = verdict;
    }
  }
}

type Result = pg.QueryResult | pg.QueryResult[];
type Callback = (error: Error | null, result: Result) => void;

/** The types of the driver omit the callback. */
const Query = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[] | undefined,
  callback: Callback,
) => pg.Submittable & { name: string | undefined };

/**
 * Sends a statement. If no answer comes within `answerTimeoutMs`, the connection ends, with
 * everything else that waits on it; undefined: no time limit.
 *
 * The query is created with its callback. The driver's promises and its timeout replace the
 * callback of an existing query, and V8 then keeps nearly all that a statement allocates until it
 * collects the whole heap (test/proof/young-heap.test.ts).
 */
export function sendQuery(
  client: pg.ClientBase,
  { name, text }: SqlStatement,
  answerTimeoutMs: number | undefined,
  values?: readonly unknown[],
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const onAnswer: Callback = (error, result) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(result);
    };
    // The driver copies the properties of an object with their descriptors, which takes 1.9 µs in
    // place of 0.1.
    const query = new Query(text, values, onAnswer);
    query.name = name;
    client.query(query);
    if (answerTimeoutMs === undefined) return;
    timer = setTimeout(() => {
      const late = new Error('Query read timeout');
      reject(late);
      streamOf(client).destroy(late);
    }, answerTimeoutMs);
  });
}

/** The socket below the connection. */
function streamOf(client: pg.ClientBase): pg.Connection['stream'] {
  return (client as unknown as Pick<pg.Client, 'connection'>).connection.stream;
}
