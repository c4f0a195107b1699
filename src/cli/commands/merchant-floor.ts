/** `oja merchant floor`: credit lines. */
import type { Command } from 'commander';
import type { Environment } from '../../kernel/environment.ts';
import { type Currency, formatAmount } from '../../kernel/money.ts';
import { setFloor } from '../../wallet/operations/set-floor.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readCurrency, readEnvironment, readFloor } from '../arguments.ts';

type FloorOptions = { readonly env: Environment; readonly currency: Currency };

export function addMerchantFloor(group: Command, run: Run): void {
  addCommand<[string, bigint], FloorOptions>(group, run, {
    name: 'floor',
    description:
      'set how far a wallet can be spent, at once: below zero is a credit line (postpaid), 0 is prepaid, above zero is kept back',
    examples: ['merchant floor SHOP -50000', 'merchant floor SHOP 0 --env test'],
    writes: true,
    configure: (command) =>
      command
        .argument('<code>', "the merchant's code")
        .argument('<amount>', 'with at most two decimals', readFloor)
        .option('--env <environment>', 'test or live', readEnvironment, 'live')
        .option('--currency <code>', 'NGN, USD, EUR, GBP, CAD or AED', readCurrency, 'NGN'),
    work: async ({ database, actor }, [merchantCode, floor], { env, currency }) => {
      const { before, after } = await database.transaction((tx) =>
        setFloor(tx, { merchantCode, environment: env, currency, floor }, actor),
      );
      const available = after.posted - after.held - after.floor;
      return {
        data: {
          merchant: merchantCode,
          environment: env,
          currency,
          floor: formatAmount(after.floor),
          floor_before: formatAmount(before.floor),
          billing_mode: after.floor < 0n ? 'postpaid' : 'prepaid',
          available: formatAmount(available),
        },
        text:
          `${merchantCode} (${env}) can be spent to ${formatAmount(after.floor)} ${currency} ` +
          `(before: ${formatAmount(before.floor)}) and is ${after.floor < 0n ? 'postpaid' : 'prepaid'}; ` +
          `${formatAmount(available)} ${currency} is available.`,
      };
    },
  });
}
