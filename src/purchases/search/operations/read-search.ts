/** Converts the input of a person into the filter of a search. */
import { findBillNetwork, indexBillers } from '../../../catalog/biller-index.ts';
import { listThings } from '../../../catalog/catalog-store.ts';
import { nextDay, parseDay } from '../../../core/clock.ts';
import type { Environment } from '../../../core/environment.ts';
import { OperationError } from '../../../core/errors.ts';
import { listWords } from '../../../core/list-words.ts';
import { parseAmount } from '../../../core/money.ts';
import { parseMobileNumber, withLostZero, withoutDecimals } from '../../../core/products/mobile-number.ts';
import { mobileNetworks, parseMobileNetwork } from '../../../core/products/network.ts';
import type { PlanKind } from '../../../core/products/plan-kind.ts';
import {
  billProducts,
  orderProducts,
  parseProductName,
  productNames,
} from '../../../core/products/product.ts';
import { recordOf } from '../../../core/products/registry.ts';
import type { Sql } from '../../../db/database.ts';
import { findMerchant } from '../../../merchants/merchant-store.ts';
import type { ProviderFacts } from '../../../providers/provider.ts';
import type { OutcomeReason } from '../../state/outcome-reason.ts';
import type { PurchaseStatus } from '../../state/purchase.ts';
import { readCursor } from '../search-cursor.ts';
import type { SearchFilter } from '../search-filter.ts';

