/**
 * SQL of what a provider or a bank reported: its lines, in temporary tables of one connection. They go
 * with the connection, so that a process that dies leaves nothing, and a file of any length takes
 * no memory here.
 */

import { formatAmount } from '../../core/money.ts';
import type { Sql } from '../../db/database.ts';
import type { StatementLine } from '../../providers/statements/statement-line.ts';
import type { FindingVerdict, ListedOrder, ListedItem } from './finding.ts';

export async function createTemporaryTables(sql: Sql): Promise<void> {
  await sql.query(`
    create temporary table reported_lines (
      n bigint not null,
      page integer,
      state text not null,
      words text not null,
      at timestamptz not null,
      reference text,
      provider_id text,
      product text,
      network text,
      recipient text,
      is_recipient_cut boolean not null,
      amount bigint,
      amount_currency text,
      cost bigint,
      currency text not null,
      balance bigint,
      item jsonb
    )`);
  await sql.query(`
    create temporary table found_differences (
      number integer not null generated always as identity,
      kind text not null,
      line bigint,
      reference text,
      provider_id text,
      merchant_id integer,
      purchase_id uuid,
      at timestamptz not null,
      amount bigint not null,
      effect bigint not null,
      here text not null,
      there text not null,
      mend text,
      applied text,
      purchase text,
      listed jsonb,
      verdict text
    )`);
}

export async function insertReportedLines(sql: Sql, lines: readonly StatementLine[]): Promise<void> {
  await sql.query(
    `insert into reported_lines (
       n, page, state, words, at, reference, provider_id, product, network, recipient, is_recipient_cut,
       amount, amount_currency, cost, currency, balance, item
     )
     select *
     from unnest(
       $1::bigint[], $2::integer[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[],
       $8::text[], $9::text[], $10::text[], $11::boolean[], $12::bigint[], $13::text[], $14::bigint[],
       $15::text[], $16::bigint[], $17::jsonb[]
     )`,
    [
      lines.map(({ line }) => line),
      lines.map(({ page }) => page ?? null),
      lines.map(({ state }) => state),
      lines.map(({ words }) => words),
      lines.map(({ at }) => at),
      lines.map(({ reference }) => reference ?? null),
      lines.map(({ providerId }) => providerId ?? null),
      lines.map(({ product }) => product ?? null),
      lines.map(({ network }) => network ?? null),
      lines.map(({ recipient }) => recipient ?? null),
      lines.map(({ isRecipientCut = false }) => isRecipientCut),
      lines.map(({ amount }) => amount ?? null),
      lines.map(({ amountCurrency }) => amountCurrency ?? null),
      lines.map(({ cost }) => cost ?? null),
      lines.map(({ currency }) => currency),
      lines.map(({ balance }) => balance ?? null),
      lines.map(({ item }) => (item === undefined ? null : itemText(item))),
    ],
  );
}

function itemText({ planCodes, quantity, unitPrice }: NonNullable<StatementLine['item']>): string {
  const price = unitPrice === undefined ? undefined : formatAmount(unitPrice);
  return JSON.stringify({ planCodes, quantity, unitPrice: price } satisfies ListedItem);
}

/**
 * The first and the last moment of its orders: as much time as a file proves by itself. Null where
 * it has no order.
 */
export async function readOrderSpan(
  sql: Sql,
): Promise<{ readonly first: Date | null; readonly last: Date | null }> {
  const [row] = await sql.query<{ first: Date | null; last: Date | null }>(`
    select min(at) as first, max(at) as last
    from reported_lines
    where state in ('delivered', 'pending', 'failed', 'reversed')`);
  return row ?? { first: null, last: null };
}

/**
 * Removes the lines that a list gave again on another page. Equal lines of one page are separate
 * orders or movements. Returns how many lines were removed.
 */
export async function removeRepeatedLines(sql: Sql): Promise<number> {
  const content = `state, words, at, reference, provider_id, product, recipient, amount, amount_currency, cost,
    currency, balance`;
  const rows = await sql.query(`
    delete from reported_lines t
    using (
      select n, row_number() over (partition by ${content}, place order by n) as occurrence
      from (
        select *, row_number() over (partition by ${content}, page order by n) as place
        from reported_lines
      ) placed
    ) counted
    where t.n = counted.n
    and counted.occurrence > 1
    returning 1`);
  return rows.length;
}

/**
 * Removes the lines of a bank's file that are equal to another line under the same id: an id is of
 * one payment. Returns how many lines were removed.
 */
