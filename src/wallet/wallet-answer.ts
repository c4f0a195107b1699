/** A wallet as operations answer it. */
import { type Static, Type } from 'typebox';
import { formatAmount } from '../kernel/money.ts';
import { amountOutput, currencyField, environmentField } from '../kernel/operation-fields.ts';
import type { WalletRow } from './wallet-store.ts';

export const walletOutput = Type.Object({
  environment: environmentField,
  currency: currencyField,
  posted: amountOutput,
  held: amountOutput,
  floor: amountOutput,
  available: amountOutput,
});

export function walletAnswer({
  environment,
  currency,
  posted,
  held,
  floor,
}: WalletRow): Static<typeof walletOutput> {
  return {
    environment,
    currency,
    posted: formatAmount(posted),
    held: formatAmount(held),
    floor: formatAmount(floor),
    available: formatAmount(posted - held - floor),
  };
}
