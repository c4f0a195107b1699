/**
 * SQL of the lines that a provider or a bank reported, in temporary tables of one connection. They
 * end with the connection, so that a process that dies leaves nothing, and a file of any length
 * takes no memory here.
 */

import { formatAmount } from '../../core/money.ts';
import type { Sql } from '../../db/database.ts';
import type { StatementLine } from '../../providers/statements/statement-line.ts';
import { rowsJson } from './difference-store.ts';
import type { ListedItem } from './finding.ts';

export async function createLinesTable(sql: Sql): Promise<void> {
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
}

const columns = `n, page, state, words, at, reference, provider_id, product, network, recipient,
       is_recipient_cut, amount, amount_currency, cost, currency, balance, item`;

export async function insertReportedLines(sql: Sql, lines: readonly StatementLine[]): Promise<void> {
  await sql.query(
    `insert into reported_lines (${columns})
     select ${columns}
     from jsonb_populate_recordset(null::reported_lines, $1)`,
    [rowsJson(lines.map(toRow))],
  );
}

function toRow(reported: StatementLine) {
  const { line, providerId, isRecipientCut = false, amountCurrency, item, ...same } = reported;
  return {
    ...same,
    n: line,
    provider_id: providerId,
    is_recipient_cut: isRecipientCut,
    amount_currency: amountCurrency,
    item: item && listedItem(item),
  };
}

function listedItem({ planCodes, quantity, unitPrice }: NonNullable<StatementLine['item']>): ListedItem {
  return { planCodes, quantity, unitPrice: unitPrice === undefined ? undefined : formatAmount(unitPrice) };
}

/**
 * Returns the times of the first and the last order: the time that a file proves by itself. Null
 * without orders.
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
 * Removes lines that a list repeated on another page and returns how many. Equal lines of one page
 * are separate orders or movements.
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
 * Removes lines of a bank's file that are equal under one id, which is of one payment, and returns
 * how many.
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

/** Returns money out less money in, and the fees of payments. */
export async function sumLines(sql: Sql): Promise<{ readonly gross: bigint; readonly fees: bigint }> {
  const [row] = await sql.query<{ gross: bigint; fees: bigint }>(`
    select
      coalesce(sum(case
        when state in ('payment', 'top_up') then -amount
        when state = 'charge' then amount
        when state = 'reversed' then coalesce(amount, cost)
        when state = 'delivered' then coalesce(cost, amount)
      end), 0)::bigint as gross,
      coalesce(sum(cost) filter (where state = 'payment'), 0)::bigint as fees
    from reported_lines`);
  return row ?? { gross: 0n, fees: 0n };
}

/**
 * Returns whether the provider reported that it returned the money, and not only that the order
 * failed.
 */
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
