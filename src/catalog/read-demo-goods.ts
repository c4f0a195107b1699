// The demo's gift cards and eSIMs, of the files in `gift-cards` and `esims`, and its exchange rates, `fx-rates.json`.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Static, TSchema } from 'typebox';
import {
  demoFolder,
  type EntryRead,
  findRepeats,
  readBySchema,
  readList,
  refuseFaulty,
} from './demo-files.ts';
import type { EsimPlan } from './esim-plan.ts';
import type { FxRate } from './fx-rate.ts';
import type { GiftCardPlan } from './gift-card-plan.ts';
import { EsimEntry, FxEntry, GiftCardEntry, readEsim, readFxRate, readGiftCard } from './goods-records.ts';

export type DemoGoods = {
  readonly giftCards: readonly GiftCardPlan[];
  readonly esims: readonly EsimPlan[];
  readonly rates: readonly FxRate[];
};

/**
 * In the order of the files' names and of the entries in them. Throws an Error that lists every fault: unreadable files,
 * wrong fields, ids that stand for two plans, two rates of a currency.
 */
export async function readDemoGoods(folder: string = demoFolder): Promise<DemoGoods> {
  const giftCards = await readFolder(folder, 'gift-cards', GiftCardEntry, readGiftCard);
  const esims = await readFolder(folder, 'esims', EsimEntry, readEsim);
  const rates = await readList(folder, 'fx-rates.json', 'rate', (entry) =>
    readBySchema(FxEntry, entry, readFxRate),
  );
  const keyed = (keys: readonly string[]): { holder: string; keys: readonly string[] }[] =>
    keys.map((key) => ({ holder: key, keys: [key] }));
  refuseFaulty([
    ...giftCards.faults,
    ...esims.faults,
    ...rates.faults,
    ...findRepeats(keyed(giftCards.items.map((plan) => `gift card ${plan.planId}`))),
    ...findRepeats(keyed(esims.items.map((plan) => `eSIM ${plan.planId}`))),
    ...findRepeats(keyed(rates.items.map((rate) => `rate of ${rate.currency}`))),
  ]);
  return { giftCards: giftCards.items, esims: esims.items, rates: rates.items };
}

async function readFolder<Schema extends TSchema, Item>(
  folder: string,
  name: string,
  schema: Schema,
  read: (entry: Static<Schema>) => EntryRead<Item>,
): Promise<{ items: Item[]; faults: string[] }> {
  const names = (await readdir(join(folder, name))).filter((file) => file.endsWith('.json')).sort();
  const files = await Promise.all(
    names.map((file) =>
      readList(folder, `${name}/${file}`, 'plan', (entry) => readBySchema(schema, entry, read)),
    ),
  );
  return {
    items: files.flatMap((file) => file.items),
    faults: files.flatMap((file) => file.faults),
  };
}
