/**
 * The audit log: who did what to what, before and after. It is only ever added to, in the
 * transaction of the operation itself.
 */
import type { Sql, Tx } from '../db/database.ts';
import { type ActorOrName, actorOf } from '../kernel/actor.ts';

export type AuditEntry = {
  readonly actor: ActorOrName;
  /** For example `merchant.create`. */
  readonly action: string;
  /** What it was done to, for example `merchant:DEMO`. */
  readonly subject: string;
  /** Never a secret. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
};

export async function recordOperation(tx: Tx, act: AuditEntry): Promise<void> {
  await tx.query(
    `insert into audit_log (actor, action, subject, before, after)
     values ($1, $2, $3, $4, $5)`,
    [actorOf(act.actor).name, act.action, act.subject, asJson(act.before), asJson(withApproval(act))],
  );
}

/** Both persons are named where an act needed a second one. */
function withApproval({ actor, after }: AuditEntry): AuditEntry['after'] {
  const { principal, approvedBy } = actorOf(actor);
  if (approvedBy === undefined) return after;
  return {
    ...after,
    asked_principal: principal,
    approved_by: approvedBy.name,
    approved_principal: approvedBy.principal,
  };
}

function asJson(state: Readonly<Record<string, unknown>> | undefined): string | null {
  return state === undefined ? null : JSON.stringify(state);
}

export type AuditEntryRow = {
  readonly id: bigint;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
};

export type AuditEntryFilter = {
  readonly actor: string | undefined;
  /** A whole action (`vend.reveal_goods`) or what it was done to (`wallet`). */
  readonly action: string | undefined;
  readonly subject: string | undefined;
  readonly limit: number;
};

/** Newest first. By an index for each filter, and for each that goes with an actor. */
export async function listAuditEntries(sql: Sql, filter: AuditEntryFilter): Promise<AuditEntryRow[]> {
  const values: unknown[] = [filter.limit];
  const conditions: string[] = [];
  const add = (column: string, value: string | undefined): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`${column} = $${values.length}`);
  };
  add('actor', filter.actor);
  add(filter.action?.includes('.') ? 'action' : "split_part(action, '.', 1)", filter.action);
  add('subject', filter.subject);
  return await sql.query<AuditEntryRow>(
    `select id, at, actor, action, subject, before, after
     from audit_log
     ${conditions.length === 0 ? '' : `where ${conditions.join('\n     and ')}`}
     order by id desc
     limit $1`,
    values,
  );
}
