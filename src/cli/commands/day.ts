/** `oja day`: days of Lagos, what was sold on each, and those that are closed. */
import { type Static, Type } from 'typebox';
import { closeDayOperation } from '../../finance/reports/operations/close-day.ts';
import { listDaysOperation } from '../../finance/reports/operations/list-days.ts';
import { showDayOperation } from '../../finance/reports/operations/show-day.ts';
import { showDaySalesOperation } from '../../finance/reports/operations/show-day-sales.ts';
import { timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { pairs, table } from '../output.ts';
import { answerText } from '../print-answer.ts';
import { positionText, salesTable, timesTable } from '../report-output.ts';

export const dayCommands: readonly OperationCommand[] = [
  commandOf(closeDayOperation, {
    arguments: ['day'],
    examples: ['day close 2026-11-21', 'day close 2026-11-21 --json'],
  }),
  commandOf(listDaysOperation, {
    examples: ['day list', 'day list --env test --json'],
  }),
  commandOf(showDaySalesOperation, {
    examples: ['day sales --from 2026-11-15 --to 2026-11-21', 'day sales --from 2026-11-01 --json'],
    text: ({ days, added_up: addedUp }) =>
      answerText(Type.Unknown(), {
        data: days.flatMap(({ day, totals }) => totals.map((total) => ({ day, ...total }))),
        added_up: addedUp,
      }),
  }),
  commandOf(showDayOperation, {
    arguments: ['day'],
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
