/**
 * The background jobs of balances: they roll up the deltas that purchases leave, and delete old
 * rows.
 */

import type { Job } from '../core/job.ts';
import { LowWatermark } from '../core/low-watermark.ts';
import type { Database, Sql } from '../db/database.ts';
import { TimeIndexSummaries } from '../db/summarize-time-indexes.ts';
import { RollUp } from '../finance/reports/roll-up.ts';
import { CountRollUp } from '../purchases/history/roll-up-counts.ts';
import { WalletPruning } from '../wallet/ledger/prune-wallet-states.ts';
import { rollUpHouseBalances } from '../wallet/ledger/roll-up.ts';
import { markStatements } from '../wallet/mark-statements.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

type BalanceParts = {
  readonly database: Database;
  /** The cells, if they are on other servers. */
  readonly placedCells?: readonly Sql[];
};

export function balanceJobs({ database, placedCells }: BalanceParts): readonly Job[] {
  const houseDeltas = new LowWatermark();
  const pruning = new WalletPruning();
  const counts = new CountRollUp();
  const rollUp = new RollUp(placedCells);
  const timeIndexes = new TimeIndexSummaries();
  const countedTransfers = new Map();
  return [
    {
      name: 'house-balances',
      role: 'worker',
      everyMs: SECOND_MS,
      failure: 'cannot roll up house balances: they stay correct, but take longer to read',
      run: () => rollUpHouseBalances(database, undefined, houseDeltas),
    },
    {
      name: 'purchase-counts',
      role: 'worker',
      everyMs: SECOND_MS / 4,
      idleMs: SECOND_MS,
      failure: 'cannot roll up the purchase counters: they stay correct, but take longer to read',
      run: async () => (await counts.run(database)).consumed,
    },
    {
      name: 'roll-up',
      role: 'worker',
      everyMs: SECOND_MS,
      idleMs: 3 * SECOND_MS,
      failure: 'cannot roll up sales: reports, money totals and alarms about sales at a loss come later',
      run: () => rollUp.run(database),
    },
    {
      name: 'time-indexes',
      role: 'worker',
      everyMs: 5 * SECOND_MS,
      failure: 'cannot summarize the time indexes: queries for a period read more rows',
      run: () => timeIndexes.run(database),
    },
    {
      name: 'wallet-states',
      role: 'worker',
      everyMs: SECOND_MS,
      failure: 'cannot delete old wallet states: balances stay correct, but take more space',
      run: () => pruning.run(database),
    },
    {
      name: 'statement-marks',
      role: 'worker',
      everyMs: MINUTE_MS,
      failure: 'cannot mark the history of wallets: statements stay correct, but take longer to read',
      run: () => markStatements(database, undefined, countedTransfers),
    },
  ];
}
