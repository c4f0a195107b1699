/**
 * The SQL that takes what names a person out of purchases. What stays: references, amounts, states,
 * times, tokens, and of a mobile number the first digits, which ten million numbers share.
 */
import type { Sql, Tx } from '../../db/database.ts';
import { leastId } from '../../core/ids.ts';

/**
 * `customers`: names, addresses and contact phones of customers, and the words of providers.
 * `purchases`: all of that, and the numbers that were bought for.
 */
export const vendKinds = ['customers', 'purchases'] as const;
export type VendKind = (typeof vendKinds)[number];

export type VendKey = { readonly merchantId: number; readonly vendId: string };

/** Nothing of a number that is no mobile number stays but its length. */
function masked(column: string): string {
  return `case
    when ${column} ~ '^(0|\\+?2340?)[0-9]{10}$' then left(${column}, length(${column}) - 7) || '*******'
    else repeat('*', length(${column}))
  end`;
}

/**
 * `endedBefore`: for three days providers are asked about successes once more, and audits tell by
 * its last change whether a row is new.
 */
const isOver = (merchant: string, vend: string, endedBefore: string): string => `(
  exists (
    select
    from vend_outcomes e
    where e.merchant_id = ${merchant}
    and e.vend_id = ${vend}
    and e.at < ${endedBefore}::timestamptz
  )
  and not exists (select from late_goods g where g.merchant_id = ${merchant} and g.vend_id = ${vend})
  and not exists (
    select
    from deliveries d
    where d.merchant_id = ${merchant}
    and d.vend_id = ${vend}
    and d.state in ('waiting', 'due', 'sending')
  )
  and not exists (
    select
    from alarms a
    where a.merchant_id = ${merchant}
    and a.vend_id = ${vend}
    and a.acknowledged_at is null
  )
)`;

/** Of one merchant. The rows stay where they are in every list and sum. */
export async function anonymiseVends(
  tx: Tx,
  kind: VendKind,
  merchantId: number,
  vendIds: readonly string[],
): Promise<void> {
  if (vendIds.length === 0) return;
  const numbers = kind === 'purchases';
  const mine = [merchantId, vendIds];
  // The job that fills `purchase_search` must not copy a number that it read before this change.
  if (numbers) await tx.query("select from settings where name = 'search_progress' for share");
  await tx.query("set local oja.anonymising = 'on'");
  await tx.query(
    `update vends
     set details = details - 'phone' - 'customer'
       ${numbers ? `, msisdn = ${masked('msisdn')}, recipient = ${masked('recipient')}` : ''}
     where merchant_id = $1
     and environment in ('test', 'live')
     and id = any($2::uuid[])`,
    mine,
  );
  await tx.query(
    `update vend_outcomes
     set telco_message = null, goods = goods - 'customer_name'
       ${numbers ? `, recipient = ${masked('recipient')}` : ''}
     where merchant_id = $1
     and vend_id = any($2::uuid[])`,
    mine,
  );
  await tx.query(
    `update provider_answers
     set message = ''
     where merchant_id = $1
     and vend_id = any($2::uuid[])
     and message <> ''`,
    mine,
  );
  await tx.query(
    `update vend_goods
     set goods = goods - 'customer_name'
     where merchant_id = $1
     and vend_id = any($2::uuid[])`,
    mine,
  );
  await tx.query(
    `update reconciliation_differences
     set there = '', mend = null, listed = ${numbers ? "listed - 'recipient'" : 'listed'}
     where merchant_id = $1
     and vend_id = any($2::uuid[])
     and (there <> '' or mend is not null or listed ? 'recipient')`,
    mine,
  );
  await tx.query('set local oja.anonymising = off');
  if (numbers) {
    await tx.query(
      `update purchase_search
       set recipient = ${masked('recipient')}
       where merchant_id = $1
       and environment in ('test', 'live')
       and vend_id = any($2::uuid[])`,
      mine,
    );
  }
}

/** A merchant who has purchases below an id that this kind has not passed by, and how far it is. */
export async function findUnpassed(sql: Sql, kind: VendKind, below: string): Promise<VendKey | undefined> {
  const [row] = await sql.query<VendKey>(
    `select
       m.id as "merchantId",
       coalesce(k.vend_id, $3::uuid) as "vendId"
     from merchants m
     left join retention_marks k
       on k.kind = $1
       and k.merchant_id = m.id
     where exists (
       select
       from vend_outcomes o
       where o.merchant_id = m.id
       and o.vend_id > coalesce(k.vend_id, $3::uuid)
       and o.vend_id < $2::uuid
     )
     order by m.id
     limit 1`,
    [kind, below, leastId],
  );
  return row;
}

/**
 * The next purchases of a merchant after an id. Those that are not over are noted as left. Gives
 * the others, and the id up to which all have been seen.
 */
export async function passBy(
  tx: Tx,
  kind: VendKind,
  after: VendKey,
  {
    below,
    limit,
    endedBefore,
  }: { readonly below: string; readonly limit: number; readonly endedBefore: Date },
): Promise<{ readonly over: readonly string[]; readonly last: string }> {
  const rows = await tx.query<{ vendId: string; over: boolean }>(
    `select o.vend_id as "vendId", ${isOver('o.merchant_id', 'o.vend_id', '$5')} as over
     from (
       select merchant_id, vend_id
       from vend_outcomes
       where merchant_id = $1
       and vend_id > $2::uuid
       and vend_id < $3::uuid
       order by vend_id
       limit $4
     ) as o
     order by o.vend_id`,
    [after.merchantId, after.vendId, below, limit, endedBefore],
  );
  const last = rows.at(-1)?.vendId ?? after.vendId;
  await tx.query(
    `insert into retention_left (kind, merchant_id, vend_id)
     select $1, $2, id
     from unnest($3::uuid[]) as id
     union
     select $1, merchant_id, vend_id
     from pending_vends
     where merchant_id = $2
     and vend_id > $4::uuid
     and vend_id <= $5::uuid
     on conflict do nothing`,
    [
      kind,
      after.merchantId,
      rows.filter(({ over }) => !over).map(({ vendId }) => vendId),
      after.vendId,
      last,
    ],
  );
  await tx.query(
    `insert into retention_marks (kind, merchant_id, vend_id)
     values ($1, $2, $3)
     on conflict (kind, merchant_id) do update
     set vend_id = excluded.vend_id`,
    [kind, after.merchantId, last],
  );
  return { over: rows.filter(({ over }) => over).map(({ vendId }) => vendId), last };
}

/** Of those that were left, the ones that are over now; they are no longer noted. */
export async function takeLeft(
  tx: Tx,
  kind: VendKind,
  { limit, endedBefore }: { readonly limit: number; readonly endedBefore: Date },
): Promise<readonly VendKey[]> {
  return await tx.query<VendKey>(
    `delete from retention_left l
     where (l.kind, l.merchant_id, l.vend_id) in (
       select k.kind, k.merchant_id, k.vend_id
       from retention_left k
       where k.kind = $1
       and ${isOver('k.merchant_id', 'k.vend_id', '$3')}
       limit $2
     )
     returning l.merchant_id as "merchantId", l.vend_id as "vendId"`,
    [kind, limit, endedBefore],
  );
}
