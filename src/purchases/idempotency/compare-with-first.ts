/**
 * Finds how a request with a used reference differs from the first purchase. It runs only when the
 * request is refused, and compares with stored data. So it works after a restart, and reports
 * erased data as unknown.
 */
import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { billPlanCode } from '../../catalog/bill-plan.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { parseAmount } from '../../core/money.ts';
import { billRecipient } from '../../core/products/bill-recipient.ts';
import { parseMobileNumber } from '../../core/products/mobile-number.ts';
import { parseMobileNetwork } from '../../core/products/network.ts';
import { isBillProduct, isOrderProduct, parseProductName } from '../../core/products/product.ts';
import { kindsOf, recordOf } from '../../core/products/registry.ts';
import type { PurchaseRole, Repeat } from '../../core/request-fault.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Sql } from '../../db/database.ts';
import type { Principal } from '../../merchants/merchant.ts';
import {
  deliveryChannels,
  destinationPlace,
  parseDestination,
} from '../../notifications/messages/destination.ts';
import { hashVoucherCode, readVoucherCode } from '../../wallet/vouchers/voucher-code.ts';
import { type FirstPurchaseRow, findFirstPurchase } from './first-purchase-store.ts';

export type RepeatComparer = {
  readonly sql: Sql;
  readonly catalog: PlanFinder;
  readonly sealer: Pick<Sealer, 'open'>;
  readonly pepper: KeyObject;
};

type Judges = { readonly [Role in PurchaseRole]?: JudgeField };

/** In the order in which they are reported. */
const roles = [
  'merchant',
  'product',
  'network',
  'customer',
  'plan',
  'kind',
  'amount',
  'phone',
  'quantity',
  'cardValue',
  'channel',
  'address',
  'voucher',
] as const satisfies readonly PurchaseRole[];

/** Fields that a provider's list lacks for a purchase that was recovered from it. */
const guessed: ReadonlySet<PurchaseRole> = new Set([
  'plan',
  'kind',
  'phone',
  'channel',
  'address',
  'voucher',
]);

/** `purchaseId` is a purchase of the principal. Undefined if there is none. */
export async function compareWithFirst(
  comparer: RepeatComparer,
  principal: Principal,
  purchaseId: string,
  sent: SentPurchase,
): Promise<Repeat | undefined> {
  const { merchant, environment } = principal;
  const first = await findFirstPurchase(comparer.sql, { merchantId: merchant.id, environment, purchaseId });
  if (first === undefined) return undefined;
  const judges = judgesOf(comparer, principal, purchaseId, first, sent);
  const differing: PurchaseRole[] = [];
  const unknown: PurchaseRole[] = [];
  for (const role of roles) {
    const [values, judge] = [sent[role], judges[role]];
    const verdict = values === undefined || judge === undefined ? 'same' : checkSent(values, judge);
    if (verdict === 'same') continue;
    const isGuessed = first.is_restored && guessed.has(role);
    (verdict === 'unknown' || isGuessed ? unknown : differing).push(role);
  }
  return { differing, unknown };
}

/** If one is an order and the other another product, no other field can be compared. */
function judgesOf(
  { catalog, sealer, pepper }: RepeatComparer,
  { merchant, environment }: Principal,
  purchaseId: string,
  first: FirstPurchaseRow,
  sent: SentPurchase,
): Judges {
  const isProduct: JudgeField = (text) =>
    sameOr(text !== undefined && parseProductName(text) === first.product);
  const common: Judges = {
    merchant: (text) => sameOr(text !== undefined && isSameWord(text, merchant.code)),
    product: isProduct,
  };
  const product = parseProductName(String(sent.product?.[0]));
  const isOrder = isOrderProduct(first.product);
  const isSentOrder = product !== undefined && isOrderProduct(product);
  if (isOrder !== isSentOrder || (isOrder && product !== first.product)) return common;
  if (!isOrder) return { ...common, ...transactionJudges(catalog, first) };
  const order = {
    hashCode: (code: string) => hashVoucherCode(pepper, environment, code),
    openDestination: (sealed: string) => sealer.open(destinationPlace(purchaseId), sealed),
  };
  return { ...common, ...orderJudges(order, first, sent.channel?.[0]) };
}

