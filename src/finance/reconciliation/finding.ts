/** Orders that a provider has and that are not known here, and what becomes of each. */
import { parseFormatted } from '../../core/money.ts';

/**
 * `open` waits for a person. The others are final: the purchase was entered, or the order was
 * recorded as an `attempt` of a purchase that is known, or a person dismissed it, or a later run
 * reported the order again and says more (`repeated`).
 */
export const findingVerdicts = ['open', 'entered', 'attempt', 'dismissed', 'repeated'] as const;
export type FindingVerdict = (typeof findingVerdicts)[number];

/** An order as its provider lists it. Amounts are as they are printed, with two decimals. */
export type ListedOrder = {
  readonly state: 'delivered' | 'pending' | 'reversed' | 'failed';
  readonly product?: string | undefined;
  readonly network?: string | undefined;
  readonly recipient?: string | undefined;
  readonly amount?: string | undefined;
  /** Of the amount. */
  readonly currency: string;
  /** Its reference is one of ours, and says whose purchase it is. */
  readonly isMarked: boolean;
  readonly item?: ListedItem | undefined;
};

/** Of a card or an eSIM: what was ordered, by the provider's codes. */
export type ListedItem = {
  readonly planCodes: Readonly<Record<string, string>>;
  readonly quantity: number;
  readonly unitPrice?: string | undefined;
};

/** Nothing came of it. */
export function isOver({ state }: ListedOrder): boolean {
  return state === 'failed' || state === 'reversed';
}

export function amountOf(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : parseFormatted(text);
}

/** Why an order is open, and what mends it. */
export const openReasons = {
  no_mark: 'its reference does not say whose it is: enter it with --merchant and --reference, or dismiss it',
  no_merchant: 'the merchant of its reference is not there: create it, then enter the order',
  no_wallet: 'its merchant has no naira wallet: open one, then enter the order',
  insufficient_funds:
    'the wallet cannot pay it: bring back its deposits, credit it or set a floor, then enter the order',
  delivered_again:
    'its purchase is a success by another order: the provider delivered twice, ask it for a refund',
  failed_here: 'its purchase failed here: settle it with the merchant',
  reference_taken: 'another purchase has its reference',
  other_lists_missing:
    'nothing came of it, and another provider may have taken the purchase: read all lists of the lost time',
  no_product: 'its product is not known: enter it with --product',
  no_network: 'its network is not known: enter it with --network',
  no_plan: 'its plan is not known: enter it with --plan',
  no_amount: 'its amount is not known: enter it with --amount',
  no_recipient: 'its recipient is not known: enter it with --recipient',
} as const;
export type OpenReason = keyof typeof openReasons;
