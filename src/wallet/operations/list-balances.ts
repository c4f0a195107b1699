/** Lists assets, debts and earnings by account, all of one moment. */
import { Type } from 'typebox';
import { formatAmount } from '../../core/money.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import {
  amountOutput,
  currencyField,
  environmentField,
  inputOf,
  pageFields,
  pageOf,
} from '../../core/operation-fields.ts';
import { pageOfWhole } from '../../core/page.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { normalBalance } from '../ledger/chart-of-accounts.ts';
import { houseBalances } from '../ledger/roll-up.ts';
import { sumWallets } from '../wallet-store.ts';

export const listBalancesOperation = defineOperation({
  name: 'balance.list',
  kind: 'question',
  summary:
    'show the house accounts, each positive on its own side: assets (float, bank, corrections), debts (wallets, suspense) and earnings',
  roles,
  route: 'GET /balances',
  document: 'operators/merchants.md',
  input: inputOf(pageFields),
  output: pageOf(
    Type.Object({
      account: Type.String(),
      environment: environmentField,
      currency: currencyField,
      balance: amountOutput,
    }),
  ),
  run: async ({ sql }: Asking, { limit = 50, cursor }) => {
    const { house, wallets } = await sql.transaction(
      async (tx) => ({ house: await houseBalances(tx), wallets: await sumWallets(tx) }),
      { isolation: 'repeatable read', readOnly: true },
    );
    const lines = [
      ...wallets.map(({ wallets: count, posted, environment, currency }) => ({
        code: `wallets:${environment}:${currency}`,
        line: {
          account: `wallets of merchants (${count})`,
          environment,
          currency,
          balance: formatAmount(posted),
        },
      })),
      ...house.map(({ code, kind, environment, currency, balance }) => ({
        code,
        line: { account: code, environment, currency, balance: formatAmount(normalBalance(kind, balance)) },
      })),
    ];
    const page = pageOfWhole(lines, { limit, cursor }, ({ code }) => code);
    return { data: page.data.map(({ line }) => line), cursor: page.cursor };
  },
});