/** For each field of the route, the values under its name and its alias; empty if none was sent. */
export type SentPurchase = { readonly [Role in PurchaseRole]?: readonly unknown[] };

/** `unknown`: the value of the first purchase is not stored, or no longer stored. */
type Verdict = 'same' | 'differs' | 'unknown';

/** Compares one field. Undefined if no value was sent for it. */
type JudgeField = (text: string | undefined) => Verdict;

/** Two values for one field must mean the same. A value that is not text means nothing. */
function checkSent(sent: readonly unknown[], judge: JudgeField): Verdict {
  if (sent.length === 0) return judge(undefined);
  const verdicts = sent.map((value) => {
    const text = textOf(value);
    return text === undefined ? 'differs' : judge(text);
  });
  return verdicts.find((verdict) => verdict === 'differs') ?? verdicts[0] ?? 'unknown';
}

/** Clients send numbers as text and text as numbers. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function sameOr(isSame: boolean, otherwise: Verdict = 'differs'): Verdict {
  return isSame ? 'same' : otherwise;
}

function isSameWord(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

type PlanFinder = Pick<Catalog, 'findDataPlan' | 'findBillPlan' | 'findBiller'>;

type TransactionRole = 'network' | 'customer' | 'plan' | 'kind' | 'amount' | 'phone';

function transactionJudges(
  catalog: PlanFinder,
  first: FirstPurchaseRow,
): Readonly<Record<TransactionRole, JudgeField>> {
  const { product, details } = first;
  const [usual] = kindsOf(product);
  // The kind of a plan is not sent.
  const isSent = recordOf(product)?.plans === 'none';
  return {
    network: (text) => (text === undefined ? 'differs' : checkNetwork(catalog, first, text)),
    customer: (text) => (text === undefined ? 'differs' : checkCustomer(first, text)),
    plan: (text) => checkPlan(catalog, first, text),
    kind: (text) => sameOr(!isSent || (text ?? usual) === (details?.kind ?? usual)),
    amount: (text) => sameOr(text !== undefined && parseAmount(text) === first.face_value),
    phone: (text) => checkPhone(first, text),
  };
}

function checkNetwork(catalog: PlanFinder, { product, network }: FirstPurchaseRow, text: string): Verdict {
  if (isSameWord(text, network)) return 'same';
  if (!isBillProduct(product)) return sameOr(parseMobileNetwork(text) === network);
  const biller = catalog.findBiller(product, text);
  if (biller !== undefined) return sameOr(biller.network === network);
  // The other names of a removed biller are removed too.
  return catalog.findBiller(product, network) === undefined ? 'unknown' : 'differs';
}

function checkCustomer({ product, network, msisdn, recipient }: FirstPurchaseRow, text: string): Verdict {
  if (isErased(recipient)) return 'unknown';
  const meant = isBillProduct(product) ? billRecipient(product, network, text) : parseMobileNumber(text);
  return sameOr(text === msisdn || meant === recipient);
}

function checkPlan(catalog: PlanFinder, first: FirstPurchaseRow, text: string | undefined): Verdict {
  const { plan_code: code } = first;
  if (text === undefined || code === null) return sameOr(text === undefined && code === null);
  if (isSameWord(text, code)) return 'same';
  const meant = findPlanCode(catalog, first, text);
  if (meant !== undefined) return sameOr(meant === code);
  // The old codes of a plan that is no longer on sale are removed too.
  return findPlanCode(catalog, first, code) === undefined ? 'unknown' : 'differs';
}

/** The plan that a code would have meant in the first purchase. */
function findPlanCode(
  catalog: PlanFinder,
  { product, network, face_value: amount }: FirstPurchaseRow,
  code: string,
): string | undefined {
  if (isBillProduct(product)) {
    const match = catalog.findBillPlan(product, network, code);
    return 'plan' in match ? billPlanCode(match.plan) : undefined;
  }
  const mobile = parseMobileNetwork(network);
  const match = mobile === undefined ? undefined : catalog.findDataPlan(mobile, code, amount);
  return match !== undefined && 'plan' in match ? match.plan.planCode : undefined;
}

