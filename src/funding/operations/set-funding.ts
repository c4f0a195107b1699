/**
 * Enables or disables funding accounts of a merchant in a currency. Payments into an existing
 * account are credited in either case.
 */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import { type Environment, eachEnvironment, environments } from '../../core/environment.ts';
import { OperationError } from '../../core/errors.ts';
import { type Currency, currencies } from '../../core/money.ts';
import { admins, defineOperation } from '../../core/operation.ts';
import {
  changedEnvironments,
  environmentsField,
  inputOf,
  merchantField,
  oneOf,
} from '../../core/operation-fields.ts';
import type { Tx } from '../../db/database.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { listWallets } from '../../wallet/wallet-store.ts';
import type { BankFacts } from '../banks/funding-provider.ts';
import { deleteFundingCurrency, insertFundingCurrency } from '../identity-store.ts';

/**
 * Enables or disables funding. `changed` is false if nothing changes. Throws OperationError:
 * `no_merchant`, `merchant_has_no_wallet`.
 */
export async function setFunding(
  tx: Tx,
  change: {
    readonly merchantCode: string;
    readonly environment: Environment;
    readonly currency: Currency;
    readonly enabled: boolean;
  },
  actor: ActorOrName,
): Promise<{ readonly changed: boolean }> {
  const { environment, currency, enabled } = change;
  const merchant = await requireMerchant(tx, change.merchantCode);
  const wallets = await listWallets(tx, merchant.id);
  if (enabled && !wallets.some((row) => row.environment === environment && row.currency === currency)) {
    throw new OperationError({
      code: 'merchant_has_no_wallet',
      merchant: merchant.code,
      environment,
      currency,
    });
  }
  const owner = { merchantId: merchant.id, environment };
  const changed = enabled
    ? await insertFundingCurrency(tx, owner, currency)
    : await deleteFundingCurrency(tx, owner, currency);
  if (changed) {
    await recordOperation(tx, {
      actor,
      action: enabled ? 'funding.enable' : 'funding.disable',
      subject: `merchant:${merchant.code}`,
      before: { environment, currency, enabled: !enabled },
      after: { environment, currency, enabled },
    });
  }
  return { changed };
}

/** Throws OperationError when no bank can open an account in the currency. */
function requireBanks(banks: readonly BankFacts[], wanted: readonly Environment[], currency: Currency): void {
  for (const environment of wanted) {
    const served = new Set(
      banks.filter((bank) => bank.environment === environment).flatMap((bank) => bank.currencies),
    );
    if (!served.has(currency)) {
      throw new OperationError({
        code: 'no_bank_for_currency',
        environment,
        currency,
        served: currencies.filter((one) => served.has(one)),
      });
    }
  }
}

function fundingSwitch(enabled: boolean) {
  const verb = enabled ? ('enable' as const) : ('disable' as const);
  return defineOperation({
    name: `funding.${verb}`,
    kind: 'act',
    summary: enabled
      ? 'enable funding accounts of a merchant in a currency'
      : 'disable funding accounts of a merchant in a currency; payments to them are still credited',
    roles: admins,
    route: `POST /merchants/{merchant}/funding/{currency}/${verb}`,
    document: 'operators/funding.md',
    input: inputOf({ merchant: merchantField, currency: oneOf(currencies), environment: environmentsField }),
    output: Type.Object({
      merchant: Type.String(),
      currency: oneOf(currencies),
      enabled: Type.Boolean(),
      environments: changedEnvironments,
    }),
    run: async (
      { tx, actor, banks }: Acting & { readonly banks: readonly BankFacts[] },
      { merchant: merchantCode, currency, environment },
    ) => {
      if (enabled) {
        const wanted = environment === undefined ? environments : [environment];
        requireBanks(banks, wanted, currency);
      }
      const done = await eachEnvironment(environment, (one) =>
        setFunding(tx, { merchantCode, environment: one, currency, enabled }, actor),
      );
      return { merchant: merchantCode, currency, enabled, environments: done };
    },
  });
}

export const enableFundingOperation = fundingSwitch(true);
export const disableFundingOperation = fundingSwitch(false);
