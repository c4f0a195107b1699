/** SQL of float movements: top-ups, and charges without an order. */

import type { Environment } from '../../core/environment.ts';
import type { Currency } from '../../core/money.ts';
import type { Sql, Tx } from '../../db/database.ts';

export type MovementKind = 'top_up' | 'charge';

export type MovementRow = {
  readonly id: string;
  readonly provider: string;
  readonly environment: Environment;
  readonly kind: MovementKind;
  /** In kobo. */
  readonly amount: bigint;
  readonly foreign_amount: bigint | null;
  readonly foreign_currency: Currency | null;
  /** The code of the account on the other side. */
  readonly other_account: string;
  readonly reference: string | null;
  readonly reason: string;
  readonly moved_at: Date;
  readonly booked_by: string;
  readonly at: Date;
};

export type NewMovement = Omit<MovementRow, 'at' | 'other_account'> & {
  readonly otherAccountId: bigint;
  readonly booked_principal: string;
};

/** Inserts a movement. False if its reference is already booked. */
export async function insertMovement(tx: Tx, movement: NewMovement): Promise<boolean> {
  const rows = await tx.query(
    `insert into float_movements (
       id, provider, environment, kind, amount, foreign_amount, foreign_currency, other_account_id,
       reference, reason, moved_at, booked_by, booked_principal
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (provider, environment, reference) do nothing
     returning id`,
    [
      movement.id,
      movement.provider,
      movement.environment,
      movement.kind,
      movement.amount,
      movement.foreign_amount,
      movement.foreign_currency,
      movement.otherAccountId,
      movement.reference,
      movement.reason,
      movement.moved_at,
      movement.booked_by,
      movement.booked_principal,
    ],
  );
  return rows.length > 0;
}

const columns = `
  m.id, m.provider, m.environment, m.kind, m.amount, m.foreign_amount, m.foreign_currency,
  a.code as other_account, m.reference, m.reason, m.moved_at, m.booked_by, m.at`;

export async function findMovement(
  sql: Sql,
  provider: string,
  environment: Environment,
  reference: string,
): Promise<MovementRow | undefined> {
  const [row] = await sql.query<MovementRow>(
    `select ${columns}
     from float_movements m
     join accounts a on a.id = m.other_account_id
     where m.provider = $1
     and m.environment = $2
     and m.reference = $3`,
    [provider, environment, reference],
  );
  return row;
}

/** Lists movements, newest first, that were booked before `before`. */
export async function listMovements(
  sql: Sql,
  provider: string,
  environment: Environment,
  before: string | undefined,
  limit: number,
): Promise<MovementRow[]> {
  return await sql.query<MovementRow>(
    `select ${columns}
     from float_movements m
     join accounts a on a.id = m.other_account_id
     where m.provider = $1
     and m.environment = $2
     and ($3::uuid is null or m.id < $3)
     order by m.id desc
     limit $4`,
    [provider, environment, before ?? null, limit],
  );
}
