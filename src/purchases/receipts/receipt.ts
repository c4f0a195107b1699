/**
 * The receipt of a delivered purchase: what the customer bought, paid and received. It has neither
 * the price that the merchant pays nor the name of the customer, and no goods that are stored
 * sealed. Pure.
 */
import { formatLocal } from '../../core/clock.ts';
import type { Environment } from '../../core/environment.ts';
import { formatAmount } from '../../core/money.ts';
import { isSealed, owedGoods, recordOf } from '../../core/products/registry.ts';
import type { Shop } from '../../merchants/shop-store.ts';
import type { Purchase } from '../state/purchase.ts';

export type ReceiptLine = { readonly label: string; readonly value: string };

export type Receipt = {
  readonly shop: Shop;
  readonly environment: Environment;
  /** For example `Electricity, Ikeja Electric`. */
  readonly product: string;
  /** The name of the plan or the title, or the code of a plan that is gone. */
  readonly plan: string | undefined;
  readonly quantity: number | undefined;
  /** Empty for products without a recipient. */
  readonly recipient: string;
  /** What the customer paid, in naira. */
  readonly amount: string;
  /**
   * In groups of four digits, in the order in which the customer enters them: key change tokens
   * first.
   */
  readonly tokens: readonly ReceiptLine[];
  readonly hasKeyChange: boolean;
  readonly units: string | undefined;
  /** The whole payment cleared the debt of the meter, so there is no token. */
  readonly clearedDebt: boolean;
  /** A token that has not arrived yet. */
  readonly isTokenOwed: boolean;
  /** The goods, such as a PIN, are secret and come separately. */
  readonly hasSealedGoods: boolean;
  /** Gift cards. The delivery of their order sends them, so it never sends a receipt. */
  readonly isOfCards: boolean;
  readonly reference: string;
  readonly at: Date;
};

/** Undefined unless the purchase was delivered, and not refunded in full since. */
export function receiptOf(
  purchase: Purchase,
  shop: Shop | undefined,
  { plan, isTokenOwed }: Pick<Receipt, 'plan' | 'isTokenOwed'>,
): Receipt | undefined {
  const { status, charge, refunded = 0n, goods, product, network } = purchase;
  if (status !== 'success' || (refunded > 0n && refunded >= charge)) return undefined;
  const sealed = isSealed(product);
  const record = recordOf(product);
  const name = record?.title ?? product;
  return {
    shop: shop ?? { name: purchase.merchantName, logo: undefined },
    environment: purchase.environment,
    product: network === product ? name : `${name}, ${network}`,
    plan,
    quantity: purchase.quantity,
    recipient: purchase.msisdn,
    amount: formatAmount(purchase.faceValue),
    tokens: sealed ? [] : tokensOf(goods),
    hasKeyChange: !sealed && (goods.kct1 ?? goods.kct2) !== undefined,
    units: sealed ? undefined : goods.units,
    clearedDebt: goods.payment_spent_on === 'debt',
    isTokenOwed,
    hasSealedGoods: sealed,
    isOfCards: record !== undefined && owedGoods(record, {}) === 'cards',
    reference: purchase.reference,
    at: purchase.createdAt,
  };
}

function tokensOf({ kct1, kct2, token, bonus_token: bonus }: Purchase['goods']): ReceiptLine[] {
  const named = [
    ['Key change token 1', kct1],
    ['Key change token 2', kct2],
    ['Token', token],
    ['Bonus token', bonus],
  ] as const;
  return named.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value: inFours(value) }]));
}

/** The customer's instructions for the tokens. */
export function adviceOf({ tokens, hasKeyChange }: Receipt): string | undefined {
  if (!hasKeyChange) {
    return tokens.length > 1 ? 'Enter the tokens one after another, in this order.' : undefined;
  }
  return (
    'This meter needs new keys. Enter each token in this order, and wait until the meter accepts it. ' +
    'The meter refuses the energy token before the key change tokens.'
  );
}

/** Tokens and units, or the text in their place. */
export function goodsOf({ tokens, units, isTokenOwed, clearedDebt, hasSealedGoods }: Receipt): ReceiptLine[] {
  return [
    ...tokens,
    ...(units === undefined ? [] : [{ label: 'Units', value: `${units} kWh` }]),
    ...(isTokenOwed ? [{ label: 'Token', value: 'not arrived yet; open the receipt again later' }] : []),
    ...(clearedDebt ? [{ label: 'Payment', value: 'cleared the debt of the meter; there is no token' }] : []),
    ...(hasSealedGoods ? [{ label: 'Codes', value: 'given separately' }] : []),
  ];
}

export function factsOf(receipt: Receipt): ReceiptLine[] {
  const { plan, quantity, recipient, amount, at, reference } = receipt;
  return [
    ...(plan === undefined ? [] : [{ label: 'Plan', value: plan }]),
    ...(quantity === undefined ? [] : [{ label: 'Quantity', value: `${quantity}` }]),
    ...(recipient === '' ? [] : [{ label: 'For', value: recipient }]),
    { label: 'Amount paid', value: `NGN ${amount.replaceAll(/\B(?=(\d{3})+\.)/g, ',')}` },
    { label: 'Time', value: `${formatLocal(at).slice(0, 16)} (Lagos)` },
    { label: 'Reference', value: reference },
  ];
}

/** `1234 5678 9012 3456 7890`. Other texts than digits stay as they are. */
export function inFours(token: string): string {
  const digits = token.replaceAll(/[ -]/g, '');
  return /^[0-9]+$/.test(digits) ? digits.replaceAll(/(.{4})(?=.)/g, '$1 ') : token;
}
