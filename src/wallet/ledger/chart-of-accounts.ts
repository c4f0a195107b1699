/**
 * The chart of accounts: its accounts, the meaning of each, and the transfers of each business
 * event. Pure.
 *
 * Guarantees: an event's transfers all have an amount above zero, and together they take the
 * event's exact amount from the wallet. A balance is credits less debits everywhere; an account
 * whose normal side is debit (an asset) has a negative balance. Only `normalBalance` changes the
 * sign, for people.
 */
import type { Environment } from '../../core/environment.ts';
import { invariant } from '../../core/errors.ts';
import type { Currency } from '../../core/money.ts';

type AccountRule = {
  /** The side on which the account grows: debit for assets, credit for liabilities and income. */
  readonly normalSide: 'debit' | 'credit';
  readonly purpose: string;
};

const accountRules = {
  wallet: { normalSide: 'credit', purpose: "a merchant's prepaid money: owed to the merchant" },
  float: { normalSide: 'debit', purpose: "the house's prepaid money at a provider" },
  bank: { normalSide: 'debit', purpose: 'money in a bank account of the house' },
  revenue: {
    normalSide: 'credit',
    purpose: 'charge less cost of delivered purchases, both less their refunds',
  },
  'deposit-fees': { normalSide: 'credit', purpose: 'fees taken from deposits' },
  corrections: { normalSide: 'debit', purpose: "the other side of an operator's corrections of wallets" },
  suspense: {
    normalSide: 'credit',
    purpose: 'money that came in and is not, or not yet, credited to anybody',
  },
  capital: { normalSide: 'credit', purpose: "the owner's own money that was put into the business" },
  'provider-charges': {
    normalSide: 'debit',
    purpose: 'provider charges besides the cost of purchases: fees and losses',
  },
  vouchers: {
    normalSide: 'credit',
    purpose: 'the value of issued vouchers, owed to their redeemers',
  },
} as const satisfies Record<string, AccountRule>;

export type AccountKind = keyof typeof accountRules;

/** An account by name. The code is unique and determines everything else. */
export type Account = {
  readonly code: string;
  readonly kind: AccountKind;
  readonly environment: Environment;
  readonly currency: Currency;
};

/**
 * Why money moved. One subject (a purchase, a refund, a correction, an issue of vouchers, a
 * movement of a float) has each code at most once.
 */
type TransferCode =
  | 'purchase_cost'
  | 'purchase_margin'
  | 'purchase_loss'
  | 'refund'
  | 'provider_refund'
  | 'correction'
  | 'float_top_up'
  | 'float_charge'
  | 'deposit_gross'
  | 'deposit_fee'
  | 'deposit_net'
  | 'voucher_issue'
  | 'voucher_cancel'
  | 'voucher_redeem'
  | 'voucher_return'
  | 'voucher_rest';

/**
 * One movement from the debit account to the credit account, by their ids; the amount in minor
 * units, above zero.
 */
export type Transfer = {
  readonly code: TransferCode;
  readonly debit: bigint;
  readonly credit: bigint;
  readonly amount: bigint;
};

/** `wallet:<merchant id>:<environment>:<currency>` */
export function walletAccount(merchantId: number, environment: Environment, currency: Currency): Account {
  return named('wallet', `${merchantId}`, environment, currency);
}

/** `float:<provider>:<environment>:<currency>` */
export function floatAccount(provider: string, environment: Environment, currency: Currency): Account {
  return named('float', provider, environment, currency);
}

/** `revenue:<environment>:<currency>` */
export function revenueAccount(environment: Environment, currency: Currency): Account {
  return single('revenue', environment, currency);
}

/** `corrections:<environment>:<currency>` */
export function correctionsAccount(environment: Environment, currency: Currency): Account {
  return single('corrections', environment, currency);
}

/** `bank:<provider>:<environment>:<currency>` */
export function bankAccount(provider: string, environment: Environment, currency: Currency): Account {
  return named('bank', provider, environment, currency);
}

/** `suspense:<environment>:<currency>` */
export function suspenseAccount(environment: Environment, currency: Currency): Account {
  return single('suspense', environment, currency);
}

/** `deposit-fees:<environment>:<currency>` */
export function depositFeesAccount(environment: Environment, currency: Currency): Account {
  return single('deposit-fees', environment, currency);
}

