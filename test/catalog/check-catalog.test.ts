/** Finds the errors that prevent a gateway from loading a catalog, with the items concerned. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDemoCatalog } from '../../src/app/demo/read-demo-catalog.ts';
import type { BillPlan } from '../../src/catalog/bill-plan.ts';
import type { Biller } from '../../src/catalog/biller-index.ts';
import { type CatalogItem, nameOf } from '../../src/catalog/catalog-item.ts';
import { type CatalogFault, checkCatalog } from '../../src/catalog/check-catalog.ts';
import type { DataPlan } from '../../src/catalog/data-plan-index.ts';
import { diffCatalog } from '../../src/catalog/diff-catalog.ts';
import { billItem } from '../../src/catalog/records/bill-plan-record.ts';
import { billerItem } from '../../src/catalog/records/biller-record.ts';
import { dataItem } from '../../src/catalog/records/data-plan-record.ts';
import { giftCardItem } from '../../src/catalog/records/gift-card-record.ts';

const demo = await readDemoCatalog();
const cable = demo.billPlans.filter(({ network }) => network === 'DSTV');
const [padi, yanga] = cable as [BillPlan, BillPlan];
const [bundle] = demo.dataPlans as [DataPlan];
const dstv = demo.billers.find(({ network }) => network === 'DSTV') as Biller;
const whole = [
  ...demo.billers.map(billerItem),
  ...demo.billPlans.map(billItem),
  ...demo.dataPlans.map(dataItem),
  ...demo.giftCards.map(giftCardItem),
];

function changed(...items: readonly CatalogItem[]): string[] {
  const names = new Set(items.map(nameOf));
  return checkCatalog([...whole.filter((item) => !names.has(nameOf(item))), ...items]).map(inShort);
}

function inShort(fault: CatalogFault): string {
  const what = 'clash' in fault ? ` ${fault.clash.scope} ${fault.clash.code}` : '';
  return `${fault.code}${what}: ${fault.about.map(nameOf).join(', ')}`;
}

test('the demo catalog has no fault', () => {
  assert.deepEqual(checkCatalog(whole), []);
});

test('reports a code of two plans with both, unless one is off sale', () => {
  const clashing = { ...yanga, serviceId: padi.serviceId };
  assert.deepEqual(changed(billItem(clashing)), [
    `clash service ${padi.serviceId}: bill ${padi.id}, bill ${yanga.id}`,
  ]);
  assert.deepEqual(changed(billItem({ ...clashing, active: false })), []);
  const [, second] = demo.dataPlans as [DataPlan, DataPlan];
  assert.deepEqual(changed(dataItem({ ...second, shortCode: bundle.shortCode })), [
    `clash code ${bundle.shortCode}: data ${bundle.planCode}, data ${second.planCode}`,
    `clash MTN ${bundle.shortCode}: data ${bundle.planCode}, data ${second.planCode}`,
  ]);
});

test('reports a name of two billers with both', () => {
  const aliases = [{ name: 'dstv' }];
  const bet = demo.billers.find(({ network }) => network === 'BET9JA') as Biller;
  assert.deepEqual(changed(billerItem({ ...bet, aliases })), [
    'clash name dstv: biller CABLE DSTV, biller BETTING BET9JA',
  ]);
});

test('reports an id of both a bill plan and a data plan, also off sale', () => {
  assert.deepEqual(changed(dataItem({ ...bundle, id: padi.id, active: false })), [
    `same_id id ${padi.id}: bill ${padi.id}, data ${bundle.planCode}`,
  ]);
});

test('reports a bill plan without its biller', () => {
  assert.deepEqual(changed(billItem({ ...padi, network: 'NOTV' })), [`no_biller: bill ${padi.id}`]);
  // A biller that is withdrawn is still there.
  assert.deepEqual(changed(billerItem({ ...dstv, active: false })), []);
});

test('reports a duplicate within a change, and no other item with a similar name', () => {
  const [card] = demo.giftCards.map(giftCardItem) as [CatalogItem];
  const { faults } = diffCatalog(whole, [card, card]);
  assert.deepEqual(faults.map(inShort), [`repeated: ${nameOf(card)}`]);
});
