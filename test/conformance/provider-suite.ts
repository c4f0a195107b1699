/**
 * Requirements for every connector and product. A bench connects one connector to an upstream whose
 * behaviour can be set for each recipient. The suite checks answers and, if the upstream keeps
 * books, deliveries.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Customer } from '../../src/core/products/customer.ts';
import type {
  AnswerKind,
  CustomerAnswer,
  Provider,
  ProviderAnswer,
  ProviderOrder,
} from '../../src/providers/provider.ts';
import { aPurchase, isBought } from '../support/a-purchase.ts';
import { until } from '../support/until.ts';
import { orderOf, type ProductCase } from './products.ts';

export type Behaviour =
  | 'success'
  | 'refused'
  | 'pending_then_success'
  | 'pending_then_failed'
  | 'lost_before_delivery'
  | 'lost_after_delivery'
  /** Delivered, but the first answers lack the goods. */
  | 'goods_late';

export type CustomerFate = 'known' | 'unknown' | 'unavailable';

/** Behaviours that upstreams can be set to, unless one states that it cannot. */
const EVERYTHING: ReadonlySet<Behaviour | CustomerFate> = new Set([
  'success',
  'refused',
  'pending_then_success',
  'pending_then_failed',
  'lost_before_delivery',
  'lost_after_delivery',
  'goods_late',
  'known',
  'unknown',
  'unavailable',
] as const);

export type ProviderBench = {
  readonly provider: Provider;
  /** Returns a recipient that the upstream treats in this way. */
  arrange(behaviour: Behaviour): Promise<string>;
  /** Settles the pending order of the recipient. Absent: it settles by itself. */
  release?(recipient: string): Promise<void>;
  /** For products with customer verification. */
  arrangeCustomer?(fate: CustomerFate): Promise<string>;
  /** How often the upstream delivered a reference; absent if it keeps no books. */
  deliveries?(reference: string): Promise<number>;
  /** The upstream only accepts a purchase of this product. A query returns its outcome. */
  readonly acceptsFirst?: boolean;
  /** The upstream returns the goods only once, in answer to the purchase. */
  readonly tellsGoodsOnce?: boolean;
  /** The upstream accepts no reference of ours, so only the gateway prevents a second order. */
  readonly takesNoReference?: boolean;
  /** The upstream does not report its charge in naira. */
  readonly tellsNoCost?: boolean;
  /** The answer to a purchase may lack the cost, which a query has. */
  readonly tellsCostWhenQueried?: boolean;
  /** The upstream never reports the units of a token. */
  readonly tellsNoUnits?: boolean;
  /** Only the answer to a purchase has the id that queries need. */
  readonly findsByOwnIdOnly?: boolean;
  /** The upstream has no query. */
  readonly cannotQuery?: boolean;
  /** False if purchases use no float: there is no account. */
  readonly hasFloat?: boolean;
  /** Secrets that the connector must never show. */
  readonly secrets: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
};

export function providerSuite(
  name: string,
  product: ProductCase,
  openBench: () => Promise<ProviderBench>,
  offers: ReadonlySet<Behaviour | CustomerFate> = EVERYTHING,
): void {
  const when = (wanted: Behaviour | CustomerFate, title: string, test: () => Promise<void>): void => {
    if (offers.has(wanted)) it(title, test);
  };
  // One after the other on one bench, even if suites run in parallel.
  describe(`${name} as a provider of ${product.name}`, { concurrency: 1 }, () => {
    let bench: ProviderBench;
    before(async () => {
      bench = await openBench();
    });
    after(async () => {
      await bench[Symbol.asyncDispose]();
    });
    purchases(product, () => bench, when);
    if (product.owes === undefined) goods(product, () => bench, when);
    else storedGoods(product, () => bench, when);
    if (product.nobody !== undefined) verification(product, () => bench, when);
    general(product, () => bench);
  });
}

type When = (wanted: Behaviour | CustomerFate, title: string, test: () => Promise<void>) => void;