/** `capital:<environment>:<currency>` */
export function capitalAccount(environment: Environment, currency: Currency): Account {
  return single('capital', environment, currency);
}

/** `provider-charges:<environment>:<currency>` */
export function providerChargesAccount(environment: Environment, currency: Currency): Account {
  return single('provider-charges', environment, currency);
}

/** `vouchers:<environment>:<currency>` */
export function vouchersAccount(environment: Environment, currency: Currency): Account {
  return single('vouchers', environment, currency);
}

/** Names an account for people by its code: `wallet`, `revenue`, `deposit fees`. */
export function accountText(code: string): string {
  const [kind = '', ...rest] = code.split(':');
  const owner = kind === 'wallet' ? undefined : rest.at(-3);
  const name = kind.replaceAll('-', ' ');
  return owner === undefined ? name : `${name} ${owner}`;
}

export function isAccountKind(text: string): text is AccountKind {
  return Object.hasOwn(accountRules, text);
}

/**
 * Converts a balance (credits less debits) to the usual sign: positive on the account's normal
 * side.
 */
export function normalBalance(kind: AccountKind, balance: bigint): bigint {
  return accountRules[kind].normalSide === 'credit' ? balance : -balance;
}

/**
 * A delivered purchase. The wallet pays `charge`, and the provider took `cost` (both minor units,
 * not negative). If the charge is more than the cost, revenue gets the rest; if it is less, revenue
 * pays the difference. The wallet's debits sum to `charge`, the float's credits to `cost`.
 */
export function purchaseDelivered(purchase: {
  readonly walletAccount: bigint;
  readonly floatAccount: bigint;
  readonly revenueAccount: bigint;
  readonly charge: bigint;
  readonly cost: bigint;
}): Transfer[] {
  const { charge, cost } = purchase;
  invariant(charge >= 0n && cost >= 0n, 'a charge and a cost are not negative');
  const margin = charge > cost ? charge - cost : 0n;
  const loss = cost > charge ? cost - charge : 0n;
  const transfers: Transfer[] = [
    {
      code: 'purchase_cost',
      debit: purchase.walletAccount,
      credit: purchase.floatAccount,
      amount: charge - margin,
    },
    {
      code: 'purchase_margin',
      debit: purchase.walletAccount,
      credit: purchase.revenueAccount,
      amount: margin,
    },
    { code: 'purchase_loss', debit: purchase.revenueAccount, credit: purchase.floatAccount, amount: loss },
  ];
  return transfers.filter((transfer) => transfer.amount > 0n);
}

/** Money goes back to the merchant for a delivered purchase. The house bears it. */
export function purchaseRefunded(refund: {
  readonly walletAccount: bigint;
  readonly revenueAccount: bigint;
  readonly amount: bigint;
}): Transfer[] {
  const { walletAccount, revenueAccount, amount } = refund;
  invariant(amount > 0n, 'a refund moves money');
  return [{ code: 'refund', debit: revenueAccount, credit: walletAccount, amount }];
}

/** The provider refunds a delivered purchase to the float that paid for it. */
export function costRefunded(refund: {
  readonly floatAccount: bigint;
  readonly revenueAccount: bigint;
  readonly amount: bigint;
}): Transfer[] {
  const { floatAccount: float, revenueAccount, amount } = refund;
  invariant(amount > 0n, 'a refund moves money');
  return [{ code: 'provider_refund', debit: float, credit: revenueAccount, amount }];
}

/**
 * Money was sent to the account at a provider, from a bank or the owner's capital: the float
 * increases.
 */
export function floatToppedUp(topUp: {
  readonly floatAccount: bigint;
  readonly sourceAccount: bigint;
  readonly amount: bigint;
}): Transfer[] {
  const { floatAccount: float, sourceAccount, amount } = topUp;
  invariant(amount > 0n, 'a top-up moves money');
  return [{ code: 'float_top_up', debit: float, credit: sourceAccount, amount }];
}

/** A provider charged money for something other than a purchase: the float decreases. */
export function floatCharged(charge: {
  readonly floatAccount: bigint;
  readonly chargesAccount: bigint;
  readonly amount: bigint;
}): Transfer[] {
  const { floatAccount: float, chargesAccount, amount } = charge;
  invariant(amount > 0n, 'a charge moves money');
  return [{ code: 'float_charge', debit: chargesAccount, credit: float, amount }];
}

/**
 * An operator's correction of a wallet: a positive `amount` is credited, a negative one is debited.
 */
