/** `oja merchant mtn-line`: the vending lines at MTN whose balance a merchant may look up. */
import type { Command } from 'commander';
import type { Environment } from '../../kernel/environment.ts';
import { formatAmount } from '../../kernel/money.ts';
import { findMerchant } from '../../merchants/merchant-store.ts';
import { listMtnLines } from '../../wallet/mtn-line-store.ts';
import { addMtnLine, removeMtnLine } from '../../wallet/operations/set-mtn-line.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readEnvironment } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { formatTime, optional } from '../format.ts';
import { table } from '../output.ts';

type EnvironmentOption = { readonly env: Environment };

const withEnvironment = (command: Command): Command =>
  command.option('--env <environment>', 'test or live', readEnvironment, 'live');

export function addMerchantMtnLine(parent: Command, run: Run): void {
  const group = parent
    .command('mtn-line')
    .description('vending lines at MTN whose balance a merchant may look up');
  addCommand<[string, string, string], EnvironmentOption>(group, run, {
    name: 'add',
    description: 'let a merchant look up the balance of a line',
    examples: ['merchant mtn-line add SHOP 08031234567 "Mama Put Stores"'],
    writes: true,
    configure: (command) =>
      withEnvironment(command)
        .argument('<code>', "the merchant's code")
        .argument('<phone>', 'the number of the line')
        .argument('<client-name>', 'the name MTN has for its owner'),
    work: async ({ database, actor }, [merchantCode, phoneText, clientName], { env }) => {
      const { phone } = await database.transaction((tx) =>
        addMtnLine(tx, { merchantCode, environment: env, phone: phoneText, clientName }, actor),
      );
      return {
        data: { merchant: merchantCode, environment: env, phone, client_name: clientName },
        text: `${merchantCode} (${env}) now has the line ${phone}.`,
      };
    },
  });
  addCommand<[string, string], EnvironmentOption>(group, run, {
    name: 'remove',
    description: 'take a line away',
    examples: ['merchant mtn-line remove SHOP 08031234567'],
    writes: true,
    configure: (command) =>
      withEnvironment(command)
        .argument('<code>', "the merchant's code")
        .argument('<phone>', 'the number of the line'),
    work: async ({ database, actor }, [merchantCode, phoneText], { env }) => {
      const { phone } = await database.transaction((tx) =>
        removeMtnLine(tx, { merchantCode, environment: env, phone: phoneText }, actor),
      );
      return {
        data: { merchant: merchantCode, environment: env, phone },
        text: `${merchantCode} (${env}) no longer has the line ${phone}.`,
      };
    },
  });
  addList(group, run);
}

function addList(group: Command, run: Run): void {
  addCommand<[string], EnvironmentOption>(group, run, {
    name: 'list',
    description: "list a merchant's lines, with the balances that a provider last told",
    examples: ['merchant mtn-line list SHOP'],
    configure: (command) => withEnvironment(command).argument('<code>', "the merchant's code"),
    work: async ({ database }, [code], { env: environment }) => {
      const merchant = await findMerchant(database, code);
      if (merchant === undefined) throw new CommandError(`there is no merchant "${code}"`);
      const lines = await listMtnLines(database, { merchantId: merchant.id, environment });
      return {
        data: lines.map((line) => ({
          ...line,
          balance: line.balance === null ? null : formatAmount(line.balance),
        })),
        text: table(
          lines,
          [
            { title: 'PHONE', of: (line) => line.phone },
            { title: 'CLIENT NAME', of: (line) => line.client_name },
            { title: 'BALANCE', of: (line) => optional(line.balance, formatAmount), right: true },
            { title: 'TOLD', of: (line) => optional(line.balance_at, formatTime) },
          ],
          'No lines.',
        ),
      };
    },
  });
}
