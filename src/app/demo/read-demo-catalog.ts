/**
 * The demo's catalog: the files in `catalog/demo`, read like an operator's imports. All errors of
 * all files are reported together, each with its file and line.
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BillPlan } from '../../catalog/bill-plan.ts';
import type { Biller } from '../../catalog/biller-index.ts';
import { pickKind, thingsOf } from '../../catalog/catalog-item.ts';
import type { DataPlan } from '../../catalog/data-plan-index.ts';
import { diffCatalog } from '../../catalog/diff-catalog.ts';
import type { EsimPlan } from '../../catalog/esim-plan.ts';
import { type FileRead, readCatalogFile, readFxRateFile } from '../../catalog/files/read-catalog-file.ts';
import type { FxRate } from '../../catalog/fx-rate.ts';
import type { GiftCardPlan } from '../../catalog/gift-card-plan.ts';
import { describeCatalogFault, describeRecordFault } from '../../catalog/records/fault-messages.ts';
import type { RecordOptions } from '../../catalog/records/read-catalog-record.ts';
import { data } from '../../core/products/data.ts';
import { esim } from '../../core/products/esim.ts';
import { giftCard } from '../../core/products/gift-card.ts';
import { mobileNetworks } from '../../core/products/network.ts';
import { billProducts } from '../../core/products/product.ts';

/** The folder that ships with Oja. */
export const demoFolder: string = fileURLToPath(new URL('../../../catalog/demo', import.meta.url));

export type DemoCatalog = {
  readonly billers: readonly Biller[];
  readonly billPlans: readonly BillPlan[];
  readonly dataPlans: readonly DataPlan[];
  readonly giftCards: readonly GiftCardPlan[];
  readonly esims: readonly EsimPlan[];
  readonly rates: readonly FxRate[];
};

/**
 * All records of `folder`, in the order of its files and of the records in them. Throws an Error
 * that lists every fault: unreadable files, wrong fields, ambiguous ids, codes or names, and bill
 * plans without a biller.
 */
export async function readDemoCatalog(folder: string = demoFolder): Promise<DemoCatalog> {
  const faults: string[] = [];
  const read = async <Item>(name: string, parse: (bytes: Uint8Array) => FileRead<Item>): Promise<Item[]> => {
    try {
      const file = parse(await readFile(join(folder, name)));
      faults.push(
        ...file.faults.map(({ line, fault }) => `${name}, line ${line}: ${describeRecordFault(fault)}`),
      );
      return thingsOf(file.items);
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  };
  const items = [];
  for (const [name, options] of await listFiles(folder)) {
    items.push(...(await read(name, (bytes) => readCatalogFile(bytes, options))));
  }
  const rates = await read('fx-rates.json', readFxRateFile);
  faults.push(...diffCatalog([], items).faults.map(describeCatalogFault));
  if (faults.length > 0) throw new Error(`the demo catalog has errors:\n  ${faults.join('\n  ')}`);
  return {
    billers: thingsOf(pickKind(items, 'biller')),
    billPlans: thingsOf(pickKind(items, 'bill')),
    dataPlans: thingsOf(pickKind(items, 'data')),
    giftCards: thingsOf(pickKind(items, 'giftcard')),
    esims: thingsOf(pickKind(items, 'esim')),
    rates,
  };
}

/** The files of plans and billers, in the order of the catalog. */
async function listFiles(folder: string): Promise<[name: string, options: RecordOptions][]> {
  return [
    ['billers.json', { billers: true }],
    ...inFolder('bill-plans', billProducts.map(lowerCase), {}),
    ...inFolder('data-plans', mobileNetworks.map(lowerCase), { product: data.name }),
    ...inFolder('gift-cards', await namesIn(join(folder, 'gift-cards')), { product: giftCard.name }),
    ...inFolder('esims', await namesIn(join(folder, 'esims')), { product: esim.name }),
  ];
}

function inFolder(
  folder: string,
  names: readonly string[],
  options: RecordOptions,
): [name: string, options: RecordOptions][] {
  return names.map((name) => [`${folder}/${name}.json`, options]);
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

async function namesIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  return files.map((file) => file.slice(0, -'.json'.length)).sort();
}
