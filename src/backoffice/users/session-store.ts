/** SQL of sessions. Times are the database's. */
import type { Sql, Tx } from '../../db/database.ts';
import { type UserRow, userColumns } from './user-store.ts';

/** A session ends after this time without a request. */
const IDLE = "interval '30 minutes'";
/** A session ends after this time in any case. */
const LONGEST = "interval '12 hours'";
/** The lifetime of a half-open session. */
const HALF = "interval '10 minutes'";
const STEPPED_UP = "interval '5 minutes'";

/**
 * The live sessions of a user in each state. A further one ends the one that was used longest ago.
 */
const SESSIONS_MAX = 20;

type SessionState = 'half' | 'open';

export type SessionRow = {
  readonly id: string;
  readonly state: SessionState;
  readonly opened_by: string;
  readonly address: string;
  readonly agent: string;
  readonly created_at: Date;
  readonly seen_at: Date;
  readonly expires_at: Date;
  /** Null if the confirmation has expired. */
  readonly stepped_up_until: Date | null;
  readonly ended_at: Date | null;
};

const sessionColumns = `
    s.id, s.state, s.opened_by, s.address, s.agent, s.created_at, s.seen_at, s.expires_at,
    case when s.stepped_up_until > now() then s.stepped_up_until end as stepped_up_until,
    s.ended_at`;

const isAlive = `
    s.ended_at is null
    and s.expires_at > now()
    and s.seen_at > now() - ${IDLE}`;

/** `isUnseen`: the last use must be recorded again. */
export type LiveSession = {
  readonly session: SessionRow;
  readonly user: UserRow;
  readonly isUnseen: boolean;
};

/** Finds a live session with its user. Undefined if it ended or the user is suspended. */
export async function findSession(sql: Sql, tokenHash: Buffer): Promise<LiveSession | undefined> {
  const [row] = await sql.query<
    Omit<SessionRow, 'id' | 'created_at'> &
      UserRow & { session_id: string; session_at: Date; is_unseen: boolean }
  >(
    `select ${userColumns},
       s.id as session_id, s.state, s.opened_by, s.address, s.agent, s.created_at as session_at, s.seen_at,
       s.expires_at, case when s.stepped_up_until > now() then s.stepped_up_until end as stepped_up_until,
       s.ended_at, s.seen_at < now() - interval '1 minute' as is_unseen
     from user_sessions s
     join users u on u.id = s.user_id
     left join merchants m on m.id = u.merchant_id
     where s.token_hash = $1
     and ${isAlive}
     and u.suspended_at is null`,
    [tokenHash],
  );
  if (row === undefined) return undefined;
  const { session_id: id, session_at: created_at, is_unseen: isUnseen, ...both } = row;
  return { session: { ...both, id, created_at }, user: row, isUnseen };
}

