/** Prints a report as text, CSV or JSON. */
import { stringify } from 'csv-stringify/sync';
import type { TextInput } from '../backoffice/operations/read-text-input.ts';
import { quoting, safeCell } from '../core/csv-cell.ts';
import type { ReportAnswer } from '../finance/reports/operations/show-report.ts';
import { timeText } from './format.ts';
import { pairs, table } from './output.ts';

type Row = ReportAnswer['totals'][number];
type Times = Row['latency_ms'];

export async function* printReport(
  pages: AsyncIterable<ReportAnswer>,
  { csv, json }: TextInput,
): AsyncGenerator<string> {
  let first: ReportAnswer | undefined;
  const rows: Row[] = [];
  for await (const page of pages) {
    first ??= page;
    rows.push(...page.rows);
  }
  if (first === undefined) return;
  const whole = { ...first, rows };
  yield csv === true ? csvOf(whole) : json === true ? `${JSON.stringify({ data: whole })}\n` : textOf(whole);
}

function csvOf({ by, rows, totals }: ReportAnswer): string {
  const lines = by.length === 0 ? totals : rows;
  const records = lines.map((row) => Object.fromEntries(flat(row, by)));
  const columns = flat(totals[0] ?? noRow, by).map(([name]) => name);
  return stringify(records, { ...quoting, header: true, columns, record_delimiter: 'windows' });
}

/** Flattens a row to one column for each number. */
function flat(row: Row, by: ReportAnswer['by']): [string, string][] {
  return Object.entries(row).flatMap(([name, value]): [string, string][] => {
    if (['product', 'network', 'provider', 'merchant'].includes(name)) {
      return by.some((column) => column === name) ? [[name, safeCell(String(value ?? ''))]] : [];
    }
    if (typeof value === 'object' && value !== null) {
      return Object.entries(value).map(([share, ms]) => [
        name.replace(/_ms$/, `_${share}_ms`),
        String(ms ?? ''),
      ]);
    }
    return [[name, value === null ? '' : String(value)]];
  });
}

