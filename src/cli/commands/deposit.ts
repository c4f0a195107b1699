/** `oja deposit`: what came in from banks, and whose it is. */
import type { Command } from 'commander';
import type { Sql } from '../../db/database.ts';
import { type DepositRow, findDeposit, listDeposits } from '../../funding/deposit-store.ts';
import { assignDeposit } from '../../funding/operations/assign-deposit.ts';
import { formatAmount } from '../../kernel/money.ts';
import { findMerchant } from '../../merchants/merchant-store.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readDay, readId } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { formatTime, optional } from '../format.ts';
import { pairs, table } from '../output.ts';

const DEPOSITS_LISTED_MAX = 1_000;
const DAY_MS = 86_400_000;

type ListOptions = {
  readonly suspense?: boolean;
  readonly merchant?: string;
  readonly provider?: string;
  readonly day?: Date;
};

export function addDeposit(program: Command, run: Run): void {
  const group = program.command('deposit').description('transfers that came in from banks');
  addCommand<[], ListOptions>(group, run, {
    name: 'list',
    description: `list the newest ${DEPOSITS_LISTED_MAX} deposits, and what they add up to`,
    examples: ['deposit list --suspense', 'deposit list --day 2026-11-21 --provider monnify'],
    configure: (command) =>
      command
        .option('--suspense', 'only those that nobody is credited with')
        .option('--merchant <code>', 'only those of a merchant')
        .option('--provider <name>', 'only those of a provider')
        .option('--day <date>', 'only those that were paid on that day in Lagos, YYYY-MM-DD', readDay),
    work: async ({ database }, _args, options) => {
      const deposits = await listDeposits(database, {
        suspense: options.suspense ?? false,
        merchantId: await merchantIdOf(database, options.merchant),
        provider: options.provider,
        from: options.day,
        to: options.day && new Date(options.day.getTime() + DAY_MS),
        limit: DEPOSITS_LISTED_MAX + 1,
      });
      const listed = deposits.slice(0, DEPOSITS_LISTED_MAX);
      const more =
        deposits.length > listed.length
          ? `\nThese are the newest ${DEPOSITS_LISTED_MAX}, and what they add up to; there are more.`
          : '';
      return {
        data: listed.map(depositData),
        text: `${depositsTable(listed)}${listed.length === 0 ? '' : `\n\n${totals(listed)}${more}`}`,
      };
    },
  });
  addCommand<[string], object>(group, run, {
    name: 'show',
    description: 'show a deposit',
    examples: ['deposit show 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10'],
    configure: (command) => command.argument('<id>', 'its id in the list', readId('deposit')),
    work: async ({ database }, [id]) => {
      const deposit = await findDeposit(database, id);
      if (deposit === undefined) throw new CommandError(`there is no deposit ${id}`);
      const entries = Object.entries(depositData(deposit)).map(([name, value]) => {
        const shown = value instanceof Date ? formatTime(value) : String(value ?? '-');
        return [name, shown] as const;
      });
      return { data: depositData(deposit), text: pairs(entries) };
    },
  });
  addAssign(group, run);
}

function addAssign(group: Command, run: Run): void {
  addCommand<[string, string], object>(group, run, {
    name: 'assign',
    description: 'credit a deposit from suspense to a merchant, less the fee; this cannot be undone',
    examples: ['deposit assign 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10 SHOP'],
    writes: true,
    configure: (command) =>
      command
        .argument('<id>', 'its id in the list', readId('deposit'))
        .argument('<merchant>', "the merchant's code"),
    work: async ({ database, actor }, [depositId, merchantCode]) => {
      const { merchant, gross, fee, posted } = await database.transaction((tx) =>
        assignDeposit(tx, { depositId, merchantCode }, actor),
      );
      return {
        data: {
          deposit: depositId,
          merchant,
          gross: formatAmount(gross),
          fee: formatAmount(fee),
          net: formatAmount(gross - fee),
          posted: formatAmount(posted),
        },
        text:
          `${merchant} is credited with ${formatAmount(gross - fee)} (${formatAmount(gross)} less ` +
          `${formatAmount(fee)}) and now has ${formatAmount(posted)}.`,
      };
    },
  });
}

async function merchantIdOf(sql: Sql, code: string | undefined): Promise<number | undefined> {
  if (code === undefined) return undefined;
  const merchant = await findMerchant(sql, code);
  if (merchant === undefined) throw new CommandError(`there is no merchant "${code}"`);
  return merchant.id;
}

function depositData(row: DepositRow): Record<string, unknown> {
  return {
    id: row.id,
    state: stateOf(row),
    merchant: row.merchant_code,
    environment: row.environment,
    currency: row.currency,
    gross: formatAmount(row.gross),
    fee: formatAmount(row.fee),
    settled: optional(row.settled, formatAmount),
    provider: row.provider,
    provider_reference: row.provider_reference,
    paid_to: row.paid_to,
    paid_at: row.paid_at,
    received_at: row.created_at,
    assigned_at: row.assigned_at,
  };
}

function depositsTable(rows: readonly DepositRow[]): string {
  return table(
    rows,
    [
      { title: 'ID', of: (row) => row.id },
      { title: 'PAID', of: (row) => formatTime(row.paid_at) },
      { title: 'ENV', of: (row) => row.environment },
      { title: 'MERCHANT', of: (row) => row.merchant_code ?? '-' },
      { title: 'GROSS', of: (row) => formatAmount(row.gross), right: true },
      { title: 'FEE', of: (row) => formatAmount(row.fee), right: true },
      { title: 'CURRENCY', of: (row) => row.currency },
      { title: 'STATE', of: stateOf },
      { title: 'PROVIDER', of: (row) => `${row.provider} ${row.provider_reference}` },
      { title: 'PAID TO', of: (row) => row.paid_to },
    ],
    'No deposits.',
  );
}

/**
 * A line for each provider, environment and currency: what to compare with the provider's own
 * report.
 */
function totals(rows: readonly DepositRow[]): string {
  const groups = Map.groupBy(rows, (row) => `${row.provider} ${row.environment} ${row.currency}`);
  return [...groups]
    .map(([name, group]) => {
      const sum = (of: (row: DepositRow) => bigint): string =>
        formatAmount(group.reduce((total, row) => total + of(row), 0n));
      return `${name}: ${group.length} deposit${group.length === 1 ? '' : 's'}, gross ${sum((row) => row.gross)}, fees ${sum((row) => row.fee)}, settled ${sum((row) => row.settled ?? row.gross)}`;
    })
    .join('\n');
}

function stateOf(row: DepositRow): string {
  if (row.assigned_at !== null) return 'assigned';
  return row.merchant_code === null ? 'suspense' : 'credited';
}
