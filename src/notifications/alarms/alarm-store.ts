/** SQL of alarms, which notify operators of problems. */
import type { Sql, Tx } from '../../db/database.ts';
import type { AlarmKind } from './alarm-actions.ts';

export type AlarmRow = {
  readonly id: bigint;
  readonly at: Date;
  readonly kind: string;
  readonly merchant_code: string | null;
  readonly purchase_id: string | null;
  readonly provider: string | null;
  readonly subject_id: string | null;
  /** The environment, product and network of sales below cost. */
  readonly sold_environment: string | null;
  readonly sold_product: string | null;
  readonly sold_network: string | null;
  readonly message: string;
  readonly acknowledged_at: Date | null;
  /** When the condition ended. Null while it lasts, or if its end cannot be detected. */
  readonly ended_at: Date | null;
};

/** Lists alarms, newest first. */
export async function listAlarms(
  sql: Sql,
  filter: {
    readonly acknowledgedToo: boolean;
    /** The last alarm of the page before. */
    readonly after?: bigint | undefined;
    readonly limit: number;
  },
): Promise<AlarmRow[]> {
  return await sql.query<AlarmRow>(
    `select
       a.id, a.at, a.kind, m.code as merchant_code, a.purchase_id, a.provider, a.subject_id, a.message,
       a.acknowledged_at, a.ended_at,
       p.environment as sold_environment, p.product as sold_product, p.network as sold_network
     from alarms a
     left join merchants m on m.id = a.merchant_id
     left join purchases p
       on a.kind = 'sold_below_cost'
       and p.merchant_id = a.merchant_id
       and p.environment in ('live', 'test')
       and p.id = a.purchase_id
     where ($2::bigint is null or a.id < $2)
     ${filter.acknowledgedToo ? '' : 'and a.acknowledged_at is null'}
     order by a.id desc
     limit $1`,
    [filter.limit, filter.after ?? null],
  );
}

export async function lockAlarm(
  tx: Tx,
  id: bigint,
): Promise<{ readonly acknowledged_at: Date | null } | undefined> {
  const [row] = await tx.query<{ acknowledged_at: Date | null }>(
    `select acknowledged_at
     from alarms
     where id = $1
     for update`,
    [id],
  );
  return row;
}

export async function updateAcknowledged(tx: Tx, id: bigint): Promise<void> {
  await tx.query(
    `update alarms
     set acknowledged_at = now()
     where id = $1`,
    [id],
  );
}

/**
 * Raises an alarm that is about no single purchase. The message must name no person and no secret.
 */
export async function insertAlarm(
  sql: Sql,
  alarm: {
    readonly kind: AlarmKind;
    readonly merchantId: number | undefined;
    /** The deposit or the webhook endpoint that it is about. */
    readonly subjectId?: string | undefined;
    readonly message: string;
  },
): Promise<void> {
  await sql.query(
    `insert into alarms (kind, merchant_id, subject_id, message)
     values ($1, $2, $3, $4)`,
    [alarm.kind, alarm.merchantId ?? null, alarm.subjectId ?? null, alarm.message],
  );
}

/**
 * Conditions of providers. Such an alarm is raised once while the condition lasts, and then ended.
 */
export type TroubleKind = Extract<
  AlarmKind,
  'provider_unwell' | 'low_float' | 'float_unknown' | 'float_differs'
>;

export type Trouble<Kind extends TroubleKind = TroubleKind> = {
  readonly provider: string;
  readonly kind: Kind;
  readonly since: Date;
  readonly message: string;
};

/** The predicate of `alarms_trouble_key`. */
const LASTS = `
  ended_at is null
  and kind in ('provider_unwell', 'low_float', 'float_unknown', 'float_differs')`;

/** Lists the conditions of these kinds that last. */
export async function listTroubles<Kind extends TroubleKind>(
  sql: Sql,
  kinds: readonly Kind[],
): Promise<Trouble<Kind>[]> {
  return await sql.query<Trouble<Kind>>(
    `select provider, kind, at as since, message
     from alarms
     where ${LASTS}
     and kind = any($1)
     order by provider, kind`,
    [kinds],
  );
}

/** Raises the alarm of a condition, once while it lasts. */
export async function beginTrouble(
  sql: Sql,
  { provider, kind, message }: Omit<Trouble, 'since'>,
): Promise<void> {
  await sql.query(
    `insert into alarms (kind, message, provider)
     values ($1, $2, $3)
     on conflict (provider, kind) where ${LASTS} do nothing`,
    [kind, message, provider],
  );
}

export async function endTrouble(
  sql: Sql,
  { provider, kind }: Pick<Trouble, 'provider' | 'kind'>,
): Promise<void> {
  await sql.query(
    `update alarms
     set ended_at = now()
     where ${LASTS}
     and provider = $1
     and kind = $2`,
    [provider, kind],
  );
}
