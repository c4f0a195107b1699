/** Runs one load: closed loop (as fast as the answers come) or open loop (on a fixed schedule). */
import { Connection } from './connection.ts';
import type { LoadJob, LoadResult, Pace } from './job.ts';
import { type RequestSource, requestSource } from './requests.ts';
import { Tally } from './tally.ts';

const TICK_MS = 1;
/**
 * The number of empty polls for an answer after which it gives up. Polls are counted, so that time
 * in which the machine was paused does not count.
 */
const PATIENCE_TICKS = 15_000;
/** A clock that ticks this late was paused with the machine, which happens to virtual machines. */
const STOOD_STILL_MS = 1_000;

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
  #lastTickMs = 0;
  #silentTicks = 0;
  #stoodStillMs = 0;

  constructor(job: LoadJob) {
    this.#job = job;
    this.#next = requestSource(job);
    this.#tally = new Tally(job.expect);
  }

  async connect(): Promise<void> {
    const { port, otherPorts = [], connections } = this.#job;
    const ports = [port, ...otherPorts];
    const portOf = (index: number): number => ports[index % ports.length] ?? port;
    await Promise.all(Array.from({ length: connections }, (_, index) => this.#connect(portOf(index))));
  }

  async toEnd(): Promise<LoadResult> {
    const startMs = performance.now();
    this.#lastAnswerMs = startMs;
    this.#schedule = scheduleOf(this.#job.pace, startMs);
    this.#lastTickMs = startMs;
    const tick = setInterval(() => this.#tick(), TICK_MS);
    this.#step();
    await this.#done.promise;
    clearInterval(tick);
    for (const connection of this.#open) connection.close();
    this.#tally.addSilent(this.#sent - this.#answered);
    const seconds = (this.#lastAnswerMs - startMs) / 1_000;
    return { ...this.#tally.result(this.#sent, seconds), stoodStillMs: this.#stoodStillMs };
  }

  async #connect(port: number): Promise<void> {
    const connection = await Connection.open(port, (...answered) => this.#onAnswer(...answered));
    this.#open.add(connection);
    this.#idle.push(connection);
  }

  #onAnswer(connection: Connection, answer: string | undefined): void {
    const nowMs = performance.now();
    this.#answered += 1;
    this.#lastAnswerMs = nowMs;
    this.#silentTicks = 0;
    this.#tally.add(answer, nowMs - connection.startedAtMs);
    if (connection.broken) this.#replace(connection);
    else this.#free(connection);
    this.#step();
  }

  /** A gateway that ends closes its connections, and the load continues on the others. */
  #replace(connection: Connection): void {
    this.#open.delete(connection);
    void this.#connect(connection.port).catch(() => undefined);
  }

  /** The connection may send its next request once its pause is over. */
  #free(connection: Connection): void {
    const { pace } = this.#job;
    if (pace.kind === 'open' || pace.pauseMs === undefined) this.#idle.push(connection);
    else setTimeout(() => this.#idle.push(connection), pace.pauseMs);
  }

  #tick(): void {
    const nowMs = performance.now();
    if (nowMs - this.#lastTickMs > STOOD_STILL_MS) this.#stoodStillMs += nowMs - this.#lastTickMs;
    this.#lastTickMs = nowMs;
    this.#silentTicks += 1;
    this.#step();
  }

  /** Sends due requests. Returns whether these were the last. */
  #step(): void {
    const nowMs = performance.now();
    let next = this.#schedule?.(nowMs, this.#sent);
    while (typeof next === 'number' && this.#idle.length > 0) {
      const connection = this.#idle.pop();
      if (connection === undefined) continue;
      if (connection.broken) {
        this.#replace(connection);
        continue;
      }
      connection.startedAtMs = next;
      this.#sent += 1;
      connection.send(this.#next());
      next = this.#schedule?.(nowMs, this.#sent);
    }
    const answered = next === 'never' && this.#answered === this.#sent;
    const hopeless = this.#open.size === 0 || this.#silentTicks > PATIENCE_TICKS;
    if (answered || hopeless) this.#done.resolve();
  }
}

/**
 * When the next request was due, given how many were sent; `later` when it is not due yet, `never`
 * after the last.
 */
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
