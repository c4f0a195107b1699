/** `oja wallet statement`: what moved a wallet, day by day. */
import { type Command, Option } from 'commander';
import { formatDay, nextDay, parseDay } from '../../kernel/clock.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { Currency } from '../../kernel/money.ts';
import { findMerchant } from '../../merchants/merchant-store.ts';
import { openStatement } from '../../wallet/statement.ts';
import { statementCsv } from '../../wallet/statement-csv.ts';
import { findWalletOf } from '../../wallet/wallet-store.ts';
import { addCommand, type DataResult, type Run } from '../add-command.ts';
import { readCurrency, readDay, readEnvironment } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { statementJson, statementText } from '../statement-output.ts';

type StatementOptions = {
  readonly from?: Date;
  readonly to?: Date;
  readonly env: Environment;
  readonly currency: Currency;
  readonly csv?: boolean;
  readonly json?: boolean;
};

export function addWalletStatement(group: Command, run: Run): void {
  addCommand<[string], StatementOptions>(group, run, {
    name: 'statement',
    description: 'list what moved a wallet, with the balance before, after each, and at the end',
    examples: [
      'wallet statement SHOP --from 2026-11-01 --to 2026-11-30',
      'wallet statement SHOP --from 2026-11-21 --csv',
    ],
    configure: (command) =>
      command
        .argument('<merchant>', "the merchant's code")
        .option('--from <day>', 'the first day in Lagos, YYYY-MM-DD (default: that of --to)', readDay)
        .option('--to <day>', 'the last day, YYYY-MM-DD (default: today)', readDay)
        .option('--env <environment>', 'test or live', readEnvironment, 'live')
        .option('--currency <code>', 'NGN, USD, EUR, GBP, CAD or AED', readCurrency, 'NGN')
        .addOption(new Option('--csv', 'print CSV').conflicts('json')),
    work: async (session, [code], options) => await showStatement(session, code, options),
  });
}

async function showStatement(
  { database, now }: Session,
  code: string,
  { env: environment, currency, csv, json, ...days }: StatementOptions,
): Promise<DataResult> {
  const last = days.to ?? today(now);
  const from = days.from ?? last;
  if (from > last) throw new CommandError(`--from ${formatDay(from)} is after --to ${formatDay(last)}`);
  const merchant = await findMerchant(database, code);
  if (merchant === undefined) throw new CommandError(`there is no merchant "${code}"`);
  const wallet = await findWalletOf(database, merchant.id, environment, currency);
  if (wallet === undefined) {
    throw new CommandError(`${merchant.code} has no ${currency} wallet in ${environment}`);
  }
  const period = { from, to: nextDay(last) };
  const stated = { accountId: wallet.account_id, merchantId: merchant.id, environment };
  const statement = await openStatement(database, stated, period, now);
  const head = { merchant: merchant.code, environment, currency, period };
  const print = json ? statementJson : statementText;
  return {
    data: undefined,
    text: '',
    stream: csv ? statementCsv(database, statement, period) : print(database, statement, head),
  };
}

function today(now: Date): Date {
  return parseDay(formatDay(now)) ?? now;
}
