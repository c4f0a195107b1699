/** Names accounts for accountants: assets, liabilities, income, expenses and equity. Pure. */
import { isAccountKind, normalBalance } from '../../wallet/ledger/chart-of-accounts.ts';

type Named = {
  /** The ledger's code, such as `float:<provider>:live:NGN`. */
  readonly code: string;
  readonly kind: string;
  /** The merchant of a wallet. */
  readonly merchant: string | null;
};

const known: Readonly<Record<string, string>> = {
  wallet: 'liabilities:wallets',
  vouchers: 'liabilities:vouchers',
  suspense: 'liabilities:suspense',
  float: 'assets:floats',
  bank: 'assets:banks',
  revenue: 'income:revenue',
  'deposit-fees': 'income:deposit-fees',
  corrections: 'equity:corrections',
  capital: 'equity:capital',
  'provider-charges': 'expenses:provider-charges',
};

export function journalAccount({ code, kind, merchant }: Named): string {
  const parts = code.split(':');
  // The environment and the currency are the last two.
  const name = kind === 'wallet' ? (merchant ?? parts[1]) : parts.slice(1, -2).join(':');
  const place = known[kind] ?? `${sideOf(kind)}:${kind}`;
  return name === undefined || name === '' ? place : `${place}:${name}`;
}

function sideOf(kind: string): string {
  return isAccountKind(kind) && normalBalance(kind, 1n) < 0n ? 'assets' : 'liabilities';
}
