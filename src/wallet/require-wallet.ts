/** Refuses operations that need a wallet that a merchant does not have. */
import type { Environment } from '../core/environment.ts';
import { OperationError } from '../core/errors.ts';
import type { Currency } from '../core/money.ts';

/** Returns a wallet that was read. Throws OperationError `merchant_has_no_wallet`. */
export function requireWallet<Wallet>(
  wallet: Wallet | undefined,
  merchant: { readonly code: string },
  environment: Environment,
  currency: Currency,
): Wallet {
  if (wallet !== undefined) return wallet;
  throw new OperationError({
    code: 'merchant_has_no_wallet',
    merchant: merchant.code,
    environment,
    currency,
  });
}
