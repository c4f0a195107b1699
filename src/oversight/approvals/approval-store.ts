/** SQL of operations that wait for a second person, and of the decisions on them. */

import type { Actor } from '../../core/actor.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { About } from './approval-answer.ts';
import type { Control } from './is-one-person.ts';

/** Absent is not decided: `waiting`, until it is too old. */
export const approvalStates = ['waiting', 'approved', 'rejected', 'expired'] as const;
export type ApprovalState = (typeof approvalStates)[number];

export type ApprovalRow = {
  readonly id: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly about: About | null;
  readonly asked_by: string;
  readonly asked_principal: string;
  readonly asked_edge: Actor['edge'];
  readonly asked_at: Date;
  readonly expires_at: Date;
  readonly state: ApprovalState;
  readonly decided_by: string | null;
  readonly decided_principal: string | null;
  readonly decided_at: Date | null;
  readonly reason: string | null;
  readonly output: unknown;
};

const shared = `
    a.id, a.operation, a.about, a.asked_by, a.asked_principal, a.asked_edge, a.asked_at, a.expires_at,
    coalesce(d.decision, case when a.expires_at <= now() then 'expired' else 'waiting' end) as state,
    d.decided_by, d.decided_principal, d.decided_at, d.reason`;

const columns = `${shared}, a.input, d.output`;

/** For lists, because an input may be a whole catalog. Sizes are those stored. */
const listColumns = `${shared},
    case when pg_column_size(a.input) > 4096 then '{}' else a.input end as input,
    case when pg_column_size(d.output) > 4096 then null else d.output end as output`;

const joined = `
     from approvals a
     left join approval_decisions d on d.approval_id = a.id`;

export async function insertApproval(
  tx: Tx,
  approval: {
    readonly id: string;
    readonly operation: string;
    readonly input: object;
    readonly about: About;
    readonly key: string | undefined;
    readonly actor: Actor;
  },
): Promise<void> {
  const { id, operation, input, about, key, actor } = approval;
  await tx.query(
    `insert into approvals (id, operation, input, about, key, asked_by, asked_principal, asked_edge)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      id,
      operation,
      JSON.stringify(input),
      JSON.stringify(about),
      key ?? null,
      actor.name,
      actor.principal,
      actor.edge,
    ],
  );
}

/** The request that waits under a key, and whether it is for the same input. */
export async function findWaitingByKey(
  sql: Sql,
  operation: string,
  key: string,
  input: object,
): Promise<(ApprovalRow & { readonly is_same: boolean }) | undefined> {
  const [row] = await sql.query<ApprovalRow & { is_same: boolean }>(
    `select ${columns}, a.input = $3::jsonb as is_same
     ${joined}
     where a.operation = $1
     and a.key = $2
     and a.expires_at > now()
     and d.approval_id is null
     order by a.id desc
     limit 1`,
    [operation, key, JSON.stringify(input)],
  );
  return row;
}

export async function findApproval(sql: Sql, id: string): Promise<ApprovalRow | undefined> {
  const [row] = await sql.query<ApprovalRow>(`select ${columns} ${joined} where a.id = $1`, [id]);
  return row;
}

/** Locks the request until the transaction ends, so that it is decided once. */
export async function lockApproval(tx: Tx, id: string): Promise<ApprovalRow | undefined> {
  // A separate statement, so that the next one sees the commits of the previous lock holder.
  await tx.query('select from approvals where id = $1 for update', [id]);
  return await findApproval(tx, id);
}

/** The facts that decide who can approve a request. */
type WaitingRow = Pick<ApprovalRow, 'id' | 'state' | 'operation' | 'asked_principal' | 'asked_at'>;

/** Lists waiting requests, newest first, without their inputs, which can be whole files. */
export async function listWaiting(sql: Sql, limit: number): Promise<WaitingRow[]> {
  return await sql.query<WaitingRow>(
    `select a.id, 'waiting' as state, a.operation, a.asked_principal, a.asked_at
     ${joined}
     where d.approval_id is null
     and a.expires_at > now()
     order by a.id desc
     limit $1`,
    [limit],
  );
}

/** Newest first. A long input is empty, and a long output null. */
export async function listApprovals(
  sql: Sql,
  page: {
    readonly state: ApprovalState | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  },
): Promise<ApprovalRow[]> {
  return await sql.query<ApprovalRow>(
    `select ${listColumns}
     ${joined}
     where ($1::uuid is null or a.id < $1)
     and case $2
       when 'waiting' then d.approval_id is null and a.expires_at > now()
       when 'expired' then d.approval_id is null and a.expires_at <= now()
       when 'approved' then d.decision = 'approved'
       when 'rejected' then d.decision = 'rejected'
       else true
     end
     order by a.id desc
     limit $3`,
    [page.before ?? null, page.state ?? null, page.limit],
  );
}

export async function insertDecision(
  tx: Tx,
  decision: {
    readonly id: string;
    readonly decision: 'approved' | 'rejected';
    readonly actor: Actor;
    readonly reason?: string;
    readonly output?: unknown;
  },
): Promise<void> {
  const { id, actor, reason, output } = decision;
  await tx.query(
    `insert into approval_decisions (approval_id, decision, decided_by, decided_principal, reason, output)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      id,
      decision.decision,
      actor.name,
      actor.principal,
      reason ?? null,
      output === undefined ? null : JSON.stringify(output),
    ],
  );
}

