/**
 * Exports the books of some days in pages of lines, which together are a file: opening balances,
 * then sums by day, code and accounts. Each page is a short read, and no snapshot is held between
 * pages.
 */
import { Type } from 'typebox';
import { type Clock, parseDay } from '../../../core/clock.ts';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { inputOf, oneOf, pageOf } from '../../../core/operation-fields.ts';
import type { Database, Sql } from '../../../db/database.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { listMovements, type Movement, type MovementPlace } from '../books-store.ts';
import {
  accountLine,
  type BooksFormat,
  booksFormats,
  booksHead,
  type Entry,
  entryLines,
  openingAccount,
} from '../books-text.ts';
import { dayBefore } from '../days.ts';
import { journalAccount } from '../journal-account.ts';
import { type AccountBalance, listBalancesAt } from '../ledger-store.ts';
import { catchUpShortly, requireComplete } from '../read-report.ts';
import type { Days } from '../report-store.ts';
import { daysOf, reportDays } from './show-report.ts';

const ENTRIES_MAX = 5_000;

export const exportBooksOperation = defineOperation({
  name: 'books.export',
  kind: 'question',
  summary: 'export the books of some days, with opening balances, for accountants: hledger, ledger or CSV',
  roles,
  route: 'GET /books/export',
  document: 'operators/reports.md',
  input: inputOf({
    ...reportDays,
    format: Type.Optional(oneOf(booksFormats, { default: 'hledger' })),
    limit: Type.Optional(
      Type.Integer({
        description: `the entries of a page, a whole number from 1 to ${ENTRIES_MAX}`,
        minimum: 1,
        maximum: ENTRIES_MAX,
        default: 1_000,
      }),
    ),
    cursor: Type.Optional(Type.String({ description: 'the cursor of the previous page', maxLength: 500 })),
  }),
  output: pageOf(Type.String()),
  run: async (
    { sql, database, clock }: Asking & { readonly database: Database; readonly clock: Clock },
    { environment, format = 'hledger', limit = 1_000, cursor, ...period },
  ) => {
    const now = clock.now();
    const days = { environment, ...daysOf(period, now) };
    const place = readPlace(cursor);
    if (cursor === undefined) await catchUpShortly(database);
    await requireComplete(sql, days, now);
    const { lines, next } = await readBooksPage(sql, { days, format, limit }, place);
    return { data: lines, cursor: next ?? null };
  },
});

/** The start of the next page: an account or a movement. */
type Place =
  | { readonly at: 'account'; readonly after: string | undefined }
  | { readonly at: 'movement'; readonly after: MovementPlace | undefined };

const firstPlace: Place = { at: 'account', after: undefined };

type BooksPage = { readonly lines: string[]; readonly next: string | undefined };

/** Reads a page of the books. The first has the head of the file. */
async function readBooksPage(
  sql: Sql,
  request: { readonly days: Days; readonly format: BooksFormat; readonly limit: number },
  place: Place,
): Promise<BooksPage> {
  const { format } = request;
  const read = await entriesAt(sql, request, place);
  const lines = [
    ...(place === firstPlace ? booksHead(format) : []),
    ...read.accounts.flatMap((name) => accountLine(format, name)),
    ...read.entries.flatMap((entry) => entryLines(format, entry)),
  ];
  return { lines, next: read.next && JSON.stringify(read.next) };
}

type Read = {
  readonly accounts: readonly string[];
  readonly entries: readonly Entry[];
  readonly next: Place | undefined;
};
type Request = Parameters<typeof readBooksPage>[1];

async function entriesAt(sql: Sql, request: Request, place: Place): Promise<Read> {
  const { days, limit } = request;
  if (place.at === 'movement') return await movementsAfter(sql, request, place.after);
  const before = dayBefore(days.from);
  const rows = await listBalancesAt(sql, days.environment, before, { after: place.after, limit });
  const last = rows.at(-1);
  return {
    accounts: [...new Set(rows.map(journalAccount))],
    entries: rows.filter(({ balance }) => balance !== 0n).map((row) => opening(days.from, row)),
    next:
      rows.length === limit && last !== undefined
        ? { at: 'account', after: last.code }
        : { at: 'movement', after: undefined },
  };
}

async function movementsAfter(sql: Sql, request: Request, after: MovementPlace | undefined): Promise<Read> {
  const rows = await listMovements(sql, request.days, { after, limit: request.limit });
  const last = rows.at(-1);
  return {
    accounts: [],
    entries: rows.map((row) => ({
      day: row.day,
      what: row.code,
      ...sides(row),
      currency: row.currency,
      amount: row.amount,
      transfers: row.count,
    })),
    next:
      rows.length === request.limit && last !== undefined
        ? {
            at: 'movement',
            after: [last.day, last.code, String(last.debit_account_id), String(last.credit_account_id)],
          }
        : undefined,
  };
}

function sides(row: Movement): { readonly debit: string; readonly credit: string } {
  return {
    debit: journalAccount({ code: row.debit_code, kind: row.debit_kind, merchant: row.debit_merchant }),
    credit: journalAccount({ code: row.credit_code, kind: row.credit_kind, merchant: row.credit_merchant }),
  };
}

/** Builds an opening balance. A credit balance is debited to the opening account. */
function opening(day: string, account: AccountBalance): Entry {
  const name = journalAccount(account);
  const isCredit = account.balance > 0n;
  return {
    day,
    what: 'opening balance',
    debit: isCredit ? openingAccount : name,
    credit: isCredit ? name : openingAccount,
    currency: account.currency,
    amount: isCredit ? account.balance : -account.balance,
    transfers: undefined,
  };
}

const dayText = '"[0-9]{4}-[0-9]{2}-[0-9]{2}"';
const codeText = '"[-+:. 0-9A-Za-z_]*"';
const idText = '"[0-9]{1,18}"';
const placePattern = new RegExp(
  `^\\{"at":(?:"account","after":"[-:0-9A-Za-z_]+"|"movement"(?:,"after":\\[${dayText},${codeText},${idText},${idText}\\])?)\\}$`,
);

/** Reads a cursor. Throws OperationError `no_such_cursor`. */
function readPlace(cursor: string | undefined): Place {
  if (cursor === undefined) return firstPlace;
  const place = placePattern.test(cursor) ? (JSON.parse(cursor) as Place) : undefined;
  const day = place?.at === 'movement' ? place.after?.[0] : undefined;
  if (place === undefined || (day !== undefined && parseDay(day) === undefined)) {
    throw new OperationError({ code: 'no_such_cursor', cursor });
  }
  return place;
}
