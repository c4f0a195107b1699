/** The SQL of gateway processes: which are alive, and the purchases of dead ones. */
import type { Sql } from '../../db/database.ts';

/** A process that has not been seen for this long is dead and sends nothing. */
export const DEAD_AFTER_MS = 5_000;

/** A process, as the others see it. */
export type GatewayIdentity = {
  readonly id: string;
  readonly role: string;
  readonly host: string;
  readonly pid: number;
  /** The providers that it can call. Credentials that are stored while it runs add to them. */
  readonly providers: readonly string[];
};

/** Records that this gateway process lives. Returns the time of the database, in milliseconds. */
export async function touchGateway(sql: Sql, gateway: GatewayIdentity): Promise<number> {
  const [row] = await sql.query<{ now_ms: bigint }>(
    {
      name: 'touch_gateway',
      text: `
        insert into gateways (id, role, host, pid, providers)
        values ($1, $2, $3, $4, $5)
        on conflict (id) do update
        set seen_at = now(), providers = excluded.providers
        returning (extract(epoch from now()) * 1000)::bigint as now_ms`,
    },
    [gateway.id, gateway.role, gateway.host, gateway.pid, gateway.providers],
  );
  return Number(row?.now_ms);
}

export async function readDatabaseMs(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ now_ms: bigint }>({
    name: 'read_database_ms',
    text: 'select (extract(epoch from now()) * 1000)::bigint as now_ms',
  });
  return Number(row?.now_ms);
}

/**
 * Also false for a process that was seen in the future: the clock was set back, and the process has
 * not been seen since.
 */
const seenLately = `
  seen_at between now() - $1 * interval '1 millisecond' and now() + $1 * interval '1 millisecond'`;

/** `providers` is empty for a process that does not report them. */
export type LiveGateway = { readonly id: string; readonly providers: readonly string[] };

/** The processes seen within `deadAfterMs`, in the same order for every caller. */
export async function findLiveGateways(sql: Sql, deadAfterMs: number): Promise<readonly LiveGateway[]> {
  return await sql.query<LiveGateway>(
    {
      name: 'find_live_gateways',
      text: `
        select id, providers
        from gateways
        where ${seenLately}
        order by id`,
    },
    [deadAfterMs],
  );
}

/**
 * The processes that have claimed purchases, from one index entry each, because the queue may be
 * long.
 */
const owners = `
    owners as (
      (
        select owner
        from pending_purchases
        where owner is not null
        order by owner
        limit 1
      )
      union all
      select (
        select p.owner
        from pending_purchases p
        where p.owner > o.owner
        order by p.owner
        limit 1
      )
      from owners o
      where o.owner is not null
    )`;

/**
 * Makes up to `limit` purchases due that were claimed by gateways unseen for `deadAfterMs`, and
 * deletes those gateways. The claimed purchases have step `query` already, or were never sent.
 * Returns the number of purchases taken over.
 */
export async function takeOverFromDead(sql: Sql, deadAfterMs: number, limit: number): Promise<number> {
  const rows = await sql.query<{ taken: number }>(
    `
    with recursive ${owners},
    dead as (
      delete from gateways
      where not (${seenLately})
      returning id
    ),
    -- Skips rows that another batch has locked: they are being handled, and waiting here could
    -- deadlock.
    orphan as (
      select p.merchant_id, p.purchase_id
      from owners o
      cross join lateral (
        select merchant_id, purchase_id
        from pending_purchases
        where owner = o.owner
        limit $2
        for update skip locked
      ) p
      where o.owner not in (select id from gateways where ${seenLately})
      limit $2
    ),
    taken as (
      update pending_purchases p
      set due_at = now(), owner = null
      from orphan o
      -- By its key, whatever the statistics say (resolve_purchases).
      where p.merchant_id = any(array[o.merchant_id])
      and p.purchase_id = any(array[o.purchase_id])
      returning p.purchase_id
    )
    select count(*)::integer as taken
    from taken`,
    [deadAfterMs, limit],
  );
  return rows[0]?.taken ?? 0;
}

/**
 * Releases the claims of this gateway, and removes its heartbeat. For the end of an orderly stop.
 */
export async function signOffGateway(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `
    with gone as (
      delete from gateways
      where id = $1
    ),
    held as (
      select merchant_id, purchase_id
      from pending_purchases
      where owner = $1
      for update skip locked
    )
    update pending_purchases p
    set due_at = now(), owner = null
    from held h
    -- By its key, whatever the statistics say (resolve_purchases).
    where p.merchant_id = any(array[h.merchant_id])
    and p.purchase_id = any(array[h.purchase_id])`,
    [id],
  );
}

/** Removes only the heartbeat, where the purchases are on other servers. */
export async function removeGateway(sql: Sql, id: string): Promise<void> {
  await sql.query('delete from gateways where id = $1', [id]);
}

/**
 * Makes purchases due that an accepting process has held for longer than any call lasts, because it
 * lost track of them. Reads only claimed purchases and not the whole queue.
 */
export async function makeForgottenDue(sql: Sql, leaseMs: number): Promise<number> {
  const rows = await sql.query(
    `
    with recursive ${owners},
    forgotten as (
      select p.merchant_id, p.purchase_id
      from owners o
      cross join lateral (
        select merchant_id, purchase_id
        from pending_purchases
        where owner = o.owner
        and due_at is null
        and created_at not between now() - $1 * interval '1 millisecond' and now() + $1 * interval '1 millisecond'
        for update skip locked
      ) p
    )
    update pending_purchases p
    set due_at = now()
    from forgotten f
    -- By its key, whatever the statistics say (resolve_purchases).
    where p.merchant_id = any(array[f.merchant_id])
    and p.purchase_id = any(array[f.purchase_id])
    returning p.purchase_id`,
    [leaseMs],
  );
  return rows.length;
}
