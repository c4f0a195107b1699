/**
 * The limits of one gateway process. Whatever can grow has its limit here or where it is defined.
 */
export const limits = {
  /**
   * Purchases and answers in one transaction. Larger batches gain nothing, and make the next ones
   * wait.
   */
  batchMax: 128,
  /**
   * Such transactions in the database at once. While one of them waits for a wallet's lock, another
   * can serve other wallets.
   */
  batchesInFlightMax: 2,
  /**
   * A second batch is sent beside a running one only when it has so many items. A smaller batch
   * waits until the running one returns, so that it can carry more items: each batch costs
   * PostgreSQL as much as a dozen of them.
   */
  batchBesideMin: 80,
  /**
   * Once the batch in the database is so old, in milliseconds, whatever waits is sent beside it. As
   * a rule a batch takes a few milliseconds.
   */
  batchBesideAfterMs: 50,
  /**
   * Where several processes share the database, fewer than `batchBesideMin` items wait for more
   * after a batch, for this share of the time it took, and at most so many milliseconds. Batches of
   * one wallet queue behind each other, so that each small one costs all of them a turn.
   */
  gatherShare: 0.5,
  gatherMaxMs: 10,
  /**
   * How long a commit waits for a lock that somebody holds, in milliseconds. The others of its
   * batch wait as long.
   */
  lockWaitMs: 400,
  /**
   * How long an item waits for a wallet that somebody holds, in milliseconds. It is set aside
   * meanwhile.
   */
  walletWaitMs: 30_000,
  /**
   * Purchases that may wait to be accepted: as many as are accepted in half a second at full speed.
   * One more is answered 503.
   */
  acceptQueueMax: 5_000,
  /**
   * Purchases, orders and verifications that are worked on at once. One more is answered 503 before
   * anything is stored. Together no more than `acceptQueueMax`.
   */
  purchases: { pools: { live: { places: 4_000 }, test: { places: 1_000 } } },
  /**
   * Sync purchases that wait for an outcome which others bring. One more is answered at once as at
   * its deadline: stored, look up its status.
   */
  outcomesAwaited: { pools: { live: { places: 20_000 }, test: { places: 5_000 } } },
  /** Requests for events that wait for one. One more is answered 429. */
  eventPolls: {
    pools: {
      live: { places: 1_600, eachGroup: 40, eachMember: 4 },
      test: { places: 400, eachGroup: 20, eachMember: 4 },
    },
  },
  /** Messages of agents (MCP) in work, until they are answered. One more is answered 503. */
  agentMessages: { pools: { live: { places: 400 }, test: { places: 100 } } },
  /** Purchases that the worker has claimed at the same time. */
  workerInHandMax: 1_000,
  /** QR codes being drawn, and those that wait for it. A drawing takes about 10 ms. */
  qrCodes: {
    atOnce: 1,
    pools: { live: { places: 1, waiting: 200 }, test: { places: 1, waiting: 50 } },
  },
  /**
   * Uploads of ID documents, until their requests end: each may hold 5 MB, and thrice as much while
   * it is stored. The body of one that waits is not read.
   */
  uploads: {
    pools: {
      live: { places: 8, eachGroup: 2, waiting: 64 },
      test: { places: 2, eachGroup: 1, waiting: 32 },
    },
  },
  /** How long an upload waits for its turn. Then it is answered 503. */
  uploadWaitMs: 5_000,
  /**
   * Bodies of operations that take the content of a file, of people: each until its call is
   * answered. A pool is a face, a group is a merchant or a person. One more is answered 503.
   */
  fileBodies: {
    pools: {
      console: { places: 4, waiting: 20 },
      portal: { places: 4, waiting: 20 },
      admin: { places: 4, waiting: 20 },
    },
  },
  fileBodyWaitMs: 5_000,
  /** Exports of lists as CSV, of people: each until its answer ends. One more is answered 503. */
  exports: { pools: { console: { places: 40 }, portal: { places: 80 } } },
  /** Pages of them that are read at once. Each export waits for the next one of its own. */
  exportPages: {
    pools: { console: { places: 3, waiting: 400 }, portal: { places: 4, waiting: 400 } },
  },
  /** How long a look-up waits for its turn at a provider. Then it is answered 503. */
  lookupWaitMs: 5_000,
  /** Callbacks of providers that are looked up at once, and that wait. One more is answered 503. */
  callbacksAtOnce: 2,
  callbacksWaiting: 2_000,
  /** How long the place of an upload is given to nobody after it. */
  uploadRestMs: 500,
  /** An upload that brings fewer bytes a second, so many seconds on end, is cut: 408. */
  uploadBytesPerSMin: 16_384,
  uploadStallS: 3,
  /** How far a merchant moves its test clock at once, and in all. */
  testClockStepS: 30 * 86_400,
  testClockAheadS: 3_650 * 86_400,
} as const;
