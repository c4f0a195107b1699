/** Runs one load: closed loop (as fast as the answers come) or open loop (on a schedule of its own). */
import { Connection } from './connection.ts';
import type { LoadJob, LoadResult, Pace } from './job.ts';
import { type RequestSource, requestSource } from './requests.ts';
import { Tally } from './tally.ts';

/** How long a load waits for an answer before it gives up. */
const PATIENCE_MS = 15_000;
const TICK_MS = 1;

/** Rejects when no connection can be made. */
export async function runJob(job: LoadJob): Promise<LoadResult> {
  const run = new LoadRun(job);
  await run.connect();
  return await run.toEnd();
}

class LoadRun {
  readonly #job: LoadJob;
  readonly #next: RequestSource;
  readonly #tally: Tally;
  readonly #open = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #done = Promise.withResolvers<void>();
  #schedule: Schedule | undefined;
  #sent = 0;
  #answered = 0;
  #lastAnswerMs = 0;

  constructor(job: LoadJob) {
    this.#job = job;
    this.#next = requestSource(job);
    this.#tally = new Tally(job.expect);
  }

  async connect(): Promise<void> {
    await Promise.all(Array.from({ length: this.#job.connections }, () => this.#connect()));
  }

  async toEnd(): Promise<LoadResult> {
    const startMs = performance.now();
    this.#lastAnswerMs = startMs;
    this.#schedule = scheduleOf(this.#job.pace, startMs);
    const tick = setInterval(() => this.#step(), TICK_MS);
    this.#step();
    await this.#done.promise;
    clearInterval(tick);
    for (const connection of this.#open) connection.close();
    this.#tally.addSilent(this.#sent - this.#answered);
    return this.#tally.result(this.#sent, (this.#lastAnswerMs - startMs) / 1_000);
  }

  async #connect(): Promise<void> {
    const connection = await Connection.open(this.#job.port, (...answered) => this.#onAnswer(...answered));
    this.#open.add(connection);
    this.#idle.push(connection);
  }

  #onAnswer(connection: Connection, answer: string | undefined): void {
    const nowMs = performance.now();
    this.#answered += 1;
    this.#lastAnswerMs = nowMs;
    this.#tally.add(answer, nowMs - connection.startedAtMs);
    if (connection.broken) {
      this.#open.delete(connection);
      // A gateway that is gone leaves fewer and fewer, and none of them ends the load.
      void this.#connect().catch(() => undefined);
    } else {
      this.#idle.push(connection);
    }
    this.#step();
  }

  /** Sends what is due, and sees whether this was all. */
  #step(): void {
    const nowMs = performance.now();
    let next = this.#schedule?.(nowMs, this.#sent);
    while (typeof next === 'number' && this.#idle.length > 0) {
      const connection = this.#idle.pop();
      if (connection === undefined || connection.broken) continue;
      connection.startedAtMs = next;
      this.#sent += 1;
      connection.send(this.#next());
      next = this.#schedule?.(nowMs, this.#sent);
    }
    const answered = next === 'never' && this.#answered === this.#sent;
    const hopeless = this.#open.size === 0 || nowMs - this.#lastAnswerMs > PATIENCE_MS;
    if (answered || hopeless) this.#done.resolve();
  }
}

/** When the next request was due, given how many were sent; `later` when it is not due yet, `never` after the last. */
type Schedule = (nowMs: number, sent: number) => number | 'later' | 'never';

function scheduleOf(pace: Pace, startMs: number): Schedule {
  const endMs = startMs + pace.seconds * 1_000;
  if (pace.kind === 'closed') {
    return (nowMs, sent) => (nowMs < endMs || sent < (pace.count ?? 0) ? nowMs : 'never');
  }
  const everyMs = 1_000 / pace.perSecond;
  return (nowMs, sent) => {
    const dueMs = startMs + sent * everyMs;
    if (dueMs >= endMs) return 'never';
    return dueMs <= nowMs ? dueMs : 'later';
  };
}
