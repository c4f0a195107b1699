/**
 * Schemas and mappers of a report, as operations answer it: amounts and times as strings, counts as
 * numbers.
 */

import { type Static, Type } from 'typebox';
import { accountOutput } from '../../core/account-names.ts';
import { answerOf } from '../../core/answer.ts';
import { formatRfc3339 } from '../../core/clock.ts';
import { BASIS_POINTS_WHOLE, formatAmount } from '../../core/money.ts';
import { nullable, nullableText } from '../../core/nullable.ts';
import { amountOutput, currencyField, timeOutput } from '../../core/operation-fields.ts';
import { isAccountKind, normalBalance } from '../../wallet/ledger/chart-of-accounts.ts';
import type { Equation, WalletFlow } from './agree.ts';
import type { BalanceSum } from './ledger-store.ts';
import type { RolledUp } from './read-report.ts';
import type { Percentiles, ReportRow } from './report-store.ts';

const milliseconds = nullable(Type.Integer());
const count = Type.Integer();
const timesOutput = Type.Object({ p50: milliseconds, p95: milliseconds, p99: milliseconds });

export const reportRowOutput = Type.Object({
  product: nullableText,
  network: nullableText,
  kind: nullableText,
  provider: nullable(accountOutput),
  merchant: nullableText,
  currency: currencyField,
  purchases: count,
  successes: count,
  failures: count,
  refused: count,
  success_rate: nullableText,
  face_value: amountOutput,
  charge: amountOutput,
  cost: amountOutput,
  estimated_cost: amountOutput,
  margin: amountOutput,
  losses: count,
  loss: amountOutput,
  refunds: count,
  refunded: amountOutput,
  provider_refunds: count,
  provider_refunded: amountOutput,
  pending: count,
  pending_held: amountOutput,
  pending_over_30s: count,
  pending_over_24h: count,
  took_over_30s: count,
  took_over_24h: count,
  latency_ms: timesOutput,
  time_to_final_ms: timesOutput,
  failed_to_refunded_ms: timesOutput,
  refunded_within_30s: nullableText,
});

export function reportRowAnswer(row: ReportRow): Static<typeof reportRowOutput> {
  return answerOf(reportRowOutput, {
    ...row,
    purchases: row.successes + row.failures,
    success_rate: shareOf(row.successes, row.successes + row.failures - row.refused),
    margin: row.charge - row.cost,
    pending_over_30s: row.pending_30s,
    pending_over_24h: row.pending_24h,
    took_over_30s: row.took_30s,
    took_over_24h: row.took_24h,
    latency_ms: timesOf(row.latency),
    time_to_final_ms: timesOf(row.final),
    failed_to_refunded_ms: timesOf(row.refund),
    refunded_within_30s: shareOf(row.refunded_30s, BigInt(row.refund.count)),
  });
}

function timesOf({ p50, p95, p99 }: Percentiles): Static<typeof timesOutput> {
  const asNumber = (ms: string | null): number | null => (ms === null ? null : Number(ms));
  return { p50: asNumber(p50), p95: asNumber(p95), p99: asNumber(p99) };
}

/**
 * Returns a percentage such as `99.52`, rounded down so that 100 means all. Null if the whole is 0.
 */
export function shareOf(part: bigint, whole: bigint): string | null {
  return whole === 0n ? null : formatAmount((part * BASIS_POINTS_WHOLE) / whole);
}

export const rollUpOutput = Type.Object({
  complete: Type.Boolean(),
  up_to: timeOutput,
});

export function rollUpAnswer({ isComplete, upTo }: RolledUp): Static<typeof rollUpOutput> {
  return { complete: isComplete, up_to: formatRfc3339(upTo) };
}

const namedBalance = Type.Object({ name: Type.String(), balance: amountOutput });

export const positionOutput = Type.Object({
  currency: currencyField,
  owed_to_merchants: Type.Object({
    total: amountOutput,
    wallets: amountOutput,
    vouchers: amountOutput,
    suspense: amountOutput,
  }),
  owed_by_merchants: Type.Object({ wallets_in_credit: count, total: amountOutput }),
  floats: Type.Array(namedBalance),
  banks: Type.Array(namedBalance),
  /** The other house accounts. */
  others: Type.Array(namedBalance),
});

/** Returns assets and liabilities for each currency. */
export function positionsOf(sums: readonly BalanceSum[]): Static<typeof positionOutput>[] {
  return [...Map.groupBy(sums, ({ currency }) => currency)].map(([currency, own]) => {
    const net = (kind: string): bigint =>
      own.filter((sum) => sum.kind === kind).reduce((total, { above, below }) => total + above + below, 0n);
    const wallet = own.find(({ kind }) => kind === 'wallet');
    const owed = [wallet?.above ?? 0n, net('vouchers'), net('suspense')] as const;
    const named = (kind: string): Static<typeof namedBalance>[] =>
      own.filter((sum) => sum.kind === kind).map((sum) => ({ name: sum.name, balance: shown(sum) }));
    return {
      currency,
      owed_to_merchants: {
        total: formatAmount(owed[0] + owed[1] + owed[2]),
        wallets: formatAmount(owed[0]),
        vouchers: formatAmount(owed[1]),
        suspense: formatAmount(owed[2]),
      },
      owed_by_merchants: {
        wallets_in_credit: Number(wallet?.accounts_below ?? 0n),
        total: formatAmount(-(wallet?.below ?? 0n)),
      },
      floats: named('float'),
      banks: named('bank'),
      others: own
        .filter(({ kind }) => !['wallet', 'vouchers', 'suspense', 'float', 'bank'].includes(kind))
        .map((sum) => ({ name: sum.kind, balance: shown(sum) })),
    };
  });
}

/** Formats a balance, positive on the normal side of its account. */
function shown({ kind, above, below }: BalanceSum): string {
  return formatAmount(isAccountKind(kind) ? normalBalance(kind, above + below) : above + below);
}

export const equationOutput = Type.Object({
  currency: currencyField,
  what: Type.String(),
  purchases: amountOutput,
  ledger: amountOutput,
  equal: Type.Boolean(),
});

export function equationAnswer({ sold, booked, ...equation }: Equation) {
  return { ...equation, purchases: sold, ledger: booked, equal: sold === booked };
}

export const walletEquationOutput = Type.Object({
  currency: currencyField,
  opening: amountOutput,
  moved: Type.Array(Type.Object({ code: Type.String(), amount: amountOutput })),
  closing: amountOutput,
  equal: Type.Boolean(),
});

/** Returns the equation of all wallets: opening balance, movements and closing balance. */
export function walletEquations(
  opening: readonly BalanceSum[],
  closing: readonly BalanceSum[],
  flows: readonly WalletFlow[],
): Static<typeof walletEquationOutput>[] {
  const wallets = (sums: readonly BalanceSum[], currency: string): bigint =>
    sums
      .filter((sum) => sum.kind === 'wallet' && sum.currency === currency)
      .reduce((total, { above, below }) => total + above + below, 0n);
  const currencies = new Set([...closing, ...flows].map(({ currency }) => currency));
  return [...currencies].map((currency) => {
    const own = flows.filter((flow) => flow.currency === currency);
    const before = wallets(opening, currency);
    const after = wallets(closing, currency);
    return {
      currency,
      opening: formatAmount(before),
      moved: own.map(({ code, amount }) => ({ code, amount: formatAmount(amount) })),
      closing: formatAmount(after),
      equal: own.reduce((total, { amount }) => total + amount, before) === after,
    };
  });
}
