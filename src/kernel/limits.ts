/**
 * Bounds of one gateway process. Whatever can grow is bounded here or says its bound where it
 * lives.
 */
export const limits = {
  /**
   * Purchases and answers in one transaction. Larger ones gain nothing and make those behind them
   * wait.
   */
  batchMax: 128,
  /**
   * Such transactions in the database at once: what one wallet is locked for, the others need not
   * wait for.
   */
  batchesInFlightMax: 2,
  /**
   * What must wait to be sent beside another such transaction; less waits for its return, and so
   * takes more along.
   */
  batchBesideMin: 48,
  /**
   * Purchases that may wait to be accepted; one more is answered 503. Half a second's worth at full
   * speed.
   */
  acceptQueueMax: 5_000,
  /** Answers that may wait to be stored. More than can be in hand: an answer is never refused. */
  resolveQueueMax: 100_000,
  /** Sync purchases under way; one more is answered 503 before anything is stored. */
  syncInFlightMax: 5_000,
  /** Vends the worker has in hand at once. */
  workerInHandMax: 1_000,
} as const;