function textOf(report: ReportAnswer): string {
  const { environment, from, to, by, rows, totals } = report;
  const title = `Report of ${environment}, ${from === to ? from : `${from} to ${to}`} (Lagos)`;
  const parts = [
    title,
    missingText(report),
    salesTable(by.length === 0 ? totals : rows, by),
    ...(by.length === 0 ? [] : [`Total\n${salesTable(totals, [])}`]),
    timesTable(by.length === 0 ? totals : [...rows, ...totals], by),
    ...report.positions.map((position) => positionText(position, to)),
    equationsText(report),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function missingText({ added_up: { complete, up_to: upTo } }: ReportAnswer): string {
  return complete
    ? `Complete up to ${timeText(upTo)}.`
    : `INCOMPLETE: only up to ${timeText(upTo)}. The rest is added in the background.`;
}

function keysOf(by: ReportAnswer['by']): { title: string; of: (row: Row) => string }[] {
  return by.map((name) => ({ title: name.toUpperCase(), of: (row) => row[name] ?? 'all' }));
}

export function salesTable(rows: readonly Row[], by: ReportAnswer['by']): string {
  const number = (title: string, of: (row: Row) => string | number | null) => ({
    title,
    of: (row: Row) => String(of(row) ?? '-'),
    right: true as const,
  });
  return table(
    rows,
    [
      ...keysOf(by),
      { title: 'CURRENCY', of: (row: Row) => row.currency },
      number('PURCHASES', (row) => row.purchases),
      number('OK', (row) => row.successes),
      number('FAILED', (row) => row.failures),
      number('REFUSED', (row) => row.refused),
      number('OK %', (row) => row.success_rate),
      number('FACE VALUE', (row) => row.face_value),
      number('CHARGE', (row) => row.charge),
      number('COST', (row) => row.cost),
      number('MARGIN', (row) => row.margin),
      number('LOSS', (row) => row.loss),
      number('REFUNDED', (row) => row.refunded),
      number('PROVIDER REFUNDS', (row) => row.provider_refunded),
      number('PENDING', (row) => row.pending),
      number('>30S', (row) => row.pending_over_30s),
      number('>24H', (row) => row.pending_over_24h),
    ],
    'No sales.',
  );
}

export function timesTable(rows: readonly Row[], by: ReportAnswer['by']): string {
  if (rows.length === 0) return '';
  const times = (title: string, of: (row: Row) => Times) => ({
    title: `${title} P50/P95/P99`,
    of: (row: Row) => timesText(of(row)),
    right: true as const,
  });
  return table(
    rows,
    [
      ...keysOf(by),
      times('PROVIDER', (row) => row.latency_ms),
      times('TO FINAL', (row) => row.time_to_final_ms),
      times('FAILED TO REFUNDED', (row) => row.failed_to_refunded_ms),
      { title: 'WITHIN 30S %', of: (row) => row.refunded_within_30s ?? '-', right: true },
      { title: 'TOOK >30S', of: (row) => String(row.took_over_30s), right: true },
      { title: 'TOOK >24H', of: (row) => String(row.took_over_24h), right: true },
    ],
    '',
  );
}

function timesText({ p50, p95, p99 }: Times): string {
  if (p50 === null) return '-';
  return `${[p50, p95, p99].map(secondsText).join('/')} s`;
}

function secondsText(ms: number | null): string {
  return ms === null ? '-' : String(ms / 1_000);
}

type Position = NonNullable<ReportAnswer['positions']>[number];

export function positionText(position: Position, day: string): string {
  const { currency, owed_to_merchants: owedTo, owed_by_merchants: owedBy, floats, banks, others } = position;
  return `At the end of ${day}, in ${currency}\n${pairs([
    ['Owed to merchants', owedTo.total],
    ['  wallets', owedTo.wallets],
    ['  vouchers', owedTo.vouchers],
    ['  suspense', owedTo.suspense],
    ['Owed by merchants', `${owedBy.total} (${owedBy.wallets_in_credit} credit lines in use)`],
    ...floats.map(({ name, balance }) => [`Float at ${name}`, balance] as const),
    ...banks.map(({ name, balance }) => [`Bank ${name}`, balance] as const),
    ...others.map(({ name, balance }) => [`House: ${name}`, balance] as const),
  ])}`;
}

function equationsText({ equations, wallets, agrees }: ReportAnswer): string {
  const sign = (equal: boolean): string => (equal ? '=' : '≠');
  const lines = [
    ...equations.map(
      ({ currency, what, purchases, ledger, equal }) =>
        `  ${what.replace('_', ' ')}: purchases ${purchases} ${sign(equal)} ledger ${ledger} ${currency}`,
    ),
    ...wallets.map(
      ({ currency, opening, moved, closing, equal }) =>
        `  wallets: ${[opening, ...moved.map(({ code, amount }) => `${code} ${amount}`)].join(' + ')} ${sign(equal)} ${closing} ${currency}`,
    ),
  ];
  const head = agrees ? 'Purchases and ledger agree.' : 'PURCHASES AND LEDGER DO NOT AGREE.';
  return [head, ...lines].join('\n');
}

const noTimes: Times = { p50: null, p95: null, p99: null };

/** The columns of a report without sales. */
const noRow: Row = {
  product: null,
  network: null,
  provider: null,
  merchant: null,
  currency: 'NGN',
  purchases: 0,
  successes: 0,
  failures: 0,
  refused: 0,
  success_rate: null,
  face_value: '',
  charge: '',
  cost: '',
  estimated_cost: '',
  margin: '',
  losses: 0,
  loss: '',
  refunds: 0,
  refunded: '',
  provider_refunds: 0,
  provider_refunded: '',
  pending: 0,
  pending_held: '',
  pending_over_30s: 0,
  pending_over_24h: 0,
  took_over_30s: 0,
  took_over_24h: 0,
  latency_ms: noTimes,
  time_to_final_ms: noTimes,
  failed_to_refunded_ms: noTimes,
  refunded_within_30s: null,
};
