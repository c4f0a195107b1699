// The plans of the demo catalog as the simulated providers sell them: under their own codes and at the same prices.
import { readdir, readFile } from 'node:fs/promises';
import { parseNaira } from './naira.ts';

export type DemoPlan = {
  readonly product: string;
  readonly network: string;
  readonly name: string;
  /** In kobo; undefined where the customer sets the amount. */
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

export async function readDemoPlans(): Promise<readonly DemoPlan[]> {
  const plans: DemoPlan[] = [];
  for (const folder of FOLDERS) {
    for (const file of (await readdir(folder)).sort()) {
      const entries = JSON.parse(await readFile(new URL(file, folder), 'utf8')) as readonly Entry[];
      plans.push(...entries.map(toPlan));
    }
  }
  return plans;
}

function toPlan({ product = 'data', network, name, price, provider_codes }: Entry): DemoPlan {
  return { product, network, name, price: parseNaira(price), codes: provider_codes };
}