export async function removeRepeatedPayments(sql: Sql): Promise<number> {
  const rows = await sql.query(`
    delete from reported_lines t
    using (
      select n, row_number() over (
        partition by provider_id, state, words, at, amount, cost, currency order by n
      ) as occurrence
      from reported_lines
      where provider_id is not null
    ) counted
    where t.n = counted.n
    and counted.occurrence > 1
    returning 1`);
  return rows.length;
}

export async function hasOtherCurrency(sql: Sql): Promise<boolean> {
  const rows = await sql.query("select 1 from reported_lines where currency <> 'NGN' limit 1");
  return rows.length > 0;
}

/** What left an account by the lines of its statement, less what came; and the fees of payments. */
export async function sumLines(sql: Sql): Promise<{ readonly gross: bigint; readonly fees: bigint }> {
  const [row] = await sql.query<{ gross: bigint; fees: bigint }>(`
    select
      coalesce(sum(case
        when state in ('payment', 'top_up') then -amount
        when state in ('charge', 'reversed') then amount
        when state = 'delivered' then coalesce(cost, amount)
      end), 0)::bigint as gross,
      coalesce(sum(cost) filter (where state = 'payment'), 0)::bigint as fees
    from reported_lines`);
  return row ?? { gross: 0n, fees: 0n };
}

export type FoundDifference = {
  readonly kind: string;
  readonly line: bigint | null;
  readonly reference: string | null;
  readonly provider_id: string | null;
  readonly merchant_id: number | null;
  readonly purchase_id: string | null;
  readonly at: Date;
  readonly amount: bigint;
  readonly effect: bigint;
  readonly here: string;
  readonly there: string;
  readonly mend: string | null;
  /** The merchant's reference of the purchase, for what is done about it. */
  readonly purchase: string | null;
  /** Of an order that is not known here, which waits until it is settled. */
  readonly listed?: ListedOrder;
  /** Of such an order that was settled before. */
  readonly verdict?: FindingVerdict | undefined;
};

export type NumberedDifference = FoundDifference & { readonly number: number };

export async function insertDifferences(sql: Sql, found: readonly FoundDifference[]): Promise<void> {
  if (found.length === 0) return;
  await sql.query(
    `insert into found_differences (
       kind, line, reference, provider_id, merchant_id, purchase_id, at, amount, effect, here, there, mend,
       purchase, listed, verdict
     )
     select *
     from unnest(
       $1::text[], $2::bigint[], $3::text[], $4::text[], $5::integer[], $6::uuid[], $7::timestamptz[],
       $8::bigint[], $9::bigint[], $10::text[], $11::text[], $12::text[], $13::text[], $14::jsonb[],
       $15::text[]
     )`,
    [
      found.map(({ kind }) => kind),
      found.map(({ line }) => line),
      found.map(({ reference }) => reference),
      found.map(({ provider_id: id }) => id),
      found.map(({ merchant_id: id }) => id),
      found.map(({ purchase_id: id }) => id),
      found.map(({ at }) => at),
      found.map(({ amount }) => amount),
      found.map(({ effect }) => effect),
      found.map(({ here }) => here),
      found.map(({ there }) => there),
      found.map(({ mend }) => mend),
      found.map(({ purchase }) => purchase),
      found.map(({ listed }) => (listed === undefined ? null : JSON.stringify(listed))),
      found.map(({ listed, verdict }) => (listed === undefined ? null : (verdict ?? 'open'))),
    ],
  );
}

export async function sumEffects(sql: Sql): Promise<bigint> {
  const [row] = await sql.query<{ sum: bigint }>(
    'select coalesce(sum(effect), 0)::bigint as sum from found_differences',
  );
  return row?.sum ?? 0n;
}

export async function listFound(sql: Sql, after: number, limit: number): Promise<NumberedDifference[]> {
  return await sql.query<NumberedDifference>(
    `select
       number, kind, line, reference, provider_id, merchant_id, purchase_id, at, amount, effect, here, there,
       mend, purchase
     from found_differences
     where number > $1
     order by number
     limit $2`,
    [after, limit],
  );
}

/** So that each is entered or dismissed. */
export async function clearFindingMends(sql: Sql): Promise<void> {
  await sql.query('update found_differences set mend = null where listed is not null');
}

export async function markApplied(sql: Sql, number: number, applied: string): Promise<void> {
  await sql.query('update found_differences set applied = $2 where number = $1', [number, applied]);
}

/** Whether the provider says that it gave the money back, and not only that it failed. */
export async function isReportedReversed(sql: Sql, reference: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1
     from reported_orders
     where reference = $1
     and reversed
     and deliveries < 1`,
    [reference],
  );
  return rows.length > 0;
}