function purchases(product: ProductCase, bench: () => ProviderBench, when: When): void {
  const { purchase, query, newOrder, assertDelivered, release } = callsOf(product, bench);
  const afterSuccess = (): AnswerKind => (bench().acceptsFirst ? 'accepted' : 'success');
  /** A query's answer about an order whose reply was lost. */
  const ofLost = (found: AnswerKind): AnswerKind =>
    bench().cannotQuery || bench().findsByOwnIdOnly ? 'unknown' : found;

  when('success', 'delivers, says its cost, and says so again when asked', async () => {
    const order = await newOrder('success');
    const first = await purchase(order);
    assert.equal(first.kind, afterSuccess(), first.message);
    const told = bench().cannotQuery ? [] : [await query(order)];
    for (const answer of first.kind === 'success' ? [first, ...told] : told) {
      assert.ok(answer.kind === 'success', `success, not ${answer.kind}: ${answer.message}`);
      const mayLackCost = bench().tellsCostWhenQueried && answer === first;
      if (bench().tellsNoCost) assert.equal(answer.cost, undefined);
      else if (!mayLackCost || answer.cost !== undefined)
        assert.ok(answer.cost !== undefined && answer.cost > 0n && answer.cost <= order.amount);
      if (!isGoods(product)) assert.ok(answer.telcoMessage, 'words for the customer');
    }
    await assertDelivered(order, 1);
  });

  when('refused', 'fails an order that was refused, by its own fault, and delivers nothing', async () => {
    const order = await newOrder('refused');
    const first = await purchase(order);
    for (const answer of bench().cannotQuery ? [first] : [first, await query(order)]) {
      assert.ok(answer.kind === 'failed', `failed, not ${answer.kind}: ${answer.message}`);
      assert.equal(answer.fault, 'order');
      if (!isGoods(product)) assert.ok(answer.telcoMessage, 'a reason for the customer');
    }
    await assertDelivered(order, 0);
  });

  when('pending_then_success', 'accepts a pending order, which later succeeds', async () => {
    const order = await newOrder('pending_then_success');
    assert.equal((await purchase(order)).kind, 'accepted');
    assert.equal((await query(order)).kind, 'accepted');
    await assertDelivered(order, 0);
    await release(order);
    assert.equal((await settled(query, order)).kind, 'success');
    await assertDelivered(order, 1);
  });

  when('pending_then_failed', 'accepts a pending order, which later fails', async () => {
    const order = await newOrder('pending_then_failed');
    assert.equal((await purchase(order)).kind, 'accepted');
    await release(order);
    assert.equal((await settled(query, order)).kind, 'failed');
    await assertDelivered(order, 0);
  });

  when(
    'lost_before_delivery',
    'does not know after a call lost before delivery; the query has never heard of it',
    async () => {
      const order = await newOrder('lost_before_delivery');
      assert.equal((await purchase(order)).kind, 'unknown');
      assert.equal((await query(order)).kind, ofLost('not_found'));
      await assertDelivered(order, 0);
    },
  );

  when(
    'lost_after_delivery',
    'does not know after a call lost after delivery; the query says success',
    async () => {
      const order = await newOrder('lost_after_delivery');
      assert.equal((await purchase(order)).kind, 'unknown');
      assert.equal((await query(order)).kind, ofLost('success'));
      await assertDelivered(order, 1);
    },
  );

  when('success', 'does not deliver a reference twice, nor call the second call a failure', async () => {
    if (bench().takesNoReference) return;
    const order = await newOrder('success');
    assert.equal((await purchase(order)).kind, afterSuccess());
    assert.ok(['success', 'unknown', 'accepted'].includes((await purchase(order)).kind));
    assert.equal((await query(order)).kind, bench().cannotQuery ? 'unknown' : 'success');
    await assertDelivered(order, 1);
  });
}

const TOKEN = /^\d{20}$/;

function goods(product: ProductCase, bench: () => ProviderBench, when: When): void {
  const { purchase, query, newOrder, release } = callsOf(product, bench);

  when(
    'success',
    `${product.owesToken ? 'gives a token and units' : 'gives no token'}, the same when asked again`,
    async () => {
      const order = await newOrder('success');
      const first = goodsOf(await purchase(order));
      const again = goodsOf(await query(order));
      if (!product.owesToken) {
        assert.equal(first.token, undefined);
        assert.equal(again.token, undefined);
        return;
      }
      assert.match(String(first.token), TOKEN);
      if (bench().tellsNoUnits) assert.equal(first.units, undefined);
      else assert.match(String(first.units), /^\d+(?:\.\d+)?$/);
      assert.deepEqual(again, bench().tellsGoodsOnce ? {} : first);
    },
  );

  if (!product.owesToken) return;
  when(
    'goods_late',
    'calls a delivery without its token a success, and gives the token when it comes',
    async () => {
      const order = await newOrder('goods_late');
      const first = await purchase(order);
      assert.equal(first.kind, 'success');
      assert.deepEqual(goodsOf(first), {});
      const early = await query(order);
      assert.equal(early.kind, 'success');
      assert.deepEqual(goodsOf(early), {});
      if (bench().tellsGoodsOnce) return;
      await release(order);
      const late = await untilAnswer(
        () => query(order),
        (answer) => goodsOf(answer).token !== undefined,
      );
      assert.match(String(goodsOf(late).token), TOKEN);
    },
  );
}

