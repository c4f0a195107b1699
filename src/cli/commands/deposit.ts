/** `oja deposit`: what came in from banks, and whose it is. */
import type { Static } from 'typebox';
import { assignDepositOperation } from '../../funding/operations/assign-deposit.ts';
import {
  type depositOutput,
  listDepositsOperation,
  showDepositOperation,
  sumDepositsOperation,
} from '../../funding/operations/list-deposits.ts';
import { listOwnDepositsOperation } from '../../funding/operations/list-own-deposits.ts';
import { tryDepositOperation } from '../../funding/operations/try-deposit.ts';
import { formatAmount, parseAmount } from '../../kernel/money.ts';
import { optional, timeText } from '../format.ts';
import { commandOf, environmentFlag, type OperationCommand } from '../operation-command.ts';
import { pairs, table } from '../output.ts';
import { readSecret, triedText } from '../tried-request.ts';

export const depositCommands: readonly OperationCommand[] = [
  commandOf(listDepositsOperation, {
    examples: ['deposit list --suspense', 'deposit list --day 2026-11-21 --provider monnify'],
    text: ({ data, cursor }, input) => {
      const isWhole = cursor === null && input.cursor === undefined;
      const below = isWhole ? totals(data) : '`deposit total` adds up all of them, and not a page.';
      return `${depositsTable(data)}${data.length === 0 ? '' : `\n\n${below}`}`;
    },
  }),
  commandOf(sumDepositsOperation, {
    examples: ['deposit total --day 2026-11-21 --provider monnify'],
    text: (sums) => sums.map(sumText).join('\n') || 'No deposits.',
  }),
  commandOf(showDepositOperation, {
    arguments: ['deposit'],
    examples: ['deposit show 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10'],
    text: depositText,
  }),
  commandOf(listOwnDepositsOperation, {
    arguments: ['merchant'],
    flags: { environment: environmentFlag },
    examples: ['deposit credited SHOP', 'deposit credited SHOP --day 2026-11-21'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'PAID', of: (row) => timeText(row.paid_at) },
          { title: 'ENV', of: (row) => row.environment },
          { title: 'GROSS', of: (row) => row.gross, right: true },
          { title: 'FEE', of: (row) => row.fee, right: true },
          { title: 'NET', of: (row) => row.net, right: true },
          { title: 'CURRENCY', of: (row) => row.currency },
          { title: 'PAID TO', of: (row) => row.paid_to },
        ],
        'No deposits.',
      ),
  }),
  commandOf(assignDepositOperation, {
    arguments: ['deposit', 'merchant'],
    examples: ['deposit assign 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10 SHOP --yes'],
    text: ({ merchant, net, gross, fee, posted }) =>
      `${merchant} is credited with ${net} (${gross} less ${fee}) and now has ${posted}.`,
  }),
  commandOf(tryDepositOperation, {
    arguments: ['merchant', 'credential'],
    flags: { secret: '--secret-file <path>' },
    files: { secret: readSecret },
    examples: ['deposit try SHOP oja_test_… --secret-file secret.txt --amount 5000 --reference deposit-1'],
    text: triedText,
  }),
];

type Deposit = Static<typeof depositOutput>;
type Sum = Static<(typeof sumDepositsOperation)['output']>[number];

function depositsTable(data: readonly Deposit[]): string {
  return table(
    data,
    [
      { title: 'ID', of: (row) => row.id },
      { title: 'PAID', of: (row) => timeText(row.paid_at) },
      { title: 'ENV', of: (row) => row.environment },
      { title: 'MERCHANT', of: (row) => row.merchant ?? '-' },
      { title: 'GROSS', of: (row) => row.gross, right: true },
      { title: 'FEE', of: (row) => row.fee, right: true },
      { title: 'CURRENCY', of: (row) => row.currency },
      { title: 'STATE', of: (row) => row.state },
      { title: 'PROVIDER', of: (row) => `${row.provider} ${row.provider_reference}` },
      { title: 'PAID TO', of: (row) => row.paid_to },
    ],
    'No deposits.',
  );
}

/** What to compare with the bank's own report. Of a whole list only. */
function totals(rows: readonly Deposit[]): string {
  const groups = Map.groupBy(rows, (row) => `${row.provider} ${row.environment} ${row.currency}`);
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const sum = (of: (row: Deposit) => string): string =>
        formatAmount(group.reduce((total, row) => total + (parseAmount(of(row)) ?? 0n), 0n));
      return sumText({
        provider: first.provider,
        environment: first.environment,
        currency: first.currency,
        deposits: group.length,
        gross: sum((row) => row.gross),
        fees: sum((row) => row.fee),
        settled: sum((row) => row.settled ?? row.gross),
      });
    })
    .join('\n');
}

function sumText({ provider, environment, currency, deposits, gross, fees, settled }: Sum): string {
  return (
    `${provider} ${environment} ${currency}: ${deposits} deposit${deposits === 1 ? '' : 's'}, ` +
    `gross ${gross}, fees ${fees}, settled ${settled}`
  );
}

function depositText(deposit: Deposit): string {
  const { paid_at: paidAt, received_at: receivedAt, assigned_at: assignedAt, ...rest } = deposit;
  return pairs([
    ...Object.entries(rest).map(([name, value]) => [name, value ?? '-'] as const),
    ['paid_at', timeText(paidAt)],
    ['received_at', timeText(receivedAt)],
    ['assigned_at', optional(assignedAt, timeText)],
  ]);
}
