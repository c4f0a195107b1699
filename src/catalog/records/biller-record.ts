/**
 * Billers as records of files and of the history. Reading a record that was written gives the same
 * biller.
 */
import { Type } from 'typebox';
import { parseDay } from '../../core/clock.ts';
import type { PlanProduct } from '../../core/products/product.ts';
import { billProducts, isBillProduct } from '../../core/products/product.ts';
import type { Biller } from '../biller-index.ts';
import type { CatalogItem } from '../catalog-item.ts';
import type { RecordFault, RecordRead } from './fault-messages.ts';
import { type RawRecord, readBySchema, Text } from './read-by-schema.ts';

/** A name without outer or double spaces, which people could not type reliably. */
const Name = Type.String({ pattern: '^\\S+( \\S+)*$', maxLength: 100 });

const BillerRecord = Type.Object(
  {
    network: Name,
    name: Text,
    aliases: Type.Array(
      Type.Object(
        {
          name: Name,
          // The calendar is checked after the schema.
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

export function readBillerRecord(product: PlanProduct, raw: RawRecord): RecordRead<CatalogItem> {
  const fields = { aliases: [], ...raw.fields };
  return readBySchema(BillerRecord, { ...raw, fields }, (record) => {
    const faults: RecordFault[] = record.aliases.flatMap(({ name, since }) =>
      since === undefined || parseDay(since) !== undefined
        ? []
        : [{ code: 'day', field: 'since', alias: name, value: since }],
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
