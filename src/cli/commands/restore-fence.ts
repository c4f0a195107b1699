/** `oja restore …`: the fence of a restored database, and what was delivered in the lost time. */
import { readFile } from 'node:fs/promises';
import type { Static } from 'typebox';
import type { foundOutput } from '../../recovery/found-answer.ts';
import { assignFoundOperation } from '../../recovery/operations/assign-found.ts';
import { dismissFoundOperation } from '../../recovery/operations/dismiss-found.ts';
import { listFoundOperation } from '../../recovery/operations/list-found.ts';
import { openFenceOperation } from '../../recovery/operations/open-fence.ts';
import { raiseFenceOperation } from '../../recovery/operations/raise-fence.ts';
import { reconcileRestoreOperation } from '../../recovery/operations/reconcile-restore.ts';
import { showFenceOperation } from '../../recovery/operations/show-fence.ts';
import type { reconciledOutput } from '../../recovery/reconciled-answer.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

export const restoreCommands: readonly OperationCommand[] = [
  commandOf(showFenceOperation, {
    examples: ['restore status'],
    text: stateText,
  }),
  commandOf(raiseFenceOperation, {
    examples: ['restore fence --reason "pgBackRest restore to 10:30" --from 2026-11-22T10:30:00+01:00 --yes'],
    text: ({ lost_from: from }) =>
      `Fenced: nothing is sold with live credentials. What was stored after ${timeText(from)} may be missing.`,
  }),
  commandOf(reconcileRestoreOperation, {
    arguments: ['statements'],
    files: { statements: readPair, mappings: readPair },
    examples: [
      'restore reconcile',
      'restore reconcile vtpass=vtpass-november.csv',
      'restore reconcile vtpass=vtpass-november.csv --apply',
      'restore reconcile vtpass=vtpass-november.csv --files-from 2026-11-22T00:00:00+01:00 --files-to 2026-11-22T12:00:00+01:00 --apply',
    ],
    text: reconciledText,
    isWrong: ({ complete }) => !complete,
  }),
  commandOf(listFoundOperation, {
    examples: ['restore found', 'restore found --verdict left'],
    text: ({ data }) => foundTable(data),
  }),
  commandOf(assignFoundOperation, {
    arguments: ['provider', 'order', 'merchant'],
    examples: [
      'restore assign vtpass 202611221030k3j9 SHOP --reference INV-1042 --product airtime --network MTN',
    ],
    text: ({ merchant, vend }) =>
      `Entered for ${merchant} as ${vend}: its provider is asked what became of it.`,
  }),
  commandOf(dismissFoundOperation, {
    arguments: ['provider', 'order'],
    examples: [
      'restore dismiss vtpass 2026112210300000000000000000000000k3 --reason "of our old system" --yes',
    ],
    text: ({ order, left }) =>
      `Dismissed: ${order} is entered nowhere. ${left === 0 ? 'Nothing is left. See oja restore status' : leftText(left)}`,
  }),
  commandOf(openFenceOperation, {
    examples: [
      'restore open',
      'restore open --despite-differences --reason "INV-1042 is settled with the merchant" --yes',
    ],
    text: ({ missing, left }) =>
      missing.length === 0 && left === 0
        ? 'Open: purchases are sold again.'
        : `Open: purchases are sold again. Not reconciled: ${missing.join(', ') || 'no provider'}; orders left: ${left}.`,
  }),
];

/** `provider=file` becomes what is in the file. */
async function readPair(pair: string): Promise<{ readonly provider: string; readonly content: string }> {
  const [provider = '', ...rest] = pair.split('=');
  const file = rest.join('=');
  if (provider === '' || file === '') {
    throw new UsageError('usage', `${pair} is not PROVIDER=FILE`);
  }
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(
      'file_unreadable',
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  return { provider, content };
}

function stateText(state: Static<typeof showFenceOperation.output>): string {
  if (!state.fenced) return 'Not fenced: purchases are sold.';
  const { reason, lost_from: from, reconciled, missing, gaps, left, next } = state;
  return [
    `Fenced: ${reason}. What was stored after ${timeText(from ?? '')} may be missing.`,
    ...reconciled.map(({ provider, source, orders }) => `${provider}: ${source}, ${orders} orders listed`),
    ...missing.map((provider) => missingText(provider, reconciled, gaps)),
    leftText(left),
    `Next: ${next}`,
  ].join('\n');
}

type FenceOutput = Static<typeof showFenceOperation.output>;

function missingText(
  provider: string,
  reconciled: FenceOutput['reconciled'],
  gaps: FenceOutput['gaps'],
): string {
  if (!reconciled.some((row) => row.provider === provider)) return `${provider}: its list is missing`;
  const times = gaps
    .filter((gap) => gap.provider === provider)
    .map(({ from, until }) => `${timeText(from)} to ${timeText(until)}`);
  return `${provider}: its list has nothing of ${times.join(', ')}`;
}

function leftText(left: number): string {
  if (left === 0) return 'No order is left to you.';
  return left === 1 ? '1 order is left to you.' : `${left} orders are left to you.`;
}

function reconciledText(output: Static<typeof reconciledOutput>): string {
  const { providers, found, found_total: total, applied, complete, left_before: leftBefore } = output;
  const sums = table(
    providers,
    [
      { title: 'PROVIDER', of: (row) => row.provider },
      { title: 'LIST', of: (row) => row.source },
      { title: 'ORDERS', of: (row) => String(row.orders), right: true },
      { title: 'FIRST', of: (row) => (row.first_at === null ? '' : timeText(row.first_at)) },
      { title: 'LAST', of: (row) => (row.last_at === null ? '' : timeText(row.last_at)) },
      { title: 'ENTERED', of: (row) => String(row.entered), right: true },
      { title: 'ATTEMPTS', of: (row) => String(row.attempts), right: true },
      { title: 'LEFT', of: (row) => String(row.left), right: true },
      { title: 'WHAT TO DO', of: (row) => row.trouble ?? '' },
    ],
    'No provider has live routes.',
  );
  const end = complete
    ? applied
      ? 'Complete. Next: oja restore open'
      : 'Nothing was changed. Next: the same with --apply'
    : `Not complete.${applied ? ' Next: oja restore status' : ' Nothing was changed.'}`;
  const more = total > found.length ? [`… and ${total - found.length} more: oja restore found`] : [];
  const before =
    leftBefore > 0
      ? [`Left before, and not in these lists: ${leftBefore}. See oja restore found --verdict left`]
      : [];
  return [sums, '', foundTable(found), ...more, '', ...before, end].join('\n');
}

function foundTable(rows: readonly Static<typeof foundOutput>[]): string {
  return table(
    rows,
    [
      { title: 'PROVIDER', of: (row) => row.provider },
      { title: 'REFERENCE', of: (row) => row.reference },
      { title: 'VERDICT', of: (row) => row.verdict },
      { title: 'MERCHANT', of: (row) => row.merchant ?? '' },
      { title: 'STATE', of: (row) => row.state ?? '' },
      { title: 'PRODUCT', of: (row) => [row.product, row.network].filter((word) => word !== null).join(' ') },
      { title: 'AMOUNT', of: (row) => row.amount ?? '', right: true },
      { title: 'WHAT TO DO', of: (row) => row.reason ?? '' },
    ],
    'Nothing that is not known here.',
  );
}
