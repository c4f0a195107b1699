/**
 * A line of a statement: one order or movement of money that a provider or a bank reports for a
 * period. Lines come from statement files and from the lists of providers and banks.
 */
import { type Currency, minorUnitsOf } from '../../core/money.ts';

/**
 * The kinds of lines. `delivered` to `failed` are orders, `reversed` is an order that was charged
 * and paid back. `top_up` and `charge` are our money without an order: deposits of ours, and fees.
 * `payment` is money that a customer paid in at a bank. `unrelated` is money of no order and no
 * account of ours, such as a card payment.
 */
export const statementStates = [
  'delivered',
  'pending',
  'failed',
  'reversed',
  'top_up',
  'charge',
  'payment',
  'unrelated',
] as const;

export type StatementState = (typeof statementStates)[number];

export type StatementLine = {
  /** The line of the file from 1, or the place in the list. For people. */
  readonly line: number;
  /** The page of a list that the line is on; absent in files. */
  readonly page?: number;
  readonly state: StatementState;
  /** The provider's own words for the state, on one line. */
  readonly words: string;
  /** The time that the provider states. */
  readonly at: Date;
  /**
   * `day`: the line has a day without a time. `midnight`: its time is the start of a day. `hour`:
   * its time has no minutes.
   */
  readonly precision?: 'day' | 'midnight' | 'hour';
  /** Our reference at the provider; absent when the line names none. */
  readonly reference?: string;
  /** The provider's own id of the order or movement. */
  readonly providerId?: string;
  /** The canonical product, if the provider's word for it is known. */
  readonly product?: string;
  readonly network?: string;
  readonly recipient?: string;
  /** A spreadsheet removed digits of the recipient, so it cannot be compared. */
  readonly isRecipientCut?: true;
  /**
   * The face value of an order, the amount that a customer paid in, or the amount of a top-up or
   * charge. In minor units, not below zero. Absent when the provider does not state it.
   */
  readonly amount?: bigint;
  /**
   * What an order cost us, or the fee that the bank kept of a payment. Absent when the provider
   * does not state it, and for top-ups and charges.
   */
  readonly cost?: bigint;
  /** Our balance after the line. */
  readonly balance?: bigint;
  /** The currency of `cost` and `balance`, and of `amount` without `amountCurrency`. */
  readonly currency: Currency;
  /** The currency of `amount` when it differs: a gift card's own currency. */
  readonly amountCurrency?: string;
  /**
   * The ordered card or eSIM by the provider's codes. `unitPrice` is in `amountCurrency`.
   */
  readonly item?: {
    readonly planCodes: Readonly<Record<string, string>>;
    readonly quantity: number;
    readonly unitPrice?: bigint;
  };
};

/**
 * Returns the reference of a line whose provider names none of ours: its own id of the order. The
 * reconciliation replaces it by that of the attempt that the provider answered with the id.
 */
export function ownIdReference(product: string, providerId: string): string {
  return `${product} ${providerId}`;
}

/** A period from `from` to before `to`. */
export type Period = { readonly from: Date; readonly to: Date };

export type LinesPage =
  | {
      readonly kind: 'page';
      /**
       * The lines in any order. A line may be on two pages, and lines outside the period may be
       * included. Equal lines of one page are separate orders or movements.
       */
      readonly lines: readonly StatementLine[];
      /** The start of the next page; undefined on the last page. */
      readonly next: string | undefined;
    }
  /** The list cannot be read now. A part of a list must not count. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** The faults of a statement or its mapping, for the operator, with line numbers. */
export class StatementError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.name = 'StatementError';
    this.faults = faults;
  }
}

const SIGNS =
  /^(?:NGN|USD|EUR|GBP|CAD|AED|₦|\$|€|£|N(?=\s*[\d(-]))\s*|\s*(?:NGN|USD|EUR|GBP|CAD|AED|₦|\$|€|£)$/giu;

/** Signs that banks print behind an amount: a minus, or the side of the account. */
const SIDE = /\s*(?:(?<minus>-|DR\.?)|CR\.?)$/i;

/**
 * Reads an amount such as `₦1,234.50`, `-1,234.50`, `(1,234.50)`, `1,234.50-`, `1,234.50 DR`, or
 * `1.234,50` with a decimal comma, in minor units. Rounds half up beyond two decimals. Undefined
 * for other text, such as separators that do not separate thousands.
 */
export function parseStatementAmount(cell: string, decimal: '.' | ',' = '.'): bigint | undefined {
  const plain = cell
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/[\u2212\u2013]/g, '-')
    .trim();
  const side = SIDE.exec(plain);
  if (side !== null) {
    const amount = parseStatementAmount(plain.slice(0, side.index), decimal);
    if (amount === undefined || amount < 0n) return undefined;
    return side.groups?.minus === undefined ? amount : -amount;
  }
  const inBrackets = /^\((.*)\)$/.exec(plain);
  const unsigned = (inBrackets?.[1] ?? plain).trim();
  const [, before, rest = ''] = /^([+-]?)\s*(.*)$/.exec(unsigned) ?? [];
  const [, after, digits = ''] = /^([+-]?)\s*(.*)$/.exec(rest.replace(SIGNS, '').trim()) ?? [];
  const magnitude = parseDigits(digits, decimal);
  if (magnitude === undefined || (before !== '' && after !== '')) return undefined;
  const isNegative = inBrackets !== null || before === '-' || after === '-';
  return isNegative ? -magnitude : magnitude;
}

/**
 * Whether the three digits behind the decimal sign may be thousands, as in `1.500`. Computed costs
 * can have three decimals; money that was moved has two.
 */
export function mayBeThousands(cell: string, decimal: '.' | ',' = '.'): boolean {
  const pattern =
    decimal === '.' ? /(?<![\d., ])[1-9]\d{0,2}\.\d{3}(?!\d)/ : /(?<![\d., ])[1-9]\d{0,2},\d{3}(?!\d)/;
  return pattern.test(cell);
}

function parseDigits(text: string, decimal: '.' | ','): bigint | undefined {
  const separator = decimal === '.' ? '[, ]' : '[. ]';
  const point = decimal === '.' ? '\\.' : ',';
  const pattern = new RegExp(`^(\\d{1,15}|\\d{1,3}(?:${separator}\\d{3}){1,4})(?:${point}(\\d{1,20}))?$`);
  const [, whole, fraction] = pattern.exec(text) ?? [];
  return whole === undefined ? undefined : minorUnitsOf(whole.replace(/\D/g, ''), fraction);
}
