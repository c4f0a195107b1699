/** Kinds of data plans and of airtime: the delivered plan, and its discount. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { removeDiscount, setDiscount } from '../../src/catalog/operations/set-discount.ts';
import type { PlanKind } from '../../src/core/products/plan-kind.ts';
import { searchPurchases } from '../../src/purchases/search/search-purchases.ts';
import { refusedAct } from '../support/refusals.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  anyProduct,
  assertRefused,
  data,
  dataSync,
  eventually,
  openSharedGateway,
} from './gateway-under-test.ts';
import { openShop } from './shop.ts';

const gateway = await openSharedGateway();
const { database } = gateway;

async function kindOf(id: unknown): Promise<unknown> {
  const [row] = await database.query("select details->>'kind' as kind from purchases where id = $1", [id]);
  return row?.kind;
}

describe('a kind of airtime', () => {
  it('buys the named kind of airtime, and stores it with the purchase', async () => {
    for (const path of [airtimeSync, airtimeAsync]) {
      for (const kind of [undefined, 'vtu', 'share_and_sell']) {
        const body = airtime(kind === undefined ? {} : { kind });
        const answer = await gateway.call('POST', path, { body });
        assert.equal(answer.status, 200, answer.text);
        const stored = await kindOf(answer.body.data.internal_reference);
        assert.equal(stored, kind === 'share_and_sell' ? kind : null);
      }
    }
  });

  it('refuses an unknown kind of airtime', async () => {
    for (const kind of ['sme', 'VTU', 1]) {
      for (const [path, fields] of [
        [airtimeSync, {}],
        [anyProduct, { product: 'airtime' }],
      ] as const) {
        const answer = await gateway.call('POST', path, { body: airtime({ ...fields, kind }) });
        assertRefused(answer, 400, 'kind');
      }
    }
  });

  it('compares the kind with the first purchase under a reference', async () => {
    const first = airtime({ kind: 'share_and_sell' });
    assert.equal((await gateway.call('POST', airtimeSync, { body: first })).status, 200);
    const same = await gateway.call('POST', airtimeSync, { body: first });
    assert.deepEqual(same.body.data.differing_fields, [], same.text);
    const { kind: _, ...usual } = first;
    const other = await gateway.call('POST', airtimeSync, { body: usual });
    assert.deepEqual(other.body.data.differing_fields, ['kind'], other.text);
  });
});

describe('a search by kind', () => {
  it('finds purchases of the kind only, airtime without a kind as vtu', async () => {
    const shop = await openShop(gateway);
    const bought = new Map<string, string>();
    for (const kind of ['vtu', 'share_and_sell', 'sme']) {
      const plans = (await gateway.call('GET', '/v1/plans/mtn?kind=sme')).body.data;
      const { plan_code, price: amount } = plans[0];
      const { path, body } =
        kind === 'sme'
          ? { path: dataSync, body: data({ merchant: shop.code, plan_code, amount }) }
          : { path: airtimeSync, body: airtime({ merchant: shop.code, kind }) };
      const answer = await gateway.call('POST', path, { as: shop.test, body });
      bought.set(kind, answer.body.data.internal_reference);
    }
    const found = async (kind: PlanKind) => {
      const { items } = await searchPurchases(
        database,
        { merchantId: shop.id, kind },
        { before: undefined, limit: 10 },
      );
      return items.map(({ id }) => id);
    };
    for (const kind of ['vtu', 'share_and_sell', 'sme'] as const) {
      assert.deepEqual(await found(kind), [bought.get(kind)], kind);
    }
    assert.deepEqual(await found('gifting'), []);
  });
});

describe('the kind of a data plan', () => {
  it('stores the kind of a data plan with the purchase, and discounts it separately', async () => {
    const shop = await openShop(gateway);
    const plans = (await gateway.call('GET', '/v1/plans/mtn')).body.data;
    const planOf = (kind: string) => plans.find((one: { kind: string }) => one.kind === kind);
    const buy = async (kind: string) => {
      const { plan_code, price: amount } = planOf(kind);
      const body = data({ merchant: shop.code, plan_code, amount });
      const { body: answer, text } = await gateway.call('POST', dataSync, { as: shop.test, body });
      assert.equal(answer.response_code, '00', text);
      const id = answer.data.internal_reference;
      assert.equal(await kindOf(id), kind);
      const [row] = await database.query<{ points: number }>(
        'select (10000 * (face_value - charge) / face_value)::int as points from purchases where id = $1',
        [id],
      );
      return row?.points;
    };
    const expect = async (sme: number, gifting: number): Promise<void> => {
      await eventually(`discounts of ${sme} and ${gifting}`, async () =>
        (await buy('sme')) === sme && (await buy('gifting')) === gifting ? true : undefined,
      );
    };
    const place = { merchantCode: shop.code, product: 'data', network: 'MTN' } as const;
    const force = { force: true };
    await database.transaction((tx) => setDiscount(tx, { ...place, basisPoints: 200 }, 'test', force));
    await expect(200, 200);
    const sme = { ...place, kind: 'sme' } as const;
    const set = await database.transaction((tx) => setDiscount(tx, { ...sme, basisPoints: 100 }, 'test'));
    assert.equal(set.before, 200);
    await expect(100, 200);
    const removed = await database.transaction((tx) => removeDiscount(tx, sme, 'test', force));
    assert.deepEqual([removed.before, removed.after], [100, 200]);
    await expect(200, 200);
    await assert.rejects(
      database.transaction((tx) => removeDiscount(tx, sme, 'test')),
      refusedAct('no_such_discount'),
    );
  });
});
