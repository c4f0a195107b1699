/** The append-only log of what operators did: who, what, before, after. Written in the transaction of the act itself. */
import type { Tx } from '../db/database.ts';

export type OperatorAct = {
  /** Who did it: a person's name, or the program's that acted for nobody. */
  readonly actor: string;
  /** For example `merchant.create`. */
  readonly action: string;
  /** What it was done to, for example `merchant:DEMO`. */
  readonly subject: string;
  /** Never a secret. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
};

export async function recordAct(tx: Tx, act: OperatorAct): Promise<void> {
  await tx.query(
    `insert into audit_log (actor, action, subject, before, after)
     values ($1, $2, $3, $4, $5)`,
    [act.actor, act.action, act.subject, asJson(act.before), asJson(act.after)],
  );
}

function asJson(state: Readonly<Record<string, unknown>> | undefined): string | null {
  return state === undefined ? null : JSON.stringify(state);
}
