/**
 * Reads Paystack's list of transactions, for sweeps and reconciliations. Pure. A missing field
 * proves nothing: only a row that names another channel, currency or state is not a payment to a
 * dedicated account.
 */
import { isCurrency } from '../../../core/money.ts';
import type { CallResult } from '../../../providers/http/call.ts';
import { type Body, isBody, readUtcTime, word } from '../../../providers/http/reply-fields.ts';
import type {
  LinesPage,
  Period,
  StatementLine,
  StatementState,
} from '../../../providers/statements/statement-line.ts';
import type { ListedAccount } from '../funding-provider.ts';
import {
  isLastPage,
  type ListPage,
  type ListRow,
  linesOf,
  readWhole,
  stateOf,
  toReadPage,
} from '../list-page.ts';
import type { ReadPage } from '../read-pages.ts';
import { mayBeTransfer, minor, readReply, receiverOf } from './mapping.ts';

const SIZE = 100;

const STATES: ReadonlyMap<string, StatementState> = new Map([
  ['success', 'payment'],
  ['failed', 'failed'],
  ['abandoned', 'failed'],
  ['reversed', 'reversed'],
]);

/** The prefix that distinguishes a cursor from a page number. */
const CURSOR = 'cursor:';

/** Builds the page parameters in the spellings of the old and the current documentation. */
function pageQuery(page: string): Record<string, string> {
  const sizes = { perPage: String(SIZE), per_page: String(SIZE) };
  return page.startsWith(CURSOR)
    ? { ...sizes, use_cursor: 'true', next: page.slice(CURSOR.length) }
    : { ...sizes, page };
}

export function toTransactionsQuery({ from, to }: Period, page: string | undefined): string {
  const period = { from: from.toISOString(), to: to.toISOString() };
  return String(new URLSearchParams({ ...pageQuery(page ?? '1'), ...period }));
}

/** Builds the query of an account. Paystack ignores unknown parameters. */
export function toAccountQuery(
  { number, providerId }: ListedAccount,
  since: Date,
  page: number,
  cursor: string | undefined,
): string {
  return String(
    new URLSearchParams({
      ...(providerId !== undefined && { customer: providerId }),
      virtual_account_number: number,
      status: 'success',
      from: since.toISOString(),
      ...pageQuery(cursor ?? String(page + 1)),
    }),
  );
}

export function readTransactions(page: string | undefined, result: CallResult): LinesPage {
  const read = readList(result);
  if ('unavailable' in read) return { kind: 'unavailable', reason: read.unavailable };
  const number = readWhole(page ?? '1');
  return linesOf(read, String((number ?? 1) + 1));
}

/**
 * Reads a page of the account's transactions. If Paystack ignores the account parameter, it lists
 * all accounts, so rows of other accounts are left out.
 */
export function pageOf(result: CallResult, account: Pick<ListedAccount, 'number' | 'providerId'>): ReadPage {
  const read = readList(result);
  if ('unavailable' in read) return read;
  return toReadPage(read, (_, index) => mayBeOf(read.bodies[index] ?? {}, account));
}

function readList(
  result: CallResult,
): (ListPage & { readonly bodies: readonly Body[] }) | { readonly unavailable: string } {
  const read = readReply(result);
  if (read.kind !== 'good') {
    return { unavailable: read.kind === 'no' ? `HTTP ${read.status}` : read.reason };
  }
  const bodies = read.data;
  if (!Array.isArray(bodies) || !bodies.every(isBody)) return { unavailable: 'a list of an unknown shape' };
  const rows = bodies.map(rowOf).filter((row) => row !== undefined);
  if (rows.length < bodies.length) return { unavailable: 'a list of payments without references' };
  return { rows, bodies, ...endOf(read.meta) };
}

/** Reads the end of the list: by numbered pages or by a cursor. */
function endOf(meta: unknown): Pick<ListPage, 'last' | 'cursor'> {
  if (!isBody(meta)) return { last: undefined, cursor: undefined };
  const page = readWhole(meta.page);
  const cursor = word(meta.next);
  if (page === undefined && 'next' in meta) {
    return { last: cursor === undefined, cursor: cursor === undefined ? undefined : `${CURSOR}${cursor}` };
  }
  const [total, size] = [readWhole(meta.total), readWhole(meta.perPage ?? meta.per_page)];
  const counted = total !== undefined && size ? Math.ceil(total / size) : undefined;
  const pages = meta.pageCount ?? meta.page_count ?? counted;
  return { last: isLastPage({ last: undefined, page, pages }), cursor: undefined };
}

function rowOf(row: Body): ListRow | undefined {
  const reference = word(row.reference);
  if (reference === undefined) return undefined;
  const at = [row.paid_at, row.paidAt, row.created_at, row.createdAt]
    .map(readUtcTime)
    .find((time) => time !== undefined);
  const fee = minor(row.fees);
  const status = word(row.status)?.toLowerCase();
  const currency = word(row.currency)?.toUpperCase() ?? 'NGN';
  const line: Omit<StatementLine, 'at' | 'amount'> = {
    line: 0,
    state: mayBeTransfer(row) && isCurrency(currency) ? stateOf(STATES, status) : 'unrelated',
    words: status ?? 'no status',
    providerId: reference,
    ...(fee !== undefined && { cost: fee }),
    currency: isCurrency(currency) ? currency : 'NGN',
  };
  return { reference, at, amount: minor(row.amount), line };
}

function mayBeOf(row: Body, { number, providerId }: Pick<ListedAccount, 'number' | 'providerId'>): boolean {
  const receiver = receiverOf(row);
  if (receiver !== undefined) return receiver === number;
  const customer = isBody(row.customer) ? word(row.customer.id) : word(row.customer);
  return customer === undefined || providerId === undefined || customer === providerId;
}
