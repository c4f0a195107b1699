/**
 * Recognises the columns of a file by their headings, and turns a row into the body that a single
 * purchase would have. Pure.
 */
import { GatewayError } from '../../core/errors.ts';
import { airtimeKinds } from '../../core/products/plan-kind.ts';
import type { ProductRecord } from '../../core/products/product-record.ts';
import { productRecords } from '../../core/products/registry.ts';
import { readTyped } from '../../core/typed-number.ts';
import type { Head } from '../../purchases/batches/batch.ts';

/**
 * The headings of each column, in lower case without punctuation and spaces. The first one names
 * it.
 */
const columnHeads = {
  product: ['product', 'service', 'type'],
  network: ['network', 'biller', 'disco', 'operator', 'telco'],
  phone: [
    'phone',
    'phonenumber',
    'mobile',
    'mobilenumber',
    'msisdn',
    'number',
    'telephone',
    'gsm',
    'recipient',
    'beneficiary',
  ],
  meter: ['meter', 'meternumber', 'meterno'],
  smartcard: ['smartcard', 'smartcardnumber', 'iuc', 'iucnumber', 'decoder', 'decodernumber'],
  customer: ['customer', 'customernumber', 'customerid', 'account', 'accountnumber', 'userid'],
  plan: ['plan', 'plancode', 'planid', 'package', 'bundle', 'bouquet'],
  kind: ['kind', 'airtimekind', 'airtimetype'],
  amount: ['amount', 'price', 'value', 'naira', 'amountngn', 'amountnaira'],
} as const;

export type Column = keyof typeof columnHeads;

/** The columns that every file needs; it also needs one that names the customer. */
const neededColumns = ['network', 'amount'] as const satisfies readonly Column[];
const customerColumns = ['phone', 'meter', 'smartcard', 'customer'] as const satisfies readonly Column[];

const columns: ReadonlyMap<string, Column> = new Map(
  Object.entries(columnHeads).flatMap(([column, heads]) => heads.map((head) => [head, column as Column])),
);

/**
 * Returns the headings in order with the columns that they are recognised as. Throws GatewayError:
 * `batch_column_missing`, `batch_column_repeated`.
 */
export function recogniseHeads(heads: readonly string[]): (Head & { readonly field: Column | null })[] {
  const recognised = heads.map((head) => ({ head: head.slice(0, 100), field: columnOf(head) }));
  const found = recognised.flatMap(({ field }) => (field === null ? [] : [field]));
  const repeated = found.find((column, index) => found.indexOf(column) !== index);
  if (repeated !== undefined) throw new GatewayError({ code: 'batch_column_repeated', column: repeated });
  const missing = neededColumns.find((column) => !found.includes(column));
  if (missing !== undefined) throw new GatewayError({ code: 'batch_column_missing', column: missing });
  if (!customerColumns.some((column) => found.includes(column))) {
    throw new GatewayError({ code: 'batch_column_missing', column: 'phone' });
  }
  return recognised;
}

function columnOf(head: string): Column | null {
  return columns.get(head.toLowerCase().replaceAll(/[^a-z]/g, '')) ?? null;
}

/** The fields of a row with their API names, without the merchant and the reference. */
export type RowFields = Record<string, string>;

/**
 * Without a product column, the customer's column decides the product: a meter means electricity; a
 * smartcard, cable; a phone with a plan, data; and a phone without one, airtime.
 */
export function fieldsOfRow(heads: readonly Pick<Head, 'field'>[], cells: readonly string[]): RowFields {
  const row: Partial<Record<Column, string>> = {};
  for (const [index, { field }] of heads.entries()) {
    const cell = allDigits((cells[index] ?? '').trim().replace(/^'/, ''));
    if (field !== null && cell !== '') row[field as Column] = cell;
  }
  const customer = row.meter ?? row.smartcard ?? row.customer;
  const phone = row.phone && withZero(row.phone);
  const product = row.product ?? impliedProduct(row);
  return {
    ...(product !== undefined && { product }),
    ...(row.network !== undefined && { network: row.network }),
    ...(row.plan !== undefined && { plan_code: row.plan }),
    ...(row.kind !== undefined && { kind: plainKind(row.kind) }),
    ...(row.amount !== undefined && { amount: plainAmount(row.amount) }),
    ...given('msisdn', customer ?? phone),
    ...(customer !== undefined && given('phone', phone)),
  };
}

function given(name: string, value: string | undefined): RowFields {
  return value === undefined ? {} : { [name]: value };
}

function impliedProduct(row: Partial<Record<Column, string>>): string | undefined {
  const noun = billColumns.find((column) => row[column] !== undefined);
  if (noun !== undefined) return nameOf((record) => record.kind === 'bill' && record.customer.noun === noun);
  if (row.customer !== undefined || row.phone === undefined) return undefined;
  const plans = row.plan === undefined ? 'none' : 'data';
  return nameOf((record) => record.plans === plans);
}

/** The columns of customers, with the product that each implies. */
const billColumns = ['meter', 'smartcard'] as const satisfies readonly Column[];

function nameOf(is: (record: ProductRecord) => boolean): string | undefined {
  return productRecords.find(is)?.name;
}

/** A number as a spreadsheet shows it in a narrow column, such as `2.348E+12`. */
const exponent = /^([0-9])(?:[.,]([0-9]+))?E\+?([0-9]{1,2})$/i;

/** Expands `2.348031234567E+12`. A number without all its digits is unchanged. */
function allDigits(cell: string): string {
  const [, first = '', rest = '', power = ''] = exponent.exec(cell) ?? [];
  return first === '' || rest.length !== Number(power) ? cell : first + rest;
}

/** Whether a spreadsheet has dropped digits of a number. The number cannot be recovered. */
export function lacksDigits(cell: string): boolean {
  return exponent.test(cell);
}

/** Spreadsheets drop the zero that a mobile number begins with. */
function withZero(phone: string): string {
  return /^[789][0-9]{9}$/.test(phone) ? `0${phone}` : phone;
}

/**
 * An amount as people type it, such as `₦1,500`. Unreadable text is unchanged, and is refused
 * later.
 */
function plainAmount(cell: string): string {
  const typed = readTyped('naira', cell);
  return 'text' in typed ? typed.text : cell;
}

/**
 * A kind as people type it, such as `Share & Sell`. An unknown kind is unchanged, and is refused
 * later.
 */
function plainKind(cell: string): string {
  const plain = cell
    .toLowerCase()
    .replaceAll('&', ' and ')
    .trim()
    .replaceAll(/[\s_-]+/g, '_');
  return airtimeKinds.find((kind) => kind === plain) ?? cell;
}

const headOfField: Readonly<Record<string, readonly Column[]>> = {
  product: ['product'],
  network: ['network'],
  plan_code: ['plan'],
  kind: ['kind'],
  amount: ['amount'],
  msisdn: ['meter', 'smartcard', 'customer', 'phone'],
  phone: ['phone'],
};

/** Returns the heading of the column of an API field, or null if the file lacks it. */
export function headOf(heads: readonly Head[], cells: readonly string[], field: string): string | null {
  const candidates = headOfField[field] ?? [];
  const found = candidates.flatMap((column) => {
    const index = heads.findIndex((head) => head.field === column);
    return index === -1 ? [] : [{ head: heads[index]?.head ?? '', isFilled: (cells[index] ?? '') !== '' }];
  });
  return (found.find(({ isFilled }) => isFilled) ?? found[0])?.head ?? null;
}
