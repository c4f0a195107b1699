/** The work behind vending, a function for each background job. Each is safe in any process. */
import type { Round } from '../../kernel/job.ts';

export type VendingBackground = {
  /**
   * Sends what is stored and asks about what is not final. Disposing takes no more, and waits for
   * what is in hand.
   */
  work(round: Round): AsyncDisposable;
  /** Says that this process lives. */
  beat(): Promise<void>;
  /** Takes over what dead processes had in hand. */
  takeOver(): Promise<void>;
  lookForForgotten(): Promise<void>;
  /** Sees to vends that wait for a provider in vain. */
  sweep(): Promise<void>;
  /** Gives what waits for a provider to others that are better off. */
  divert(): Promise<void>;
  /** Moves along from where the worker looks at the queue. */
  moveQueueBounds(): Promise<void>;
  askLateGoods(): Promise<number>;
  /** Puts final purchases where an operator's search finds them fast. */
  indexSearch(): Promise<void>;
  /** Asks once more about the successes of yesterday. */
  lookAgain(): Promise<number>;
};