/** Returns the sessions that are still open, whatever their current tokens. */
export async function listOpen(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select s.id
     from user_sessions s
     join users u on u.id = s.user_id
     where s.id = any ($1::uuid[])
     and s.state = 'open'
     and ${isAlive}
     and u.suspended_at is null`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Records the last use, at most once a minute. */
export async function updateSeen(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `update user_sessions
     set seen_at = now()
     where id = $1
     and seen_at < now() - interval '1 minute'`,
    [id],
  );
}

export async function insertSession(
  tx: Tx,
  session: Pick<SessionRow, 'id' | 'state' | 'opened_by' | 'address' | 'agent'> & {
    readonly userId: string;
    readonly tokenHash: Buffer;
    readonly steppedUp: 'no' | 'shortly' | 'always';
  },
): Promise<void> {
  const { id, userId, tokenHash, state, steppedUp } = session;
  await tx.query(
    `insert into user_sessions
       (id, user_id, token_hash, state, opened_by, address, agent, expires_at, stepped_up_until)
     values ($1, $2, $3, $4, $5, $6, $7, now() + case $4 when 'half' then ${HALF} else ${LONGEST} end,
       case $8 when 'shortly' then now() + ${STEPPED_UP} when 'always' then now() + ${LONGEST} end)`,
    [id, userId, tokenHash, state, session.opened_by, session.address, session.agent, steppedUp],
  );
}

/** Ends the sessions of a user in this state that are too many. */
export async function endOldestSessions(tx: Tx, userId: string, state: SessionState): Promise<void> {
  await tx.query(
    `update user_sessions
     set ended_at = now(), ended_by = 'too many sessions'
     where id in (
       select s.id
       from user_sessions s
       where s.user_id = $1
       and s.state = $2
       and ${isAlive}
       order by s.seen_at desc, s.id desc
       offset ${SESSIONS_MAX}
     )`,
    [userId, state],
  );
}

/** Opens a half-open session with a new token. False if it ended or has another token. */
export async function openSession(
  tx: Tx,
  session: {
    readonly id: string;
    readonly oldHash: Buffer;
    readonly tokenHash: Buffer;
    readonly openedBy: string;
  },
): Promise<boolean> {
  const rows = await tx.query(
    `update user_sessions s
     set state = 'open', opened_by = $4, token_hash = $3, seen_at = now(),
       expires_at = now() + ${LONGEST}, stepped_up_until = now() + ${STEPPED_UP}
     where s.id = $1
     and s.token_hash = $2
     and s.state = 'half'
     and ${isAlive}
     returning s.id`,
    [session.id, session.oldHash, session.tokenHash, session.openedBy],
  );
  return rows.length > 0;
}

/** Confirms a session with a new token. False if it ended or has another token. */
export async function stepUpSession(
  tx: Tx,
  session: { readonly id: string; readonly oldHash: Buffer; readonly tokenHash: Buffer },
): Promise<boolean> {
  const rows = await tx.query(
    `update user_sessions s
     set token_hash = $3, seen_at = now(),
       stepped_up_until = greatest(s.stepped_up_until, now() + ${STEPPED_UP})
     where s.id = $1
     and s.token_hash = $2
     and s.state = 'open'
     and ${isAlive}
     returning s.id`,
    [session.id, session.oldHash, session.tokenHash],
  );
  return rows.length > 0;
}

/** Ends one session of the user or, without `id`, all but `except`. Returns how many were live. */
export async function endSessions(
  tx: Tx,
  of: { readonly userId: string; readonly id?: string | undefined; readonly except?: string | undefined },
  endedBy: string,
): Promise<number> {
  const rows = await tx.query(
    `update user_sessions s
     set ended_at = now(), ended_by = $4
     where s.user_id = $1
     and ($2::uuid is null or s.id = $2)
     and ($3::uuid is null or s.id <> $3)
     and s.ended_at is null
     returning ${isAlive.replace('s.ended_at is null', 'true')} as was_alive`,
    [of.userId, of.id ?? null, of.except ?? null, endedBy],
  );
  return rows.filter(({ was_alive: wasAlive }) => wasAlive).length;
}

export type ListedSession = SessionRow & {
  readonly user_id: string;
  readonly email: string;
  readonly user_name: string;
};

/** Lists open sessions, newest first, of a user or of all users of a merchant or the operator. */
export async function listSessions(
  sql: Sql,
  page: {
    readonly merchantId: number | null;
    readonly userId: string | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  },
): Promise<ListedSession[]> {
  return await sql.query<ListedSession>(
    `select ${sessionColumns}, s.user_id, u.email, u.name as user_name
     from user_sessions s
     join users u on u.id = s.user_id
     where ${isAlive}
     and s.state = 'open'
     and u.merchant_id is not distinct from $1
     and ($2::uuid is null or s.user_id = $2)
     and ($3::uuid is null or s.id < $3)
     order by s.id desc
     limit $4`,
    [page.merchantId, page.userId ?? null, page.before ?? null, page.limit],
  );
}
