/**
 * Runs long work in this process, and writes down how far it is.
 *
 * Guarantees: the same does not run twice at once, in whatever process; a bounded number runs; what
 * came of it is stored before its caller hears of it; work whose process was killed is told as
 * stopped, within half a minute.
 */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Actor } from '../../core/actor.ts';
import { OperationError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { OnProgress } from '../../core/progress.ts';
import type { Database } from '../../db/database.ts';
import { endTask, insertTask, type TaskProgress, updateProgress } from './task-store.ts';

const SAY_MS = 1_000;
/** So often it is said that the process lives, where nothing else is to be said. */
const BEAT_MS = 5_000;
const OUTPUT_LENGTH_MAX = 1_000_000;
/** Of one property of the input, as JSON: what is longer came from a file. */
const INPUT_LENGTH_MAX = 2_000;

type Task<Ran> = {
  readonly operation: string;
  readonly input: object;
  readonly actor: Pick<Actor, 'name' | 'principal'>;
  readonly run: (onProgress: OnProgress) => Promise<Ran>;
  /** Why it failed, for people; undefined for a fault of ours. */
  readonly wordsOf: (error: unknown) => string | undefined;
};

type StartedTask<Ran> = {
  readonly id: string;
  /** Rejects as the work did. */
  readonly ended: Promise<Ran>;
};

/** What an operation gave. */
type AnyRan = { readonly output: unknown };

/** Ends work at its next word on how far it is. */
class Stopped extends Error {}

export class TaskRunner implements AsyncDisposable {
  readonly #database: Database;
  readonly #running = new Set<string>();
  #isStopping = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Throws OperationError `task_running`, `tasks_full`. */
  async start<Ran extends AnyRan>(task: Task<Ran>): Promise<StartedTask<Ran>> {
    const { operation, input, actor } = task;
    const id = newId();
    const kept = Object.entries(input).filter(([, value]) => lengthOf(value) <= INPUT_LENGTH_MAX);
    const inserted = await this.#database.transaction((tx) =>
      insertTask(tx, {
        id,
        operation,
        input: Object.fromEntries(kept),
        isWhole: kept.length === Object.keys(input).length,
        inputHash: hashOf(input),
        name: actor.name,
        principal: actor.principal,
        host: hostname(),
        pid: process.pid,
      }),
    );
    if (inserted.kind === 'running')
      throw new OperationError({ code: 'task_running', operation, task: inserted.id });
    if (inserted.kind === 'full') throw new OperationError({ code: 'tasks_full', max: inserted.max });
    const ended = this.#run(id, task);
    // Whoever started it may have left.
    ended.catch(() => undefined);
    return { id, ended };
  }

  async #run<Ran extends AnyRan>(id: string, { run, wordsOf }: Task<Ran>): Promise<Ran> {
    this.#running.add(id);
    let progress: TaskProgress | undefined;
    let saidMs = performance.now();
    const beat = setInterval(() => {
      const isDue = progress !== undefined || performance.now() - saidMs >= BEAT_MS;
      if (!isDue) return;
      saidMs = performance.now();
      // A database that stands still for a moment: the next beat says it.
      void updateProgress(this.#database, id, progress).catch(() => undefined);
      progress = undefined;
    }, SAY_MS);
    try {
      const ran = await run((told) => {
        if (this.#isStopping) throw new Stopped();
        progress = told;
      });
      const text = JSON.stringify(ran.output);
      const isKept = text.length <= OUTPUT_LENGTH_MAX;
      await endTask(this.#database, id, { outcome: 'done', ...(isKept && { output: text }) });
      return ran;
    } catch (error) {
      if (!this.#isStopping) {
        const words = wordsOf(error) ?? 'something went wrong on our side: see the log of the gateway';
        await endTask(this.#database, id, { outcome: 'failed', error: words }).catch(() => undefined);
      }
      throw error;
    } finally {
      clearInterval(beat);
      this.#running.delete(id);
    }
  }

  /** Does not wait for the work: it is told as stopped, and ends when it says how far it is. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    const error = 'the gateway was stopped: what it had done by then stays done, and it can be started again';
    await Promise.all(
      [...this.#running].map((id) =>
        endTask(this.#database, id, { outcome: 'stopped', error }).catch(() => undefined),
      ),
    );
  }
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}

/** The same for the same properties, in whatever order. */
function hashOf(input: object): Uint8Array {
  const sorted = Object.entries(input).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest();
}
