/**
 * Compares the fields of airtime, data and bills with a purchase as it is stored. Each is compared
 * by what it means: numbers, amounts, networks and codes of plans have many spellings. Pure.
 */
import { billPlanCode } from '../../catalog/bill-plan.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { parseAmount } from '../../kernel/money.ts';
import { billRecipient } from '../../products/bill-recipient.ts';
import { parseMobileNumber } from '../../products/mobile-number.ts';
import { parseMobileNetwork } from '../../products/network.ts';
import { isBillProduct } from '../../products/product.ts';
import type { FirstPurchaseRow } from './first-purchase-store.ts';
import { isSameWord, type JudgeField, sameOr, type Verdict } from './sent-purchase.ts';

export type PlanFinder = Pick<Catalog, 'findDataPlan' | 'findBillPlan' | 'findBiller'>;

type TransactionRole = 'network' | 'customer' | 'plan' | 'amount' | 'phone';

export function transactionJudges(
  catalog: PlanFinder,
  first: FirstPurchaseRow,
): Readonly<Record<TransactionRole, JudgeField>> {
  return {
    network: (text) => (text === undefined ? 'differs' : judgeNetwork(catalog, first, text)),
    customer: (text) => (text === undefined ? 'differs' : judgeCustomer(first, text)),
    plan: (text) => judgePlan(catalog, first, text),
    amount: (text) => sameOr(text !== undefined && parseAmount(text) === first.face_value),
    phone: (text) => judgePhone(first, text),
  };
}

function judgeNetwork(catalog: PlanFinder, { product, network }: FirstPurchaseRow, text: string): Verdict {
  if (isSameWord(text, network)) return 'same';
  if (!isBillProduct(product)) return sameOr(parseMobileNetwork(text) === network);
  const biller = catalog.findBiller(product, text);
  if (biller !== undefined) return sameOr(biller.network === network);
  // A biller that has gone takes its other names along.
  return catalog.findBiller(product, network) === undefined ? 'unknown' : 'differs';
}

function judgeCustomer({ product, network, msisdn, recipient }: FirstPurchaseRow, text: string): Verdict {
  if (isErased(recipient)) return 'unknown';
  const meant = isBillProduct(product) ? billRecipient(product, network, text) : parseMobileNumber(text);
  return sameOr(text === msisdn || meant === recipient);
}

function judgePlan(catalog: PlanFinder, first: FirstPurchaseRow, text: string | undefined): Verdict {
  const { plan_code: code } = first;
  if (text === undefined || code === null) return sameOr(text === undefined && code === null);
  if (isSameWord(text, code)) return 'same';
  const meant = findPlanCode(catalog, first, text);
  if (meant !== undefined) return sameOr(meant === code);
  // A plan that is not on sale any more takes its old codes along.
  return findPlanCode(catalog, first, code) === undefined ? 'unknown' : 'differs';
}

/** The plan that a code would have stood for in the first purchase. */
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

function judgePhone(first: FirstPurchaseRow, text: string | undefined): Verdict {
  const stored = first.details?.phone;
  if (stored === undefined) return isPhoneKnown(first) ? sameOr(text === undefined) : 'unknown';
  if (text === undefined) return 'differs';
  const number = parseMobileNumber(text);
  return sameOr(text === stored || (number !== undefined && number === parseMobileNumber(stored)));
}

/**
 * Whether a purchase without a phone was sent without one. It is erased together with what the
 * biller said of the customer, and never within three days.
 */
function isPhoneKnown({ product, recipient, details, is_old }: FirstPurchaseRow): boolean {
  if (!isBillProduct(product)) return true;
  return !isErased(recipient) && (!is_old || details?.customer !== undefined);
}

/** No number that can be bought for has an asterisk. */
function isErased(recipient: string): boolean {
  return recipient.includes('*');
}
