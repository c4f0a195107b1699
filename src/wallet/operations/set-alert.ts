/** Sets or removes the low-balance alert threshold of a wallet. */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import { type Environment, environments } from '../../core/environment.ts';
import { OperationError } from '../../core/errors.ts';
import { type Currency, formatAmount, parseSignedAmount } from '../../core/money.ts';
import { defineOperation, roles, supportersAndTreasurers } from '../../core/operation.ts';
import {
  balanceField,
  currencyField,
  environmentField,
  inputOf,
  merchantField,
  nullableAmount,
  oneOf,
} from '../../core/operation-fields.ts';
import type { Tx } from '../../db/database.ts';
import { findByCode, requireMerchant } from '../../merchants/require-merchant.ts';
import type { Acting, Asking } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { deleteWalletAlert, findWalletAlert, putWalletAlert } from '../wallet-alert-store.ts';
import { findWalletOf, listWallets } from '../wallet-store.ts';

/**
 * `threshold` is in minor units; undefined removes it. Throws OperationError: `no_merchant`,
 * `merchant_has_no_wallet`.
 */
async function setAlert(
  tx: Tx,
  change: {
    readonly merchantCode: string;
    readonly environment: Environment;
    readonly currency: Currency;
    readonly threshold: bigint | undefined;
  },
  actor: ActorOrName,
): Promise<{ readonly before: bigint | undefined }> {
  const { environment, currency, threshold } = change;
  const merchant = await requireMerchant(tx, change.merchantCode);
  const wallet = await findWalletOf(tx, merchant.id, environment, currency);
  if (wallet === undefined) {
    const fault = { merchant: merchant.code, environment, currency };
    throw new OperationError({ code: 'merchant_has_no_wallet', ...fault });
  }
  const before = await findWalletAlert(tx, wallet.account_id);
  if (before === threshold) return { before };
  if (threshold === undefined) await deleteWalletAlert(tx, wallet.account_id);
  else await putWalletAlert(tx, wallet.account_id, threshold);
  const described = (amount: bigint | undefined) => ({
    environment,
    currency,
    threshold: amount === undefined ? null : formatAmount(amount),
  });
  await recordOperation(tx, {
    actor,
    action: 'wallet.set_alert',
    subject: `merchant:${merchant.code}`,
    before: described(before),
    after: described(threshold),
  });
  return { before };
}

const thresholdOutput = nullableAmount;

export const setAlertOperation = defineOperation({
  name: 'wallet.set_alert',
  kind: 'act',
  summary: 'set the threshold of the low-balance alert of a wallet (event wallet.low)',
  roles: supportersAndTreasurers,
  portal: { roles: ['finance', 'developer'] },
  withoutStepUp: true,
  route: 'PUT /merchants/{merchant}/wallet/alert',
  document: 'operators/webhooks.md',
  input: inputOf({
    merchant: merchantField,
    threshold: Type.Optional({
      ...balanceField,
      description: 'an amount such as 5000, 0 or -5000.50; without it, no alert is sent',
    }),
    environment: oneOf(environments, { default: 'live' }),
    currency: currencyField,
  }),
  output: Type.Object({
    merchant: Type.String(),
    environment: environmentField,
    currency: currencyField,
    threshold: thresholdOutput,
    threshold_before: thresholdOutput,
  }),
  run: async ({ tx, actor }: Acting, { merchant, threshold: text, environment, currency }) => {
    const threshold = text === undefined ? undefined : (parseSignedAmount(text) ?? 0n);
    const { before } = await setAlert(
      tx,
      { merchantCode: merchant, environment, currency, threshold },
      actor,
    );
    return {
      merchant,
      environment,
      currency,
      threshold: threshold === undefined ? null : formatAmount(threshold),
      threshold_before: before === undefined ? null : formatAmount(before),
    };
  },
});

export const listAlertsOperation = defineOperation({
  name: 'wallet.alerts',
  kind: 'question',
  summary: "list the low-balance alert thresholds of a merchant's wallets",
  roles,
  portal: { roles: ['viewer', 'finance', 'developer'] },
  route: 'GET /merchants/{merchant}/wallet/alerts',
  document: 'operators/webhooks.md',
  input: inputOf({ merchant: merchantField }),
  output: Type.Array(
    Type.Object({
      environment: environmentField,
      currency: currencyField,
      /** Null: no alert. */
      threshold: nullableAmount,
    }),
  ),
  run: async ({ sql }: Asking, { merchant: code }) => {
    const { id } = await findByCode(sql, code);
    const alerts = [];
    // Sequential, because they share a connection.
    for (const { account_id: walletId, environment, currency } of await listWallets(sql, id)) {
      const threshold = await findWalletAlert(sql, walletId);
      alerts.push({
        environment,
        currency,
        threshold: threshold === undefined ? null : formatAmount(threshold),
      });
    }
    return alerts;
  },
});
