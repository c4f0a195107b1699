/**
 * Limits the gifts of one person without a second one. The gifts of an operation and of the same
 * person in the previous 24 hours are added, so many small ones count as one large one.
 *
 * Guarantees: concurrent operations are added one after the other; test money is not counted; money
 * of another currency counts as naira at the current rate.
 */

import type { Actor } from '../../core/actor.ts';
import { worthAtRate } from '../../core/exchange.ts';
import type { ApprovalLimits, Gift } from '../../core/operation.ts';
import type { Tx } from '../../db/database.ts';
import { findRate, insertGift, listControls, lockGifts, sumGifts } from './approval-store.ts';
import { isOnePerson } from './is-one-person.ts';

/**
 * Adds the gift to the person's total. False if the total would exceed the limit: then nothing is
 * added.
 */
export async function addGift(
  tx: Tx,
  { correction: limit }: ApprovalLimits,
  { operation, gift, actor }: { readonly operation: string; readonly gift: Gift; readonly actor: Actor },
): Promise<boolean> {
  if (limit === undefined || gift.environment === 'test' || gift.amount === 0n) return true;
  const kobo = await worthInNaira(tx, gift);
  if (kobo === undefined || kobo > limit) return false;
  await lockGifts(tx);
  const given = await sumGifts(tx);
  const controls = await listControls(tx);
  const own = given.filter(({ principal }) => isOnePerson(actor.principal, principal, controls, undefined));
  const total = own.reduce((sum, { amount }) => sum + amount, kobo);
  if (total > limit) return false;
  if (kobo > 0n) await insertGift(tx, { principal: actor.principal, operation, amount: kobo });
  return true;
}

/** In kobo, without its sign. Undefined if unknown. */
export async function worthInNaira(tx: Tx, { amount, currency }: Gift): Promise<bigint | undefined> {
  if (amount === 'any') return undefined;
  const size = amount < 0n ? -amount : amount;
  if (currency === 'NGN') return size;
  const rateMicro = await findRate(tx, currency);
  return rateMicro && worthAtRate(size, rateMicro);
}