/** Gift cards, PINs and eSIMs: all ordered pieces or none, and the same in every query. */
function storedGoods(product: ProductCase, bench: () => ProviderBench, when: When): void {
  const { purchase, query, newOrder, release } = callsOf(product, bench);
  const quantity = product.wanted.item?.quantity ?? 1;
  /** The answer to a query, if the purchase itself is only accepted. */
  const bought = async (order: ProviderOrder): Promise<ProviderAnswer> => {
    const answer = await purchase(order);
    return bench().acceptsFirst ? await query(order) : answer;
  };

  when('success', `gives all of the ${product.owes}, the same when asked again`, async () => {
    const order = await newOrder('success');
    const first = await bought(order);
    const goods = goodsOf(first);
    assertOwed(product, goods, quantity);
    if (isGoods(product)) assert.ok(goods.reference_code, 'the reference of the provider');
    assert.deepEqual(goodsOf(await query(order)), goods);
    for (const secret of secretsOf(goods)) assert.ok(!first.message.includes(secret), 'told in a message');
  });

  when(
    'pending_then_success',
    'gives nothing of them while it is pending, and all of them then',
    async () => {
      const order = await newOrder('pending_then_success');
      for (const early of [await purchase(order), await query(order)]) assert.deepEqual(goodsOf(early), {});
      await release(order);
      assertOwed(product, goodsOf(await settled(query, order)), quantity);
    },
  );

  when('goods_late', 'calls a delivery without them a success, and gives them when they come', async () => {
    const order = await newOrder('goods_late');
    for (const early of [await bought(order), await query(order)]) {
      assert.equal(early.kind, 'success', early.message);
      assert.deepEqual(goodsOf(early), {});
    }
    await release(order);
    const late = await untilAnswer(
      () => query(order),
      (answer) => Object.keys(goodsOf(answer)).length > 0,
    );
    assertOwed(product, goodsOf(late), quantity);
  });
}

type GoodsFields = Readonly<Record<string, unknown>>;

function assertOwed({ owes }: ProductCase, goods: GoodsFields, quantity: number): void {
  if (owes === 'cards') assertCards(goods.cards, quantity);
  else if (owes === 'pins') assertPins(goods.pins, quantity);
  else assertEsim(goods);
}

function assertEsim(goods: GoodsFields): void {
  assert.match(String(goods.iccid), /^89\d{16,20}$/);
  assert.ok(goods.smdp_address && goods.activation_code && goods.redemption_instructions);
  assert.equal(goods.lpa, `LPA:1$${goods.smdp_address}$${goods.activation_code}`);
}

function assertPins(pins: unknown, quantity: number): void {
  assert.ok(Array.isArray(pins) && pins.length === quantity, `${quantity} PINs`);
  for (const { pin, serial, ...more } of pins as readonly Record<string, unknown>[]) {
    assert.match(String(pin), /^[0-9]{10,20}$/);
    assert.ok(serial === undefined || /^[A-Z]{3}[0-9]{9}$/.test(String(serial)), String(serial));
    assert.deepEqual(more, {});
  }
}

const CARD_FIELDS: ReadonlySet<string> = new Set(['card_number', 'pin', 'claim_url']);

function assertCards(cards: unknown, quantity: number): void {
  assert.ok(Array.isArray(cards) && cards.length === quantity, `${quantity} cards`);
  assert.equal(new Set(cards.map((card) => JSON.stringify(card))).size, quantity, 'each another');
  for (const card of cards as readonly Record<string, unknown>[]) {
    assert.ok(Object.keys(card).length > 0);
    for (const [field, value] of Object.entries(card)) {
      assert.ok(CARD_FIELDS.has(field), field);
      assert.ok(typeof value === 'string' && value !== '', field);
    }
  }
}

function secretsOf({ cards, pins, iccid, activation_code }: GoodsFields): readonly string[] {
  if (pins !== undefined) {
    return (pins as readonly Record<string, string>[]).flatMap((pin) => Object.values(pin));
  }
  if (cards === undefined) return [String(iccid), String(activation_code)];
  return (cards as readonly Record<string, string>[]).flatMap((card) => Object.values(card));
}

/** Orders without a recipient have no biller that could report one. */
function isGoods({ wanted }: ProductCase): boolean {
  return wanted.item !== undefined;
}

function verification(product: ProductCase, bench: () => ProviderBench, when: When): void {
  const verify = async (fate: CustomerFate): Promise<CustomerAnswer> => {
    const recipient = await bench().arrangeCustomer?.(fate);
    assert.ok(recipient !== undefined, 'the bench has customers');
    const { product: name, network, planCodes } = orderOf(bench().provider, product, recipient);
    const asked = { product: name, network, recipient, ...(planCodes && { planCodes }) };
    const answer = await bench().provider.verifyCustomer?.(asked);
    assert.ok(answer !== undefined, 'bills are verified');
    assertNoSecret(answer, bench().secrets);
    return answer;
  };

  when('known', 'names a customer whom the biller knows', async () => {
    const answer = await verify('known');
    assert.ok(answer.kind === 'verified', answer.kind);
    assertPlainCustomer(answer.customer);
  });

  when('unknown', 'rejects one whom it does not, with a reason', async () => {
    const answer = await verify('unknown');
    assert.ok(answer.kind === 'rejected', answer.kind);
    assert.notEqual(answer.message, '');
  });

  when('unavailable', 'says neither while it cannot be asked', async () => {
    const answer = await verify('unavailable');
    assert.ok(answer.kind === 'unavailable', answer.kind);
    assert.notEqual(answer.message, '');
  });
}

