/** Lists from what balances on a merchant is told that a wallet is low. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { formatAmount } from '../../kernel/money.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import {
  amountOrNull,
  currencyField,
  environmentField,
  inputOf,
  merchantField,
} from '../../kernel/operation-fields.ts';
import { findByCode } from '../../merchants/find-by-code.ts';
import { findWalletAlert } from '../wallet-alert-store.ts';
import { listWallets } from '../wallet-store.ts';

export const listAlertsOperation = defineOperation({
  name: 'wallet.alerts',
  kind: 'question',
  summary: 'list from what balances on the merchant is told that a wallet is low',
  roles,
  portal: { roles: ['viewer', 'finance', 'developer'] },
  route: 'GET /merchants/{merchant}/wallet/alerts',
  document: 'operators/webhooks.md',
  input: inputOf({ merchant: merchantField }),
  output: Type.Array(
    Type.Object({
      environment: environmentField,
      currency: currencyField,
      /** Null: it is not told. */
      threshold: amountOrNull,
    }),
  ),
  run: async ({ sql }: Asking, { merchant: code }) => {
    const { id } = await findByCode(sql, code);
    const alerts = [];
    // One after the other: they share a connection.
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
