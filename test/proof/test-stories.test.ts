/**
 * Every story of the registry, run through the public interface: bought, read, the clock moved,
 * read again, and the books audited. Each story has a separate merchant whose clock it moves.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatAmount } from '../../src/core/money.ts';
import { type ProductName, productNames } from '../../src/core/products/product.ts';
import { productRecords, recordOf } from '../../src/core/products/registry.ts';
import {
  deliveryStories,
  findStory,
  storyFamilies,
  type TestStory,
  testStories,
} from '../../src/core/products/test-stories.ts';
import { setProduct } from '../../src/merchants/operations/set-product.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  anyProduct,
  assertRefused,
  dataSync,
  eventually,
  newNumber,
  newReference,
  openGatewayUnderTest,
  statusOf,
  untilFinal,
} from '../e2e/gateway-under-test.ts';
import { cardOrders, esimOrders } from '../e2e/goods.ts';
import { misbehave } from '../e2e/provider.ts';
import { openShop, type Shop } from '../e2e/shop.ts';
import type { Answer } from '../support/gateway.ts';

const gateway = await openGatewayUnderTest({
  settings: { OJA_RATE_LIMIT_PER_S: '1000', OJA_TIME_SCALE: '1' },
});
const clockPath = '/v1/test/clock';

type Buying = {
  readonly what: string;
  readonly path: string;
  readonly reference: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly product: ProductName;
};

type BuyStory = (id: string, shop: Shop) => readonly Buying[];

/** One purchase of a story for each way of buying the product. Other products use their samples. */
const special: Readonly<Partial<Record<ProductName, BuyStory>>> = {
  airtime: (id, shop) => [airtimeSync, airtimeAsync].map((path) => bought('airtime', path, mobile(id, shop))),
  data: (id, shop) => [bought('data', dataSync, { ...mobile(id, shop), plan_code: 'MTN-1' })],
  EDUCATION: (id, shop) => [
    bill('EDUCATION', shop, { ...examPlan('JAMB'), msisdn: `1000000${id}` }),
    bill('EDUCATION', shop, { ...examPlan('WAEC'), msisdn: `08000000${id}` }),
  ],
  GIFTCARD: (id) => [ordered('GIFTCARD', cardOrders, id, { plan_id: 300002 })],
  ESIM: (id) => [ordered('ESIM', esimOrders, id, { plan_id: 'NG-1GB-7D' })],
};

function purchasesOf(product: ProductName, id: string, shop: Shop): readonly Buying[] {
  const own = special[product];
  if (own !== undefined) return own(id, shop);
  const { sample, storyPrefixes } = recordOf(product);
  const { network, planCode: plan_code, faceValue } = sample;
  const fields = { network, plan_code, amount: formatAmount(faceValue), phone: '08031234567' };
  return storyPrefixes.map((prefix) => bill(product, shop, { ...fields, msisdn: `${prefix}${id}` }));
}

type ExamPlan = { readonly network: string; readonly plan_code: string; readonly amount: string };
const examPlans = new Map<string, ExamPlan>();

function examPlan(network: string): ExamPlan {
  return examPlans.get(network) ?? assert.fail(`no plan of ${network}`);
}

function mobile(id: string, { code: merchant }: Shop) {
  return { merchant, msisdn: `08000000${id}`, network: 'mtn', amount: '100.00' };
}

function bought(product: ProductName, path: string, fields: object): Buying {
  const reference = newReference();
  return { what: path, path, reference, body: { ...fields, request_ref: reference }, product };
}

function bill(product: ProductName, { code: merchant }: Shop, fields: object): Buying {
  return { ...bought(product, anyProduct, { merchant, product, ...fields }), what: product };
}

function ordered(product: ProductName, path: string, id: string, fields: object): Buying {
  const reference = `oja-${id}-${newReference()}`;
  return { what: product, path, reference, body: { request_id: reference, ...fields }, product };
}

async function openTestShop(): Promise<Shop> {
  const shop = await openShop(gateway);
  await gateway.database.transaction(async (tx) => {
    for (const product of productNames) {
      const change = { merchantCode: shop.code, environment: 'test', product, enabled: true } as const;
      await setProduct(tx, change, 'test');
    }
  });
  return shop;
}

