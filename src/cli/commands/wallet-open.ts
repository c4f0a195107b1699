/** `oja wallet open`: wallets in further currencies. */
import type { Command } from 'commander';
import { type Environment, environments } from '../../kernel/environment.ts';
import type { Currency } from '../../kernel/money.ts';
import { openWallet } from '../../wallet/operations/open-wallet.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readCurrency, readEnvironment } from '../arguments.ts';

export function addWalletOpen(group: Command, run: Run): void {
  addCommand<[string, Currency], { readonly env?: Environment }>(group, run, {
    name: 'open',
    description: 'open a wallet in a further currency',
    examples: ['wallet open SHOP USD', 'wallet open SHOP USD --env test'],
    writes: true,
    configure: (command) =>
      command
        .argument('<merchant>', "the merchant's code")
        .argument('<currency>', 'NGN, USD, EUR, GBP, CAD or AED', readCurrency)
        .option('--env <environment>', 'test or live (default: both)', readEnvironment),
    work: async ({ database, actor }, [merchantCode, currency], { env }) => {
      const results = await database.transaction(async (tx) => {
        const done: { environment: Environment; changed: boolean }[] = [];
        for (const environment of env === undefined ? environments : [env]) {
          const { changed } = await openWallet(tx, { merchantCode, environment, currency }, actor);
          done.push({ environment, changed });
        }
        return done;
      });
      return {
        data: { merchant: merchantCode, currency, environments: results },
        text: results
          .map(
            ({ environment, changed }) =>
              `${merchantCode} ${changed ? 'now' : 'already'} has a ${currency} wallet in ${environment}.`,
          )
          .join('\n'),
      };
    },
  });
}
