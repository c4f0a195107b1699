/** The calls that change nothing: reports of orders, their cards, products, the balance. */
import type { Order } from '../books.ts';
import type { Fault } from '../faults.ts';
import { json, type Reply } from '../http.ts';
import { holdBack, spoil } from '../misbehave.ts';
import { nairaNumber } from '../naira.ts';
import { nairaPerUnit } from './catalog.ts';
import type { Reloadly } from './reloadly.ts';
import {
  cards,
  discount,
  notFound,
  page,
  productRecord,
  record,
  redeemInstruction,
  refusal,
  type Sale,
  words,
} from './replies.ts';

const REPORT_SIZE_MAX = 50;
const PRODUCTS_SIZE_MAX = 200;

/**
 * Reports of orders, found by identifier in any letter case; without one, those of a period or all.
 */
export async function reports(reloadly: Reloadly, query: URLSearchParams): Promise<Reply> {
  const identifier = query.get('customIdentifier') ?? '';
  if (identifier === '') return await reportOfPeriod(reloadly, query);
  const found = await reloadly.ledger.withIdentifier(identifier);
  const visible = found.filter(isVisible);
  const rows = visible.map((order) => record(order, reloadly.catalog));
  const reply = json(page(rows, ...pageOf(query, REPORT_SIZE_MAX)));
  return await spoiled(reloadly, reloadly.account.fault('requery', productOf(found[0])), reply);
}

/**
 * All orders of a period, with days counted four hours behind UTC. Pages are newest first, but the
 * order within a page is arbitrary, and each page begins with the last order of the previous page.
 */
async function reportOfPeriod(reloadly: Reloadly, query: URLSearchParams): Promise<Reply> {
  const from = timeOf(query.get('startDate')) ?? 0;
  const to = timeOf(query.get('endDate')) ?? Number.POSITIVE_INFINITY;
  const orders = (await reloadly.account.toldOrders()).filter(
    ({ acceptedAt, movement }) =>
      movement === undefined && acceptedAt.getTime() >= from && acceptedAt.getTime() <= to,
  );
  const rows = orders
    .filter(isVisible)
    .toReversed()
    .map((order) => record(order, reloadly.catalog));
  const [number, size] = pageOf(query, REPORT_SIZE_MAX);
  const proper = page(rows, number, size);
  const before = number > 1 ? rows.slice((number - 1) * size - 1, (number - 1) * size) : [];
  const content = [...(proper.content as readonly unknown[])].reverse();
  const reply = json({ ...proper, content: [...before, ...content] });
  return await spoiled(reloadly, reloadly.account.fault('list', ''), reply);
}

const BEHIND_UTC_MS = 4 * 3_600_000;

function timeOf(text: string | null): number | undefined {
  const at = text === null ? Number.NaN : Date.parse(`${text.replace(' ', 'T')}Z`);
  return Number.isNaN(at) ? undefined : at + BEHIND_UTC_MS;
}

export async function report(reloadly: Reloadly, transactionId: string): Promise<Reply> {
  const order = await reloadly.ledger.withTransaction(transactionId);
  const reply = order !== undefined && isVisible(order) ? json(record(order, reloadly.catalog)) : notFound;
  return await spoiled(reloadly, reloadly.account.fault('requery', productOf(order)), reply);
}

export async function cardsOf(
  reloadly: Reloadly,
  transactionId: string,
  version: 'v1' | 'v2',
): Promise<Reply> {
  const order = await reloadly.ledger.withTransaction(transactionId);
  const reply = order?.status === 'delivered' ? json(cards(order, version, new Date())) : notFound;
  return await spoiled(reloadly, reloadly.account.fault('goods', productOf(order)), reply);
}

export async function product(reloadly: Reloadly, productId: string): Promise<Reply> {
  const found = reloadly.catalog.find(Number(productId));
  const fault = reloadly.account.fault('verify', productId);
  const reply =
    found === undefined
      ? refusal(404, 'INVALID_PRODUCT', 'Product was not found')
      : json(productRecord(found, saleOf(fault)));
  return await spoiled(reloadly, fault?.fault === 'biller_down' ? undefined : fault, reply);
}

