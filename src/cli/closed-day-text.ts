/** Prints a closed day: its figures, its balances, and what was booked after it was closed. */
import type { Static } from 'typebox';
import type { showDayOperation } from '../finance/reports/operations/show-day.ts';
import { timeText } from './format.ts';
import { pairs, table } from './output.ts';
import { positionText, salesTable, timesTable } from './report-output.ts';

type Shown = Static<(typeof showDayOperation)['output']>;

const kinds: Readonly<Record<string, string>> = {
  success: 'success',
  failed: 'failure',
  refund: 'refund to the merchant',
  provider_refund: 'refund from the provider',
};

export function closedDayText(day: Shown): string {
  const { totals, positions, later, audit_log: audit } = day;
  return [
    `${day.day}, ${day.environment}, closed at ${timeText(day.closed_at)} by ${day.closed_by}`,
    day.intact ? 'The figures match the closed day.' : 'THE FIGURES DO NOT MATCH THE CLOSED DAY.',
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
      'None.',
    )}`,
    pairs([
      ['hash', day.hash],
      ['figures hash', day.figures_hash],
      ['previous day', day.previous_hash],
      ['audit log', `${audit.hash} (entry ${audit.position})`],
    ]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
