/**
 * Reads one row of a statement file by its mapping. Reports every fault and guesses nothing. Pure.
 */
import { isCurrency } from '../../core/money.ts';
import { type Column, DELIMITERS, type Head } from './statement-columns.ts';
import {
  mayBeThousands,
  parseStatementAmount,
  type StatementLine,
  type StatementState,
} from './statement-line.ts';
import { matchWords, type StatementMapping } from './statement-mapping.ts';
import { parseTime } from './statement-time.ts';

type SpreadsheetText =
  | { readonly kind: 'text'; readonly text: string }
  /** Digits were lost: `8031234561` was written as `8.03123E+09`. */
  | { readonly kind: 'cut' };

/** Takes both decimal signs, because the spreadsheet's may differ from the file's. */
const EXPONENT = /^(?<first>\d)(?:[.,](?<rest>\d+))?E\+?(?<exponent>\d{1,3})$/i;
const WHOLE = /^(?<digits>\d{5,}|\d{1,3}(?:(?<sign>[., ])\d{3})(?:\k<sign>\d{3})*)[.,]0+$/;

/** Removes the decimals and the exponent that spreadsheets add to long numbers. */
function readSpreadsheetText(text: string): SpreadsheetText {
  const { first, rest = '', exponent } = EXPONENT.exec(text)?.groups ?? {};
  if (first !== undefined) {
    return Number(exponent) === rest.length && rest !== ''
      ? { kind: 'text', text: `${first}${rest}` }
      : { kind: 'cut' };
  }
  const digits = WHOLE.exec(text)?.groups?.digits;
  return { kind: 'text', text: digits === undefined ? text : digits.replace(/\D/g, '') };
}

export type Row = {
  readonly line: number;
  readonly cells: readonly string[];
  /** The file ends in this line, without a line end. */
  readonly isOpen?: boolean;
};

export type ReadRow =
  | { readonly kind: 'line'; readonly line: StatementLine }
  | { readonly kind: 'fault'; readonly fault: string };

const CELL_MAX = 200;

/** Words that mean no value. */
const NOTHING = /^(?:n\/?a|null|nil|none|undefined|-*)$/i;

export function readRow(row: Row, { places, width }: Head, mapping: StatementMapping): ReadRow {
  const cell = (column: Column): string => textOf(row.cells[places.get(column) ?? -1] ?? '');
  const faults: string[] = [];
  const addFault = (fault: string): undefined => {
    faults.push(fault);
    return undefined;
  };
  const named = (column: Column): string | undefined => {
    const read = readSpreadsheetText(cell(column));
    if (read.kind === 'cut') {
      return addFault(
        `"${cell(column)}" in the column for "${column}" has lost digits: export that column as text`,
      );
    }
    return NOTHING.test(read.text) ? undefined : read.text.slice(0, CELL_MAX);
  };
  const money = (column: Column): bigint | undefined => {
    const text = cell(column);
    if (NOTHING.test(text)) return undefined;
    const amount = parseStatementAmount(text, mapping.decimal);
    return amount ?? addFault(`"${text}" is not an amount, in the column for "${column}"`);
  };

  const time = parseTime(cell('at'), mapping.time);
  if (time === undefined) addFault(`"${cell('at')}" matches no time format of the mapping`);
  const statedState = stateOf(cell('kind'), cell('status'), mapping);
  if (statedState === undefined) addFault(`"${cell('status')}" is not a status of the mapping`);
  const reference = named('reference');
  const providerId = named('provider_id');
  const credit = money('credit');
  if (credit !== undefined && credit < 0n)
    addFault(`"${cell('credit')}" is money out, in the column for "credit"`);
  // Some banks write debits with a minus.
  const sides = [size(money('debit')), credit] as const;
  const cost = money('cost');
  const net = money('net');
  const isSide = [places.get('debit'), places.get('credit')].includes(places.get('amount') ?? -1);
  const parts = {
    amount: isSide ? undefined : money('amount'),
    cost: size(cost),
    moved: movedBy(...sides),
    nothing: sides.find((side) => side !== undefined) && 0n,
    net: size(net),
    fee: size(money('fee')),
    commission: size(money('commission')),
  };
  const balance = money('balance');
  const currency = cell('currency').toUpperCase();
  const isForeign = statedState === 'payment' && /^[A-Z]{3}$/.test(currency) && !isCurrency(currency);
  if (currency !== '' && !isCurrency(currency) && !isForeign)
    addFault(`"${currency}" is not a currency of Oja`);
  const state =
    statedState && (isForeign || isElsewhere(cell('channel'), mapping) ? 'unrelated' : directed(statedState));
  // A top-up that takes money: its columns contradict each other.
  if (state === 'top_up') {
    if (cost !== undefined && cost < 0n) addFault(`"${cell('cost')}" is money out, in the column for "cost"`);
    if (net !== undefined && net < 0n) addFault(`"${cell('net')}" is money out, in the column for "net"`);
  }
  if (state === 'top_up' || state === 'charge' || state === 'payment') {
    for (const column of ['amount', 'cost', 'debit', 'credit', 'net'] as const) {
      if (mayBeThousands(cell(column), mapping.decimal))
        addFault(`"${cell(column)}" may have decimals or thousands, in the column for "${column}"`);
    }
  }
  const read = state && amountsOf(state, parts);
  if (read === undefined && faults.length === 0) addFault('the row has no amount');
  // The separators of an unquoted amount were read as delimiters.
  if (row.cells.slice(width).some((text) => textOf(text) !== '')) {
    addFault('the row has more cells than the header line');
  }
  if (row.isOpen && row.cells.length < width) addFault('the file ends within the row');
  if (hasLines(row, places.get('at') ?? -1, mapping)) addFault('a quote is missing, here or in a later line');
  if (faults.length > 0 || time === undefined || state === undefined || read === undefined) {
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
      at: time.at,
      ...(time.precision !== 'time' && { precision: time.precision }),
      ...(reference !== undefined && { reference }),
      ...(providerId !== undefined && { providerId }),
      ...productOf(cell('product'), mapping),
      ...recipientOf(cell('recipient')),
      ...read,
      ...(balance !== undefined && { balance }),
      currency: isCurrency(currency) ? currency : mapping.currency,
    },
  };

  /** Decides by the direction of the money when the words are ambiguous. */
  function directed(state: StatementState): StatementState {
    const { moved } = parts;
    const amount = positive(parts.amount) ?? cost ?? 0n;
    const effect = moved ?? (amount < 0n && (state === 'top_up' || state === 'payment') ? amount : undefined);
    if (effect === undefined) return state;
    if (effect > 0n) {
      if (state === 'delivered') return reference === undefined ? 'top_up' : 'reversed';
      return state === 'charge' ? 'top_up' : state;
    }
    return state === 'top_up' ? 'charge' : state === 'payment' ? 'reversed' : state;
  }
}

