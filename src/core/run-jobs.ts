/**
 * Runs background jobs for the life of the process and records the state of each.
 *
 * Guarantees: a job runs once at a time in this process; a failure is logged and recorded, and the
 * job continues; a shutdown starts no new run and waits for current ones.
 */
import type { Clock } from './clock.ts';
import type { Job, JobRole, JobState, RepeatedJob, Round } from './job.ts';
import type { Logger } from './log.ts';
import { withTimeout } from './with-timeout.ts';

/** The running jobs. Disposing stops all; those that run while the process drains stop last. */
export type RunningJobs = AsyncDisposable & {
  states(): readonly JobState[];
  /** Jobs without a success for three of their intervals, and for half a minute at least. */
  late(): readonly JobState[];
  /** Stops all jobs at the same time, except those that run while the process drains. */
  stopWork(): Promise<void>;
};

const LATE_INTERVALS = 3;
/** A job that runs every second is not late because one run took ten seconds. */
const LATE_AT_LEAST_MS = 30_000;

type Running = {
  readonly job: Job;
  readonly startedMs: number;
  state: JobState;
  okMs: number | undefined;
  stopped: Promise<void> | undefined;
  stop(): Promise<void>;
};

/** Starts the jobs of a process role. */
export function startJobs(
  jobs: readonly Job[],
  { role, clock, log }: { readonly role: JobRole; readonly clock: Clock; readonly log: Logger },
): RunningJobs {
  const all = jobs
    .filter((job) => role === 'all' || job.role === 'all' || job.role === role)
    .map((job, index, { length }) => start(job, (index + 1) / length, { clock, log }));
  const stopWork = (): Promise<void> => stopAll(all.filter(({ job }) => job.untilDrained !== true));
  return {
    states: () => all.map(({ state }) => state),
    late: () => all.filter((running) => isLate(running, clock.elapsedMs())).map(({ state }) => state),
    stopWork,
    async [Symbol.asyncDispose]() {
      await stopWork();
      await stopAll(all);
    },
  };
}

function start(
  job: Job,
  phase: number,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Running {
  const running: Running = {
    job,
    startedMs: clock.elapsedMs(),
    state: newState(job),
    okMs: undefined,
    stopped: undefined,
    stop: () => Promise.resolve(),
  };
  const round = createRound(running, clock, log);
  const life = 'loop' in job ? job.loop(round) : repeat(job, phase, round);
  running.stop = async () => await life[Symbol.asyncDispose]();
  return running;
}

function newState({ name, everyMs }: Job): JobState {
  return {
    name,
    everyMs,
    runs: 0,
    failures: 0,
    lastOkAt: undefined,
    lastError: undefined,
  };
}

function createRound(running: Running, clock: Clock, log: Logger): Round {
  const { name, failure } = running.job;
  return async (work) => {
    const note = (lastError: string | undefined): void => {
      const { state } = running;
      const ok = lastError === undefined;
      if (ok) running.okMs = clock.elapsedMs();
      running.state = {
        ...state,
        runs: state.runs + 1,
        failures: state.failures + (ok ? 0 : 1),
        lastOkAt: ok ? clock.now() : state.lastOkAt,
        lastError,
      };
    };
    try {
      const result = await work();
      note(undefined);
      return result;
    } catch (error) {
      note(kindOf(error));
      log.warn({ err: error, job: name }, failure);
      return undefined;
    }
  };
}

/** Returns the code or the name of an error: its message can quote data. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[A-Z0-9_]{2,40}$/.test(code) ? code : error.name;
}

function isLate({ job, startedMs, okMs }: Running, nowMs: number): boolean {
  return nowMs - (okMs ?? startedMs) > Math.max(LATE_INTERVALS * job.everyMs, LATE_AT_LEAST_MS);
}

/**
 * Repeats a job. `phase`: the fraction of the interval that it waits after its first run, so that
 * jobs with the same interval do not all run at the same moment.
 */
function repeat(
  { everyMs, idleMs = everyMs, run, finish }: RepeatedJob,
  phase: number,
  round: Round,
): AsyncDisposable {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const schedule = (pauseMs: number, nextMs?: number): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = round(run).then((found) => schedule(nextMs ?? (found === 0 ? idleMs : everyMs)));
    }, pauseMs);
  };
  schedule(0, phase * everyMs);
  return {
    async [Symbol.asyncDispose]() {
      stopped = true;
      clearTimeout(timer);
      await running;
      if (finish !== undefined) await round(finish);
    },
  };
}

async function stopAll(all: readonly Running[]): Promise<void> {
  await Promise.all(
    all.map((running) => {
      running.stopped ??= endOf(running.stop(), running.job.stopWithinMs);
      return running.stopped;
    }),
  );
}

/** Resolves with the work, or when that time is over. */
async function endOf(work: Promise<void>, withinMs: number | undefined): Promise<void> {
  await (withinMs === undefined ? work : withTimeout(withinMs, work));
}
