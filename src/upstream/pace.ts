/**
 * Spaces calls evenly, for upstreams that refuse more than so many a second. The first call goes at
 * once, each further one a step after the one before had its turn, however late that was. So after
 * a process stood still, calls do not leave together. Of those that wait, the one of the first rank
 * goes first; one in ten turns goes to the last rank, so that nobody waits for ever. A call that
 * would wait too long is refused before it waits.
 */

/** 0 goes first. */
export type Rank = 0 | 1 | 2;

type Turn = { readonly rank?: Rank; readonly signal?: AbortSignal | undefined };

export type Pace = {
  /** False where the turn would come after `waitMaxMs`, or did not come before the signal. */
  turn(waitMaxMs: number, turn?: Turn): Promise<boolean>;
  /** Takes a turn if it is to be had now. */
  takeNow(): boolean;
  /** How long one of a rank that asks now, after so many others, waits. */
  waitMs(rank?: Rank, ahead?: number): number;
  /** How many more turns come within `withinMs`. */
  turnsWithin(withinMs: number): number;
  /** From the next turn on. */
  set(perSecond: number): void;
};

type Waiting = { readonly rank: Rank; readonly settle: (hasTurn: boolean) => void };

/** What a timer may be late without the calls becoming fewer. */
const LATE_MS = 5;
const LAST_RANK_EVERY = 10;

/** `perSecond` 0 sets no pace. */
export function createPace(perSecond: number, elapsedMs: () => number = () => performance.now()): Pace {
  let stepMs = stepOf(perSecond);
  let nextAtMs = 0;
  let turns = 0;
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  const take = (): void => {
    nextAtMs = Math.max(nextAtMs, elapsedMs() - LATE_MS) + stepMs;
    turns += 1;
  };
  const nextMs = (): number => (stepMs === 0 ? 0 : Math.max(0, nextAtMs - elapsedMs()));
  const waitMs = (rank: Rank = 2, ahead = 0): number =>
    nextMs() + (waiting.filter((other) => other.rank <= rank).length + ahead) * stepMs;

  const serve = (): void => {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0 && nextMs() === 0) {
      const next = pick(waiting, turns % LAST_RANK_EVERY === LAST_RANK_EVERY - 1);
      waiting = waiting.filter((other) => other !== next);
      take();
      next?.settle(true);
    }
    if (waiting.length > 0) timer = setTimeout(serve, nextMs());
  };

  return {
    waitMs,
    takeNow: () => {
      if (waiting.length > 0 || nextMs() > 0) return false;
      take();
      return true;
    },
    turn: (waitMaxMs, { rank = 2, signal } = {}) => {
      if (signal?.aborted || waitMs(rank) > waitMaxMs) return Promise.resolve(false);
      return new Promise((resolve) => {
        const settle = (hasTurn: boolean): void => {
          signal?.removeEventListener('abort', onAbort);
          resolve(hasTurn);
        };
        const mine = { rank, settle };
        const onAbort = (): void => {
          waiting = waiting.filter((other) => other !== mine);
          settle(false);
        };
        signal?.addEventListener('abort', onAbort);
        waiting.push(mine);
        serve();
      });
    },
    turnsWithin: (withinMs) => {
      if (stepMs === 0) return Number.POSITIVE_INFINITY;
      const leftMs = withinMs - waitMs();
      return leftMs < 0 ? 0 : Math.floor(leftMs / stepMs) + 1;
    },
    set: (rate) => {
      stepMs = stepOf(rate);
      serve();
    },
  };
}

/** The first that came of the first rank that waits, or of the last. */
function pick(waiting: readonly Waiting[], fromTheLast: boolean): Waiting | undefined {
  const ranks = waiting.map(({ rank }) => rank);
  const rank = fromTheLast ? Math.max(...ranks) : Math.min(...ranks);
  return waiting.find((one) => one.rank === rank);
}

function stepOf(perSecond: number): number {
  return perSecond === 0 ? 0 : 1_000 / perSecond;
}