function checkPhone(first: FirstPurchaseRow, text: string | undefined): Verdict {
  const stored = first.details?.phone;
  if (stored === undefined) return isPhoneKnown(first) ? sameOr(text === undefined) : 'unknown';
  if (text === undefined) return 'differs';
  const number = parseMobileNumber(text);
  return sameOr(text === stored || (number !== undefined && number === parseMobileNumber(stored)));
}

/**
 * Whether a purchase without a phone was sent without one. The phone is erased together with the
 * biller's text about the customer, and never within three days.
 */
function isPhoneKnown({ product, recipient, details, is_old }: FirstPurchaseRow): boolean {
  if (!isBillProduct(product)) return true;
  return !isErased(recipient) && (!is_old || details?.customer !== undefined);
}

/** No valid number has an asterisk. */
function isErased(recipient: string): boolean {
  return recipient.includes('*');
}

type OrderRole = 'plan' | 'quantity' | 'cardValue' | 'channel' | 'address' | 'voucher';

type OrderComparer = {
  readonly hashCode: (code: string) => Buffer;
  /** The stored destination, decrypted. Undefined if no key decrypts it. */
  readonly openDestination: (sealed: string) => string | undefined;
};

/** `channel` is the sent channel. Without one an address is ambiguous. */
function orderJudges(
  comparer: OrderComparer,
  first: FirstPurchaseRow,
  channel: unknown,
): Readonly<Record<OrderRole, JudgeField>> {
  return {
    plan: (text) => sameOr(text !== undefined && isSameWord(text, first.plan_code ?? '')),
    quantity: (text) => sameOr(Number(text ?? 1) === (first.details?.item?.quantity ?? 1)),
    cardValue: (text) => checkCardValue(first, text),
    channel: (text) => checkChannel(first, text),
    address: (text) => checkAddress(comparer, first, textOf(channel), text),
    voucher: (text) => checkVoucher(comparer, first.code_hash, text),
  };
}

/**
 * A card with one value accepts no other, whatever is sent. For others the lowest is the default.
 */
function checkCardValue(first: FirstPurchaseRow, text: string | undefined): Verdict {
  const { details, is_fixed_card: isFixed, card_value: value } = first;
  if (isFixed === true) return 'same';
  const sent = text === undefined ? value : parseAmount(text);
  if (sent === null) return 'unknown';
  return sameOr(sent !== undefined && sent === BigInt(details?.item?.unitPrice ?? 0));
}

function checkChannel(first: FirstPurchaseRow, text: string | undefined): Verdict {
  if (first.channel !== null) return sameOr(text !== undefined && isSameWord(text, first.channel));
  if (first.is_unpaid) return 'unknown';
  return sameOr(text === undefined);
}

function checkAddress(
  { openDestination }: OrderComparer,
  first: FirstPurchaseRow,
  sentChannel: string | undefined,
  text: string | undefined,
): Verdict {
  if (sentChannel === undefined) return 'same';
  if (first.destination === null) return first.is_unpaid ? 'unknown' : sameOr(text === undefined);
  if (text === undefined) return 'differs';
  const stored = first.destination === '' ? undefined : openDestination(first.destination);
  if (stored === undefined) return 'unknown';
  const channel = deliveryChannels.find((known) => isSameWord(known, sentChannel));
  const sent = channel && parseDestination(channel, text)?.address;
  return sameOr(sent !== undefined && isSameWord(sent, stored));
}

function checkVoucher({ hashCode }: OrderComparer, paidBy: Buffer | null, text: string | undefined): Verdict {
  if (text === undefined || paidBy === null) return sameOr(text === undefined && paidBy === null);
  const code = readVoucherCode(text);
  return sameOr(code !== undefined && timingSafeEqual(hashCode(code), paidBy));
}
