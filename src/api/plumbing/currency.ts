/** The currency of the wallet that a request is about. */
import type { Currency } from '../../core/money.ts';
import { anyCase } from './fields.ts';

const currencies = ['NGN', 'USD', 'EUR', 'GBP', 'CAD', 'AED'] as const satisfies readonly Currency[];

export const currency = anyCase(
  currencies,
  `one of ${currencies.join(', ')}, in any letter case; NGN when absent`,
);

/** The text of a valid field. */
export function readCurrency(sent: string | undefined): Currency {
  return parseCurrency(sent) ?? 'NGN';
}

/** Returns undefined for an unknown currency. NGN is the default. */
export function parseCurrency(sent: unknown): Currency | undefined {
  if (sent === undefined) return 'NGN';
  return typeof sent === 'string' ? currencies.find((known) => known === sent.toUpperCase()) : undefined;
}
