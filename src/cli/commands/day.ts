/** `oja day`: days of Lagos, what was sold on each, and those that are closed. */
import type { Static } from 'typebox';
import { closeDayOperation } from '../../reports/operations/close-day.ts';
import { listDaysOperation } from '../../reports/operations/list-days.ts';
import { showDayOperation } from '../../reports/operations/show-day.ts';
import { showDaySalesOperation } from '../../reports/operations/show-day-sales.ts';
import { timeText } from '../format.ts';
import { commandOf, environmentFlag, type OperationCommand } from '../operation-command.ts';
import { pairs, table } from '../output.ts';
import { positionText, salesTable, timesTable } from '../report-output.ts';

export const dayCommands: readonly OperationCommand[] = [
  commandOf(closeDayOperation, {
    arguments: ['day'],
    flags: { environment: environmentFlag },
    examples: ['day close 2026-11-21', 'day close 2026-11-21 --json'],
    text: ({ day, environment, changed, hash, closed_at: at, closed_by: by }) =>
      changed
        ? `${day} is closed in ${environment}. Hash ${hash}\nKeep it elsewhere.`
        : `${day} was closed in ${environment} at ${timeText(at)} by ${by}; nothing was done. Hash ${hash}`,
  }),
  commandOf(listDaysOperation, {
    flags: { environment: environmentFlag },
    examples: ['day list', 'day list --env test --json'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'DAY', of: (row) => row.day },
          { title: 'CLOSED', of: (row) => timeText(row.closed_at) },
          { title: 'BY', of: (row) => row.closed_by },
          {
            title: 'PENDING',
            of: (row) => String(row.pending.reduce((sum, { purchases }) => sum + purchases, 0)),
            right: true,
          },
          { title: 'HASH', of: (row) => row.hash },
        ],
        'No day is closed.',
      ),
  }),
  commandOf(showDaySalesOperation, {
    flags: { environment: environmentFlag, from: '--from <day>', to: '--to <day>' },
    examples: ['day sales --from 2026-11-15 --to 2026-11-21', 'day sales --from 2026-11-01 --json'],
    text: ({ days, added_up: { up_to: upTo } }) =>
      [
        table(
          days.flatMap(({ day, totals }) => totals.map((total) => ({ day, ...total }))),
          [
            { title: 'DAY', of: (row) => row.day },
            { title: 'CURRENCY', of: (row) => row.currency },
            { title: 'PURCHASES', of: (row) => String(row.purchases), right: true },
            { title: 'OK', of: (row) => String(row.successes), right: true },
            { title: 'FAILED', of: (row) => String(row.failures), right: true },
            { title: 'PENDING', of: (row) => String(row.pending), right: true },
            { title: 'FACE VALUE', of: (row) => row.face_value, right: true },
            { title: 'MARGIN', of: (row) => row.margin, right: true },
          ],
          'Nothing was sold in these days.',
        ),
        '',
        `Complete up to ${timeText(upTo)}.`,
      ].join('\n'),
  }),
  commandOf(showDayOperation, {
    arguments: ['day'],
    flags: { environment: environmentFlag },
    examples: ['day show 2026-11-21'],
    text: shownText,
    isWrong: ({ intact }) => !intact,
  }),
];

type Shown = Static<(typeof showDayOperation)['output']>;

const kinds: Readonly<Record<string, string>> = {
  success: 'became a success',
  failed: 'failed',
  refund: 'given back to the merchant',
  provider_refund: 'given back by the provider',
};

function shownText(day: Shown): string {
  const { totals, positions, later, audit_log: audit } = day;
  return [
    `${day.day}, ${day.environment}, closed at ${timeText(day.closed_at)} by ${day.closed_by}`,
    day.intact ? 'The figures are those that were frozen.' : 'THE FIGURES ARE NOT THOSE THAT WERE FROZEN.',
    salesTable(totals, []),
    timesTable(totals, []),
    ...positions.map((position) => positionText(position, day.day)),
    `Booked later\n${table(
      later,
      [
        { title: 'ON', of: (entry) => entry.day },
        { title: 'WHAT', of: ({ kind }) => kinds[kind] ?? kind },
        { title: 'MERCHANT', of: (entry) => entry.merchant },
        { title: 'COUNT', of: (entry) => String(entry.count), right: true },
        { title: 'AMOUNT', of: (entry) => entry.amount, right: true },
        { title: 'CURRENCY', of: (entry) => entry.currency },
      ],
      'Nothing.',
    )}`,
    pairs([
      ['hash', day.hash],
      ['of the figures', day.figures_hash],
      ['of the day before', day.previous_hash],
      ['of the audit log', `${audit.hash} (link ${audit.position})`],
    ]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
