/** Prints a reconciliation as text, CSV or JSON, page by page. */
import { stringify } from 'csv-stringify/sync';
import type { Static } from 'typebox';
import { quoting, safeCell } from '../core/csv-cell.ts';
import type { reconciliationOutput } from '../finance/reconciliation/run-answer.ts';
import { timeText } from './format.ts';
import { type Form, jsonItems, printPages } from './print-pages.ts';

type Page = Static<typeof reconciliationOutput>;
type Difference = Page['data'][number];

const columns = [
  'number',
  'kind',
  'at',
  'age_seconds',
  'amount',
  'effect',
  'merchant',
  'purchase',
  'reference',
  'provider_id',
  'line',
  'here',
  'there',
  'mend',
  'applied',
  'verdict',
  'reason',
] as const satisfies readonly (keyof Difference)[];

const asText: Form<Page> = {
  head: (page) => `${titleOf(page)}\n`,
  lines: ({ data }) => data.map(textOf).join(''),
  end: (page) => `\n${sumsOf(page)}`,
};

const asCsv: Form<Page> = {
  head: () => stringify([columns]),
  lines: ({ data }) =>
    data.length === 0
      ? ''
      : stringify(
          data.map((row) => columns.map((column) => safeCell(String(row[column] ?? '')))),
          quoting,
        ),
  end: () => '',
};

const asJson: Form<Page> = {
  head: ({ run }) => `{"run":${JSON.stringify(run)},"data":[`,
  lines: ({ data }, isFirst) => jsonItems(data, isFirst),
  end: () => '\n],"cursor":null}\n',
};

export const printReconciliation = printPages<Page>({ text: asText, csv: asCsv, json: asJson });

function titleOf({ run }: Page): string {
  const by = { file: `file ${run.file}`, list: 'its list', questions: 'queries of pending purchases' }[
    run.source
  ];
  return [
    `${run.party} (${run.environment}) by ${by}, ${timeText(run.from)} to ${timeText(run.to)}`,
    `${run.lines} lines, ${countOf(run.differences)}${run.applied ? ', safe corrections were applied' : ', nothing was changed'}. Run ${run.id}.`,
  ].join('\n');
}

function textOf(row: Difference): string {
  const lines = [
    `#${row.number} ${row.kind}, ${ageText(row.age_seconds)} old, ${row.amount}${row.effect === '0.00' ? '' : ` (effect ${row.effect})`}`,
    `   ${row.meaning}`,
    `   ${namesOf(row)}`,
    `   here: ${row.here}`,
    `   there: ${row.there}${row.line === null ? '' : ` (line ${row.line})`}`,
    ...(row.reason === null ? [] : [`   ${row.reason}`]),
    ...(row.applied === null ? [] : [`   applied: ${row.applied}`]),
    ...(row.mend === null || row.applied !== null ? [] : [`   ${row.mend}`]),
  ];
  return `\n${lines.filter((line) => line.trim() !== '').join('\n')}\n`;
}

/** Joins the names of a difference. A movement has the same name on both sides. */
function namesOf({ merchant, purchase, reference, provider_id: id }: Difference): string {
  return [...new Set([merchant, purchase, reference, id])].filter((name) => name !== null).join('  ');
}

function countOf(differences: number): string {
  return differences === 1 ? '1 difference' : `${differences} differences`;
}

const SUMS: readonly (readonly [string, string])[] = [
  ['opening', 'opening balance'],
  ['top_ups', 'top-ups and refunds'],
  ['charges', 'charges'],
  ['taken', 'charged for orders there'],
  ['closing', 'closing balance'],
  ['unexplained', 'not explained by the file'],
  ['balances_followed', 'lines with a consistent balance'],
  ['balances_broken', 'lines with an inconsistent balance'],
  ['booked', 'booked for orders here'],
  ['under_way', 'pending on both sides'],
  ['net_there', 'left the account, by the provider'],
  ['net_here', 'left the account, by the books'],
  ['paid_there', 'paid in, by the bank'],
  ['paid_here', 'paid in, by the books'],
  ['pending', 'pending there'],
  ['matched_by_amount', 'movements matched by amount'],
];

/** Why lines were not compared with a record. */
const REASONS: Readonly<Record<string, string>> = {
  moved_nothing: 'moved no money',
  unrelated: 'other channels or currencies',
  other_currency: 'in another currency',
  not_paid: 'not paid',
  no_payment: 'no payments',
  repeated: 'given more than once',
  outside_period: 'outside the period',
  remarks: 'sums and remarks',
};

type Explained = { readonly reason: string; readonly lines: number };

type Kind = {
  readonly kind: string;
  readonly count: number;
  readonly effect: string;
  readonly applied: number;
};

function sumsOf({ run: { summary } }: Page): string {
  const sums = SUMS.filter(([name]) => summary[name] !== undefined).map(
    ([name, words]) => `${words.padEnd(34)}${String(summary[name]).padStart(18)}`,
  );
  const kinds = (summary.kinds as readonly Kind[] | undefined) ?? [];
  const rows = kinds.map(
    ({ kind, count, effect, applied }) =>
      `${kind.padEnd(34)}${String(count).padStart(6)}${effect.padStart(18)}${applied === 0 ? '' : `  ${applied} applied`}`,
  );
  const explained = ((summary.explained as readonly Explained[] | undefined) ?? []).map(
    ({ reason, lines }) => `lines: ${REASONS[reason] ?? reason}`.padEnd(34) + String(lines).padStart(18),
  );
  const cut = Number(summary.recipients_cut ?? 0);
  if (cut > 0) explained.push(`${'lines: recipient truncated'.padEnd(34)}${String(cut).padStart(18)}`);
  const same =
    summary.complete === true ? 'Both sides agree.' : 'No differences found. Not everything was compared.';
  return `${[...sums, ...explained, ...(rows.length === 0 ? [same] : ['', ...rows])].join('\n')}\n`;
}

function ageText(seconds: number): string {
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}
