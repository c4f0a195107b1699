/** What the writers of records share. */
import { formatAmount } from '../../kernel/money.ts';

/** What is absent in a plan is absent in its record. */
export function withoutAbsent(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Of an amount that a plan may not have. */
export function amountText(amount: bigint | undefined): string | undefined {
  return amount === undefined ? undefined : formatAmount(amount);
}
