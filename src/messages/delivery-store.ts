/**
 * The SQL of deliveries. Rows are made by `accept_vends` and become due in `resolve_vends` (migrations/functions); everything after that
 * is here.
 */
import type { Sql, Tx } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';
import type { DeliveryState } from './decide-delivery.ts';
import type { DeliveryChannel } from './destination.ts';

/** A delivery that this process may now try, once. */
export type ClaimedDelivery = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly vendId: string;
  readonly channel: DeliveryChannel;
  /** Sealed. */
  readonly destination: string;
  /** This one included. */
  readonly tries: number;
};

type ClaimRow = {
  merchant_id: number;
  environment: Environment;
  vend_id: string;
  channel: DeliveryChannel;
  destination: string;
  tries: number;
};

const claimStatement = {
  name: 'claim_deliveries',
  text: `
    with due as (
      select merchant_id, vend_id
      from deliveries
      where state = 'due'
      and due_at <= now()
      order by due_at
      limit $1
      for update skip locked
    )
    update deliveries d
    set
      state = 'sending',
      tries = d.tries + 1,
      due_at = now() + $2 * interval '1 millisecond',
      updated_at = now()
    from due
    where d.merchant_id = due.merchant_id
    and d.vend_id = due.vend_id
    returning d.merchant_id, d.environment, d.vend_id, d.channel, d.destination, d.tries`,
};

/** Marks what is due as being sent, until `leaseMs` from now. Committed when this resolves: before the first byte leaves. */
export async function claimDeliveries(
  sql: Sql,
  options: { readonly limit: number; readonly leaseMs: number },
): Promise<ClaimedDelivery[]> {
  const rows = await sql.query<ClaimRow>(claimStatement, [options.limit, options.leaseMs]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    environment: row.environment,
    vendId: row.vend_id,
    channel: row.channel,
    destination: row.destination,
    tries: row.tries,
  }));
}

const settleStatement = {
  name: 'settle_delivery',
  text: `
    with settled as (
      update deliveries
      set
        state = $4,
        due_at = case $4 when 'due' then now() + $5 * interval '1 millisecond' end,
        code = $6,
        note = $7,
        message_id = $8,
        updated_at = now()
      where merchant_id = $1
      and vend_id = $2
      and tries = $3
      and state in ('sending', 'unknown')
      returning merchant_id, vend_id
    ),
    alarmed as (
      insert into alarms (kind, merchant_id, vend_id, message)
      select 'delivery', merchant_id, vend_id, $9
      from settled
      where $9::text is not null
    )
    select count(*)::integer as settled
    from settled`,
};

export type SettledDelivery = {
  readonly state: DeliveryState;
  readonly pauseMs: number | undefined;
  readonly code: string;
  readonly note: string;
  readonly messageId: string | undefined;
  readonly alarm: string | undefined;
};

/** Stores what became of a try. False when that try is not the present one any more. Repeating it does nothing. */
export async function settleDelivery(
  sql: Sql,
  delivery: Pick<ClaimedDelivery, 'merchantId' | 'vendId' | 'tries'>,
  settled: SettledDelivery,
): Promise<boolean> {
  const [row] = await sql.query<{ settled: number }>(settleStatement, [
    delivery.merchantId,
    delivery.vendId,
    delivery.tries,
    settled.state,
    settled.pauseMs ?? null,
    settled.code,
    settled.note,
    settled.messageId ?? null,
    settled.alarm ?? null,
  ]);
  return row?.settled === 1;
}

/**
 * Takes tries whose process is gone for what they are: perhaps sent. Gives their channels. A process that was only held up may still say
 * what became of its try.
 */
