/**
 * Findings: orders that a provider lists and that are unknown here, and the decisions about them.
 */
import { parseFormatted } from '../../core/money.ts';

/**
 * `open` needs a decision. The others are final: the order was entered as a purchase, or recorded
 * as an `attempt` of a known purchase, or dismissed by an operator, or superseded because a later
 * run reported it again (`repeated`).
 */
export const findingVerdicts = ['open', 'entered', 'attempt', 'dismissed', 'repeated'] as const;
export type FindingVerdict = (typeof findingVerdicts)[number];

/** An order as its provider lists it. Amounts are formatted with two decimals. */
export type ListedOrder = {
  readonly state: 'delivered' | 'pending' | 'reversed' | 'failed';
  readonly product?: string | undefined;
  readonly network?: string | undefined;
  readonly recipient?: string | undefined;
  readonly amount?: string | undefined;
  /** The currency of the amount. */
  readonly currency: string;
  /** Its reference carries our mark, which identifies the purchase. */
  readonly isMarked: boolean;
  readonly item?: ListedItem | undefined;
};

/** The ordered card or eSIM, by the provider's codes. */
export type ListedItem = {
  readonly planCodes: Readonly<Record<string, string>>;
  readonly quantity: number;
  readonly unitPrice?: string | undefined;
};

/** Returns whether the order failed or was reversed. */
export function isOver({ state }: ListedOrder): boolean {
  return state === 'failed' || state === 'reversed';
}

export function amountOf(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : parseFormatted(text);
}

/** Why a finding is open, and what resolves it. */
export const openReasons = {
  no_mark:
    'the reference does not identify a merchant: enter the order with its merchant and reference, or dismiss it',
  no_merchant: 'the merchant of the reference does not exist: create it, then enter the order',
  no_wallet: 'the merchant has no naira wallet: open one, then enter the order',
  insufficient_funds:
    'the wallet balance is too low: restore its deposits, credit it or set a credit limit, then enter the order',
  delivered_again: 'another order already delivered the purchase: ask the provider for a refund of this one',
  failed_here: 'the purchase failed here: settle it with the merchant',
  reference_taken: 'another purchase has the reference',
  other_lists_missing:
    'the order failed, and another provider may have delivered the purchase: read all lists of the lost time',
  no_product: 'the product is unknown: enter the order with its product',
  no_network: 'the network is unknown: enter the order with its network',
  no_plan: 'the plan is unknown: enter the order with its plan',
  no_amount: 'the amount is unknown: enter the order with its amount',
  no_recipient: 'the recipient is unknown: enter the order with its recipient',
} as const;
export type OpenReason = keyof typeof openReasons;
