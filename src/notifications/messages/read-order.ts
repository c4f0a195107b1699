/**
 * Reads an order for its message: the texts of the catalog and the goods, which are opened for this
 * message only.
 */

import { formatAmount } from '../../core/money.ts';
import type { Sql } from '../../db/database.ts';
import type { Goods } from '../../providers/provider.ts';
import type { DeliverableOrder } from './compose-message.ts';
import type { ClaimedDelivery } from './delivery-store.ts';
import { findOrderFacts, type OrderFacts } from './order-store.ts';

export type OrderReader = {
  readonly sql: Sql;
  /** Opens the goods of a purchase; undefined while they are missing or cannot be opened. */
  readonly openGoods: (
    purchase: Pick<ClaimedDelivery, 'merchantId' | 'environment' | 'purchaseId'>,
  ) => Promise<Goods | undefined>;
};

export async function readDeliverableOrder(
  { sql, openGoods }: OrderReader,
  purchase: Pick<ClaimedDelivery, 'merchantId' | 'environment' | 'purchaseId'>,
): Promise<DeliverableOrder | undefined> {
  const facts = await findOrderFacts(sql, purchase);
  if (facts === undefined) return undefined;
  const goods = await openGoods(purchase);
  const cards = goods?.cards;
  if (cards === undefined) return undefined;
  return {
    kind: 'cards',
    merchantName: facts.merchant_name,
    reference: facts.reference,
    title: titleOf(facts),
    cards,
    instructions: goods?.redemption_instructions,
  };
}

function titleOf({ title, chosen_value: value, currency }: OrderFacts): string {
  const worth = value === null || currency === null ? '' : `${currency} ${formatAmount(BigInt(value))}`;
  return `${title ?? ''} ${worth}`.trim();
}
