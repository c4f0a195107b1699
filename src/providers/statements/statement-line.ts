/**
 * The contract of what a provider or a bank tells of a period: one line for each order or movement
 * of money, whether it came from a statement file or from the provider's own list. Providers, banks
 * and the readers of files make such lines. What is compared with them is above.
 */
import { type Currency, minorUnitsOf } from '../../core/money.ts';

/**
 * What a line says. `delivered` to `failed` are orders, `reversed` is one whose money came back
 * after it was taken. `top_up` and `charge` are movements of our money that no order made: money
 * that we sent there, and fees. `payment` is money that a customer paid in at a bank. `unrelated`
 * is money that concerns no order and no account of ours, such as a card payment.
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
  /** The line of the file, counted from 1; of a list, the place in it. For people. */
  readonly line: number;
  /** The page of a list that the line is on; absent in files. */
  readonly page?: number;
  readonly state: StatementState;
  /** The provider's own words for the state, on one line. */
  readonly words: string;
  /** When, as the provider says. */
  readonly at: Date;
  /** `day`: the line names only the day. `midnight`: it names the first moment of a day. */
  readonly precision?: 'day' | 'midnight';
  /** Our reference at the provider; absent where the line names none. */
  readonly reference?: string;
  /** The provider's own id of the order or movement. */
  readonly providerId?: string;
  /** Canonical, where the provider's word for it is known. */
  readonly product?: string;
  readonly network?: string;
  readonly recipient?: string;
  /** A spreadsheet cut digits off the recipient, so it cannot be compared. */
  readonly isRecipientCut?: true;
  /**
   * Of an order its face value, of a payment what the customer sent. Of a top-up or charge what our
   * balance there rose or fell by. In minor units, not below zero. Absent where the provider does
   * not say it.
   */
  readonly amount?: bigint;
  /**
   * Of an order what left our money there, of a payment the fee that the bank kept. Absent where
   * the provider does not say it, and of top-ups and charges.
   */
  readonly cost?: bigint;
  /** Of our money there after the line. */
  readonly balance?: bigint;
  /** Of `cost` and `balance`, and of `amount` unless the line says another. */
  readonly currency: Currency;
  /** Of `amount`, where it is not that of the cost: a gift card's own currency. */
  readonly amountCurrency?: string;
  /**
   * Of a card or an eSIM: what was ordered, by the provider's codes; `unitPrice` in
   * `amountCurrency`.
   */
  readonly item?: {
    readonly planCodes: Readonly<Record<string, string>>;
    readonly quantity: number;
    readonly unitPrice?: bigint;
  };
};

/** From the first moment to before the second. */
export type Period = { readonly from: Date; readonly to: Date };

export type LinesPage =
  | {
      readonly kind: 'page';
      /**
       * In any order. A line may be on two pages, and lines of outside the period may be among
       * them. Equal lines of one page are separate orders or movements.
       */
      readonly lines: readonly StatementLine[];
      /** Where the next page begins; undefined: this was the last. */
      readonly next: string | undefined;
    }
  /** It cannot be read now, and a list that was read in part is no list. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** What is wrong with a statement or its mapping, in words with line numbers, for the operator. */
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

/**
 * Minor units of `₦1,234.50`, `1234.5`, `-1,234.50`, `(1,234.50)`, `1.234,50` where the decimal
 * sign is a comma. Rounded half up beyond two decimals. Undefined for anything else: separators
 * must stand where thousands do.
 */
export function parseStatementAmount(cell: string, decimal: '.' | ',' = '.'): bigint | undefined {
  const bare = cell.replace(/[\u00a0\u202f]/g, ' ').trim();
  const inBrackets = /^\((.*)\)$/.exec(bare);
  const unsigned = (inBrackets?.[1] ?? bare).trim();
  const [, before, rest = ''] = /^([+-]?)\s*(.*)$/.exec(unsigned) ?? [];
  const [, after, digits = ''] = /^([+-]?)\s*(.*)$/.exec(rest.replace(SIGNS, '').trim()) ?? [];
  const magnitude = parseDigits(digits, decimal);
  if (magnitude === undefined) return undefined;
  const isNegative = inBrackets !== null || before === '-' || after === '-';
  return isNegative ? -magnitude : magnitude;
}

function parseDigits(text: string, decimal: '.' | ','): bigint | undefined {
  const separator = decimal === '.' ? '[, ]' : '[. ]';
  const point = decimal === '.' ? '\\.' : ',';
  const pattern = new RegExp(`^(\\d{1,15}|\\d{1,3}(?:${separator}\\d{3}){1,4})(?:${point}(\\d{1,20}))?$`);
  const [, whole, fraction] = pattern.exec(text) ?? [];
  return whole === undefined ? undefined : minorUnitsOf(whole.replace(/\D/g, ''), fraction);
}
