/**
 * Adds up purchases, refunds and transfers by Lagos day, in the background: what reports, closed
 * days and the books are made of.
 *
 * Guarantees: each is added once, also when several processes add up at once or one dies. A slice
 * and the mark that moves past it are one transaction, under the mark's lock. Whenever a round
 * ends, the sums are what one moment saw. The history from before an upgrade is added from its end
 * to its beginning. It takes a small part of the time alone, so that it costs purchases little.
 */
import { AddingPace, measured, SliceLength } from '../db/adding-pace.ts';
import type { Database, Row, Tx } from '../db/database.ts';
import { type OnProgress, unwatched } from '../kernel/progress.ts';
import {
  addHistorySlice,
  addSlice,
  beginRound,
  lockMark,
  nothingCounted,
  type ReportMark,
  readMark,
} from './mark-store.ts';

const SLICE_MAX_S = 86_400;
/** Where somebody waits for it. */
const CAUGHT_UP_SLICE_MS = 100;
/** To plan the statements of a slice takes as long as to add a hundred purchases. */
const plans = { genericPlans: true } as const;

type Transactions = Pick<Database, 'transaction'>;

/** `round_over`: what was committed when the round began is added. */
type Step = 'busy' | 'waits' | 'more' | 'round_over';

type Done = {
  readonly step: Step;
  readonly rows: number;
  /** The round was begun here. */
  readonly began: boolean;
  readonly hasHistory: boolean;
};

/** What was added of the history, and whether there is more. */
type History = { readonly rows: number; readonly isLeft: boolean };

const nothing = { rows: 0, began: false, hasHistory: false } as const;

export class ReportAddition {
  readonly #pace = new AddingPace();
  readonly #length = new SliceLength(SLICE_MAX_S);
  readonly #historyLength = new SliceLength(SLICE_MAX_S);

  /** Gives how many rows it added. */
  async run(database: Transactions): Promise<number> {
    if (!this.#pace.start()) return 0;
    let added = 0;
    let isBehind = false;
    do {
      const done = await database.transaction((tx) => addOne(tx, this.#length, { waits: false }), plans);
      added += done.rows;
      isBehind = done.step === 'more';
      if (done.step === 'round_over' && done.hasHistory) {
        const history = await this.#addHistory(database);
        added += history.rows;
        isBehind = history.isLeft;
      }
    } while (await this.#pace.goOn({ isBehind }));
    this.#pace.rest({ isBehind });
    return added;
  }

  async #addHistory(database: Transactions): Promise<History> {
    let rows = 0;
    let isLeft = false;
    // One slice at least: what is new may take the whole time of each run.
    do {
      const done = await database.transaction(
        (tx) => addHistory(tx, this.#historyLength, { waits: false }),
        plans,
      );
      rows += done.rows;
      isLeft = done.isLeft;
    } while (await this.#pace.goOn({ isBehind: isLeft }));
    return { rows, isLeft };
  }
}

type Waiting = { readonly waits: boolean };

async function addOne(tx: Tx, length: SliceLength, waiting: Waiting): Promise<Done> {
  const mark = await lockMark(tx, waiting);
  if (mark === undefined) return { step: 'busy', ...nothing };
  const began = !mark.isInRound;
  if (began) {
    await beginRound(tx, nothingCounted);
  }
  const { rows, isLast } = await measured(length, () => addSlice(tx, length.seconds));
  return { step: isLast ? 'round_over' : 'more', rows, began, hasHistory: mark.historyTo !== null };
}

async function addHistory(tx: Tx, length: SliceLength, waiting: Waiting): Promise<History> {
  const mark = await lockMark(tx, waiting);
  if (mark === undefined || mark.historyTo === null || !isHistorySettled(mark))
    return { rows: 0, isLeft: false };
  const { rows, isLast } = await measured(length, () => addHistorySlice(tx, length.seconds));
  return { rows, isLeft: !isLast };
}

/** Whether all that wrote the history has ended. */
function isHistorySettled({ fromAt, beganAt }: ReportMark): boolean {
  return fromAt > beganAt;
}

/**
 * In one transaction: all that is committed, and what the moment that it is of sees beside it.
 * Gives how far it is.
 */
export async function addAll<Counted extends Row>(
  tx: Tx,
  counting: Parameters<typeof beginRound>[1],
): Promise<{ readonly mark: ReportMark; readonly counted: readonly Counted[] }> {
  const addRound = async (): Promise<void> => {
    for (let isOver = false; !isOver; ) isOver = (await addSlice(tx, SLICE_MAX_S)).isLast;
  };
  const before = await lockMark(tx, { waits: true });
  if (before?.isInRound === true) await addRound();
  const counted = await beginRound<Counted>(tx, counting);
  await addRound();
  return { mark: await readMark(tx), counted };
}

/**
 * Adds what was committed before the call, and the history. Gives up when the time is over, and
 * leaves the rest to the job. Gives how far it is.
 */
export async function catchUp(
  database: Transactions,
  { withinMs, onProgress = unwatched }: { readonly withinMs: number; readonly onProgress?: OnProgress },
): Promise<ReportMark> {
  const untilMs = performance.now() + withinMs;
  const length = new SliceLength(SLICE_MAX_S, CAUGHT_UP_SLICE_MS);
  let added = 0;
  const tell = (rows: number): void => {
    added += rows;
    onProgress({ step: 'adding up', done: added, unit: 'rows added up' });
  };
  // A round that was begun elsewhere does not see what came since.
  for (let isFresh = false; performance.now() < untilMs; ) {
    const { step, rows, began } = await database.transaction(
      (tx) => addOne(tx, length, { waits: true }),
      plans,
    );
    tell(rows);
    isFresh ||= began;
    if (step === 'waits' || (step === 'round_over' && isFresh)) break;
  }
  for (let isLeft = true; isLeft && performance.now() < untilMs; ) {
    const mark = await database.transaction(readMark);
    if (mark.historyTo === null) break;
    const done = await database.transaction((tx) => addHistory(tx, length, { waits: true }), plans);
    tell(done.rows);
    isLeft = done.isLeft;
  }
  return await database.transaction(readMark);
}
