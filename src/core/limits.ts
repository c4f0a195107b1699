/**
 * The limits of one gateway process. Everything that can grow has its limit here or where it is
 * defined.
 */
export const limits = {
  /**
   * Purchases and answers in one transaction. Larger batches gain nothing and delay the next ones.
   */
  batchMax: 128,
  /**
   * Concurrent batch transactions. While one waits for the lock of a wallet, another can serve
   * other wallets.
   */
  batchesInFlightMax: 2,
  /**
   * A second batch is sent in parallel only if it has this many items. A smaller batch waits until
   * the running one returns, so that it can carry more items: each batch costs PostgreSQL as much
   * as a dozen of them.
   */
  batchBesideMin: 80,
  /**
   * If the running batch is this old, in milliseconds, all waiting items are sent in parallel. A
   * batch usually takes a few milliseconds.
   */
  batchBesideAfterMs: 50,
  /**
   * If several processes share the database, fewer than `batchBesideMin` items wait for more after
   * a batch, for this fraction of the time it took, and at most this many milliseconds. Batches of
   * one wallet queue behind each other, so each small one delays all of them.
   */
  gatherShare: 0.5,
  gatherMaxMs: 10,
  /**
   * How long a commit waits for a lock, in milliseconds. The other items of its batch wait as long.
   */
  lockWaitMs: 400,
  /**
   * How long an item waits in the lock contention queue for a locked wallet, in milliseconds.
   */
  walletWaitMs: 30_000,
  /**
   * Purchases that wait to be accepted: half a second of work at full speed. Beyond: 503.
   */
  acceptQueueMax: 5_000,
  /**
   * Concurrent purchases, orders and verifications. Beyond: 503, and nothing is stored. Together at
   * most `acceptQueueMax`.
   */
  purchases: { pools: { live: { places: 4_000 }, test: { places: 1_000 } } },
  /**
   * Sync purchases that wait for an outcome from elsewhere. Beyond: they are answered pending at
   * once, as at their deadline.
   */
  outcomesAwaited: { pools: { live: { places: 20_000 }, test: { places: 5_000 } } },
  /**
   * The delay of the 429 for a request over a rate limit, in milliseconds, and the number of
   * requests that one listener delays.
   */
  floodRefusalHeldMs: 250,
  floodRefusalsHeldMax: 500,
  /** Concurrent long-poll requests for events. Beyond: 429. */
  eventPolls: {
    pools: {
      live: { places: 1_600, eachGroup: 40, eachMember: 4 },
      test: { places: 400, eachGroup: 20, eachMember: 4 },
    },
  },
  /** Concurrent messages of agents (MCP). Beyond: 503. */
  agentMessages: { pools: { live: { places: 400 }, test: { places: 100 } } },
  /** Purchases that the worker can have claimed at one time. */
  workerInHandMax: 1_000,
  /** QR codes that are drawn and that wait. Drawing one takes about 10 ms. */
  qrCodes: {
    atOnce: 1,
    pools: { live: { places: 1, waiting: 200 }, test: { places: 1, waiting: 50 } },
  },
  /**
   * Concurrent uploads of ID documents, each of up to 5 MB, and three times as much while it is
   * stored. The body of a waiting upload is not read.
   */
  uploads: {
    pools: {
      live: { places: 8, eachGroup: 2, waiting: 64 },
      test: { places: 2, eachGroup: 1, waiting: 32 },
    },
  },
  /** How long an upload waits before it is answered 503. */
  uploadWaitMs: 5_000,
  /**
   * Concurrent operations whose body is a file. A pool is an interface, a group is a merchant or a
   * user. Beyond: 503.
   */
  fileBodies: {
    pools: {
      console: { places: 4, waiting: 20 },
      portal: { places: 4, waiting: 20 },
      admin: { places: 4, waiting: 20 },
    },
  },
  fileBodyWaitMs: 5_000,
  /** Concurrent CSV exports of lists by users. Beyond: 503. */
  exports: { pools: { console: { places: 40 }, portal: { places: 80 } } },
  /** Pages of exports that are read at one time. */
  exportPages: {
    pools: { console: { places: 3, waiting: 400 }, portal: { places: 4, waiting: 400 } },
  },
  /** Receipts that are read at one time, by customers without a session. A group is a network. */
  receipts: { pools: { portal: { places: 4, waiting: 100, eachGroup: 2 } } },
  receiptWaitMs: 2_000,
  /** How long a lookup waits for the provider limiter before it is answered 503. */
  lookupWaitMs: 5_000,
  /** Callbacks of providers that are looked up at one time, and that wait. Beyond: 503. */
  callbacksAtOnce: 2,
  callbacksWaiting: 2_000,
  /** How long the slot of a finished upload stays reserved. */
  uploadRestMs: 500,
  /** An upload below this rate for `uploadStallS` seconds in a row is ended with 408. */
  uploadBytesPerSMin: 16_384,
  uploadStallS: 3,
  /** The largest move of a merchant's test clock, at a time and in total. */
  testClockStepS: 30 * 86_400,
  testClockAheadS: 3_650 * 86_400,
} as const;
