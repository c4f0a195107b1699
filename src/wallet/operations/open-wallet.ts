/**
 * Opens a wallet in another currency for a merchant, with its balance, statement and, if enabled,
 * bank funding.
 */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import { type Environment, eachEnvironment } from '../../core/environment.ts';
import { type Currency, currencies } from '../../core/money.ts';
import { admins, defineOperation } from '../../core/operation.ts';
import {
  changedEnvironments,
  environmentsField,
  inputOf,
  merchantField,
  oneOf,
} from '../../core/operation-fields.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { insertWallet, lockMerchant } from '../../merchants/merchant-store.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { ensureAccount } from '../ledger/account-store.ts';
import { walletAccount } from '../ledger/chart-of-accounts.ts';
import { lockWallet } from '../wallet-store.ts';

/** Throws OperationError `no_merchant`. `changed` is false when it has the wallet already. */
export async function openWallet(
  tx: Tx,
  wallet: { readonly merchantCode: string; readonly environment: Environment; readonly currency: Currency },
  actor: ActorOrName,
): Promise<{ readonly changed: boolean }> {
  const { environment, currency } = wallet;
  const merchant = await requireMerchant(tx, wallet.merchantCode);
  // Two concurrent calls open one wallet.
  await lockMerchant(tx, merchant.code);
  if ((await lockWallet(tx, merchant.id, environment, currency)) !== undefined) return { changed: false };
  const account = walletAccount(merchant.id, environment, currency);
  const accountId = await ensureAccount(tx, { ...account, merchantId: merchant.id });
  await insertWallet(tx, { accountId, merchantId: merchant.id, environment, currency });
  await recordOperation(tx, {
    actor,
    action: 'wallet.open',
    subject: `merchant:${merchant.code}`,
    after: { environment, currency },
  });
  await announceChange(tx, 'merchants');
  return { changed: true };
}

export const openWalletOperation = defineOperation({
  name: 'wallet.open',
  kind: 'act',
  summary: 'open a wallet in another currency',
  roles: admins,
  route: 'POST /merchants/{merchant}/wallets',
  document: 'operators/merchants.md',
  input: inputOf({ merchant: merchantField, currency: oneOf(currencies), environment: environmentsField }),
  output: Type.Object({
    merchant: Type.String(),
    currency: oneOf(currencies),
    environments: changedEnvironments,
  }),
  run: async ({ tx, actor }: Acting, { merchant, currency, environment }) => {
    const done = await eachEnvironment(environment, (one) =>
      openWallet(tx, { merchantCode: merchant, environment: one, currency }, actor),
    );
    return { merchant, currency, environments: done };
  },
});
