/**
 * The rows of the catalog: billers, bill plans, data plans, gift cards and eSIMs. A row is never
 * deleted, only withdrawn, because purchases name it for ever.
 */
import { data } from '../core/products/data.ts';
import { billProducts } from '../core/products/product.ts';
import type { Sql, Tx } from '../db/database.ts';
import { billPlanCode } from './bill-plan.ts';
import type { CatalogKind, CatalogThings } from './catalog-item.ts';

/** The table of the items of one kind. */
type Table<Thing> = {
  readonly name: 'billers' | 'plans' | 'gift_card_plans' | 'esim_plans';
  readonly key: readonly string[];
  /** The column of each field. A field without a value is null there. */
  readonly columns: Readonly<Record<keyof Thing & string, string>>;
  /** The products of the kind, in a table that several kinds share. */
  readonly products?: readonly string[];
  /** The columns that are not a field of the record. */
  readonly derived?: (thing: Thing) => Readonly<Record<string, string>>;
};

const priced = {
  currency: 'currency',
  testOnly: 'test_only',
  providerCodes: 'provider_codes',
  active: 'active',
};

/** Data and bill plans share a table, so that an id names one plan of all products. */
const plan = {
  id: 'id',
  network: 'network',
  name: 'name',
  price: 'price',
  tariffTypeId: 'tariff_type_id',
  legacyProductId: 'legacy_product_id',
  providerCodes: 'provider_codes',
  active: 'active',
};

const tables: { readonly [Kind in CatalogKind]: Table<CatalogThings[Kind]> } = {
  biller: {
    name: 'billers',
    key: ['product', 'network'],
    columns: { product: 'product', network: 'network', name: 'name', aliases: 'aliases', active: 'active' },
  },
  bill: {
    name: 'plans',
    key: ['plan_code'],
    columns: {
      ...plan,
      product: 'product',
      amountType: 'amount_type',
      minAmount: 'min_amount',
      maxAmount: 'max_amount',
      meterKind: 'meter_kind',
      serviceId: 'service_id',
    },
    products: billProducts,
    derived: (thing) => ({ plan_code: billPlanCode(thing) }),
  },
  data: {
    name: 'plans',
    key: ['plan_code'],
    columns: {
      ...plan,
      planCode: 'plan_code',
      description: 'description',
      validity: 'validity',
      size: 'size',
      group: 'plan_group',
      planKind: 'kind',
      shortCode: 'short_code',
    },
    products: [data.name],
    derived: () => ({ product: data.name }),
  },
  giftcard: {
    name: 'gift_card_plans',
    key: ['plan_id'],
    columns: {
      ...priced,
      planId: 'plan_id',
      title: 'title',
      brand: 'brand',
      region: 'region',
      uiCategory: 'ui_category',
      faceValue: 'face_value',
      minPrice: 'min_price',
      maxPrice: 'max_price',
      featured: 'featured',
      fulfillment: 'fulfillment',
    },
  },
  esim: {
    name: 'esim_plans',
    key: ['plan_id'],
    columns: {
      ...priced,
      planId: 'plan_id',
      title: 'title',
      country: 'country',
      region: 'region',
      dataMb: 'data_mb',
      durationDays: 'duration_days',
      price: 'price',
    },
  },
};

/** Lists everything of a kind, withdrawn things too, in catalog order. */
export async function listThings<Kind extends CatalogKind>(
  sql: Sql,
  kind: Kind,
): Promise<CatalogThings[Kind][]> {
  const { name, key, columns, products } = tables[kind];
  const selected = Object.entries(columns).map(([field, column]) => `${column} as "${field}"`);
  const rows = await sql.query<Record<string, unknown>>(
    `select ${selected.join(', ')}
     from ${name}
     ${products === undefined ? '' : 'where product = any ($1::text[])'}
     order by position, ${key.join(', ')}`,
    products === undefined ? [] : [products],
  );
  return rows.map(withoutNulls) as CatalogThings[Kind][];
}

function withoutNulls(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([field, value]) => [field, value ?? undefined]));
}

/**
 * Stores `things` in their order: adds new items, and overwrites existing ones. Other rows are
 * unchanged.
 */
export async function storeThings<Kind extends CatalogKind>(
  tx: Tx,
  kind: Kind,
  things: readonly CatalogThings[Kind][],
): Promise<void> {
  const table: Table<CatalogThings[Kind]> = tables[kind];
  const rows = things.map((thing, index) => rowOf(table, thing, index + 1));
  const [first] = rows;
  if (first === undefined) return;
  const { name, key } = table;
  const columns = Object.keys(first);
  const overwritten = columns.filter((column) => !key.includes(column));
  await tx.query(
    `insert into ${name} (${columns.join(', ')})
     select ${columns.join(', ')}
     from jsonb_populate_recordset(null::${name}, $1::jsonb)
     on conflict (${key.join(', ')}) do update
     set ${overwritten.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    [JSON.stringify(rows, amountAsText)],
  );
}

function rowOf<Thing>(table: Table<Thing>, thing: Thing, position: number): Record<string, unknown> {
  const columns = Object.entries(table.columns) as [keyof Thing & string, string][];
  const row = Object.fromEntries(columns.map(([field, column]) => [column, thing[field] ?? null]));
  return { ...row, ...table.derived?.(thing), position };
}

/** JSON has no integers of 64 bits. */
function amountAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

export type PricedPlanRow = {
  readonly plan_code: string;
  readonly product: string;
  readonly network: string;
  /** In kobo. Null if the customer chooses the amount. */
  readonly price: bigint | null;
};

/** Finds plans of data and bills by their codes. */
export async function findPricedPlans(sql: Sql, codes: readonly string[]): Promise<PricedPlanRow[]> {
  return await sql.query<PricedPlanRow>(
    `select plan_code, product, network, price
     from plans
     where plan_code = any($1::text[])`,
    [codes],
  );
}

/** The name of a data or bill plan as it is now; undefined for a plan that is gone. */
export async function findPlanName(sql: Sql, code: string): Promise<string | undefined> {
  const [row] = await sql.query<{ name: string }>(
    `select name
     from plans
     where plan_code = $1`,
    [code],
  );
  return row?.name;
}
