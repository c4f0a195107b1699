/** SQL that counts the lines that are not compared, so that every line is accounted for. */
import type { Sql } from '../../db/database.ts';

/** The number of lines that are not compared with a record of ours, by reason. */
export type Explained = Readonly<Record<string, number>>;

const NOTHING_MOVED = `case
  when state = 'unrelated' then 'unrelated'
  when reference is not null and state not in ('top_up', 'charge', 'payment') then null
  when state = 'failed' or coalesce(cost, amount, 0) = 0 then 'moved_nothing'
end`;

const NO_PAYMENT = `case
  when state = 'unrelated' then 'unrelated'
  when state in ('pending', 'failed') then 'not_paid'
  when state not in ('payment', 'reversed') then 'no_payment'
  when currency <> all($1) then 'other_currency'
  when state = 'reversed' and coalesce(amount, cost, 0) = 0 then 'moved_nothing'
end`;

async function explain(sql: Sql, reason: string, values: readonly unknown[]): Promise<Explained> {
  const rows = await sql.query<{ reason: string; lines: bigint }>(
    `select reason, count(*) as lines
     from (
       select ${reason} as reason
       from reported_lines
     ) lines
     where reason is not null
     group by reason
     order by reason`,
    [...values],
  );
  return Object.fromEntries(rows.map(({ reason, lines }) => [reason, Number(lines)]));
}

export async function explainLines(
  sql: Sql,
  party: { readonly kind: 'provider' | 'bank'; readonly currencies: readonly string[] },
): Promise<Explained> {
  return party.kind === 'bank'
    ? await explain(sql, NO_PAYMENT, [party.currencies])
    : await explain(sql, NOTHING_MOVED, []);
}

export async function countCutRecipients(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: bigint }>(
    'select count(*) as count from reported_lines where is_recipient_cut',
  );
  return Number(row?.count ?? 0n);
}