/** Tells whether a cell contains further lines of the file. */
function hasLines({ cells }: Row, timePlace: number, { time }: StatementMapping): boolean {
  return cells.some((cell) =>
    cell
      .split(/\r\n|\r|\n/)
      .slice(1)
      .some((line) => DELIMITERS.some((one) => parseTime(line.split(one)[timePlace]?.trim() ?? '', time))),
  );
}

function stateOf(kind: string, status: string, mapping: StatementMapping): StatementState | undefined {
  const byStatus = matchWords(status, mapping.states);
  const byKind = matchWords(kind, mapping.kinds ?? {});
  // A top-up that failed or is pending moved no money.
  if (byStatus === 'pending' && (byKind === 'top_up' || byKind === 'charge')) return 'failed';
  if (byStatus === 'failed' || byStatus === 'pending') return byStatus;
  return byKind ?? byStatus;
}

function isElsewhere(channel: string, { channels }: StatementMapping): boolean {
  return channels !== undefined && channel !== '' && matchWords(channel, { ours: channels }) === undefined;
}

/** Returns the change of the balance. Undefined when neither column has a value. */
function movedBy(debit: bigint | undefined, credit: bigint | undefined): bigint | undefined {
  const moved = (credit ?? 0n) - (debit ?? 0n);
  return moved === 0n ? undefined : moved;
}

type Parts = {
  readonly amount: bigint | undefined;
  readonly cost: bigint | undefined;
  /** The change of the balance. */
  readonly moved: bigint | undefined;
  /** Zero when the row reports no movement. */
  readonly nothing: bigint | undefined;
  readonly net: bigint | undefined;
  readonly fee: bigint | undefined;
  readonly commission: bigint | undefined;
};

/** Chooses the amount and the cost. Zero beside another value is ignored. */
function amountsOf(state: StatementState, parts: Parts): Pick<StatementLine, 'amount' | 'cost'> | undefined {
  const { fee = 0n, commission = 0n } = parts;
  const net = positive(parts.net);
  const moved = size(parts.moved);
  const named = size(positive(parts.amount));
  const amount = named ?? moved ?? positive(parts.cost) ?? parts.amount ?? parts.cost ?? parts.nothing;
  if (amount === undefined) return undefined;
  const took = fee - commission;
  switch (state) {
    case 'top_up':
      return movement(moved ?? positive(parts.cost) ?? net ?? amount - took);
    case 'charge':
      return movement(moved ?? positive(parts.cost) ?? amount + took);
    case 'payment':
    case 'unrelated': {
      const kept = parts.cost ?? (net === undefined ? parts.fee : amount - net);
      return { amount, ...(kept !== undefined && kept >= 0n && { cost: kept }) };
    }
    default: {
      const hasParts = parts.fee !== undefined || parts.commission !== undefined;
      const byParts = net === undefined ? (hasParts ? amount + took : undefined) : amount - net;
      const zero = state === 'reversed' ? undefined : (parts.cost ?? parts.nothing);
      const left = positive(parts.cost) ?? moved ?? zero ?? byParts;
      // The amount that left the account is not the face value of an order.
      const face = named ?? (left === undefined || left === 0n ? parts.amount : undefined);
      return {
        ...(face !== undefined && { amount: face }),
        ...(left !== undefined && { cost: size(left) }),
      };
    }
  }
}

/** Returns undefined for a negative amount: its fees were misread. */
function movement(amount: bigint): Pick<StatementLine, 'amount'> | undefined {
  return amount < 0n ? undefined : { amount };
}

function productOf(
  word: string,
  { products = {} }: StatementMapping,
): Pick<StatementLine, 'product' | 'network'> {
  const found = matchWords(word, products)?.split(':');
  if (found?.[0] === undefined) return {};
  return { product: found[0], ...(found[1] !== undefined && { network: found[1] }) };
}

function recipientOf(cell: string): Pick<StatementLine, 'recipient' | 'isRecipientCut'> {
  const read = readSpreadsheetText(cell);
  if (read.kind === 'cut') return { isRecipientCut: true };
  return NOTHING.test(read.text) ? {} : { recipient: read.text.slice(0, CELL_MAX) };
}

/** Removes the additions of spreadsheets: an apostrophe in front, or `="…"`. */
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

function size(amount: bigint): bigint;
function size(amount: bigint | undefined): bigint | undefined;
function size(amount: bigint | undefined): bigint | undefined {
  return amount !== undefined && amount < 0n ? -amount : amount;
}
