/** Background jobs and the state of their runs. `src/app/jobs.ts` lists all jobs. */

type JobTerms = {
  /** Its label in metrics: lower case, words joined by hyphens. */
  readonly name: string;
  /**
   * The processes that run it; `all`: every one. A process whose own role is `all` runs every job.
   */
  readonly role: 'api' | 'worker' | 'all';
  /** The pause between the end of a run and the next start. For a loop: its longest pause. */
  readonly everyMs: number;
  /**
   * The log message when a run fails: which work was not done, and the effect. The job continues.
   */
  readonly failure: string;
  /**
   * The maximum time that a shutdown waits for it. Another process takes over the rest. Default:
   * until the run has ended.
   */
  readonly stopWithinMs?: number;
  /**
   * The job continues while the process drains, because other processes would otherwise declare the
   * process dead.
   */
  readonly untilDrained?: boolean;
};

/** A job that runs at the start and then again after each pause. */
export type RepeatedJob = JobTerms & {
  /** May run in several processes at the same time, and may be cut short at any point. */
  readonly run: () => Promise<unknown>;
  /** The pause after a run that returned 0, because it found no work. Default: `everyMs`. */
  readonly idleMs?: number;
  /** Runs after the last run, and ends what the runs began. */
  readonly finish?: () => Promise<unknown>;
};

/** A job that decides itself when it runs, because events wake it. */
type LoopedJob = JobTerms & {
  /**
   * Passes each of its runs through `round`. Disposing ends the loop: it claims nothing more, and
   * waits for its claimed work.
   */
  readonly loop: (round: Round) => AsyncDisposable;
};

export type Job = RepeatedJob | LoopedJob;

/** Does the work and records the result. A failure is logged, and the result is undefined. */
export type Round = <T>(work: () => Promise<T>) => Promise<T | undefined>;

export type JobState = {
  readonly name: string;
  readonly everyMs: number;
  readonly runs: number;
  readonly failures: number;
  readonly lastOkAt: Date | undefined;
  /**
   * The name and code of the error that ended the last run, never its text. Undefined if it ended
   * well.
   */
  readonly lastError: string | undefined;
};

export type JobRole = JobTerms['role'];
