// The shapes an order of a gift card or an eSIM is answered in: envelope A with the data of orders, and what a status payload says of its goods. Pure.
import { formatRfc3339 } from '../../kernel/clock.ts';
import { formatAmount } from '../../kernel/money.ts';
import type { OrderRecord } from '../../products/product-record.ts';
import { recordOf } from '../../products/registry.ts';
import type { Order } from '../../vending/orders/order.ts';
import type { Vend } from '../../vending/vend/vend.ts';
import { outcomeCodes } from './envelopes.ts';

const esimGoods = ['iccid', 'activation_code', 'smdp_address', 'lpa', 'redemption_instructions'] as const;

/** The names of what an order can have brought, as sent. */
export type OrderGoods = Readonly<Record<string, unknown>>;

export function orderEnvelope(order: Order): Record<string, unknown> {
  return {
    status: order.status,
    response_code: outcomeCodes[order.status],
    response_message: order.message,
    data: {
      request_id: order.reference,
      product: order.product,
      internal_reference: order.id,
      product_title: order.title,
      plan: order.planCode ?? '',
      ...(orderRecord(order)?.isCounted && { quantity: order.quantity }),
      amount: formatAmount(order.charge),
      merchant_id: order.merchantId,
      created_at: formatRfc3339(order.createdAt),
      ...(order.telcoMessage !== undefined && { telco_message: order.telcoMessage }),
      ...orderGoods(order),
    },
  };
}

function orderRecord({ product }: Pick<Vend, 'product'>): OrderRecord | undefined {
  const record = recordOf(product);
  return record?.kind === 'order' ? record : undefined;
}

/** Of a success; what is not there yet is left out. */
export function orderGoods(vend: Vend): OrderGoods {
  if (vend.status !== 'success') return {};
  const { goods } = vend;
  const told: Record<string, unknown> = {};
  if (goods.reference_code !== undefined) told.reference_code = String(goods.reference_code);
  if (orderRecord(vend)?.owes.goods === 'cards') {
    if (Array.isArray(goods.cards)) told.cards = goods.cards;
    return told;
  }
  // Install fields come with an ICCID or not at all.
  if (goods.iccid === undefined) return told;
  for (const name of esimGoods) {
    const value = goods[name];
    if (value !== undefined && value !== null) told[name] = String(value);
  }
  return told;
}
