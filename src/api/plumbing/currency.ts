/** Which wallet a request is about. */
import type { Currency } from '../../core/money.ts';
import { anyCase } from './fields.ts';

const currencies = ['NGN', 'USD', 'EUR', 'GBP', 'CAD', 'AED'] as const satisfies readonly Currency[];

export const currency = anyCase(
  currencies,
  `one of ${currencies.join(', ')}, in any letter case; NGN when absent`,
);

/** What a valid field says. */
export function readCurrency(sent: string | undefined): Currency {
  return parseCurrency(sent) ?? 'NGN';
}

/** Undefined for what is no currency; NGN when absent. */
export function parseCurrency(sent: unknown): Currency | undefined {
  if (sent === undefined) return 'NGN';
  return typeof sent === 'string' ? currencies.find((known) => known === sent.toUpperCase()) : undefined;
}
