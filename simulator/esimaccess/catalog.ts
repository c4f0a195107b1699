/**
 * The catalog of the simulated eSIM Access: the demo catalog's eSIMs under their slugs, and
 * packages for faults.
 */
import { readDemoEsims } from '../catalog.ts';

export type Package = {
  readonly slug: string;
  readonly name: string;
  /** In 1/10,000 of a dollar. */
  readonly price: number;
  readonly megabytes: number;
  readonly days: number;
  /** ISO 3166-1 alpha-2; undefined if it is good in several countries. */
  readonly country: string | undefined;
};

export type Catalog = {
  /** By its slug, or by the package code that it is listed with. */
  find(code: string): Package | undefined;
  /** Those of the demo catalog. */
  readonly listed: readonly Package[];
};

/** Not listed: so many that each order of a run can have its own, with its own faults. */
const UNLISTED = /^XX_\d{5}$/;
const UNLISTED_PRICE = 15_000;

export async function loadCatalog(): Promise<Catalog> {
  const packages = new Map<string, Package>();
  for (const { title, megabytes, days, country, codes } of await readDemoEsims()) {
    const { slug, price } = codes.esimaccess ?? {};
    if (slug === undefined || price === undefined) continue;
    packages.set(slug, { slug, name: title, price: Number(price), megabytes, days, country });
  }
  const listed = [...packages.values()];
  const byCode = new Map(listed.map((one) => [packageCodeOf(one), one]));
  return { find: (code) => packages.get(code) ?? byCode.get(code) ?? unlisted(code), listed };
}

export function packageCodeOf({ slug }: Package): string {
  return `P${slug}`;
}

function unlisted(slug: string): Package | undefined {
  if (!UNLISTED.test(slug)) return undefined;
  const plain = { slug, name: `Simulated ${slug}`, price: UNLISTED_PRICE };
  return { ...plain, megabytes: 1_000, days: 7, country: undefined };
}
