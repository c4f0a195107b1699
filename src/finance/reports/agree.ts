/**
 * Compares the sums of purchases with the movements of the ledger for them, and the wallets before
 * with the wallets after. Pure.
 */
import type { Currency } from '../../core/money.ts';
import type { MovedSum } from './ledger-store.ts';

type Sold = {
  readonly currency: Currency;
  readonly charge: bigint;
  readonly cost: bigint;
  readonly refunded: bigint;
  readonly provider_refunded: bigint;
};

/** Two sums that must be the same. */
export type Equation = {
  readonly currency: Currency;
  readonly what: 'charge' | 'cost' | 'margin' | 'refunds' | 'provider_refunds';
  /** The sum of the purchases. */
  readonly sold: bigint;
  /** The sum of the transfers. */
  readonly booked: bigint;
};

/** Returns the equations of each currency with sales or transfers. */
export function equationsOf(totals: readonly Sold[], moved: readonly MovedSum[]): Equation[] {
  const currencies = new Set([...totals, ...moved].map(({ currency }) => currency));
  return [...currencies].sort().flatMap((currency) => {
    const sold = totals.find((total) => total.currency === currency);
    const booked = (...codes: string[]): bigint =>
      moved
        .filter((sum) => sum.currency === currency && codes.includes(sum.code))
        .reduce((total, { amount }) => total + amount, 0n);
    const { charge = 0n, cost = 0n, refunded = 0n, provider_refunded: providerRefunded = 0n } = sold ?? {};
    return [
      { currency, what: 'charge', sold: charge, booked: booked('purchase_cost', 'purchase_margin') },
      { currency, what: 'cost', sold: cost, booked: booked('purchase_cost', 'purchase_loss') },
      {
        currency,
        what: 'margin',
        sold: charge - cost,
        booked: booked('purchase_margin') - booked('purchase_loss'),
      },
      { currency, what: 'refunds', sold: refunded, booked: booked('refund') },
      {
        currency,
        what: 'provider_refunds',
        sold: providerRefunded,
        booked: booked('provider_refund'),
      },
    ] as const;
  });
}

export type WalletFlow = {
  readonly currency: Currency;
  readonly code: string;
  /** Credits of wallets less debits. */
  readonly amount: bigint;
};

/** Sums the gains and losses of wallets, by transfer code. */
export function walletFlows(moved: readonly MovedSum[]): WalletFlow[] {
  const flows = new Map<string, WalletFlow>();
  for (const { currency, code, debit_kind: debit, credit_kind: credit, amount } of moved) {
    if (debit !== 'wallet' && credit !== 'wallet') continue;
    const key = `${currency} ${code}`;
    const delta = (credit === 'wallet' ? amount : 0n) - (debit === 'wallet' ? amount : 0n);
    flows.set(key, { currency, code, amount: (flows.get(key)?.amount ?? 0n) + delta });
  }
  return [...flows.values()];
}
