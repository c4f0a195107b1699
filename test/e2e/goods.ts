/**
 * Gift cards and eSIMs through the public interface, live: shops that may buy them, orders to send,
 * and the provider's own books.
 */
import assert from 'node:assert/strict';
import type { ProductName } from '../../src/core/products/product.ts';
import { readBooks } from '../support/books.ts';
import type { Answer, Gateway } from '../support/gateway.ts';
import { eventually, newReference, walletOf } from './gateway-under-test.ts';
import { openShop, type Shop } from './shop.ts';

export const cardOrders = '/v1/giftcards/orders';
export const esimOrders = '/v1/esim/orders';

type Body = Readonly<Record<string, unknown>>;

const CREDIT = '500000.00';

/** A shop with money for a few orders that may buy gift cards and eSIMs, live. */
export async function openGoodsShop(gateway: Gateway): Promise<Shop> {
  const shop = await openShop(gateway, { balance: 50_000_000n });
  const products: readonly ProductName[] = ['GIFTCARD', 'ESIM'];
  for (const product of products) {
    await gateway.database.query(
      "insert into merchant_products (merchant_id, environment, product) values ($1, 'live', $2)",
      [shop.id, product],
    );
  }
  return shop;
}

/** One shop's orders of one product. */
export type Counter = {
  readonly shop: Shop;
  order(fields: Body): Promise<Answer>;
  look(reference: unknown, suffix?: string): Promise<Answer>;
  /** The order once it is no longer pending. */
  final(reference: unknown): Promise<Answer>;
  /** The wallet as if `charge` naira had been spent and nothing were pending. */
  assertSpent(charge: string): Promise<void>;
  /** All of `amount` naira is held, and nothing is spent yet. */
  assertHeld(amount: string): Promise<void>;
  /** The request is refused with this, and nothing is stored. */
  assertNothingStored(fields: Body): Promise<Answer>;
};

export async function openCounter(gateway: Gateway, path: string): Promise<Counter> {
  const shop = await openGoodsShop(gateway);
  const order = (fields: Body): Promise<Answer> =>
    gateway.call('POST', path, { as: shop.live, body: { request_id: newReference(), ...fields } });
  const look = (reference: unknown, suffix = ''): Promise<Answer> =>
    gateway.call('GET', `${path}/${encodeURIComponent(String(reference))}${suffix}`, { as: shop.live });
  return {
    shop,
    order,
    look,
    final: (reference) =>
      eventually(`order ${reference} is final`, async () => {
        const answer = await look(reference);
        assert.equal(answer.status, 200, answer.text);
        return answer.body.response_code === '02' ? undefined : answer;
      }),
    assertSpent: async (charge) => {
      const balance = naira(kobo(CREDIT) - kobo(charge));
      assert.deepEqual(await walletOf(gateway, shop.live), { balance, held: '0.00', available: balance });
    },
    assertHeld: async (amount) => {
      assert.deepEqual(await walletOf(gateway, shop.live), {
        balance: CREDIT,
        held: amount,
        available: naira(kobo(CREDIT) - kobo(amount)),
      });
    },
    assertNothingStored: async (fields) => {
      const before = await footprintOf(gateway, shop);
      const answer = await order(fields);
      assert.deepEqual(await footprintOf(gateway, shop), before);
      return answer;
    },
  };
}

/** For one shop, because other tests' orders continue beside it. */
async function footprintOf(gateway: Gateway, shop: Shop): Promise<object> {
  const [row] = await gateway.database.query<{ purchases: bigint }>(
    'select count(*) as purchases from purchases where merchant_id = $1',
    [shop.id],
  );
  return { purchases: row?.purchases, wallet: await walletOf(gateway, shop.live) };
}

/**
 * How often the provider delivered an order, by its own books. Each attempt has a separate
 * reference there.
 */
export async function deliveriesOf(gateway: Gateway, answer: Answer): Promise<number> {
  const rows = await gateway.database.query<{ reference: string }>(
    'select reference from attempts where purchase_id = $1',
    [answer.body.data.internal_reference],
  );
  const ours = new Set(rows.map((row) => row.reference));
  return (await readBooks(gateway.simulatorUrl)).filter(({ reference }) => ours.has(reference)).length;
}

export async function attemptCount(gateway: Gateway, answer: Answer): Promise<number> {
  const rows = await gateway.database.query('select from attempts where purchase_id = $1', [
    answer.body.data.internal_reference,
  ]);
  return rows.length;
}

export function kobo(text: string): bigint {
  return BigInt(text.replace('.', ''));
}

export function naira(amount: bigint): string {
  const text = String(amount).padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}
