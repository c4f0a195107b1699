// The demo's billers: `billers.json`, one entry a bill network with its aliases.
import { type Static, Type } from 'typebox';
import { parseDay } from '../kernel/clock.ts';
import { billProducts, isBillProduct } from '../products/product.ts';
import type { Biller } from './biller.ts';
import { findNameClashes } from './biller-index.ts';
import {
  demoFolder,
  type EntryRead,
  findRepeats,
  type ListRead,
  readBySchema,
  readList,
  refuseFaulty,
  Text,
} from './demo-files.ts';

/** Without white space around it or in runs: a name nobody can type is a mistake. */
const Name = Type.String({ pattern: '^\\S+( \\S+)*$', maxLength: 100 });

export const BillerEntry = Type.Object(
  {
    product: Type.String(),
    network: Name,
    name: Text,
    aliases: Type.Array(
      Type.Object(
        {
          name: Name,
          /** A day of the calendar: `readBiller` judges it. */
          since: Type.Optional(Type.String()),
          note: Type.Optional(Text),
          source: Type.Optional(Text),
        },
        { additionalProperties: false },
      ),
    ),
    active: Type.Boolean(),
  },
  { additionalProperties: false },
);

/**
 * The billers of `billers.json` in `folder`, in its order. Throws an Error that lists every fault: an unreadable file,
 * wrong fields, a name that stands for two billers.
 */
export async function readDemoBillers(folder: string = demoFolder): Promise<Biller[]> {
  const file = await readBillerFile(folder);
  refuseFaulty(file.faults);
  return [...file.items];
}

/** As `readDemoBillers`, with the faults beside the billers. */
export async function readBillerFile(folder: string): Promise<ListRead<Biller>> {
  const file = await readList(folder, 'billers.json', 'biller', (entry) =>
    readBySchema(BillerEntry, entry, readBiller),
  );
  const rows = file.items.map(({ product, network }) => ({
    holder: network,
    keys: [`${product} network ${network}`],
  }));
  return { ...file, faults: [...file.faults, ...findRepeats(rows), ...findNameClashes(file.items)] };
}

export function readBiller({ product, ...entry }: Static<typeof BillerEntry>): EntryRead<Biller> {
  const faults: string[] = [];
  if (!isBillProduct(product)) faults.push(`product is not one of ${billProducts.join(', ')}: ${product}`);
  for (const { name, since } of entry.aliases) {
    if (since !== undefined && parseDay(since) === undefined)
      faults.push(`${name} has no day of the calendar: ${since}`);
  }
  return !isBillProduct(product) || faults.length > 0 ? { faults } : { item: { product, ...entry } };
}
