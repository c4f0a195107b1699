/**
 * The plans of the demo catalog as the simulated providers sell them: under their own codes and at
 * the same prices.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { parseNaira } from './naira.ts';

export type DemoPlan = {
  readonly product: string;
  readonly network: string;
  readonly name: string;
  /** In kobo; undefined if the customer sets the amount. */
  readonly price: bigint | undefined;
  /** The plan's codes, by provider. */
  readonly codes: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

type Entry = {
  readonly product?: string;
  readonly network: string;
  readonly name: string;
  readonly price?: string;
  readonly provider_codes: DemoPlan['codes'];
};

const FOLDERS = [
  new URL('../catalog/demo/data-plans/', import.meta.url),
  new URL('../catalog/demo/bill-plans/', import.meta.url),
];

let plans: Promise<readonly DemoPlan[]> | undefined;

/** Read once: every provider of the simulator sells them. */
export function readDemoPlans(): Promise<readonly DemoPlan[]> {
  plans ??= Promise.all(FOLDERS.map((folder) => readEntries<Entry>(folder))).then((entries) =>
    entries.flat().map(toPlan),
  );
  return plans;
}

function toPlan({ product = 'data', network, name, price, provider_codes }: Entry): DemoPlan {
  return { product, network, name, price: parseNaira(price), codes: provider_codes };
}

export type DemoGiftCard = {
  readonly title: string;
  readonly brand: string;
  readonly category: string;
  readonly country: string | undefined;
  readonly currency: string;
  /** In minor units of the currency; undefined if any value between `min` and `max` is sold. */
  readonly value: bigint | undefined;
  readonly min: bigint;
  readonly max: bigint;
  readonly codes: DemoPlan['codes'];
};

type GiftCardEntry = {
  readonly title: string;
  readonly brand: string;
  readonly ui_category: string;
  readonly region?: string;
  readonly currency: string;
  readonly face_value?: string;
  readonly min_price?: string;
  readonly max_price?: string;
  readonly provider_codes?: DemoPlan['codes'];
};

const GIFT_CARDS = new URL('../catalog/demo/gift-cards/', import.meta.url);

export async function readDemoGiftCards(): Promise<readonly DemoGiftCard[]> {
  const entries = await readEntries<GiftCardEntry>(GIFT_CARDS);
  return entries.map((entry) => ({
    title: entry.title,
    brand: entry.brand,
    category: entry.ui_category,
    country: entry.region,
    currency: entry.currency,
    value: parseNaira(entry.face_value),
    min: parseNaira(entry.min_price) ?? 0n,
    max: parseNaira(entry.max_price) ?? 0n,
    codes: entry.provider_codes ?? {},
  }));
}

export type DemoEsim = {
  readonly title: string;
  /** ISO 3166-1 alpha-2. Undefined if it is valid in several countries. */
  readonly country: string | undefined;
  readonly megabytes: number;
  readonly days: number;
  readonly codes: DemoPlan['codes'];
};

type EsimEntry = {
  readonly title: string;
  readonly country?: string;
  readonly data_mb: number;
  readonly duration_days: number;
  readonly provider_codes?: DemoPlan['codes'];
};

const ESIMS = new URL('../catalog/demo/esims/', import.meta.url);

export async function readDemoEsims(): Promise<readonly DemoEsim[]> {
  const entries = await readEntries<EsimEntry>(ESIMS);
  return entries.map((entry) => ({
    title: entry.title,
    country: entry.country,
    megabytes: entry.data_mb,
    days: entry.duration_days,
    codes: entry.provider_codes ?? {},
  }));
}

async function readEntries<T>(folder: URL): Promise<readonly T[]> {
  const entries: T[] = [];
  for (const file of existsSync(folder) ? (await readdir(folder)).sort() : []) {
    entries.push(...(JSON.parse(await readFile(new URL(file, folder), 'utf8')) as readonly T[]));
  }
  return entries;
}
