/** SQL that finds purchases whose personal data is still needed. */
import type { Sql } from '../../db/database.ts';
import { collectRows, inEachCell } from '../../db/in-each-cell.ts';
import type { PurchaseId } from './person-store.ts';

/**
 * Returns the references of unfinished purchases. A purchase is finished three days after its
 * outcome, because successes are rechecked until then and audits use the time of the last change.
 */
export async function findUnfinished(sql: Sql, keys: readonly PurchaseId[]): Promise<string[]> {
  const alarms = sql.cells && (await collectRows([{ query: sql.query.bind(sql) }], openAlarms));
  return (await inEachCell(sql, (cell) => findUnfinishedIn(cell, keys, alarms))).flat();
}

const openAlarms = `
  select merchant_id, purchase_id
  from alarms
  where purchase_id is not null
  and acknowledged_at is null`;

/** `alarms`: those that were carried to the coordinator, if the cell is on another server. */
async function findUnfinishedIn(
  sql: Sql,
  keys: readonly PurchaseId[],
  alarms: string | undefined,
): Promise<string[]> {
  const rows = await sql.query<{ reference: string }>(
    `${alarms === undefined ? '' : carriedAlarms}
     select v.reference
     from unnest($1::integer[], $2::text[], $3::uuid[]) as k(merchant_id, environment, id)
     join purchases v
       on v.merchant_id = k.merchant_id
       and v.environment = k.environment
       and v.id = k.id
     where not exists (
       select
       from purchase_outcomes o
       where o.merchant_id = v.merchant_id
       and o.purchase_id = v.id
       and o.at < now() - interval '3 days'
     )
     or exists (select from pending_fulfilments g where g.merchant_id = v.merchant_id and g.purchase_id = v.id)
     or exists (
       select
       from deliveries d
       where d.merchant_id = v.merchant_id
       and d.purchase_id = v.id
       and d.state in ('waiting', 'due', 'sending')
     )
     or exists (
       select
       from alarms a
       where a.merchant_id = v.merchant_id
       and a.purchase_id = v.id
       and a.acknowledged_at is null
     )
     order by v.created_at`,
    [
      keys.map(({ merchantId }) => merchantId),
      keys.map(({ environment }) => environment),
      keys.map(({ id }) => id),
      ...(alarms === undefined ? [] : [alarms]),
    ],
  );
  return rows.map(({ reference }) => reference);
}

const carriedAlarms = `
  with alarms as (
    select merchant_id, purchase_id, acknowledged_at
    from alarms
    where ended_at is null
    union all
    select *, null
    from json_to_recordset($4) as t(merchant_id integer, purchase_id uuid)
  )`;
