/** `oja balances`: what the house has, owes and earns. */
import type { Command } from 'commander';
import { formatAmount } from '../../kernel/money.ts';
import { normalBalance } from '../../ledger/chart-of-accounts.ts';
import { houseBalances } from '../../ledger/house-balances.ts';
import { sumWallets } from '../../wallet/wallet-store.ts';
import { addCommand, type Run } from '../add-command.ts';
import { table } from '../output.ts';

export function addBalances(program: Command, run: Run): void {
  addCommand<[], object>(program, run, {
    name: 'balances',
    description:
      'show the house accounts, each positive on its own side: what the house has (float, bank, corrections), owes (wallets, suspense) and earned',
    examples: ['balances', 'balances --json'],
    work: async ({ database }) => {
      const { house, wallets } = await database.transaction(
        async (tx) => ({ house: await houseBalances(tx), wallets: await sumWallets(tx) }),
        { isolation: 'repeatable read', readOnly: true },
      );
      const lines = [
        ...wallets.map((row) => ({
          account: `wallets of merchants (${row.wallets})`,
          environment: row.environment,
          currency: row.currency,
          balance: formatAmount(row.posted),
        })),
        ...house.map((row) => ({
          account: row.code,
          environment: row.environment,
          currency: row.currency,
          balance: formatAmount(normalBalance(row.kind, row.balance)),
        })),
      ];
      return {
        data: lines,
        text: table(
          lines,
          [
            { title: 'ACCOUNT', of: (line) => line.account },
            { title: 'ENV', of: (line) => line.environment },
            { title: 'CURRENCY', of: (line) => line.currency },
            { title: 'BALANCE', of: (line) => line.balance, right: true },
          ],
          'No accounts.',
        ),
      };
    },
  });
}
