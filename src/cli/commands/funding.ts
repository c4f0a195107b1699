/** `oja funding`: who may have a bank account for top-ups, and which accounts there are. */
import type { Command } from 'commander';
import type { Database } from '../../db/database.ts';
import { type FundingAccountRow, listFundingAccounts } from '../../funding/funding-account-store.ts';
import { listFundingCurrencies, selectIdentity } from '../../funding/identity-store.ts';
import { setFunding } from '../../funding/operations/set-funding.ts';
import { type Environment, environments } from '../../kernel/environment.ts';
import type { Currency } from '../../kernel/money.ts';
import { findMerchant } from '../../merchants/merchant-store.ts';
import { addCommand, type DataResult, type Run } from '../add-command.ts';
import { readCurrency, readEnvironment } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { formatTime, optional } from '../format.ts';
import { pairs, table } from '../output.ts';
import { addFundingDocuments } from './funding-document.ts';

export function addFunding(program: Command, run: Run): void {
  const group = program.command('funding').description('bank accounts that merchants pay into');
  addSwitches(group, run);
  addFundingDocuments(group, run);
  addCommand<[string], object>(group, run, {
    name: 'show',
    description: "show a merchant's funding accounts, and the last two digits of its BVN",
    examples: ['funding show SHOP'],
    configure: (command) => command.argument('<merchant>', "the merchant's code"),
    work: async ({ database }, [code]) => await showFunding(database, code),
  });
}

function addSwitches(group: Command, run: Run): void {
  for (const enabled of [true, false]) {
    const verb = enabled ? 'enable' : 'disable';
    addCommand<[string, Currency], { readonly env?: Environment }>(group, run, {
      name: verb,
      description: enabled
        ? 'let a merchant have a funding account in a currency'
        : 'let a merchant open and see no funding account in a currency; what is paid in is still credited',
      examples: [`funding ${verb} SHOP NGN`, `funding ${verb} SHOP NGN --env live`],
      writes: true,
      configure: (command) =>
        command
          .argument('<merchant>', "the merchant's code")
          .argument('<currency>', 'NGN, USD, EUR, GBP, CAD or AED', readCurrency)
          .option('--env <environment>', 'test or live (default: both)', readEnvironment),
      work: async ({ database, actor }, [merchantCode, currency], { env }) => {
        const chosen = env === undefined ? environments : [env];
        const results = await database.transaction(async (tx) => {
          const done: { environment: Environment; changed: boolean }[] = [];
          for (const environment of chosen) {
            const change = { merchantCode, environment, currency, enabled };
            done.push({ environment, ...(await setFunding(tx, change, actor)) });
          }
          return done;
        });
        return {
          data: { merchant: merchantCode, currency, enabled, environments: results },
          text: results
            .map(
              ({ environment, changed }) =>
                `${currency} funding is ${changed ? 'now' : 'already'} ${verb}d in ${environment}.`,
            )
            .join('\n'),
        };
      },
    });
  }
}

async function showFunding(database: Database, code: string): Promise<DataResult> {
  const merchant = await findMerchant(database, code);
  if (merchant === undefined) throw new CommandError(`there is no merchant "${code}"`);
  const currencies = await listFundingCurrencies(database, merchant.id);
  const accounts = await listFundingAccounts(database, merchant.id);
  const endings = new Map<Environment, string | undefined>();
  for (const environment of environments) {
    const identity = await selectIdentity(database, { merchantId: merchant.id, environment });
    endings.set(environment, identity?.bvn_ending ?? undefined);
  }
  const enabled = (environment: Environment): string[] =>
    currencies.filter((row) => row.environment === environment).map((row) => row.currency);
  const masked = (environment: Environment): string =>
    optional(endings.get(environment), (ending) => `*********${ending}`);
  return {
    data: {
      merchant: merchant.code,
      enabled: Object.fromEntries(environments.map((environment) => [environment, enabled(environment)])),
      bvn: Object.fromEntries(environments.map((environment) => [environment, masked(environment)])),
      accounts: accounts.map(accountData),
    },
    text: [
      pairs(
        environments.flatMap((environment) => [
          [`Enabled, ${environment}`, enabled(environment).join(', ') || 'none'] as const,
          [`BVN, ${environment}`, masked(environment)] as const,
        ]),
      ),
      '',
      accountsTable(accounts),
    ].join('\n'),
  };
}

function accountData(row: FundingAccountRow): Record<string, unknown> {
  return {
    environment: row.environment,
    currency: row.currency,
    status: row.status,
    provider: row.provider,
    reference: row.reference,
    account_number: row.account_number,
    account_name: row.account_name,
    bank_name: row.bank_name,
    refusal: row.refusal,
    document: row.has_document,
    asked: row.tries,
    created_at: row.created_at,
    active_at: row.active_at,
    swept_at: row.swept_at,
  };
}

function accountsTable(rows: readonly FundingAccountRow[]): string {
  return table(
    rows,
    [
      { title: 'ENV', of: (row) => row.environment },
      { title: 'CURRENCY', of: (row) => row.currency },
      { title: 'STATUS', of: (row) => row.status },
      { title: 'ACCOUNT', of: (row) => row.account_number ?? '-' },
      { title: 'NAME', of: (row) => row.account_name ?? '-' },
      { title: 'BANK', of: (row) => row.bank_name ?? '-' },
      { title: 'PROVIDER', of: (row) => `${row.provider} ${row.reference}` },
      { title: 'DOCUMENT', of: (row) => (row.has_document ? 'yes' : 'no') },
      { title: 'SWEPT', of: (row) => optional(row.swept_at, formatTime) },
      { title: 'REFUSED', of: (row) => row.refusal ?? '-' },
    ],
    'No funding accounts.',
  );
}