/** Serializes the sums of gifts until the transaction ends. It is the last lock of a write. */
export async function lockGifts(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('gifts', 0))");
}

/** Returns the sum of the last 24 hours, in kobo. */
export async function sumGifts(
  sql: Sql,
): Promise<readonly { readonly principal: string; readonly amount: bigint }[]> {
  return await sql.query<{ principal: string; amount: bigint }>(
    `select principal, sum(amount)::bigint as amount
     from gifts
     where at > now() - interval '24 hours'
     group by principal`,
  );
}

export async function insertGift(
  tx: Tx,
  gift: { readonly principal: string; readonly operation: string; readonly amount: bigint },
): Promise<void> {
  await tx.query('insert into gifts (principal, operation, amount) values ($1, $2, $3)', [
    gift.principal,
    gift.operation,
    gift.amount,
  ]);
}

/** Millionths of a naira for one unit. */
export async function findRate(sql: Sql, currency: string): Promise<bigint | undefined> {
  const [row] = await sql.query<{ rate_micro: bigint }>(
    'select rate_micro from fx_rates where currency = $1 order by id desc limit 1',
    [currency],
  );
  return row?.rate_micro;
}

/** A person as an approval names them. */
export type Person = {
  readonly principal: string;
  readonly user_id: string | null;
  readonly name: string;
  readonly email: string | null;
  readonly roles: readonly string[];
  /** Users that can sign in or use the token. */
  readonly is_active: boolean;
};

/** The operator's users, by address: all of them. */
export async function listPeople(sql: Sql): Promise<Person[]> {
  return await sql.query<Person>(
    `select
       'user:' || id || ' (' || email || ')' as principal,
       id as user_id,
       name,
       email,
       roles,
       suspended_at is null and password is not null as is_active
     from users
     where merchant_id is null
     order by email`,
  );
}

/** By their ids. */
export async function findTokens(sql: Sql, ids: readonly string[]): Promise<Person[]> {
  return await sql.query<Person>(
    `select
       'token:' || id || ' (' || name || ')' as principal,
       null as user_id,
       name,
       null as email,
       roles,
       revoked_at is null and expires_at > now() as is_active
     from access_tokens
     where id = any ($1)`,
    [ids],
  );
}

/** A few for each user and token that ever existed. */
export async function listControls(sql: Sql): Promise<Control[]> {
  return await sql.query<Control>(
    `select a.principal as by, 'user:' || u.id || ' (' || u.email || ')' as over, a.at
     from audit_log a
     join users u on 'user:' || u.id = a.subject
     where a.action = any ('{user.invite,user.reset,user.set_roles,user.resume}')
     and a.principal is not null
     union all
     select created_by, 'user:' || id || ' (' || email || ')', created_at
     from users
     where merchant_id is null
     union all
     select created_by, 'token:' || id || ' (' || name || ')', created_at
     from access_tokens`,
  );
}