export async function products(reloadly: Reloadly, query: URLSearchParams): Promise<Reply> {
  const rows = reloadly.catalog.listed.map((one) => productRecord(one));
  const reply = json(page(rows, ...pageOf(query, PRODUCTS_SIZE_MAX)));
  return await spoiled(reloadly, reloadly.account.fault('verify', ''), reply);
}

/** The products of one country, as a bare list. */
export function productsOf({ catalog }: Reloadly, country: string): Reply {
  const here = catalog.listed.filter((one) => (one.country ?? country) === country.toUpperCase());
  return json(here.map((one) => productRecord(one)));
}

type Country = { readonly isoName: string; readonly name: string; readonly currencyCode: string };

export function countries({ catalog }: Reloadly): readonly Country[] {
  const found = new Map<string, Country>();
  for (const { country, currency } of catalog.listed) {
    if (country === undefined) continue;
    found.set(country, { isoName: country, name: country, currencyCode: currency });
  }
  return [...found.values()];
}

export function categories({ catalog }: Reloadly): readonly { readonly id: number; readonly name: string }[] {
  const names = new Set(catalog.listed.map(({ category }) => category));
  return [...names].map((name, index) => ({ id: index + 1, name }));
}

/** The price in naira for an amount of a currency. */
export function fxRate(query: URLSearchParams): Reply {
  const currency = query.get('currencyCode') ?? '';
  const amount = Number(query.get('amount') ?? 1);
  if (!/^[A-Z]{3}$/.test(currency) || !(amount > 0)) {
    return refusal(400, null, 'Currency code or amount is not valid');
  }
  return json({
    senderCurrency: 'NGN',
    senderAmount: amount * nairaPerUnit(currency),
    recipientCurrency: currency,
    recipientAmount: amount,
  });
}

export function redeemInstructions({ catalog }: Reloadly): Reply {
  return json(catalog.listed.map(redeemInstruction));
}

export function redeemInstructionOf({ catalog }: Reloadly, productId: string): Reply {
  const found = catalog.find(Number(productId));
  return found === undefined
    ? refusal(404, 'INVALID_PRODUCT', 'Product was not found')
    : json(redeemInstruction(found));
}

export function discounts({ catalog }: Reloadly, query: URLSearchParams): Reply {
  return json(page(catalog.listed.map(discount), ...pageOf(query, PRODUCTS_SIZE_MAX)));
}

export function discountOf({ catalog }: Reloadly, productId: string): Reply {
  const found = catalog.find(Number(productId));
  return found === undefined
    ? refusal(404, 'INVALID_PRODUCT', 'Product was not found')
    : json(discount(found));
}

export function balance({ account }: Reloadly): Reply {
  return json({
    balance: nairaNumber(account.balance()),
    currencyCode: 'NGN',
    currencyName: 'Nigerian Naira',
    updatedAt: new Date().toISOString().slice(0, 19).replace('T', ' '),
  });
}

function saleOf(fault: Fault | undefined): Sale {
  if (fault?.fault === 'refused') return 'not sold';
  return fault?.fault === 'biller_down' ? 'for later' : 'sold';
}

function isVisible({ visibleAt }: Order): boolean {
  return visibleAt === undefined || visibleAt <= new Date();
}

/** A rule names an order by this, because a card has no recipient. */
function productOf(order: Order | undefined): string {
  return order?.detail.productId ?? '';
}

function pageOf(query: URLSearchParams, sizeMax: number): readonly [number: number, size: number] {
  const whole = (name: string, fallback: number): number => {
    const given = Number(query.get(name) ?? fallback);
    return Number.isInteger(given) && given >= 1 ? given : fallback;
  };
  return [whole('page', 1), Math.min(whole('size', sizeMax), sizeMax)];
}

async function spoiled(reloadly: Reloadly, fault: Fault | undefined, reply: Reply): Promise<Reply> {
  if (fault === undefined) return reply;
  await holdBack(fault);
  if (fault.fault === 'unauthorized') reloadly.tokens.revokeAll();
  return spoil(fault, reply, words, reloadly.account.settings.timeoutMs);
}
