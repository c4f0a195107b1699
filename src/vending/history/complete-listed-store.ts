/**
 * The SQL that completes purchases which a version before stored: outcomes and pending vends are
 * told the network and recipient that lists are filtered by.
 *
 * It goes through both tables once, in the order of their keys. How far it is is a setting, stored
 * with each slice. So it goes on there after a kill, one process at a time is at it, and a list
 * knows in its own snapshot what is complete. New rows are stored complete.
 */
import type { Sql, Tx } from '../../db/database.ts';
import { insertSettingOnce, readSetting } from '../../db/setting-store.ts';
import type { SliceEnd } from '../../kernel/half-time.ts';
import { leastId } from '../../kernel/ids.ts';
import type { VendStatus } from '../vend/vend.ts';

const settingName = 'list_completion';

/** In the order in which they are gone through. */
type ListedTable = 'pending_vends' | 'vend_outcomes';

/** What is complete: all up to a key of a table, and the tables before it. */
type Progress =
  | 'done'
  | { readonly table: ListedTable; readonly merchantId: number; readonly vendId: string };

const beginningOf = (table: ListedTable): Progress => ({
  table,
  merchantId: -1,
  vendId: leastId,
});

export async function isCompletionDone(sql: Sql): Promise<boolean> {
  return (await readProgress(sql)) === 'done';
}

/**
 * Whether purchases of a merchant are not complete yet, of those with a status or of all. To be
 * asked in the snapshot of the list.
 */
export async function hasIncomplete(
  sql: Sql,
  merchantId: number,
  status: VendStatus | undefined,
): Promise<boolean> {
  const progress = await readProgress(sql);
  if (progress === 'done') return false;
  if (progress.table === 'pending_vends' && (status === undefined || status === 'pending')) return true;
  if (status === 'pending') return false;
  if (progress.table === 'vend_outcomes') {
    if (merchantId < progress.merchantId) return false;
    if (merchantId === progress.merchantId) return true;
  }
  const rows = await sql.query(
    'select from vend_outcomes where merchant_id = $1 and network is null limit 1',
    [merchantId],
  );
  return rows.length > 0;
}

/**
 * Whether outcomes of the last hour are still to be completed, of those that the version before
 * stored.
 */
export async function hasIncompleteOfLastHour(tx: Tx): Promise<boolean> {
  if (await isCompletionDone(tx)) return false;
  // By the index on the time, which leads to the newest blocks.
  await tx.query(`
    set local enable_seqscan = off;
    set local enable_indexscan = off;
    set local enable_indexonlyscan = off`);
  const rows = await tx.query(`
    select
    from vend_outcomes
    where at > now() - interval '1 hour'
    and network is null
    limit 1`);
  return rows.length > 0;
}

/**
 * Completes what lacks something among the next `limit` rows. `busy`: another process is at it, or
 * has a row in hand.
 */
export async function completeSlice(tx: Tx, limit: number): Promise<SliceEnd> {
  const progress = await takeProgress(tx);
  if (progress === undefined) return 'busy';
  if (progress === 'done') return 'done';
  await tx.query(`
    set local enable_seqscan = off;
    set local enable_hashjoin = off;
    set local enable_mergejoin = off`);
  const { looked, skipped, last } = await completeRows(tx, progress, limit);
  // Looked at again, with those that somebody has locked.
  if (skipped > 0) return 'busy';
  const next = looked === limit && last !== undefined ? { ...progress, ...last } : after(progress.table);
  await tx.query('update settings set value = $2 where name = $1', [settingName, JSON.stringify(next)]);
  return next === 'done' ? 'done' : 'more';
}

function after(table: ListedTable): Progress {
  return table === 'pending_vends' ? beginningOf('vend_outcomes') : 'done';
}

async function readProgress(sql: Sql): Promise<Progress> {
  const stored = await readSetting(sql, settingName);
  return stored === undefined ? beginningOf('pending_vends') : (JSON.parse(stored) as Progress);
}

/** Locked to the end of the transaction. Undefined where another process has it. */
async function takeProgress(tx: Tx): Promise<Progress | undefined> {
  if ((await readSetting(tx, settingName)) === undefined) {
    await insertSettingOnce(tx, settingName, JSON.stringify(beginningOf('pending_vends')));
  }
  const [row] = await tx.query<{ value: string }>(
    'select value from settings where name = $1 for update skip locked',
    [settingName],
  );
  return row && (JSON.parse(row.value) as Progress);
}

async function completeRows(
  tx: Tx,
  { table, merchantId, vendId }: Exclude<Progress, 'done'>,
  limit: number,
): Promise<{ looked: number; skipped: number; last: { merchantId: number; vendId: string } | undefined }> {
  const [row] = await tx.query<{ looked: bigint; skipped: bigint; merchantId: number; vendId: string }>(
    `with looked as materialized (
       select merchant_id, environment, vend_id, network is null as incomplete
       from ${table}
       where (merchant_id, vend_id) > ($1, $2::uuid)
       order by merchant_id, vend_id
       limit $3
     ),
     locked as materialized (
       select t.merchant_id, t.environment, t.vend_id
       from looked l
       join ${table} t
         on t.merchant_id = l.merchant_id
         and t.vend_id = l.vend_id
       where l.incomplete
       for update of t skip locked
     ),
     completed as (
       update ${table} t
       set network = v.network, recipient = v.recipient
       from locked l
       join vends v
         on v.merchant_id = l.merchant_id
         and v.environment = l.environment
         and v.id = l.vend_id
       where t.merchant_id = l.merchant_id
       and t.vend_id = l.vend_id
     )
     select
       (select count(*) from looked) as looked,
       (select count(*) from looked where incomplete) - (select count(*) from locked) as skipped,
       merchant_id as "merchantId",
       vend_id as "vendId"
     from looked
     order by merchant_id desc, vend_id desc
     limit 1`,
    [merchantId, vendId, limit],
  );
  if (row === undefined) return { looked: 0, skipped: 0, last: undefined };
  const last = { merchantId: row.merchantId, vendId: row.vendId };
  return { looked: Number(row.looked), skipped: Number(row.skipped), last };
}
