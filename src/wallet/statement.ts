/**
 * The statement of a wallet over some days: the opening balance, each purchase, deposit and
 * correction, and the closing balance.
 *
 * Guarantees: opening balance, the amounts of all lines and closing balance add up, whatever is
 * bought while they are read; the closing balance of one day is the opening balance of the next; a
 * day that was over when its statement was read never changes; memory is bounded by the page, and
 * the cost of a page by the page and the distance between marks, not by history.
 */
import type { Queries, Sql } from '../db/database.ts';
import {
  awaitMovers,
  findMarkBefore,
  findMarkUpTo,
  findPlaceOf,
  findStretch,
  findSubjectAt,
  type LegRow,
  listLegs,
  type StatedWallet,
  type Stretch,
  walk,
} from './statement-store.ts';

/** A half-open period: `from` is included, `to` is not. */
export type Period = { readonly from: Date; readonly to: Date };

export const lineKinds = ['purchase', 'refund', 'deposit', 'voucher', 'correction', 'other'] as const;

/** The effect of one subject on the wallet. */
export type StatementLine = {
  readonly at: Date;
  readonly kind: (typeof lineKinds)[number];
  /**
   * The merchant's own reference of a purchase, or of the purchase of a refund or voucher; the
   * bank's reference of a deposit; otherwise the reference of the subject.
   */
  readonly reference: string;
  /** The purchase, refund, deposit or correction. */
  readonly subjectId: string;
  /** The product and customer of a purchase; undefined for other lines. */
  readonly sold:
    | { readonly product: string; readonly network: string; readonly recipient: string }
    | undefined;
  /** The account that a deposit was paid to; undefined for other lines. */
  readonly paidTo: string | undefined;
  /** The reason of a correction. For operators also others, such as the order of a voucher. */
  readonly memo: string | undefined;
  /** In minor units; positive credits the wallet, negative debits it. */
  readonly amount: bigint;
  /** The posted balance after the line. */
  readonly balance: bigint;
};

/**
 * The start and the end of a statement in the order of the wallet's transfers, with the sums there.
 */
export type Statement = {
  readonly wallet: StatedWallet;
  readonly after: bigint;
  readonly upTo: bigint;
  readonly opening: bigint;
  readonly closing: bigint;
};

/**
 * A reading in progress: its position, and the end that was fixed when it began. Both name a
 * subject.
 */
export type StatementCursor = { readonly last: string; readonly end: string };

export type StatementPage = {
  readonly opening: bigint;
  readonly closing: bigint;
  readonly lines: readonly StatementLine[];
  /** Undefined after the last page. */
  readonly next: StatementCursor | undefined;
};

/**
 * No transaction that moves a wallet lasts this long, so transactions that began on a day that
 * ended longer ago are not awaited.
 */
const SETTLED_MS = 3_600_000;
/** The most legs of one subject on a wallet: the cost of a purchase and its margin. */
const LEGS_MAX = 2;
const LINES_PER_READ = 1_000;

export async function openStatement(
  database: Queries,
  wallet: StatedWallet,
  { from, to }: Period,
  now: Date,
): Promise<Statement> {
  const overMs = now.getTime() - to.getTime();
  if (overMs >= 0 && overMs < SETTLED_MS) {
    // The period has just ended: transactions stamped within it may be uncommitted.
    await database.transaction((tx) => awaitMovers(tx, wallet.accountId));
  }
  return await inSnapshot(database, async (sql) => {
    const start = await placeBefore(sql, wallet, from);
    const end = await placeBefore(sql, wallet, to);
    return { wallet, after: start.id, upTo: end.id, opening: start.balance, closing: end.balance };
  });
}

/** Reads one page. Returns undefined if the cursor is not of this statement. */
export async function readStatementPage(
  database: Queries,
  wallet: StatedWallet,
  period: Period,
  page: { readonly cursor: StatementCursor | undefined; readonly limit: number },
  now: Date,
): Promise<StatementPage | undefined> {
  const whole = await openStatement(database, wallet, period, now);
  return await inSnapshot(database, async (sql) => {
    const fixed = page.cursor === undefined ? whole : await fixEnd(sql, whole, page.cursor.end);
    const last = page.cursor && (await findPlaceOf(sql, wallet, page.cursor.last));
    if (fixed === undefined || (page.cursor && !within(fixed, last))) return undefined;
    const after = last ?? fixed.after;
    const balance = last === undefined ? fixed.opening : (await placeAt(sql, wallet, last)).balance;
    const { lines, more } = await readLines(sql, fixed, { after, balance }, page.limit);
    const shown = lines.at(-1);
    const end = page.cursor?.end ?? (more ? await findSubjectAt(sql, wallet, fixed) : undefined);
    return {
      opening: fixed.opening,
      closing: fixed.closing,
      lines,
      next: more && shown && end !== undefined ? { last: shown.subjectId, end } : undefined,
    };
  });
}

