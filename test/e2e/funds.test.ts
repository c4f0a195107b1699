/**
 * Money: purchases that the wallet cannot pay or can just pay, discounts, and many at once with
 * little money.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setGuard } from '../../src/catalog/operations/guards.ts';
import { setDiscount } from '../../src/catalog/operations/set-discount.ts';
import type { Answer, KeyPair } from '../support/gateway.ts';
import { refusedAct } from '../support/refusals.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  assertRefused,
  data,
  dataSync,
  eventually,
  footprint,
  newNumber,
  openSharedGateway,
  statusOf,
  untilFinal,
  walletOf,
} from './gateway-under-test.ts';
import { deliveriesTo } from './provider.ts';
import { credit, openShop, type Shop } from './shop.ts';

const gateway = await openSharedGateway();
const { database } = gateway;

function create(path: string, as: KeyPair, body: unknown): Promise<Answer> {
  return gateway.call('POST', path, { as, body });
}

async function traceOf(id: unknown): Promise<object | undefined> {
  const [row] = await database.query(
    `select
       (select count(*)::integer from attempts where purchase_id = $1) as attempts,
       (select count(*)::integer from provider_answers where purchase_id = $1) as answers,
       (select count(*)::integer from transfers where subject_id = $1) as transfers,
       (select count(*)::integer from pending_purchases where purchase_id = $1) as pending,
       (select reason from purchase_outcomes where purchase_id = $1) as reason`,
    [id],
  );
  return row;
}

describe('a purchase the wallet cannot pay', () => {
  for (const path of [airtimeSync, airtimeAsync]) {
    it(`a purchase that the wallet cannot pay is 01 at once on ${path}, stored, and not sent`, async () => {
      const shop = await openShop(gateway, { balance: 10_000n });
      const msisdn = newNumber();
      const body = airtime({ merchant: shop.code, msisdn, amount: '100.01' });
      const answer = await create(path, shop.live, body);
      assert.equal(answer.status, 200, answer.text);
      const { internal_reference, created_at, ...rest } = answer.body.data;
      assert.match(created_at, /^\d{4}-\d\d-\d\dT/);
      const { response_message, ...told } = answer.body;
      assert.ok(response_message.length > 0);
      assert.deepEqual(
        { ...told, data: rest },
        {
          status: 'failed',
          response_code: '01',
          data: {
            msisdn,
            product: 'airtime',
            request_id: body.request_ref,
            network: 'MTN',
            amount: '100.01',
            plan: '',
            merchant_id: shop.id,
            reason: 'insufficient_funds',
          },
        },
      );
      const status = await statusOf(gateway, body.request_ref, shop.live);
      assert.deepEqual(
        [
          status.body.state,
          status.body.code,
          status.body.payload.reason,
          status.body.payload.internal_reference,
        ],
        ['failed', '01', 'insufficient_funds', internal_reference],
      );
      assert.deepEqual(await traceOf(internal_reference), {
        attempts: 0,
        answers: 0,
        transfers: 0,
        pending: 0,
        reason: 'insufficient_funds',
      });
      assert.deepEqual(await deliveriesTo(gateway, msisdn), []);
      assert.deepEqual(await walletOf(gateway, shop.live), {
        balance: '100.00',
        held: '0.00',
        available: '100.00',
      });
    });

    it(`a purchase of all the money is paid on ${path}: to the last kobo`, async () => {
      const shop = await openShop(gateway, { balance: 10_000n });
      const msisdn = newNumber();
      const body = airtime({ merchant: shop.code, msisdn, amount: '100.00' });
      await create(path, shop.live, body);
      assert.equal((await untilFinal(gateway, body.request_ref, shop.live)).body.code, '00');
      assert.equal((await deliveriesTo(gateway, msisdn)).length, 1);
      assert.equal((await walletOf(gateway, shop.live)).balance, '0.00');
    });
  }

  it('data behaves the same', async () => {
    const shop = await openShop(gateway, { balance: 9_999n });
    const answer = await create(dataSync, shop.test, data({ merchant: shop.code }));
    assert.deepEqual([answer.status, answer.body.response_code, answer.body.data.plan], [200, '01', 'MTN-1']);
    await credit(gateway, shop.code, 'test', 1n);
    const next = await create(dataSync, shop.test, data({ merchant: shop.code }));
    assert.equal(next.body.response_code, '00');
  });

  it('an unpaid purchase does not block a smaller one', async () => {
    const shop = await openShop(gateway, { balance: 10_000n });
    const amounts = ['200', '60', '60', '40', '10'];
    const codes: string[] = [];
    for (const amount of amounts) {
      codes.push(
        (await create(airtimeSync, shop.test, airtime({ merchant: shop.code, amount }))).body.response_code,
      );
    }
    assert.deepEqual(codes, ['01', '00', '01', '00', '01']);
  });
});

describe('a hundred purchases at once', () => {
  for (const [path, environment] of [
    [airtimeSync, 'test'],
    [airtimeSync, 'live'],
    [airtimeAsync, 'live'],
  ] as const) {
    it(`sells 37 of a hundred purchases on ${path} with money for 37: ${environment}`, async () => {
      const shop = await openShop(gateway, { balance: 37n * 5_000n + 4_999n });
      const as = shop[environment];
      const bodies = Array.from({ length: 100 }, () =>
        airtime({ merchant: shop.code, amount: '50', msisdn: newNumber() }),
      );
      const answers = await Promise.all(bodies.map((body) => create(path, as, body)));
      assert.ok(answers.every((answer) => answer.status === 200));
      const unpaid = answers.filter((answer) => answer.body.response_code === '01');
      assert.equal(unpaid.length, 63);
      assert.ok(unpaid.every((answer) => answer.body.data.reason === 'insufficient_funds'));
      // One after the other, because lookups of one merchant that wait for long are refused.
      const finals: Answer[] = [];
      for (const body of bodies) finals.push(await untilFinal(gateway, body.request_ref, as));
      assert.equal(finals.filter((final) => final.body.code === '00').length, 37);
      assert.deepEqual(await walletOf(gateway, as), { balance: '49.99', held: '0.00', available: '49.99' });
      const deliveries = await Promise.all(bodies.map((body) => deliveriesTo(gateway, body.msisdn)));
      assert.equal(deliveries.flat().length, environment === 'live' ? 37 : 0);
    });
  }
});

describe('a discount', () => {
  async function discounted(
    shop: Shop,
    product: 'airtime' | 'data',
    network: string,
    basisPoints: number,
  ): Promise<void> {
    const change = { merchantCode: shop.code, product, network, basisPoints };
    await database.transaction((tx) => setDiscount(tx, change, 'test', { force: true }));
  }

  /** Buys until the charge is as expected, because notices of changes take a moment. */
  async function chargedFor(
    shop: Shop,
    path: string,
    body: () => Record<string, unknown>,
    kobo: bigint,
  ): Promise<Answer> {
    return await eventually(`a charge of ${kobo} kobo`, async () => {
      const answer = await create(path, shop.live, body());
      const [row] = await database.query('select face_value, charge from purchases where id = $1', [
        answer.body.data.internal_reference,
      ]);
      return row?.charge === kobo ? answer : undefined;
    });
  }

  it('selling below cost raises one alarm per merchant, network and provider', async () => {
    const shop = await openShop(gateway);
    const alarms = (): Promise<{ id: bigint; purchase: string; message: string }[]> =>
      database.query(
        `select id, purchase_id as purchase, message
         from alarms
         where kind = 'sold_below_cost'
         and merchant_id = $1
         order by id`,
        [shop.id],
      );
    const body = (): Record<string, unknown> => airtime({ merchant: shop.code, amount: '200' });
    const fair = await create(airtimeSync, shop.live, body());
    assert.equal(fair.body.response_code, '00', fair.text);
    assert.deepEqual(await alarms(), []);
    const change = {
      merchantCode: shop.code,
      product: 'airtime',
      network: 'MTN',
      basisPoints: 1_900,
    } as const;
    // The provider took nearly all of the face value a moment ago. The cost is learned soon after.
    const accepted = new Error('the discount was accepted');
    const refused = await eventually('the discount is refused', async () => {
      const tried = database.transaction(async (tx) => {
        await setDiscount(tx, change, 'test');
        throw accepted;
      });
      const error: unknown = await tried.catch((thrown: unknown) => thrown);
      return error === accepted ? undefined : error;
    });
    assert.ok(refusedAct('sells_below_cost')(refused));
    await discounted(shop, 'airtime', 'MTN', 1_900);
    await chargedFor(shop, airtimeSync, body, 16_200n);
    const told = (count: number, pattern: RegExp) =>
      eventually(`${count} alarms, the last of which matches ${pattern}`, async () => {
        const found = await alarms();
        return found.length === count && pattern.test(found.at(-1)?.message ?? '') ? found : undefined;
      });
    const [first] = await told(1, /\bMTN\b.*\bvtpass\b.*\b1\b.*\bairtime\b.*\b32\.00 NGN\b/);
    await create(airtimeSync, shop.test, body());
    assert.equal((await create(airtimeSync, shop.live, body())).body.response_code, '00');
    const [second] = await told(1, /\b2\b.*\bairtime\b.*\b64\.00 NGN\b/);
    assert.deepEqual([second?.id, second?.purchase], [first?.id, first?.purchase]);
    await database.query('update alarms set acknowledged_at = now() where id = $1', [first?.id]);
    assert.equal((await create(airtimeSync, shop.live, body())).body.response_code, '00');
    await told(2, /\b1\b.*\bairtime\b.*\b32\.00 NGN\b/);
  });

  it('a guard stops a sale below cost before anything is stored', async () => {
    const shop = await openShop(gateway);
    const body = (): Record<string, unknown> =>
      airtime({ merchant: shop.code, network: 'glo', amount: '200' });
    const guard = { environment: 'live', product: 'airtime', network: 'GLO' } as const;
    const set = async (mode: 'alarm' | 'stop'): Promise<void> => {
      const change = { ...guard, mode, forgetsCosts: false };
      await database.transaction((tx) => setGuard(tx, change, 'test'));
    };
    await set('stop');
    // Its cost is not known yet.
    assert.equal((await create(airtimeSync, shop.live, body())).body.response_code, '00');
    await discounted(shop, 'airtime', 'GLO', 1_900);
    const refused = await eventually('it is refused', async () => {
      const sent = body();
      const answer = await create(airtimeSync, shop.live, sent);
      if (answer.status === 200) return undefined;
      assert.equal((await statusOf(gateway, sent.request_ref, shop.live)).status, 404);
      return answer;
    });
    assertRefused(refused, 503);
    const before = await footprint(database);
    for (const path of [airtimeSync, airtimeAsync]) {
      assert.equal((await create(path, shop.live, body())).status, 503);
    }
    assert.deepEqual(await footprint(database), before);
    // Others pay enough, and test money is separate.
    const other = await openShop(gateway);
    const fair = { ...body(), merchant: other.code };
    assert.equal((await create(airtimeSync, other.live, fair)).body.response_code, '00');
    assert.equal((await create(airtimeSync, shop.test, body())).body.response_code, '00');
    await set('alarm');
    await eventually('it is sold again', async () => {
      const answer = await create(airtimeSync, shop.live, body());
      return answer.status === 200 ? answer : undefined;
    });
  });

  it('a discount lowers the charge and not the face value', async () => {
    const shop = await openShop(gateway);
    const msisdn = newNumber();
    await discounted(shop, 'airtime', 'MTN', 250);
    const answer = await chargedFor(
      shop,
      airtimeSync,
      () => airtime({ merchant: shop.code, msisdn, amount: '200' }),
      19_500n,
    );
    assert.equal(answer.body.data.amount, '200.00');
    const [delivery] = await deliveriesTo(gateway, msisdn);
    assert.equal(delivery?.amount, '200.00');
    const transfers = await database.query(
      `select t.code, t.amount, c.kind
       from transfers t
       join accounts c on c.id = t.credit_account_id
       where t.subject_id = $1
       order by t.code`,
      [answer.body.data.internal_reference],
    );
    // Face value 200.00, charge 195.00, cost 194.00: the house earns 1.00.
    assert.deepEqual(transfers, [
      { code: 'purchase_cost', amount: 19_400n, kind: 'float' },
      { code: 'purchase_margin', amount: 100n, kind: 'revenue' },
    ]);
  });

  it('a discount larger than the provider’s is a visible loss', async () => {
    const shop = await openShop(gateway);
    await discounted(shop, 'airtime', 'GLO', 1_000);
    const body = (): Record<string, unknown> =>
      airtime({ merchant: shop.code, network: 'glo', amount: '100' });
    const answer = await chargedFor(shop, airtimeSync, body, 9_000n);
    const transfers = await database.query(
      'select code, amount from transfers where subject_id = $1 order by code',
      [answer.body.data.internal_reference],
    );
    assert.deepEqual(transfers, [
      { code: 'purchase_cost', amount: 9_000n },
      { code: 'purchase_loss', amount: 700n },
    ]);
  });

  it('a discount applies to one product and network only', async () => {
    const shop = await openShop(gateway);
    await discounted(shop, 'airtime', 'MTN', 500);
    await chargedFor(shop, airtimeSync, () => airtime({ merchant: shop.code }), 9_500n);
    await chargedFor(shop, airtimeSync, () => airtime({ merchant: shop.code, network: 'glo' }), 10_000n);
    await chargedFor(shop, dataSync, () => data({ merchant: shop.code }), 10_000n);
  });

  it('rounds a discount in our favour, by less than a kobo', async () => {
    const shop = await openShop(gateway);
    await discounted(shop, 'airtime', 'AIRTEL', 333);
    const body = (): Record<string, unknown> =>
      airtime({ merchant: shop.code, network: 'airtel', amount: '10.01' });
    // 3.33 % of 1,001 kobo is 33.3333: 33 off.
    await chargedFor(shop, airtimeSync, body, 968n);
  });

  it('a discount counts for the funds: the wallet needs the charge, not the face value', async () => {
    const shop = await openShop(gateway, { balance: 9_500n });
    await discounted(shop, 'airtime', 'MTN', 500);
    await eventually('the discount is known', async () => {
      const body = airtime({ merchant: shop.code, amount: '100.00' });
      return (await create(airtimeSync, shop.live, body)).body.response_code === '00' ? true : undefined;
    });
    assert.equal((await walletOf(gateway, shop.live)).balance, '0.00');
  });

  it('charges and holds nothing for a full discount', async () => {
    const shop = await openShop(gateway, { balance: 0n });
    await discounted(shop, 'airtime', 'MTN', 10_000);
    await eventually('the discount is known', async () => {
      const body = airtime({ merchant: shop.code });
      return (await create(airtimeSync, shop.test, body)).body.response_code === '00' ? true : undefined;
    });
  });
});
