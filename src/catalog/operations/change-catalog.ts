/**
 * Shows what incoming records would change in the catalog, or changes it: all in one transaction,
 * or nothing.
 */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { type ActorOrName, actorOf } from '../../kernel/actor.ts';
import { replaceBillPlans } from '../bill-plan-store.ts';
import { replaceBillers } from '../biller-store.ts';
import { insertCatalogChanges, lockCatalog } from '../catalog-change-store.ts';
import { type CatalogItem, pickKind, thingsOf } from '../catalog-item.ts';
import { replaceDataPlans } from '../data-plan-store.ts';
import { type CatalogDiff, diffCatalog } from '../diff-catalog.ts';
import { upsertEsimPlans } from '../esim-plan-store.ts';
import { upsertGiftCardPlans } from '../gift-card-plan-store.ts';
import { readWholeCatalog } from '../list-catalog-items.ts';

export type CatalogProposal = {
  /** Called with the present catalog, under its lock. */
  readonly incoming: (present: readonly CatalogItem[]) => readonly CatalogItem[];
  /** The file or the provider it comes from, for the history. */
  readonly source: string;
  readonly apply: boolean;
  /** Prices may move by more than a fifth. */
  readonly force: boolean;
  readonly withdrawMissing: boolean;
};

/**
 * `applied` is false where nobody asked for it, nothing changes, there is a fault, or a large
 * change of a price is not forced.
 */
export async function changeCatalog(
  tx: Tx,
  proposal: CatalogProposal,
  actor: ActorOrName,
): Promise<{ readonly diff: CatalogDiff; readonly applied: boolean }> {
  const { source, apply, force, withdrawMissing } = proposal;
  if (apply) await lockCatalog(tx);
  const present = await readWholeCatalog(tx);
  const diff = diffCatalog(present, proposal.incoming(present), { withdrawMissing });
  const { changes, faults } = diff;
  const steep = !force && changes.some((change) => change.steep);
  if (!apply || changes.length === 0 || faults.length > 0 || steep) return { diff, applied: false };
  await write(tx, diff);
  await insertCatalogChanges(tx, changes, { actor: actorOf(actor).name, source });
  const count = (what: string): number => changes.filter(({ change }) => change === what).length;
  await recordOperation(tx, {
    actor,
    action: 'catalog.change',
    subject: `catalog:${source}`,
    after: { added: count('added'), changed: count('changed'), withdrawn: count('withdrawn'), force },
  });
  await announceChange(tx, 'plans');
  return { diff, applied: true };
}

/** Kinds in which nothing changes are not touched. */
async function write(tx: Tx, { changes, result }: CatalogDiff): Promise<void> {
  const touched = new Set(changes.map(({ kind }) => kind));
  if (touched.has('biller')) await replaceBillers(tx, thingsOf(pickKind(result, 'biller')));
  if (touched.has('bill')) await replaceBillPlans(tx, thingsOf(pickKind(result, 'bill')));
  if (touched.has('data')) await replaceDataPlans(tx, thingsOf(pickKind(result, 'data')));
  if (touched.has('giftcard')) await upsertGiftCardPlans(tx, thingsOf(pickKind(result, 'giftcard')));
  if (touched.has('esim')) await upsertEsimPlans(tx, thingsOf(pickKind(result, 'esim')));
}
