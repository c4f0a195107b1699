/** The SQL of which database this is, and of how far it has lived. */
import { randomUUID } from 'node:crypto';
import type { Sql, Tx } from '../db/database.ts';

/** So many beats are remembered: those of an hour, where one process counts. */
const PLACES = 3_600;

/** Which database this is: of which server, and which there. */
export type DatabaseIdentity = { readonly systemIdentifier: string; readonly databaseOid: bigint };

type IdentityRow = { system_identifier: string; database_oid: bigint };

export async function readIdentity(sql: Sql): Promise<DatabaseIdentity> {
  const [row] = await sql.query<IdentityRow>(
    `select system_identifier::text, (
       select oid::bigint
       from pg_database
       where datname = current_database()
     ) as database_oid
     from pg_control_system()`,
  );
  return toIdentity(row);
}

export type DatabaseLife = DatabaseIdentity & { readonly beats: bigint; readonly at: Date };

/** As stored; undefined where no gateway that knows of it has run. */
export async function readLife(sql: Sql): Promise<DatabaseLife | undefined> {
  const [row] = await sql.query<IdentityRow & { beats: bigint; at: Date }>(
    'select system_identifier, database_oid, beats, at from database_life',
  );
  return row && { ...toIdentity(row), beats: row.beats, at: row.at };
}

function toIdentity(row: IdentityRow | undefined): DatabaseIdentity {
  return { systemIdentifier: row?.system_identifier ?? '', databaseOid: row?.database_oid ?? 0n };
}

export async function storeIdentity(tx: Tx, identity: DatabaseIdentity): Promise<void> {
  await tx.query(
    `insert into database_life (system_identifier, database_oid)
     values ($1, $2)
     on conflict (one) do update
     set system_identifier = excluded.system_identifier, database_oid = excluded.database_oid`,
    [identity.systemIdentifier, identity.databaseOid],
  );
}

/** A beat as a process saw it. Without a token where an older version counted. */
type Beat = { readonly beats: bigint; readonly token: string | undefined; readonly at: Date };

/** What was found when a process looked. */
export type LifeLook = {
  /** Before it counted on. */
  readonly before: Beat;
  /** The beat that it made; undefined where somebody else counted within the second. */
  readonly made: Beat | undefined;
  /** The token of the beat that was asked for, where one is remembered. */
  readonly token: string | undefined;
};

type LookRow = {
  beats: bigint;
  at: Date;
  token: string | null;
  made_beats: bigint | null;
  made_at: Date | null;
  token_asked: string | null;
};

/**
 * Counts on, once a second whoever asks, or in any case where `inAnyCase` says so. Undefined before
 * the first start.
 */
export async function beatLife(
  sql: Sql,
  asked: { readonly beats: bigint | undefined; readonly inAnyCase: boolean },
): Promise<LifeLook | undefined> {
  const token = randomUUID();
  const [row] = await sql.query<LookRow>(
    {
      name: 'beat_life',
      text: `
      with beat as (
        update database_life
        set beats = beats + 1, at = now()
        where $1
        or at not between now() - interval '900 milliseconds' and now()
        returning beats, at
      ),
      noted as (
        insert into database_beats (place, beats, token, at)
        select beats % $4, beats, $2, at
        from beat
        on conflict (place) do update
        set beats = excluded.beats, token = excluded.token, at = excluded.at
      )
      select l.beats, l.at, d.token, b.beats as made_beats, b.at as made_at, (
        select token
        from database_beats
        where place = $3::bigint % $4
        and beats = $3
      ) as token_asked
      from database_life l
      left join database_beats d
        on d.place = l.beats % $4
        and d.beats = l.beats
      left join beat b on true`,
    },
    [asked.inAnyCase, token, asked.beats ?? null, PLACES],
  );
  if (row === undefined) return undefined;
  const { made_beats: beats, made_at: at } = row;
  return {
    before: { beats: row.beats, token: row.token ?? undefined, at: row.at },
    made: beats === null || at === null ? undefined : { beats, token, at },
    token: row.token_asked ?? undefined,
  };
}

/** Of a beat, where it is remembered. */
export async function findToken(sql: Sql, beats: bigint): Promise<string | undefined> {
  const [row] = await sql.query<{ token: string }>(
    `select token
     from database_beats
     where place = $1::bigint % $2
     and beats = $1`,
    [beats, PLACES],
  );
  return row?.token;
}

/** The last beat that was not made after a moment, of those that are remembered. */
export async function findLastBeat(sql: Sql, until: Date): Promise<Date | undefined> {
  const [row] = await sql.query<{ at: Date | null }>(
    'select max(at) as at from database_beats where at <= $1',
    [until],
  );
  return row?.at ?? undefined;
}

/** Whether a fence was raised since a moment for all that was lost since another. */
export async function isFencedSince(sql: Sql, seenAt: Date, lostFrom: Date): Promise<boolean> {
  const rows = await sql.query(
    `select
     from restore_fences
     where raised_at > $1
     and lost_from <= $2
     limit 1`,
    [seenAt, lostFrom],
  );
  return rows.length > 0;
}

/** Of live purchases, one that is not there. */
export async function findLostPurchase(
  sql: Sql,
  purchases: readonly { readonly merchantId: number; readonly vendId: string }[],
): Promise<string | undefined> {
  const rows = await sql.query<{ id: string }>(
    {
      name: 'find_last_accepted',
      text: `
      select v.id
      from unnest($1::integer[], $2::uuid[]) as w(merchant_id, id)
      cross join lateral (
        select id
        from vends
        where merchant_id = w.merchant_id
        and environment = 'live'
        and id = w.id
      ) as v`,
    },
    [purchases.map(({ merchantId }) => merchantId), purchases.map(({ vendId }) => vendId)],
  );
  const there = new Set(rows.map(({ id }) => id));
  return purchases.find(({ vendId }) => !there.has(vendId))?.vendId;
}
