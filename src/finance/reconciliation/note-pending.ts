/**
 * Where a provider has no list and there is no file: notes each purchase that is pending there.
 * With `apply` each is asked about.
 */

import { formatAmount } from '../../core/money.ts';
import type { Sql } from '../../db/database.ts';
import type { Party } from './compare-order.ts';
import { queryCommand } from './mend-commands.ts';
import { listPendingAt } from './our-orders-store.ts';
import { insertDifferences } from './reported-lines-store.ts';

/** More than that is an outage, and no work for one run: the oldest come first. */
const PENDING_MAX = 10_000;

/** Gives how many there are. */
export async function recordPending(sql: Sql, { name: provider, environment }: Party): Promise<number> {
  const rows = await listPendingAt(sql, { provider, environment }, PENDING_MAX);
  await insertDifferences(
    sql,
    rows.map(({ merchant_code: merchant, ...row }) => ({
      kind: 'pending_here',
      line: null,
      reference: row.reference,
      provider_id: null,
      merchant_id: row.merchant_id,
      purchase_id: row.purchase_id,
      at: row.started_at,
      amount: row.charge,
      effect: 0n,
      here: `pending, of ${merchant}, charge ${formatAmount(row.charge)}`,
      there: row.delivered ? 'said once that it delivered' : 'not asked',
      mend: queryCommand({ purchase: row.purchase, merchant, environment }),
      purchase: row.purchase,
    })),
  );
  return rows.length;
}
