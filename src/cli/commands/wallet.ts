/** `oja wallet`: what merchants have, and corrections of it. */
import type { Command } from 'commander';
import type { Environment } from '../../kernel/environment.ts';
import { type Currency, formatAmount } from '../../kernel/money.ts';
import { findMerchant } from '../../merchants/merchant-store.ts';
import { creditWallet } from '../../wallet/operations/credit-wallet.ts';
import { listWallets, type WalletRow } from '../../wallet/wallet-store.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readCurrency, readEnvironment, readSignedAmount } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { table } from '../output.ts';
import { addWalletOpen } from './wallet-open.ts';
import { addWalletStatement } from './wallet-statement.ts';

type CreditOptions = {
  readonly env: Environment;
  readonly currency: Currency;
  readonly memo: string;
  readonly key?: string;
};

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
  addCommand<[string, bigint], CreditOptions>(group, run, {
    name: 'credit',
    description:
      'correct a wallet by a transfer from or to the corrections account; a negative amount takes money off, never below what is held and the floor',
    examples: [
      'wallet credit SHOP 250000 --env live --memo "bank transfer of 21 Nov" --key bank-0042',
      'wallet credit SHOP -500.50 --env live --memo "credited twice on 20 Nov"',
    ],
    writes: true,
    configure: (command) =>
      command
        .argument('<merchant>', "the merchant's code")
        .argument('<amount>', 'naira, with at most two decimals', readSignedAmount)
        .requiredOption('--env <environment>', 'test or live', readEnvironment)
        .requiredOption('--memo <text>', 'why: kept with the transfer')
        .option(
          '--key <text>',
          "your own name of it, such as the bank's reference: the same key is booked once, however often it is sent",
        )
        .option('--currency <code>', 'NGN, USD, EUR, GBP, CAD or AED', readCurrency, 'NGN'),
    work: async ({ database, actor }, [merchantCode, amount], { env, currency, memo, key }) => {
      const { correctionId, isRepeat, before, after } = await database.transaction((tx) =>
        creditWallet(tx, { merchantCode, environment: env, currency, amount, memo, key }, actor),
      );
      return {
        data: {
          correction_id: correctionId,
          merchant: merchantCode,
          environment: env,
          currency,
          amount: formatAmount(amount),
          repeated: isRepeat,
          posted_before: formatAmount(before.posted),
          posted: formatAmount(after.posted),
        },
        text: isRepeat
          ? `It was booked before under this key, and nothing was done now. Correction ${correctionId}.`
          : `${merchantCode} (${env}) had ${formatAmount(before.posted)} ${currency} and now has ` +
            `${formatAmount(after.posted)} ${currency}. Correction ${correctionId}.`,
      };
    },
  });
  addWalletOpen(group, run);
  addWalletStatement(group, run);
}

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
