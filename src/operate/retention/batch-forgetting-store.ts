/** SQL that removes personal data from the rows of old batches. Products and costs stay. */
import type { Tx } from '../../db/database.ts';
import { masked, type PurchaseKind } from './purchase-anonymising-store.ts';

/**
 * Anonymises the rows of one batch that did not change since. A batch that could still be started
 * is stopped, because its rows no longer have recipients. Returns false without such a batch.
 */
export async function forgetBatch(tx: Tx, kind: PurchaseKind, before: Date): Promise<boolean> {
  const numbers = kind === 'purchases';
  const rows = await tx.query(
    `with old as (
       select merchant_id, id
       from batches
       where changed_at < $1
       and state <> 'running'
       and ${numbers ? "forgotten is distinct from 'purchases'" : 'forgotten is null'}
       limit 1
       for update skip locked
     ),
     forgotten as (
       update batch_rows r
       set phone = null ${numbers ? `, msisdn = ${masked('r.msisdn')}, recipient = ${masked('r.recipient')}` : ''}
       from old
       where r.merchant_id = old.merchant_id
       and r.batch_id = old.id
     )
     update batches b
     set forgotten = $2, state = case when b.state in ('ready', 'paused') then 'stopped' else b.state end
     from old
     where b.merchant_id = old.merchant_id
     and b.id = old.id
     returning 1`,
    [before, kind],
  );
  return rows.length > 0;
}