export async function expireDeliveries(sql: Sql, alarm: string): Promise<DeliveryChannel[]> {
  const rows = await sql.query<{ channel: DeliveryChannel }>(
    {
      name: 'expire_deliveries',
      text: `
        with gone as (
          select merchant_id, vend_id
          from deliveries
          where state = 'sending'
          and due_at <= now()
          for update skip locked
        ),
        expired as (
          update deliveries d
          set
            state = 'unknown',
            due_at = null,
            code = 'process_gone',
            note = 'the process that was sending it ended before it could say what became of it',
            updated_at = now()
          from gone
          where d.merchant_id = gone.merchant_id
          and d.vend_id = gone.vend_id
          returning d.merchant_id, d.vend_id, d.channel
        ),
        alarmed as (
          insert into alarms (kind, merchant_id, vend_id, message)
          select 'delivery', merchant_id, vend_id, $1
          from expired
        )
        select channel
        from expired`,
    },
    [alarm],
  );
  return rows.map((row) => row.channel);
}

/** A delivery as support sees it. */
export type DeliveryRow = {
  readonly merchant_code: string;
  readonly environment: Environment;
  readonly vend_id: string;
  readonly reference: string;
  readonly channel: DeliveryChannel;
  /** The destination, masked. */
  readonly hint: string;
  readonly state: DeliveryState;
  readonly due_at: Date | null;
  readonly tries: number;
  readonly code: string | null;
  readonly note: string | null;
  readonly message_id: string | null;
  readonly updated_at: Date;
};

const deliveryColumns = `
  m.code as merchant_code, d.environment, d.vend_id, v.reference, d.channel, d.hint, d.state, d.due_at, d.tries, d.code, d.note,
  d.message_id, d.updated_at`;

const deliveryTables = `
  deliveries d
  join merchants m on m.id = d.merchant_id
  join vends v
    on v.merchant_id = d.merchant_id
    and v.environment = d.environment
    and v.id = d.vend_id`;

/** Newest change first. */
export async function listDeliveries(
  sql: Sql,
  filter: { readonly states: readonly DeliveryState[]; readonly limit: number },
): Promise<DeliveryRow[]> {
  return await sql.query<DeliveryRow>(
    `select ${deliveryColumns}
     from ${deliveryTables}
     where d.state = any($1)
     order by d.updated_at desc
     limit $2`,
    [filter.states, filter.limit],
  );
}

/** Undefined where the vend asked for no delivery. */
export async function findDelivery(
  sql: Sql,
  vend: { readonly merchant_id: number; readonly id: string },
): Promise<DeliveryRow | undefined> {
  const [row] = await sql.query<DeliveryRow>(
    `select ${deliveryColumns}
     from ${deliveryTables}
     where d.merchant_id = $1
     and d.vend_id = $2`,
    [vend.merchant_id, vend.id],
  );
  return row;
}

/** Under the row's lock: nobody takes or settles it meanwhile. */
export async function lockDelivery(
  tx: Tx,
  vend: { readonly merchant_id: number; readonly id: string },
): Promise<{ readonly state: DeliveryState; readonly tries: number } | undefined> {
  const [row] = await tx.query<{ state: DeliveryState; tries: number }>(
    `select state, tries
     from deliveries
     where merchant_id = $1
     and vend_id = $2
     for update`,
    [vend.merchant_id, vend.id],
  );
  return row;
}

export async function makeDeliveryDue(
  tx: Tx,
  vend: { readonly merchant_id: number; readonly id: string },
): Promise<void> {
  await tx.query(
    `update deliveries
     set state = 'due', due_at = now(), updated_at = now()
     where merchant_id = $1
     and vend_id = $2`,
    [vend.merchant_id, vend.id],
  );
}

/** For metrics: those not over, and those that a person should look at. */
export async function countOpenDeliveries(
  sql: Sql,
): Promise<{ readonly channel: DeliveryChannel; readonly state: DeliveryState; readonly count: number }[]> {
  return await sql.query(
    `select channel, state, count(*)::integer as count
     from deliveries
     where state not in ('sent', 'cancelled')
     group by channel, state`,
  );
}
