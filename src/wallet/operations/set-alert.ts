/** Sets or removes the low-balance alert of a wallet: its threshold, and who gets an e-mail. */

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
import { requireWallet } from '../require-wallet.ts';
import {
  deleteWalletAlert,
  findWalletAlert,
  listAlertEmails,
  putAlertEmails,
  putWalletAlert,
} from '../wallet-alert-store.ts';
import { findWalletOf, listWallets } from '../wallet-store.ts';

/**
 * `threshold` is in minor units; undefined removes the alert. Absent `emails` stay as they are.
 * Throws OperationError: `no_merchant`, `merchant_has_no_wallet`, `no_user`.
 */
async function setAlert(
  tx: Tx,
  change: {
    readonly merchantCode: string;
    readonly environment: Environment;
    readonly currency: Currency;
    readonly threshold: bigint | undefined;
    readonly emails: readonly string[] | undefined;
  },
  actor: ActorOrName,
): Promise<{ readonly before: bigint | undefined; readonly emails: readonly string[] }> {
  const { environment, currency, threshold } = change;
  const merchant = await requireMerchant(tx, change.merchantCode);
  const found = await findWalletOf(tx, merchant.id, environment, currency);
  const wallet = requireWallet(found, merchant, environment, currency);
  const walletId = wallet.account_id;
  const before = await findWalletAlert(tx, walletId);
  const emailsBefore = await listAlertEmails(tx, walletId);
  const emails = threshold === undefined ? [] : addressesOf(change.emails ?? emailsBefore);
  const isSame = emails.join() === emailsBefore.join();
  if (before === threshold && isSame) return { before, emails };
  if (threshold === undefined) await deleteWalletAlert(tx, walletId);
  else if (before !== threshold) await putWalletAlert(tx, { merchantId: merchant.id, walletId }, threshold);
  if (threshold !== undefined && !isSame) {
    const unknown = await putAlertEmails(tx, { merchantId: merchant.id, walletId }, emails);
    if (unknown !== undefined) throw new OperationError({ code: 'no_user', email: unknown });
  }
  const described = (amount: bigint | undefined, to: readonly string[]) => ({
    environment,
    currency,
    threshold: amount === undefined ? null : formatAmount(amount),
    emails: [...to],
  });
  await recordOperation(tx, {
    actor,
    action: 'wallet.set_alert',
    subject: `merchant:${merchant.code}`,
    before: described(before, emailsBefore),
    after: described(threshold, emails),
  });
  return { before, emails };
}

function addressesOf(emails: readonly string[]): string[] {
  return [...new Set(emails.map((email) => email.trim().toLowerCase()))].sort();
}

const thresholdOutput = nullableAmount;
/** The addresses of those who get an e-mail. */
const emailsOutput = Type.Array(Type.String());
const EMAILS_MAX = 20;

const setAlertOperation = defineOperation({
  name: 'wallet.set_alert',
  kind: 'act',
  summary: 'set the low-balance alert of a wallet: the threshold (event wallet.low), and who gets an e-mail',
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
    emails: Type.Optional(
      Type.Array(Type.String({ minLength: 3, maxLength: 254 }), {
        description: 'addresses of people in the team who get an e-mail; without it, unchanged',
        maxItems: EMAILS_MAX,
      }),
    ),
    environment: oneOf(environments, { default: 'live' }),
    currency: currencyField,
  }),
  output: Type.Object({
    merchant: Type.String(),
    environment: environmentField,
    currency: currencyField,
    threshold: thresholdOutput,
    threshold_before: thresholdOutput,
    emails: emailsOutput,
  }),
  run: async ({ tx, actor }: Acting, { merchant, threshold: text, emails: to, environment, currency }) => {
    const threshold = text === undefined ? undefined : (parseSignedAmount(text) ?? 0n);
    const { before, emails } = await setAlert(
      tx,
      { merchantCode: merchant, environment, currency, threshold, emails: to },
      actor,
    );
    return {
      merchant,
      environment,
      currency,
      threshold: threshold === undefined ? null : formatAmount(threshold),
      threshold_before: before === undefined ? null : formatAmount(before),
      emails: [...emails],
    };
  },
});

const listAlertsOperation = defineOperation({
  name: 'wallet.alerts',
  kind: 'question',
  summary: "list the low-balance alerts of a merchant's wallets",
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
      emails: emailsOutput,
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
        emails: await listAlertEmails(sql, walletId),
      });
    }
    return alerts;
  },
});

export const alertOperations = [setAlertOperation, listAlertsOperation] as const;
