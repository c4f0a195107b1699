/**
 * An import reads an export back into the same plans, whatever their texts and amounts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDemoCatalog } from '../../src/app/demo/read-demo-catalog.ts';
import { type CatalogItem, nameOf } from '../../src/catalog/catalog-item.ts';
import { readCatalogFile } from '../../src/catalog/files/read-catalog-file.ts';
import { writeCsvExport, writeJsonExport } from '../../src/catalog/files/write-catalog-file.ts';
import { billItem } from '../../src/catalog/records/bill-plan-record.ts';
import { billerItem } from '../../src/catalog/records/biller-record.ts';
import { dataItem } from '../../src/catalog/records/data-plan-record.ts';
import { esimItem } from '../../src/catalog/records/esim-record.ts';
import { giftCardItem } from '../../src/catalog/records/gift-card-record.ts';
import { runs } from '../support/budget.ts';

const demo = await readDemoCatalog();
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const amount = fc.bigInt({ min: 1n, max: 10n ** 12n - 1n });
const name = fc.stringMatching(/^[a-z]{1,8}$/);
const providerCodes = fc.dictionary(name, fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true }), {
  maxKeys: 3,
  noNullPrototype: true,
});
const active = fc.boolean();

const anyPlan: fc.Arbitrary<CatalogItem> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...demo.billPlans), fc.record({ name: text, providerCodes, active }))
    .map(([plan, over]) => billItem({ ...plan, ...over })),
  fc
    .tuple(
      fc.constantFrom(...demo.dataPlans),
      fc.record({ name: text, description: text, size: text, price: amount, providerCodes, active }),
    )
    .map(([plan, over]) => dataItem({ ...plan, ...over })),
  fc
    .tuple(
      fc.constantFrom(...demo.giftCards),
      fc.record({
        title: text,
        brand: text,
        uiCategory: text,
        providerCodes,
        active,
        featured: active,
        testOnly: active,
      }),
    )
    .map(([plan, over]) => giftCardItem({ ...plan, ...over })),
  fc
    .tuple(
      fc.constantFrom(...demo.esims),
      fc.record({ title: text, region: text, price: amount, providerCodes, active, testOnly: active }),
    )
    .map(([plan, over]) => esimItem({ ...plan, ...over })),
);

const anyBiller = fc
  .tuple(
    fc.constantFrom(...demo.billers),
    fc.record({
      name: text,
      active,
      aliases: fc.array(fc.record({ name, note: text }, { noNullPrototype: true }), { maxLength: 3 }),
    }),
  )
  .map(([biller, over]) => billerItem({ ...biller, ...over }));

const many = (item: fc.Arbitrary<CatalogItem>) =>
  fc.uniqueArray(item, { selector: nameOf, minLength: 1, maxLength: 8 });

for (const [what, write] of [
  ['JSON', writeJsonExport],
  ['CSV', writeCsvExport],
] as const) {
  test(`reads plans and billers back from ${what} unchanged`, () => {
    for (const [item, billers] of [
      [anyPlan, false],
      [anyBiller, true],
    ] as const) {
      fc.assert(
        fc.property(many(item), (items) => {
          const file = write(items.map(({ record }) => record));
          const read = readCatalogFile(Buffer.from(file), { billers });
          assert.deepEqual(read.faults, []);
          assert.deepEqual(
            read.items.map((one) => one.item),
            items,
          );
        }),
        runs(40),
      );
    }
  });
}
