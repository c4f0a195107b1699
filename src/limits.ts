/** Bounds of one gateway process. Whatever can grow is bounded here or says its bound where it lives. */
export const limits = {
  /** Vends in one accept or resolve transaction. Larger ones gain nothing and make those behind them wait. */
  batchMax: 256,
  /** Transactions of a kind in the database at once: one runs while the next is being read. */
  batchesInFlightMax: 2,
  /** Purchases that may wait to be accepted; one more is answered 503. Half a second's worth at full speed. */
  acceptQueueMax: 5_000,
  /** Answers that may wait to be stored. More than can be in hand: an answer is never refused. */
  resolveQueueMax: 100_000,
  /** Sync purchases under way; one more is answered 503 before anything is stored. */
  syncInFlightMax: 5_000,
  /** Vends the worker has in hand at once. */
  workerInHandMax: 1_000,
} as const;
