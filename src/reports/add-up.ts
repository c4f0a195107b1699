/**
 * Adds up purchases, refunds and transfers by Lagos day, in the background: what reports, closed
 * days and the books are made of.
 *
 * Guarantees: each is added once, also when several processes add up at once or one dies. A slice
 * and the mark that moves past it are one transaction, under the mark's lock. Whenever a round
 * ends, the sums are what one moment saw. The history from before an upgrade is added from its end
 * to its beginning. It takes a small part of the time alone, so that it costs purchases little.
 */
import type { Database, Row, Tx } from '../db/database.ts';
import { type OnProgress, unwatched } from '../kernel/progress.ts';
import { hasIncompleteOfLastHour } from '../vending/history/complete-listed-store.ts';
import {
  addHistorySlice,
  addSlice,
  beginRound,
  lockMark,
  nothingCounted,
  type ReportMark,
  readMark,
} from './mark-store.ts';

const RUN_MS = 300;
const REST_PER_RUN = 25;
/** Else one slow run would put off the next for long. */
const REST_MAX_MS = 8_000;
const SLICE_S = 5;
/** Where there is little, slices get longer. */
const SLICE_MAX_S = 86_400;
const LITTLE = 1_000;
const MUCH = 10_000;

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

const nothing = { rows: 0, began: false, hasHistory: false } as const;

export class ReportAddition {
  #restUntilMs = Number.NEGATIVE_INFINITY;
  readonly #lengths = new SliceLengths();

  /** Gives how many rows it added. */
  async run(database: Transactions): Promise<number> {
    const startedMs = performance.now();
    if (startedMs < this.#restUntilMs) return 0;
    let added = 0;
    for (let step: Step = 'more'; step === 'more' && performance.now() - startedMs < RUN_MS; ) {
      const done = await database.transaction((tx) => addOne(tx, this.#lengths, { waits: false }));
      added += done.rows;
      step = done.step;
      if (step === 'round_over' && done.hasHistory) added += await this.#addHistory(database);
    }
    const nowMs = performance.now();
    this.#restUntilMs = nowMs + Math.min(REST_PER_RUN * (nowMs - startedMs), REST_MAX_MS);
    return added;
  }

  async #addHistory(database: Transactions): Promise<number> {
    const startedMs = performance.now();
    let added = 0;
    for (let isLeft = true; isLeft && performance.now() - startedMs < RUN_MS; ) {
      const done = await database.transaction((tx) => addHistory(tx, this.#lengths, { waits: false }));
      added += done.rows;
      isLeft = done.isLeft;
    }
    return added;
  }
}

/** How long a slice is, by how much was in the one before. */
class SliceLengths {
  seconds = SLICE_S;

  measure(rows: number): void {
    if (rows < LITTLE) this.seconds = Math.min(4 * this.seconds, SLICE_MAX_S);
    else if (rows > MUCH) this.seconds = Math.max(1, this.seconds / 2);
  }
}

type Waiting = { readonly waits: boolean };

async function addOne(tx: Tx, lengths: SliceLengths, waiting: Waiting): Promise<Done> {
  const mark = await lockMark(tx, waiting);
  if (mark === undefined) return { step: 'busy', ...nothing };
  const began = !mark.isInRound;
  if (began) {
    // A row that is changed after the cut would look as if it had come after it.
    if (await hasIncompleteOfLastHour(tx)) return { step: 'waits', ...nothing };
    await beginRound(tx, nothingCounted);
  }
  const { rows, isLast } = await addSlice(tx, lengths.seconds);
  lengths.measure(rows);
  return { step: isLast ? 'round_over' : 'more', rows, began, hasHistory: mark.historyTo !== null };
}

async function addHistory(
  tx: Tx,
  lengths: SliceLengths,
  waiting: Waiting,
): Promise<{ readonly rows: number; readonly isLeft: boolean }> {
  const mark = await lockMark(tx, waiting);
  if (mark === undefined || mark.historyTo === null || !isHistorySettled(mark))
    return { rows: 0, isLeft: false };
  const { rows, isLast } = await addHistorySlice(tx, lengths.seconds);
  lengths.measure(rows);
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
  const lengths = new SliceLengths();
  let added = 0;
  const tell = (rows: number): void => {
    added += rows;
    onProgress({ step: 'adding up', done: added, unit: 'rows added up' });
  };
  // A round that was begun elsewhere does not see what came since.
  for (let isFresh = false; performance.now() < untilMs; ) {
    const { step, rows, began } = await database.transaction((tx) => addOne(tx, lengths, { waits: true }));
    tell(rows);
    isFresh ||= began;
    if (step === 'waits' || (step === 'round_over' && isFresh)) break;
  }
  for (let isLeft = true; isLeft && performance.now() < untilMs; ) {
    const mark = await database.transaction(readMark);
    if (mark.historyTo === null) break;
    const done = await database.transaction((tx) => addHistory(tx, lengths, { waits: true }));
    tell(done.rows);
    isLeft = done.isLeft;
  }
  return await database.transaction(readMark);
}
