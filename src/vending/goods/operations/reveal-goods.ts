/**
 * Opens what an order brought for an operator who asks for it, and notes in the audit log that he
 * did.
 */

import { recordOperation } from '../../../audit-log/audit-log-store.ts';
import type { Database } from '../../../db/database.ts';
import type { ActorOrName } from '../../../kernel/actor.ts';
import type { Sealer } from '../../../kernel/sealing.ts';
import type { Goods } from '../../../providers/provider.ts';
import { openGoods } from '../../path/sealed-goods.ts';

/** Undefined where there are none, or no key opens them; the operation is noted all the same. */
export async function revealGoods(
  database: Pick<Database, 'transaction'>,
  sealer: Sealer,
  vend: { readonly merchantId: number; readonly vendId: string },
  actor: ActorOrName,
): Promise<Goods | undefined> {
  return await database.transaction(async (tx) => {
    await recordOperation(tx, { actor, action: 'vend.reveal_goods', subject: `vend:${vend.vendId}` });
    return await openGoods(tx, (place, sealed) => sealer.open(place, sealed), vend);
  });
}
