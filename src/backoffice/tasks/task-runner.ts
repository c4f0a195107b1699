/**
 * Runs background tasks in this process and stores their progress.
 *
 * Guarantees: the same task does not run twice at once in any process; the number of tasks is
 * bounded; the result is stored before the caller receives it; a task whose process was killed
 * shows as stopped within half a minute.
 */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Actor } from '../../core/actor.ts';
import { OperationError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { OnProgress } from '../../core/progress.ts';
import type { Database } from '../../db/database.ts';
import { endTask, insertTask, type TaskProgress, updateProgress } from './task-store.ts';

const PROGRESS_MS = 1_000;
/** The heartbeat interval of a task without progress. */
const HEARTBEAT_MS = 5_000;
const OUTPUT_LENGTH_MAX = 1_000_000;
/** The longest stored property of the input, as JSON. Longer ones come from files. */
const INPUT_LENGTH_MAX = 2_000;

type Task<Ran> = {
  readonly operation: string;
  readonly input: object;
  readonly actor: Pick<Actor, 'name' | 'principal'>;
  readonly run: (onProgress: OnProgress) => Promise<Ran>;
  /** Returns the message of an error, or undefined for an internal error. */
  readonly messageOf: (error: unknown) => string | undefined;
};

type StartedTask<Ran> = {
  readonly id: string;
  /** Settles like the work. */
  readonly ended: Promise<Ran>;
};

type AnyRan = { readonly output: unknown };

/** Ends work at its next progress report. */
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
    if (inserted.kind === 'running') throw new OperationError({ code: 'task_running', task: inserted.id });
    if (inserted.kind === 'full') throw new OperationError({ code: 'tasks_full', max: inserted.max });
    const ended = this.#run(id, task);
    // The caller may no longer wait.
    ended.catch(() => undefined);
    return { id, ended };
  }

  async #run<Ran extends AnyRan>(id: string, { run, messageOf }: Task<Ran>): Promise<Ran> {
    this.#running.add(id);
    let progress: TaskProgress | undefined;
    let storedMs = performance.now();
    const timer = setInterval(() => {
      const isDue = progress !== undefined || performance.now() - storedMs >= HEARTBEAT_MS;
      if (!isDue) return;
      storedMs = performance.now();
      // After a failure, the next heartbeat stores it.
      void updateProgress(this.#database, id, progress).catch(() => undefined);
      progress = undefined;
    }, PROGRESS_MS);
    try {
      const ran = await run((reported) => {
        if (this.#isStopping) throw new Stopped();
        progress = reported;
      });
      const text = JSON.stringify(ran.output);
      const isKept = text.length <= OUTPUT_LENGTH_MAX;
      await endTask(this.#database, id, { outcome: 'done', ...(isKept && { output: text }) });
      return ran;
    } catch (error) {
      if (!this.#isStopping) {
        const message = messageOf(error) ?? 'internal error: see the log of the gateway';
        await endTask(this.#database, id, { outcome: 'failed', error: message }).catch(() => undefined);
      }
      throw error;
    } finally {
      clearInterval(timer);
      this.#running.delete(id);
    }
  }

  /** Marks running tasks as stopped without waiting. They end at their next progress report. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    const error = 'the gateway was stopped; completed steps are kept, and you can start the task again';
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

/** Hashes the input independently of the order of its properties. */
function hashOf(input: object): Uint8Array {
  const sorted = Object.entries(input).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest();
}
