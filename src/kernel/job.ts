/**
 * What a background job is, and what is known of its runs. The jobs themselves stand in one list:
 * src/app/jobs.ts.
 */

type JobTerms = {
  /** Its label in metrics: lower case, words joined by hyphens. */
  readonly name: string;
  /** Which processes run it; `all`: every one. A process whose own role is `all` runs every job. */
  readonly role: 'api' | 'worker' | 'all';
  /** Between the end of a run and the start of the next. Of a loop: the longest that it rests. */
  readonly everyMs: number;
  /**
   * For the log: what cannot be done when a run fails, and what that means. The job goes on in any
   * case.
   */
  readonly failure: string;
  /**
   * The longest that a stop waits for it; what it leaves is another process's. Default: until it
   * has ended.
   */
  readonly stopWithinMs?: number;
  /** It goes on while the process drains: others would think the process dead. */
  readonly untilDrained?: boolean;
};

/** Runs once at the start, then over and over with a pause between. */
export type RepeatedJob = JobTerms & {
  /** May run in several processes at the same time, and may be cut short at any point. */
  readonly run: () => Promise<unknown>;
  /** After the last run: ends what the runs began. */
  readonly finish?: () => Promise<unknown>;
};

/** Says itself when it runs, because something wakes it. */
type LoopedJob = JobTerms & {
  /**
   * Passes each of its runs through `round`. Disposing ends it: it takes no more, and waits for
   * what it has in hand.
   */
  readonly loop: (round: Round) => AsyncDisposable;
};

export type Job = RepeatedJob | LoopedJob;

/** Does the work, notes how it went, and logs a failure: undefined then. */
export type Round = <T>(work: () => Promise<T>) => Promise<T | undefined>;

export type JobState = {
  readonly name: string;
  readonly runs: number;
  readonly failures: number;
  readonly lastStartedAt: Date | undefined;
  readonly lastFinishedAt: Date | undefined;
  readonly lastOkAt: Date | undefined;
  readonly lastDurationMs: number | undefined;
  /** The kind of error the last run ended with, never its text; undefined where it did well. */
  readonly lastError: string | undefined;
};

export type JobRole = JobTerms['role'];