export function walletCorrected(correction: {
  readonly walletAccount: bigint;
  readonly correctionsAccount: bigint;
  readonly amount: bigint;
}): Transfer[] {
  const { walletAccount: wallet, correctionsAccount: corrections, amount } = correction;
  invariant(amount !== 0n, 'a correction moves money');
  return amount > 0n
    ? [{ code: 'correction', debit: corrections, credit: wallet, amount }]
    : [{ code: 'correction', debit: wallet, credit: corrections, amount: -amount }];
}

/** Money that came in at a bank. All of it is in suspense until it is known whose it is. */
export function depositReceived(deposit: {
  readonly bankAccount: bigint;
  readonly suspenseAccount: bigint;
  readonly gross: bigint;
}): Transfer[] {
  return [
    {
      code: 'deposit_gross',
      debit: deposit.bankAccount,
      credit: deposit.suspenseAccount,
      amount: deposit.gross,
    },
  ];
}

/**
 * A deposit whose merchant is known leaves suspense: the house gets the fee, the wallet gets the
 * rest.
 */
export function depositCredited(deposit: {
  readonly suspenseAccount: bigint;
  readonly feesAccount: bigint;
  readonly walletAccount: bigint;
  readonly gross: bigint;
  readonly fee: bigint;
}): Transfer[] {
  const { suspenseAccount: suspense, gross, fee } = deposit;
  invariant(fee >= 0n && fee <= gross, 'a fee is no more than the deposit');
  const transfers: Transfer[] = [
    { code: 'deposit_fee', debit: suspense, credit: deposit.feesAccount, amount: fee },
    { code: 'deposit_net', debit: suspense, credit: deposit.walletAccount, amount: gross - fee },
  ];
  return transfers.filter((transfer) => transfer.amount > 0n);
}

type VoucherMovement = {
  readonly walletAccount: bigint;
  readonly vouchersAccount: bigint;
  /** Minor units, above zero. */
  readonly amount: bigint;
};

/**
 * Vouchers are issued, or an unredeemed one is cancelled: the merchant's wallet pays their value,
 * or gets it back.
 */
export function vouchersFunded(
  code: 'voucher_issue' | 'voucher_cancel',
  movement: VoucherMovement,
): Transfer[] {
  return voucherMoved(code, code === 'voucher_issue' ? 'off the wallet' : 'onto the wallet', movement);
}

/**
 * An order redeems a voucher: the order's charge moves from the voucher to the wallet, which holds
 * it and pays as for any purchase.
 */
export function voucherRedeemed(movement: VoucherMovement): Transfer[] {
  return voucherMoved('voucher_redeem', 'onto the wallet', movement);
}

/**
 * The order that a voucher paid for is final. A failed order returns its charge to the voucher.
 * After a success the wallet gets the rest of the voucher's value, if any.
 */
export function voucherSettled(
  order: { readonly status: 'success' | 'failed'; readonly value: bigint; readonly charge: bigint },
  accounts: Omit<VoucherMovement, 'amount'>,
): Transfer[] {
  const { status, value, charge } = order;
  invariant(value >= charge, 'a voucher is worth the order that it pays');
  if (status === 'failed')
    return voucherMoved('voucher_return', 'off the wallet', { ...accounts, amount: charge });
  return value === charge
    ? []
    : voucherMoved('voucher_rest', 'onto the wallet', { ...accounts, amount: value - charge });
}

function voucherMoved(
  code: TransferCode,
  way: 'onto the wallet' | 'off the wallet',
  { walletAccount: wallet, vouchersAccount: vouchers, amount }: VoucherMovement,
): Transfer[] {
  invariant(amount > 0n, 'a voucher moves money');
  return way === 'onto the wallet'
    ? [{ code, debit: vouchers, credit: wallet, amount }]
    : [{ code, debit: wallet, credit: vouchers, amount }];
}

function named(kind: AccountKind, name: string, environment: Environment, currency: Currency): Account {
  // A colon within a name could make two accounts one.
  invariant(/^[A-Za-z0-9_-]+$/.test(name), `"${name}" can name an account`);
  return { code: `${kind}:${name}:${environment}:${currency}`, kind, environment, currency };
}

function single(kind: AccountKind, environment: Environment, currency: Currency): Account {
  return { code: `${kind}:${environment}:${currency}`, kind, environment, currency };
}