/** Reads all lines in chunks, oldest first. */
export async function* eachLine(sql: Sql, statement: Statement): AsyncGenerator<readonly StatementLine[]> {
  let { after } = statement;
  let balance = statement.opening;
  for (;;) {
    const { lines, more, place } = await readLines(sql, statement, { after, balance }, LINES_PER_READ);
    if (lines.length > 0) yield lines;
    if (!more) return;
    after = place;
    balance = lines.at(-1)?.balance ?? balance;
  }
}

async function readLines(
  sql: Sql,
  { wallet, upTo }: Statement,
  from: { readonly after: bigint; readonly balance: bigint },
  limit: number,
): Promise<{ lines: StatementLine[]; more: boolean; place: bigint }> {
  const legs = await nextLegs(sql, wallet, { after: from.after, upTo }, LEGS_MAX * (limit + 1));
  const lines: StatementLine[] = [];
  let { balance, after: place } = from;
  for (const leg of legs) {
    const line = lines.at(-1);
    if (line?.subjectId !== leg.subject_id && lines.length === limit) return { lines, more: true, place };
    balance += leg.amount;
    place = leg.id;
    if (line?.subjectId === leg.subject_id) {
      lines[lines.length - 1] = { ...line, amount: line.amount + leg.amount, balance };
    } else {
      lines.push(toLine(leg, balance));
    }
  }
  return { lines, more: false, place };
}

/** Skips transfers of the merchant's other wallets. */
async function nextLegs(
  sql: Sql,
  wallet: StatedWallet,
  { after, upTo }: Stretch,
  limit: number,
): Promise<LegRow[]> {
  const legs: LegRow[] = [];
  let place = after;
  while (place < upTo && legs.length < limit) {
    const stretch = await findStretch(sql, wallet.accountId, { after: place, upTo });
    if (stretch.after >= upTo) break;
    legs.push(...(await listLegs(sql, wallet, { ...stretch, limit: limit - legs.length })));
    place = stretch.upTo;
  }
  return legs;
}

function toLine(leg: LegRow, balance: bigint): StatementLine {
  return {
    at: leg.created_at,
    kind: kindOf(leg.code),
    reference: leg.purchase_reference ?? leg.deposit_reference ?? memoReference(leg) ?? leg.subject_id,
    subjectId: leg.subject_id,
    sold: soldOf(leg),
    paidTo: leg.paid_to ?? undefined,
    memo: leg.memo ?? undefined,
    amount: leg.amount,
    balance,
  };
}

function soldOf({ product, network, recipient }: LegRow): StatementLine['sold'] {
  return product === null || network === null || recipient === null
    ? undefined
    : { product, network, recipient };
}

/** The memo of other transfers is for operators only. */
function memoReference({ code, memo }: LegRow): string | undefined {
  const kind = kindOf(code);
  return kind === 'voucher' || kind === 'refund' ? (memo ?? undefined) : undefined;
}

/** Joins cost and margin of a purchase into one line: a merchant does not see the margin. */
function kindOf(code: string): StatementLine['kind'] {
  if (code.startsWith('purchase_')) return 'purchase';
  if (code.startsWith('deposit_')) return 'deposit';
  if (code.startsWith('voucher_')) return 'voucher';
  return code === 'correction' || code === 'refund' ? code : 'other';
}

async function placeBefore(sql: Sql, wallet: StatedWallet, moment: Date) {
  const mark = await findMarkBefore(sql, wallet.accountId, moment);
  return await walk(sql, wallet, mark, { before: moment });
}

async function placeAt(sql: Sql, wallet: StatedWallet, id: bigint) {
  const mark = await findMarkUpTo(sql, wallet.accountId, id);
  return await walk(sql, wallet, mark, { upTo: id });
}

/** The statement as of when its reading began: a day that is not over may have grown since. */
async function fixEnd(sql: Sql, whole: Statement, subjectId: string): Promise<Statement | undefined> {
  const upTo = await findPlaceOf(sql, whole.wallet, subjectId);
  if (!within(whole, upTo) || upTo === undefined) return undefined;
  return { ...whole, upTo, closing: (await placeAt(sql, whole.wallet, upTo)).balance };
}

function within({ after, upTo }: Statement, place: bigint | undefined): boolean {
  return place !== undefined && place > after && place <= upTo;
}

async function inSnapshot<T>(database: Queries, work: (sql: Sql) => Promise<T>): Promise<T> {
  return await database.transaction(work, { isolation: 'repeatable read', readOnly: true });
}