function general(product: ProductCase, bench: () => ProviderBench): void {
  it('declares its products, and never creates the same reference twice', () => {
    const { provider } = bench();
    assert.ok(provider.products.has(product.wanted.product));
    const now = new Date();
    const minted = new Set(
      Array.from({ length: 10_000 }, (_, index) =>
        provider.mintReference(now, { ...aPurchase, reference: `order-${index}` }, isBought),
      ),
    );
    assert.equal(minted.size, 10_000);
  });

  it('reads its float, which a purchase uses up', async () => {
    const { purchase, newOrder } = callsOf(product, bench);
    const before = await bench().provider.balance();
    if (bench().hasFloat === false) return assert.equal(before, undefined);
    const answer = await purchase(await newOrder('success'));
    const after = await bench().provider.balance();
    assert.ok(before !== undefined && after !== undefined, 'the float can be read');
    assert.equal(after.currency, before.currency);
    const [amount, amountBefore] = [after.amount, before.amount];
    assert.ok(amount > 0n && amount < amountBefore, `${amount} after ${answer.kind}, ${amountBefore} before`);
  });
}

type Calls = {
  readonly purchase: (order: ProviderOrder) => Promise<ProviderAnswer>;
  readonly query: (order: ProviderOrder) => Promise<ProviderAnswer>;
  readonly newOrder: (behaviour: Behaviour) => Promise<ProviderOrder>;
  readonly assertDelivered: (order: ProviderOrder, times: number) => Promise<void>;
  readonly release: (order: ProviderOrder) => Promise<void>;
};

function callsOf(product: ProductCase, bench: () => ProviderBench): Calls {
  const recipients = new WeakMap<ProviderOrder, string>();
  const ownIds = new WeakMap<ProviderOrder, string>();
  return {
    purchase: async (order) => {
      const answer = plain(await bench().provider.purchase(order), bench().secrets);
      if (answer.providerId !== undefined) ownIds.set(order, answer.providerId);
      return answer;
    },
    query: async (order) => {
      const providerId = bench().provider.queriesByOwnId && ownIds.get(order);
      const asked = providerId === undefined ? order : { ...order, providerId };
      return plain(await bench().provider.query(asked), bench().secrets);
    },
    newOrder: async (behaviour) => {
      const recipient = await bench().arrange(behaviour);
      const order = orderOf(bench().provider, product, recipient);
      recipients.set(order, recipient);
      return order;
    },
    release: async (order) => await bench().release?.(recipients.get(order) ?? ''),
    assertDelivered: async (order, times) => {
      const deliveries = await bench().deliveries?.(order.reference);
      if (deliveries !== undefined) assert.equal(deliveries, times, 'deliveries in the upstream books');
    },
  };
}

/** Checks the rules that hold for every answer. */
export function plain(answer: ProviderAnswer, secrets: readonly string[]): ProviderAnswer {
  assert.notEqual(answer.code, '');
  assert.notEqual(answer.message, '');
  assertNoSecret(answer, secrets);
  return answer;
}

export function goodsOf(answer: ProviderAnswer): Readonly<Record<string, unknown>> {
  return (answer.kind === 'success' ? answer.goods : undefined) ?? {};
}

function assertPlainCustomer(customer: Customer): void {
  assert.notEqual(customer.name, '');
  for (const [field, value] of Object.entries(customer)) {
    assert.ok(value !== undefined && value !== '', `${field} has a value or is not there`);
  }
}

function assertNoSecret(answer: unknown, secrets: readonly string[]): void {
  const shown = JSON.stringify(answer, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  for (const secret of secrets) assert.ok(!shown.includes(secret), `a secret in ${shown}`);
}

const FINAL: readonly AnswerKind[] = ['success', 'failed'];

function settled(
  query: (order: ProviderOrder) => Promise<ProviderAnswer>,
  order: ProviderOrder,
): Promise<ProviderAnswer> {
  return untilAnswer(
    () => query(order),
    (answer) => FINAL.includes(answer.kind),
  );
}

/** The first acceptable answer. */
async function untilAnswer(
  ask: () => Promise<ProviderAnswer>,
  willDo: (answer: ProviderAnswer) => boolean,
): Promise<ProviderAnswer> {
  return await until('an answer that will do', async () => {
    const answer = await ask();
    return willDo(answer) && answer;
  });
}
