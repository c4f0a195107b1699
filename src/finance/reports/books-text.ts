/**
 * Writes lines of the books: a journal for hledger and ledger, or CSV. A debit is a positive
 * amount. Pure.
 */
import { csvLines } from '../../core/csv-cell.ts';
import { currencies, formatAmount } from '../../core/money.ts';

export const booksFormats = ['hledger', 'ledger', 'csv'] as const;
export type BooksFormat = (typeof booksFormats)[number];

/** A movement, or an opening balance. */
export type Entry = {
  readonly day: string;
  readonly what: string;
  readonly debit: string;
  readonly credit: string;
  readonly currency: string;
  readonly amount: bigint;
  /** The number of transfers; undefined for a balance. */
  readonly transfers: bigint | undefined;
};

/** The other side of opening balances. */
export const openingAccount = 'equity:opening-balances';

const csvColumns = ['date', 'code', 'debit_account', 'credit_account', 'currency', 'amount', 'transfers'];

export function booksHead(format: BooksFormat): string[] {
  if (format === 'csv') return [csvLine(csvColumns)];
  const declared = currencies.flatMap((currency) =>
    format === 'hledger'
      ? [`commodity ${currency} 1000.00`]
      : [`commodity ${currency}`, `    format ${currency} 1000.00`],
  );
  return [...declared, `account ${openingAccount}`];
}

export function accountLine(format: BooksFormat, name: string): string[] {
  return format === 'csv' ? [] : [`account ${name}`];
}

export function entryLines(format: BooksFormat, entry: Entry): string[] {
  return format === 'csv' ? [csvEntry(entry)] : journalEntry(entry);
}

function csvEntry({ day, what, debit, credit, currency, amount, transfers }: Entry): string {
  return csvLine([day, what, debit, credit, currency, formatAmount(amount), String(transfers ?? '')]);
}

function csvLine(cells: readonly string[]): string {
  return csvLines([cells]).trimEnd();
}

function journalEntry({ day, what, debit, credit, currency, amount, transfers }: Entry): string[] {
  return [
    '',
    `${day} * ${what}`,
    ...(transfers === undefined ? [] : [`    ; transfers: ${transfers}`]),
    `    ${debit}  ${currency} ${formatAmount(amount)}`,
    `    ${credit}  ${currency} ${formatAmount(-amount)}`,
  ];
}
