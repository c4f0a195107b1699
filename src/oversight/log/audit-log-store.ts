/**
 * The audit log: each change with its actor, its subject, and the values before and after. Entries
 * are only added, in the transaction of the operation itself.
 */

import { type ActorOrName, actorOf } from '../../core/actor.ts';
import type { Sql, Tx } from '../../db/database.ts';

export type AuditEntry = {
  readonly actor: ActorOrName;
  /** For example `merchant.create`. */
  readonly action: string;
  /** The object of the operation, for example `merchant:DEMO`. */
  readonly subject: string;
  /** Never a secret. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
};

export async function recordOperation(tx: Tx, act: AuditEntry): Promise<void> {
  const { name, principal, edge } = actorOf(act.actor);
  await tx.query(
    `insert into audit_log (actor, principal, edge, action, subject, before, after)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [name, principal, edge, act.action, act.subject, asJson(act.before), asJson(withWho(act))],
  );
}

/** The second person of an approved operation, and the session of a signed-in user. */
function withWho({ actor, after }: AuditEntry): AuditEntry['after'] {
  const { approvedBy, session } = actorOf(actor);
  if (approvedBy === undefined && session === undefined) return after;
  return {
    ...after,
    ...(approvedBy && { approved_by: approvedBy.name, approved_principal: approvedBy.principal }),
    ...(session !== undefined && { session }),
  };
}

function asJson(state: Readonly<Record<string, unknown>> | undefined): string | null {
  return state === undefined ? null : JSON.stringify(state);
}

export type AuditEntryRow = {
  readonly id: bigint;
  readonly at: Date;
  /** The name that was stated. */
  readonly actor: string;
  /** The authenticated identity; null for the gateway itself. */
  readonly principal: string | null;
  readonly edge: string | null;
  readonly action: string;
  readonly subject: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
};

export type AuditEntryFilter = {
  readonly actor?: string | undefined;
  readonly principal?: string | undefined;
  readonly edge?: string | undefined;
  /** A whole action (`purchase.reveal_goods`) or its subject (`wallet`). */
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  /** A half-open period: the first time is included, the second is not. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** The list continues after the entry with this id. */
  readonly after?: bigint | undefined;
  readonly limit: number;
};

/**
 * Newest first. By an index for each filter, and for an actor or a principal with an action or a
 * kind.
 */
export async function listAuditEntries(sql: Sql, filter: AuditEntryFilter): Promise<AuditEntryRow[]> {
  const values: unknown[] = [filter.limit];
  const conditions: string[] = [];
  const add = (value: unknown, condition: (place: string) => string): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  add(filter.actor, (place) => `actor = ${place}`);
  add(filter.principal, (place) => `principal = ${place}`);
  add(filter.edge, (place) => `edge = ${place}`);
  const kind = filter.action?.includes('.') ? 'action' : "split_part(action, '.', 1)";
  add(filter.action, (place) => `${kind} = ${place}`);
  add(filter.subject, (place) => `subject = ${place}`);
  add(filter.from, (place) => `at >= ${place}`);
  add(filter.to, (place) => `at < ${place}`);
  add(filter.after, (place) => `(at, id) < (select at, id from audit_log where id = ${place})`);
  return await sql.query<AuditEntryRow>(
    `select id, at, actor, principal, edge, action, subject, before, after
     from audit_log
     ${conditions.length === 0 ? '' : `where ${conditions.join('\n     and ')}`}
     order by at desc, id desc
     limit $1`,
    values,
  );
}