/** As typed. Each text has been checked against the operation's input. */
export type SearchText = {
  readonly phone?: string | undefined;
  readonly meter?: string | undefined;
  readonly card?: string | undefined;
  /** Numbers that differ in one digit. */
  readonly near?: boolean | undefined;
  readonly token?: string | undefined;
  readonly reference?: string | undefined;
  readonly merchant?: string | undefined;
  readonly product?: string | undefined;
  readonly network?: string | undefined;
  readonly kind?: PlanKind | undefined;
  readonly provider?: string | undefined;
  readonly status?: string | undefined;
  readonly reason?: OutcomeReason | undefined;
  readonly amount?: string | undefined;
  readonly amount_min?: string | undefined;
  readonly amount_max?: string | undefined;
  readonly environment?: Environment | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

type Known = { readonly sql: Sql; readonly providers: readonly Pick<ProviderFacts, 'name'>[] };

/** By word, or by the code that merchants see. */
const statuses: ReadonlyMap<string, PurchaseStatus> = new Map([
  ['pending', 'pending'],
  ['success', 'success'],
  ['failed', 'failed'],
  ['00', 'success'],
  ['01', 'failed'],
  ['02', 'pending'],
]);

export const statusWords = [...statuses.keys()];

const meterProducts: readonly string[] = billProducts.filter((product) => recordOf(product).hasMeterKinds);
const cardProducts: readonly string[] = billProducts.filter((product) => !meterProducts.includes(product));

/** Throws OperationError: `input_malformed`, `no_merchant`, `no_such_provider`. */
export async function readSearch({ sql, providers }: Known, text: SearchText): Promise<SearchFilter> {
  const { merchant, token, reference, reason, environment } = text;
  const status = text.status === undefined ? undefined : statuses.get(text.status.toLowerCase());
  const product = text.product === undefined ? undefined : readProduct(text.product);
  return {
    ...readRecipient(text, product),
    ...readAmounts(text),
    ...readTimes(text),
    ...(merchant !== undefined && { merchantId: await readMerchant(sql, merchant) }),
    ...(token !== undefined && { token: withoutMarks(token) }),
    ...(reference !== undefined && { reference: reference.trim() }),
    ...(text.network !== undefined && { network: await readNetwork(sql, text.network) }),
    ...(text.kind !== undefined && { kind: text.kind }),
    ...(text.provider !== undefined && { provider: readProvider(providers, text.provider) }),
    ...(status !== undefined && { status }),
    ...(reason !== undefined && { reason }),
    ...(environment !== undefined && { environment }),
  };
}

/** Returns the id below which the search continues. Throws OperationError `input_malformed`. */
export function readPlace(filter: SearchFilter, cursor: string): string {
  const place = readCursor(filter, cursor);
  if (place === 'malformed') return refuse('cursor', 'the cursor of the page before');
  if (place === 'of_other_search') return refuse('cursor', 'of the same search: the same filters as before');
  return place.before;
}

export async function readMerchant(sql: Sql, code: string): Promise<number> {
  const merchant = await findMerchant(sql, code);
  if (merchant === undefined) throw new OperationError({ code: 'no_merchant', merchant: code });
  return merchant.id;
}

function readProduct(text: string): string {
  return parseProductName(text) ?? refuse('product', listWords(productNames, 'or'));
}

/** A purchase has one recipient, in a form that depends on the product. */
function readRecipient(
  { phone, meter, card, near = false }: SearchText,
  product: string | undefined,
): Pick<SearchFilter, 'recipients' | 'products'> {
  const given = Object.entries({ phone, meter, card }).filter(([, text]) => text !== undefined);
  if (given.length > 1) {
    const [, [name] = ['card']] = given;
    return refuse(name, 'left out: search by only one of phone, meter and card');
  }
  if (phone !== undefined) {
    const recipient = parseMobileNumber(withLostZero(withoutMarks(phone).replace(/^00/, '+')));
    if (recipient === undefined) return refuse('phone', 'a mobile number such as 08031234567');
    const recipients = near ? oneDigitOff(recipient) : [recipient];
    return { recipients, ...(product !== undefined && { products: [product] }) };
  }
  const number = meter ?? card;
  if (number === undefined) return product === undefined ? {} : { products: [product] };
  const those = meter === undefined ? cardProducts : meterProducts;
  // Some customers have a name, with special characters.
  const typed = [...new Set([number.trim(), withoutMarks(number)])];
  const recipients = near ? typed.flatMap(oneDigitOff) : typed;
  return { recipients, products: product === undefined ? those : those.filter((one) => one === product) };
}

const LENGTH_MAX = 20;

/** Returns every number of the same length with one other digit: 99 of a mobile number. */
function oneDigitOff(number: string): string[] {
  if (number.length > LENGTH_MAX) return [];
  return [...number].flatMap((digit, at) =>
    /\d/.test(digit)
      ? [...'0123456789']
          .filter((other) => other !== digit)
          .map((other) => `${number.slice(0, at)}${other}${number.slice(at + 1)}`)
      : [],
  );
}

function withoutMarks(text: string): string {
  return withoutDecimals(text.replaceAll(/\s/g, '')).replaceAll(/[().-]/g, '');
}

function readAmounts(text: SearchText): Pick<SearchFilter, 'amountMin' | 'amountMax'> {
  const read = (amount: string | undefined): bigint | undefined =>
    amount === undefined ? undefined : parseAmount(amount);
  const exact = read(text.amount);
  const amountMin = read(text.amount_min) ?? exact;
  const amountMax = read(text.amount_max) ?? exact;
  if (exact !== undefined && (text.amount_min !== undefined || text.amount_max !== undefined)) {
    return refuse('amount', 'left out where amount_min or amount_max is given');
  }
  if (amountMin !== undefined && amountMax !== undefined && amountMin > amountMax) {
    return refuse('amount_min', 'no more than amount_max');
  }
  return { ...(amountMin !== undefined && { amountMin }), ...(amountMax !== undefined && { amountMax }) };
}

function readTimes(text: SearchText): Pick<SearchFilter, 'from' | 'to'> {
  const from = text.from === undefined ? undefined : readTime('from', text.from).first;
  const to = text.to === undefined ? undefined : readTime('to', text.to).next;
  if (from !== undefined && to !== undefined && from >= to) return refuse('from', 'before to');
  return { ...(from && { from }), ...(to && { to }) };
}

const LOCAL_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/;

/**
 * The first moment of a day or a time, and the first after it. A time without a zone is in Lagos.
 */
function readTime(field: string, text: string): { readonly first: Date; readonly next: Date } {
  const day = parseDay(text);
  if (day !== undefined) return { first: day, next: nextDay(day) };
  const [, date = '', time = '', zone = '+01:00'] = LOCAL_TIME.exec(text.trim()) ?? [];
  const at = new Date(`${date}T${time}${zone}`);
  if (parseDay(date) === undefined || Number.isNaN(at.getTime())) {
    return refuse(field, 'a day such as 2026-11-21, or a time such as 2026-11-21T13:05');
  }
  return { first: at, next: at };
}

export function readProvider(providers: Known['providers'], text: string): string {
  const known = providers.map(({ name }) => name);
  const provider = known.find((name) => name.toLowerCase() === text.toLowerCase());
  if (provider === undefined) throw new OperationError({ code: 'no_such_provider', provider: text, known });
  return provider;
}

/** In its canonical spelling. The network of an order is its product. */
async function readNetwork(sql: Sql, text: string): Promise<string> {
  const mobile = parseMobileNetwork(text);
  if (mobile !== undefined) return mobile;
  const billers = await listThings(sql, 'biller');
  const network = findBillNetwork(indexBillers(billers), text);
  const order = orderProducts.find((product) => product.toLowerCase() === text.toLowerCase());
  const known = [...mobileNetworks, ...new Set(billers.map(({ network }) => network)), ...orderProducts];
  return network ?? order ?? refuse('network', listWords(known, 'or'));
}

function refuse(field: string, wanted: string): never {
  throw new OperationError({ code: 'input_malformed', errors: [{ field, kind: 'wrong', wanted }] });
}
