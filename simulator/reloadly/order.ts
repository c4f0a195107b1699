/**
 * POST /orders. On disk before any answer, as at VTpass. Reloadly's check of the identifier is not
 * atomic: an identifier that is known is refused, but two orders that arrive together are both
 * executed, and so they are here.
 */
import { randomInt, randomUUID } from 'node:crypto';
import type { Order } from '../books.ts';
import type { Fault } from '../faults.ts';
import { json, type Reply } from '../http.ts';
import { executes, fateOf, holdBack, spoil } from '../misbehave.ts';
import { nairaText, parseNaira } from '../naira.ts';
import { costOf, type Product, sells } from './catalog.ts';
import type { Reloadly } from './reloadly.ts';
import { record, refusal, words } from './replies.ts';

type Purchase = {
  readonly identifier: string;
  readonly product: Product;
  readonly quantity: number;
  /** Minor units of the product's currency. */
  readonly unitPrice: bigint;
};

export async function placeOrder(reloadly: Reloadly, body: unknown): Promise<Reply> {
  const { account, catalog, ledger, tokens } = reloadly;
  const purchase = readPurchase(reloadly, body);
  if ('kind' in purchase) return purchase;
  const isUsed = (await ledger.withIdentifier(purchase.identifier)).length > 0;
  const fault = account.fault('pay', String(purchase.product.productId));
  await holdBack(fault);
  if (fault?.fault === 'unauthorized') tokens.revokeAll();
  const order = newOrder(purchase, fault, new Date());
  if (fault === undefined || executes(fault)) {
    if (isUsed)
      return refusal(400, 'CUSTOM_IDENTIFIER_ALREADY_USED', 'The custom identifier was used before');
    if ((await take(reloadly, order)) === 'float_out') return words.floatOut;
  }
  const reply = json(record(order, catalog));
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

/** Every order that passed the check is executed, even a second one under the same identifier. */
async function take({ account, ledger }: Reloadly, order: Order): Promise<'taken' | 'float_out'> {
  for (let copy = 1; ; copy += 1) {
    const taken = copy === 1 ? order : { ...order, copy };
    const outcome = await account.take(taken);
    if (outcome === 'used') continue;
    if (outcome === 'taken') ledger.note(taken);
    return outcome;
  }
}

const IDENTIFIER_LENGTH_MAX = 150;

function readPurchase({ catalog }: Reloadly, body: unknown): Purchase | Reply {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const { productId, quantity, unitPrice, senderName } = fields;
  // Optional at Reloadly, which creates one if it is absent.
  const identifier = fields.customIdentifier ?? randomUUID();
  if (typeof identifier !== 'string' || identifier === '' || identifier.length > IDENTIFIER_LENGTH_MAX) {
    return invalid('customIdentifier is not valid');
  }
  if (typeof senderName !== 'string' || senderName === '') return invalid('senderName is required');
  if (typeof quantity !== 'number' || !Number.isInteger(quantity) || quantity < 1) {
    return invalid('quantity is not valid');
  }
  const product = typeof productId === 'number' ? catalog.find(productId) : undefined;
  if (product === undefined) return refusal(404, 'INVALID_PRODUCT', 'Product was not found');
  const price = typeof unitPrice === 'number' ? parseNaira(unitPrice) : undefined;
  if (price === undefined || !sells(product, price)) {
    return refusal(400, 'WRONG_PRODUCT_PRICE', 'The unit price is not one of this product');
  }
  return { identifier, product, quantity, unitPrice: price };
}

function invalid(message: string): Reply {
  return refusal(400, 'INVALID_INPUT_PROVIDED', message);
}

const TRANSACTION_ID_MAX = 2 ** 47;

function newOrder(
  { identifier, product, quantity, unitPrice }: Purchase,
  fault: Fault | undefined,
  now: Date,
): Order {
  const amount = unitPrice * BigInt(quantity);
  return {
    provider: 'reloadly',
    reference: identifier,
    product: 'GIFTCARD',
    // Without an owner: the cards are returned to any caller.
    recipient: '',
    amount,
    cost: costOf(amount, product.currency),
    acceptedAt: now,
    ...fateOf(fault, now),
    detail: {
      transactionId: String(randomInt(1, TRANSACTION_ID_MAX)),
      productId: String(product.productId),
      quantity: String(quantity),
      unitPrice: nairaText(unitPrice),
      currency: product.currency,
    },
  };
}