async function advance(shop: Shop, advanceS: number): Promise<Answer['body']> {
  const answer = await gateway.call('POST', clockPath, { as: shop.test, body: { advance_s: advanceS } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

type Looked = { readonly code: string; readonly data: Answer['body'] };

/** The state of a purchase; undefined if it is not stored. */
async function look(shop: Shop, { path, reference, product }: Buying): Promise<Looked | undefined> {
  const isOrder = product === 'GIFTCARD' || product === 'ESIM';
  const answer = isOrder
    ? await gateway.call('GET', `${path}/${reference}`, { as: shop.test })
    : await statusOf(gateway, reference, shop.test);
  if (answer.status === 404) return undefined;
  assert.equal(answer.status, 200, answer.text);
  return isOrder
    ? { code: answer.body.response_code, data: answer.body.data }
    : { code: answer.body.code, data: answer.body.payload };
}

/** The goods that a success must have. */
const goodsField: Partial<Record<ProductName, string>> = Object.fromEntries(
  productRecords.flatMap((record) =>
    record.kind !== 'direct' && record.owes !== undefined ? [[record.name, record.owes.goods]] : [],
  ),
);

/** How long the answer to a sync client is delayed for a success without its goods. */
const SYNC_PATIENCE_S = 60;
/**
 * Longer than the gateway tries to send a purchase, and longer than a provider may not know one.
 */
const GIVEN_UP_S = 1_000;

/** The time after which a purchase without an answer is queried. */
const FIRST_QUESTION_S = 5;

function lastsS({ play }: TestStory): number {
  if (play.afterS !== undefined) return play.afterS;
  if (play.goodsAfterS !== undefined) return SYNC_PATIENCE_S;
  if (play.first === 'silent' && play.end === undefined) return FIRST_QUESTION_S;
  return play.end === 'unknown' || play.end === 'down' ? GIVEN_UP_S : 0;
}

async function play(story: TestStory): Promise<void> {
  const shop = await openTestShop();
  const buyings = story.products.flatMap((product) =>
    purchasesOf(product, story.id, shop).filter(
      ({ body }) => !(story.onlyVerified && body.network === 'WAEC'),
    ),
  );
  const created = new Map<Buying, Answer>();
  const answers = Promise.all(
    buyings.map(async (buying) => {
      const answer = await gateway.call('POST', buying.path, { as: shop.test, body: buying.body });
      created.set(buying, answer);
    }),
  );
  // It fails the test that waits for it.
  answers.catch(() => undefined);
  // Each is answered, or stored and pending.
  for (const buying of buyings) {
    await eventually(`${buying.what} is on its way`, async () =>
      created.has(buying) || (await look(shop, buying)) !== undefined ? true : undefined,
    );
  }
  const isLong = lastsS(story) > 0;
  if (isLong) {
    const started = await Promise.all(buyings.map((buying) => look(shop, buying)));
    assert.ok(
      started.every((one) => one?.code === '02' || lastsS(story) <= FIRST_QUESTION_S),
      `${story.id} is pending: ${JSON.stringify(started)}`,
    );
    await advance(shop, lastsS(story));
  }
  await answers;
  for (const buying of buyings) {
    if (!awaitsGoods(story, buying)) await assertEnds(story, shop, buying, created.get(buying));
  }
  if (story.play.goodsAfterS !== undefined) await assertGoodsLate(story, shop, buyings);
  const [first] = buyings;
  if (first !== undefined && story.end.kind !== 'refused') {
    const again = await gateway.call('POST', first.path, { as: shop.test, body: first.body });
    assertRefused(again, 422);
  }
}

async function assertEnds(
  story: TestStory,
  shop: Shop,
  buying: Buying,
  created: Answer | undefined,
): Promise<void> {
  const what = `${story.id} ${buying.what}`;
  assert.ok(created, what);
  if (story.end.kind === 'refused') {
    assertRefused(created, story.end.status);
    assert.equal(await look(shop, buying), undefined, what);
    return;
  }
  assert.equal(created.status, 200, `${what}: ${created.text}`);
  const final = await eventually(`${what} is final`, async () => {
    const looked = await look(shop, buying);
    return looked?.code === '02' ? undefined : looked;
  });
  assert.equal(final.code, story.end.kind === 'success' ? '00' : '01', what);
  const [outcome] = await gateway.database.query<{ reason: string; attempts: bigint }>(
    `select o.reason, count(a.*) as attempts
     from purchases v
     join purchase_outcomes o on o.merchant_id = v.merchant_id and o.purchase_id = v.id
     left join attempts a on a.merchant_id = v.merchant_id and a.purchase_id = v.id
     where v.merchant_id = $1
     and v.reference = $2
     group by o.reason`,
    [shop.id, buying.reference],
  );
  assert.equal(outcome?.reason, story.end.kind === 'success' ? 'delivered' : story.end.reason, what);
  if (story.play.first !== 'down') assert.ok((outcome?.attempts ?? 0n) <= 1n, `${what}: sent once`);
  if (story.end.kind !== 'success') return;
  const field = goodsField[buying.product];
  const isLate = story.play.goodsAfterS !== undefined;
  const hasNone = isLate || story.play.brings === 'debt cleared';
  if (field !== undefined) assert.equal(final.data[field] === undefined, hasNone, what);
  if (story.play.brings === 'debt cleared') assert.equal(final.data.payment_spent_on, 'debt');
  if (story.play.brings === 'token and key change') assert.match(final.data.kct1, /^\d{20}$/);
}

/** An order of gift cards succeeds only with its cards. */
function awaitsGoods({ play }: TestStory, { product }: Buying): boolean {
  return play.goodsAfterS !== undefined && product === 'GIFTCARD';
}

async function assertGoodsLate(story: TestStory, shop: Shop, buyings: readonly Buying[]): Promise<void> {
  const waiting = buyings.filter((buying) => awaitsGoods(story, buying));
  for (const buying of waiting) {
    const looked = await look(shop, buying);
    assert.deepEqual([looked?.code, looked?.data.cards], ['02', undefined], `${story.id} ${buying.what}`);
  }
  const { late_goods: moved } = (await advance(shop, story.play.goodsAfterS ?? 0)).moved;
  assert.equal(moved, buyings.length - waiting.length, story.id);
  for (const buying of buyings) {
    const looked = await eventually(`the goods of ${story.id} ${buying.what}`, async () => {
      const now = await look(shop, buying);
      return now?.data[goodsField[buying.product] ?? ''] ? now : undefined;
    });
    assert.equal(looked.code, '00');
  }
}

describe('the stories of the registry', { concurrency: 6 }, () => {
  // Plans of the catalog, once.
  const ready = (async () => {
    const shop = await openTestShop();
    for (const network of ['JAMB', 'WAEC']) {
      const { body } = await gateway.call('GET', `/v1/plans/bills/education?network=${network}`, {
        as: shop.test,
      });
      const [plan] = body.data;
      examPlans.set(network, { network, plan_code: String(plan.id), amount: plan.price });
    }
  })();

  const ofFamilies = storyFamilies.flatMap(({ digit }) =>
    ['01', '99'].map((count) => findStory(`${digit}${count}`, 'airtime') ?? assert.fail(digit)),
  );
  for (const story of [...testStories, ...ofFamilies]) {
    it(`${story.id}: ${story.text}`, { timeout: 120_000 }, async () => {
      await ready;
      await play(story);
    });
  }
});

describe('the clock of test credentials', { concurrency: 6 }, () => {
  const moves = async (shop: Shop) => (await advance(shop, 60)).offset_s as number;

  it('refuses anything but a valid number of seconds ahead, and moves nothing', async () => {
    const shop = await openTestShop();
    for (const advance_s of [0, -1, 1.5, 1e9, 2_592_001, '86400 ', 'a day', true, {}, Number.NaN]) {
      const answer = await gateway.call('POST', clockPath, { as: shop.test, body: { advance_s } });
      assertRefused(answer, advance_s === null || Number.isNaN(advance_s) ? 422 : 400, 'advance_s');
    }
    assertRefused(await gateway.call('POST', clockPath, { as: shop.test, body: {} }), 422, 'advance_s');
    const live = await gateway.call('POST', clockPath, { as: shop.live, body: { advance_s: 60 } });
    assertRefused(live, 403, { reason: 'test_credentials_only' });
    assert.equal(await moves(shop), 60, 'nothing was moved before');
    assert.equal(await moves(shop), 120, 'twice is twice');
  });

  it('moves ten years ahead at most, and reports how far it can still move', async () => {
    const shop = await openTestShop();
    for (let n = 0; n < 121; n += 1) await advance(shop, 30 * 86_400);
    const answer = await gateway.call('POST', clockPath, { as: shop.test, body: { advance_s: 2_592_000 } });
    assertRefused(answer, 400, { field: 'advance_s', reason: 'test_clock_ends' });
    assert.ok(answer.body.message.includes('1728000'));
    assert.equal((await advance(shop, 1_728_000)).offset_s, 315_360_000);
  });

  it('moves no other merchant, no live purchase, and no later purchase', async () => {
    const [shop, other] = [await openTestShop(), await openTestShop()];
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'pending_then_success', recipient: msisdn, settle_ms: 600_000 });
    const async = async (as: Shop['test'], fields: object): Promise<string> => {
      const reference = newReference();
      const body = { ...airtime({ ...fields, request_ref: reference }) };
      const answer = await gateway.call('POST', airtimeAsync, { as, body });
      assert.equal(answer.body.response_code, '02', answer.text);
      return reference;
    };
    const mine = await async(shop.test, { merchant: shop.code, msisdn: '08000000230' });
    const theirs = await async(other.test, { merchant: other.code, msisdn: '08000000230' });
    const live = await async(shop.live, { merchant: shop.code, msisdn });
    const dueOf = async () => {
      const rows = await gateway.database.query<{ due: string; environment: string }>(
        `select p.environment, p.due_at::text as due
         from pending_purchases p
         join purchases v on v.merchant_id = p.merchant_id and v.id = p.purchase_id
         where v.reference = any($1)
         and p.owner is null
         and p.queries = 0
         and p.due_at > now() + interval '1 second'
         order by v.reference`,
        [[theirs, live]],
      );
      return rows.length === 2 ? rows : undefined;
    };
    await eventually('both wait for their first question', dueOf);
    // Far from its due time, which must not come while the clock of the other shop is moved.
    await gateway.database.query(
      `update pending_purchases p
       set due_at = due_at + interval '10 minutes'
       from purchases v
       where v.merchant_id = p.merchant_id
       and v.id = p.purchase_id
       and v.reference = any($1)
       and p.owner is null`,
      [[theirs, live]],
    );
    const before = await dueOf();
    assert.ok(before);
    await eventually('mine waits', async () =>
      (await statusOf(gateway, mine, shop.test)).body.code === '02' ? true : undefined,
    );
    await advance(shop, 29 * 60);
    assert.deepEqual(await dueOf(), before);
    assert.equal((await statusOf(gateway, mine, shop.test)).body.code, '02', 'a minute is left');
    const late = await async(shop.test, { merchant: shop.code, msisdn: '08000000230' });
    await advance(shop, 60);
    assert.equal((await untilFinal(gateway, mine, shop.test)).body.code, '00');
    assert.equal((await statusOf(gateway, late, shop.test)).body.code, '02', 'it was bought later');
    await advance(shop, 29 * 60);
    assert.equal((await untilFinal(gateway, late, shop.test)).body.code, '00');
    await advance(other, 30 * 60);
    assert.equal((await untilFinal(gateway, theirs, other.test)).body.code, '00');
  });

  it('continues after the clock of the database was set back', async () => {
    const shop = await openTestShop();
    await advance(shop, 60);
    // Like a move that was made an hour from now.
    await gateway.database.query(
      `update test_clock_moves
       set moved_at = moved_at + interval '1 hour'
       where merchant_id = (select id from merchants where code = $1)`,
      [shop.code],
    );
    const [, buying] = purchasesOf('airtime', '210', shop);
    assert.ok(buying);
    await gateway.call('POST', buying.path, { as: shop.test, body: buying.body });
    await eventually('it is on its way', () => look(shop, buying));
    assert.equal((await advance(shop, 600)).offset_s, 660);
    await eventually('it is delivered', async () =>
      (await look(shop, buying))?.code === '00' ? true : undefined,
    );
  });

  it('makes a purchase overdue, reports it in the feed, and ends it', async () => {
    const shop = await openTestShop();
    const [, buying] = purchasesOf('airtime', '430', shop);
    assert.ok(buying);
    await gateway.call('POST', buying.path, { as: shop.test, body: buying.body });
    await eventually('it is on its way', () => look(shop, buying));
    await advance(shop, 25 * 3_600);
    const types = async () =>
      (await gateway.call('GET', '/v1/events', { as: shop.test })).body.data.map(
        ({ type }: { type: string }) => type,
      );
    await eventually('it is told as overdue', async () =>
      (await types()).includes('transaction.overdue') ? true : undefined,
    );
    assert.equal((await look(shop, buying))?.code, '02');
    await advance(shop, 5 * 3_600);
    await eventually('it is delivered', async () =>
      (await look(shop, buying))?.code === '00' ? true : undefined,
    );
    assert.deepEqual(await types(), ['transaction.overdue', 'transaction.success']);
  });

  it('moves goods that were queried before, one query at a time', async () => {
    const shop = await openTestShop();
    const [buying] = purchasesOf('ELECTRICITY', '141', shop);
    assert.ok(buying);
    const answer = gateway.call('POST', buying.path, { as: shop.test, body: buying.body });
    await eventually('it is on its way', () => look(shop, buying));
    await advance(shop, SYNC_PATIENCE_S);
    assert.equal((await answer).body.response_code, '00');
    const askedTimes = (tries: number) =>
      eventually(`its token was asked for ${tries} times`, async () => {
        const rows = await gateway.database.query(
          'select from pending_fulfilments where merchant_id = $1 and tries = $2',
          [shop.id, tries],
        );
        return rows.length === 1 ? true : undefined;
      });
    for (let tries = 0; tries < 3; tries += 1) {
      await askedTimes(tries);
      assert.equal((await advance(shop, 3_600)).moved.late_goods, 1, `after ${tries} questions`);
    }
    await askedTimes(3);
    // As while a process queries: its lease is active, and no other process may take the row.
    const held = await eventually('the third answer is stored', async () => {
      const rows = await gateway.database.query<{ due_at: Date }>(
        `update pending_fulfilments
         set lease_id = gen_random_uuid()
         where merchant_id = $1
         and lease_id is null
         returning due_at`,
        [shop.id],
      );
      return rows.length === 1 ? rows : undefined;
    });
    assert.equal((await advance(shop, 86_400)).moved.late_goods, 0);
    const after = await gateway.database.query(
      'select due_at from pending_fulfilments where merchant_id = $1',
      [shop.id],
    );
    assert.deepEqual(after, held);
    await gateway.database.query('update pending_fulfilments set lease_id = null where merchant_id = $1', [
      shop.id,
    ]);
    assert.equal((await advance(shop, 86_400)).moved.late_goods, 1);
    await eventually('its token is there', async () =>
      (await look(shop, buying))?.data.token ? true : undefined,
    );
  });

  for (const { id, text, outcome } of deliveryStories) {
    it(`${id}: a card that is sent: ${text}`, async () => {
      const shop = await openTestShop();
      const send = async (sent: object) => {
        const request_id = newReference();
        const body = { request_id, plan_id: 300002, ...sent };
        const answer = await gateway.call('POST', cardOrders, { as: shop.test, body });
        assert.equal(answer.body.response_code, '00', answer.text);
        return answer.body.data.internal_reference as string;
      };
      const purchaseIds = [
        await send({ send_via: 'email', destination: `oja-${id}@example.com` }),
        await send({ send_via: 'sms', destination: `08000000${id}` }),
      ];
      const states = () =>
        gateway.database.query<{ state: string; tries: number }>(
          'select state, tries from deliveries where purchase_id = any($1)',
          [purchaseIds],
        );
      const become = (state: string, tries: number) =>
        eventually(`both are ${state} after ${tries} tries`, async () =>
          (await states()).every((row) => row.state === state && row.tries === tries) ? true : undefined,
        );
      if (outcome !== 'not_sent') {
        await become(outcome, 1);
        return;
      }
      for (let tries = 1; tries < 8; tries += 1) {
        await become('due', tries);
        assert.equal((await advance(shop, 86_400)).moved.deliveries, 2, `after ${tries} tries`);
      }
      await become('given_up', 8);
      await eventually('the feed tells of both', async () => {
        const { body } = await gateway.call('GET', '/v1/events?types=delivery.failed', { as: shop.test });
        return body.data.length === 2 ? true : undefined;
      });
    });
  }
});
