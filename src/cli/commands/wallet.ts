/** `oja wallet`: what merchants have, and corrections of it. */
import type { Command } from 'commander';
import { formatAmount } from '../../kernel/money.ts';
import { findMerchant } from '../../merchants/merchant-store.ts';
import { creditWalletOperation } from '../../wallet/operations/credit-wallet.ts';
import { listWallets, type WalletRow } from '../../wallet/wallet-store.ts';
import { addCommand, type Run } from '../add-command.ts';
import { CommandError } from '../command-error.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';
import { addWalletOpen } from './wallet-open.ts';
import { addWalletStatement } from './wallet-statement.ts';

export function addWallet(program: Command, run: Run): void {
  const group = program.command('wallet').description("merchants' wallets");
  addCommand<[string], object>(group, run, {
    name: 'show',
    description: "show a merchant's wallets",
    examples: ['wallet show SHOP'],
    configure: (command) => command.argument('<merchant>', "the merchant's code"),
    work: async ({ database }, [code]) => {
      const merchant = await findMerchant(database, code);
      if (merchant === undefined) throw new CommandError(`there is no merchant "${code}"`);
      const wallets = await listWallets(database, merchant.id);
      return { data: wallets.map(walletData), text: walletsTable(wallets) };
    },
  });
  addWalletOpen(group, run);
  addWalletStatement(group, run);
}

export const walletCommands: readonly OperationCommand[] = [
  commandOf(creditWalletOperation, {
    arguments: ['merchant', 'amount'],
    flags: {
      environment: '--env <environment>',
      currency: '--currency <code>',
      memo: '--memo <text>',
      key: '--key <text>',
    },
    examples: [
      'wallet credit SHOP 250000 --env live --memo "bank transfer of 21 Nov" --key bank-0042',
      'wallet credit SHOP -500.50 --env live --memo "credited twice on 20 Nov"',
    ],
    text: ({ merchant, environment, currency, posted, posted_before: before, correction_id: id }) =>
      `${merchant} (${environment}) had ${before} ${currency} and now has ${posted} ${currency}. Correction ${id}.`,
  }),
];

export function walletsTable(wallets: readonly WalletRow[]): string {
  return table(
    wallets,
    [
      { title: 'ENV', of: (row) => row.environment },
      { title: 'CURRENCY', of: (row) => row.currency },
      { title: 'POSTED', of: (row) => formatAmount(row.posted), right: true },
      { title: 'HELD', of: (row) => formatAmount(row.held), right: true },
      { title: 'FLOOR', of: (row) => formatAmount(row.floor), right: true },
      { title: 'AVAILABLE', of: (row) => formatAmount(available(row)), right: true },
    ],
    'No wallets.',
  );
}

export function walletData(wallet: WalletRow): Record<string, unknown> {
  return {
    environment: wallet.environment,
    currency: wallet.currency,
    posted: formatAmount(wallet.posted),
    held: formatAmount(wallet.held),
    floor: formatAmount(wallet.floor),
    available: formatAmount(available(wallet)),
  };
}

function available(wallet: WalletRow): bigint {
  return wallet.posted - wallet.held - wallet.floor;
}
