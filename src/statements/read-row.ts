/** Reads one row of a statement file by its mapping. Pure: a fault is told, never guessed over. */
import { isCurrency } from '../kernel/money.ts';
import { matchWords } from './match-words.ts';
import { parseStatementAmount } from './statement-amount.ts';
import type { Column, Places } from './statement-columns.ts';
import type { StatementLine, StatementState } from './statement-line.ts';
import type { StatementMapping } from './statement-mapping.ts';
import { parseTime } from './statement-time.ts';

export type Row = { readonly line: number; readonly cells: readonly string[] };

export type ReadRow =
  | { readonly kind: 'line'; readonly line: StatementLine }
  | { readonly kind: 'fault'; readonly fault: string };

const CELL_MAX = 200;

/** `0803…` that a spreadsheet wrote as a number: its last digits are gone. */
const LOST_DIGITS = /^\d(?:\.\d+)?E\+?\d+$/i;

export function readRow(row: Row, places: Places, mapping: StatementMapping): ReadRow {
  const cell = (column: Column): string => textOf(row.cells[places.get(column) ?? -1] ?? '');
  const faults: string[] = [];
  const say = (fault: string): undefined => {
    faults.push(fault);
    return undefined;
  };
  const named = (column: Column): string | undefined => {
    const text = cell(column);
    if (LOST_DIGITS.test(text)) {
      return say(`"${text}" in the column for "${column}" has lost digits: export that column as text`);
    }
    return text === '' ? undefined : text.slice(0, CELL_MAX);
  };
  const money = (column: Column): bigint | undefined => {
    const text = cell(column);
    if (text === '' || text === '-') return undefined;
    const amount = parseStatementAmount(text, mapping.decimal);
    return amount ?? say(`"${text}" is no amount, in the column for "${column}"`);
  };

  const at = parseTime(cell('at'), mapping.time);
  if (at === undefined) say(`"${cell('at')}" is no time as the mapping has them`);
  const state = stateOf(cell('kind'), cell('status'), mapping);
  if (state === undefined) say(`"${cell('status')}" is no status that the mapping knows`);
  const told = cell('currency').toUpperCase();
  if (told !== '' && !isCurrency(told)) say(`"${told}" is no currency that Oja has`);
  const moved = { debit: money('debit'), credit: money('credit') };
  const amount = money('amount') ?? positive(moved.debit) ?? positive(moved.credit);
  if (amount === undefined && faults.length === 0) say('it has no amount');
  const reference = named('reference');
  const providerId = named('provider_id');
  const balance = money('balance');
  const cost = costOf(money, moved.debit, amount);
  if (faults.length > 0 || at === undefined || state === undefined || amount === undefined) {
    return { kind: 'fault', fault: `line ${row.line}: ${faults.join('; ')}` };
  }
  return {
    kind: 'line',
    line: {
      line: row.line,
      state,
      words: [cell('kind'), cell('status')]
        .filter((word) => word !== '')
        .join(', ')
        .slice(0, CELL_MAX),
      at,
      ...(reference !== undefined && { reference }),
      ...(providerId !== undefined && { providerId }),
      ...productOf(cell('product'), mapping),
      ...recipientOf(cell('recipient')),
      amount: magnitude(amount),
      ...(cost !== undefined && { cost }),
      ...(balance !== undefined && { balance }),
      currency: isCurrency(told) ? told : mapping.currency,
    },
  };
}

function stateOf(kind: string, status: string, mapping: StatementMapping): StatementState | undefined {
  const byStatus = matchWords(status, mapping.states);
  // A top-up that failed moved nothing: what did not succeed is told by its status alone.
  if (byStatus === 'failed' || byStatus === 'pending') return byStatus;
  return matchWords(kind, mapping.kinds ?? {}) ?? byStatus;
}

/** What the provider took: as it says itself, or added up from what it says of the parts. */
function costOf(
  money: (column: Column) => bigint | undefined,
  debit: bigint | undefined,
  amount: bigint | undefined,
): bigint | undefined {
  const told = money('cost') ?? positive(debit);
  if (told !== undefined) return magnitude(told);
  const net = money('net');
  if (amount !== undefined && net !== undefined) return magnitude(amount) - magnitude(net);
  const [fee, commission] = [money('fee'), money('commission')];
  if (amount === undefined || (fee === undefined && commission === undefined)) return undefined;
  return magnitude(amount) + magnitude(fee ?? 0n) - magnitude(commission ?? 0n);
}

function productOf(
  word: string,
  { products = {} }: StatementMapping,
): Pick<StatementLine, 'product' | 'network'> {
  const found = matchWords(word, products)?.split(':');
  if (found?.[0] === undefined) return {};
  return { product: found[0], ...(found[1] !== undefined && { network: found[1] }) };
}

/** One that a spreadsheet has cut is none. */
function recipientOf(text: string): Pick<StatementLine, 'recipient'> {
  return text === '' || LOST_DIGITS.test(text) ? {} : { recipient: text.slice(0, CELL_MAX) };
}

/** Without what spreadsheets put around it: an apostrophe before, or `="…"`. */
function textOf(cell: string): string {
  return cell
    .replace(/^="(.*)"$/s, '$1')
    .replace(/^'(?=\S)/, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

function positive(amount: bigint | undefined): bigint | undefined {
  return amount === 0n ? undefined : amount;
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
