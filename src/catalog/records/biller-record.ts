/**
 * Billers as records of files and of the history. Reading a record that was written gives the same
 * biller.
 */
import { Type } from 'typebox';
import type { PlanProduct } from '../../products/product.ts';
import { billProducts, isBillProduct } from '../../products/product.ts';
import type { Biller } from '../biller.ts';
import type { CatalogItem } from '../catalog-item.ts';
import { type RawRecord, readBySchema, Text } from './read-by-schema.ts';
import type { RecordFault, RecordRead } from './record-fault.ts';

/**
 * Without white space at its ends, and without two spaces together: nobody could type such a name.
 */
const Name = Type.String({ pattern: '^\\S+( \\S+)*$', maxLength: 100 });
const Day = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' });

const BillerRecord = Type.Object(
  {
    network: Name,
    name: Text,
    aliases: Type.Array(
      Type.Object(
        {
          name: Name,
          since: Type.Optional(Day),
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

export function readBillerRecord(product: PlanProduct, raw: RawRecord): RecordRead<CatalogItem> {
  const fields = { aliases: [], ...raw.fields };
  return readBySchema(BillerRecord, { ...raw, fields }, (record) => {
    const faults: RecordFault[] = record.aliases.flatMap(({ name, since }) =>
      since === undefined || isDay(since) ? [] : [{ code: 'day', field: 'since', alias: name, value: since }],
    );
    if (isBillProduct(product)) {
      return faults.length > 0 ? { faults } : { item: billerItem({ product, ...record }) };
    }
    const wanted = `one of ${billProducts.join(', ')}`;
    return { faults: [{ code: 'other', field: 'product', wanted, value: product }, ...faults] };
  });
}

export function billerItem(item: Biller): CatalogItem {
  const { product, network, name, aliases, active } = item;
  return {
    kind: 'biller',
    key: `${product} ${network}`,
    item,
    record: { product, network, name, aliases, active },
  };
}

/** `2025-02-30` has the form of a day, but is no day. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
