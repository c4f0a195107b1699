/**
 * Price lists over the merchants' API: the version that sets a purchase's charge, and the stored
 * version.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import { announceChange } from '../../src/db/change-notice-store.ts';
import type { Tx } from '../../src/db/database.ts';
import {
  beginVersion,
  insertPriceList,
  insertVersion,
  updatePriceList,
  withdrawVersion,
} from '../../src/merchants/prices/price-list-store.ts';
import type { Pricing } from '../../src/merchants/prices/price-rule.ts';
import { airtime, airtimeSync, eventually, openSharedGateway } from './gateway-under-test.ts';
import { openShop, type Shop } from './shop.ts';

const gateway = await openSharedGateway();
const { database } = gateway;

type Priced = { readonly percent: number; readonly version: number | undefined };

/** Buys airtime for 100 naira. Returns the charge in percent, and the version that set it. */
async function buy(shop: Shop): Promise<Priced> {
  const body = airtime({ merchant: shop.code, amount: '100' });
  const { body: answer, text } = await gateway.call('POST', airtimeSync, { as: shop.test, body });
  assert.equal(answer.response_code, '00', text);
  assert.doesNotMatch(text, /price_list|priceList/);
  const [row] = await database.query<{ percent: number; version: number | null }>(
    `select
       (100 * charge / face_value)::integer as percent,
       (details->'priceList'->>'version')::integer as version
     from purchases
     where id = $1`,
    [answer.data.internal_reference],
  );
  assert.ok(row);
  return { percent: row.percent, version: row.version ?? undefined };
}

async function changed(change: (tx: Tx) => Promise<unknown>): Promise<void> {
  await database.transaction(async (tx) => {
    await change(tx);
    await announceChange(tx, 'merchants');
    await announceChange(tx, 'guards');
  });
}

async function addVersion(tx: Tx, list: string, pricing: Pricing): Promise<number> {
  const everything = { product: '*', network: '*', kind: '*', plan: '*' };
  return await insertVersion(tx, list, [{ ...everything, pricing, roundTo: 1n }], 'test');
}

/** A list with a discount of 10 %, and of 20 % from its second version on. */
async function openList(shop: Shop): Promise<string> {
  const list = `list-${shop.code.toLowerCase()}`.replaceAll('_', '-');
  await changed(async (tx) => {
    await insertPriceList(tx, list);
    for (const off of [1_000, 2_000]) await addVersion(tx, list, { by: 'off', off });
    await beginVersion(tx, list, 1, undefined);
    await updatePriceList(tx, shop.id, list);
  });
  return list;
}

describe('a price list', () => {
  it('prices a purchase by the current version, and by the next one after its start', async () => {
    const shop = await openShop(gateway);
    assert.deepEqual(await buy(shop), { percent: 100, version: undefined });
    const list = await openList(shop);
    await eventually('the list is known', async () => (await buy(shop)).version === 1);
    const later = new Date(Date.now() + 3_600_000);
    await changed((tx) => beginVersion(tx, list, 2, later));
    assert.deepEqual(await buy(shop), { percent: 90, version: 1 });
    await changed(async (tx) => {
      await withdrawVersion(tx, list, 2);
      await beginVersion(tx, list, 2, new Date(Date.now() + 3_000));
    });
    // No notice arrives when the time has come.
    await eventually('the second version holds', async () => (await buy(shop)).version === 2);
    assert.deepEqual(await buy(shop), { percent: 80, version: 2 });
    await changed((tx) => updatePriceList(tx, shop.id, null));
    await eventually('the list is left', async () => (await buy(shop)).version === undefined);
    assert.deepEqual(await buy(shop), { percent: 100, version: undefined });
    const { checks } = await auditPurchases(database);
    assert.deepEqual(
      checks.filter(({ name, ok }) => name === 'charge-by-list' && !ok),
      [],
    );
  });

  it('charges the face value by a margin while no cost is known', async () => {
    const shop = await openShop(gateway);
    const list = await openList(shop);
    await changed(async (tx) => {
      const version = await addVersion(tx, list, { by: 'margin', margin: 0 });
      await beginVersion(tx, list, version, undefined);
    });
    await eventually('the margin is known', async () => (await buy(shop)).version === 3);
    const { percent } = await buy(shop);
    assert.ok(percent > 0 && percent <= 100);
  });
});
