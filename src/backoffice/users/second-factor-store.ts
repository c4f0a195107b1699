/** SQL of second factors: seeds of codes, passkeys, recovery codes, and challenges. */
import type { Sql, Tx } from '../../db/database.ts';

export type TotpRow = { readonly id: string; readonly secret: string };

/** Starts an authenticator. It replaces one that was started and not confirmed. */
export async function insertTotp(tx: Tx, totp: TotpRow & { readonly userId: string }): Promise<void> {
  // Of two concurrent starts, the later one counts.
  await tx.query(
    `insert into user_totps (id, user_id, secret)
     values ($1, $2, $3)
     on conflict (user_id, (confirmed_at is null)) do update
     set
       id = excluded.id,
       secret = excluded.secret,
       created_at = excluded.created_at`,
    [totp.id, totp.userId, totp.secret],
  );
}

export async function findTotp(sql: Sql, userId: string, confirmed: boolean): Promise<TotpRow | undefined> {
  const [row] = await sql.query<TotpRow>(
    'select id, secret from user_totps where user_id = $1 and (confirmed_at is not null) = $2',
    [userId, confirmed],
  );
  return row;
}

/** Confirms an authenticator, replacing the previous one. False if it is no longer pending. */
export async function confirmTotp(tx: Tx, userId: string, id: string, step: number): Promise<boolean> {
  const [begun] = await tx.query(
    'select id from user_totps where id = $1 and user_id = $2 and confirmed_at is null for update',
    [id, userId],
  );
  if (begun === undefined) return false;
  await tx.query('delete from user_totps where user_id = $1 and confirmed_at is not null', [userId]);
  await tx.query('update user_totps set confirmed_at = now(), last_step = $2 where id = $1', [id, step]);
  return true;
}

/** Uses up a time step. Returns false if it or a later one was used. */
export async function takeStep(tx: Tx, id: string, step: number): Promise<boolean> {
  const rows = await tx.query(
    `update user_totps
     set last_step = $2
     where id = $1
     and (last_step is null or last_step < $2)
     returning id`,
    [id, step],
  );
  return rows.length > 0;
}

export type PasskeyRow = {
  /** The credential id of the authenticator, in base64url. */
  readonly id: string;
  readonly user_id: string;
  readonly public_key: Uint8Array;
  readonly counter: bigint;
  readonly transports: readonly string[];
  readonly label: string;
  readonly created_at: Date;
  readonly used_at: Date | null;
};

const passkeyColumns = 'id, user_id, public_key, counter, transports, label, created_at, used_at';

export async function listPasskeys(sql: Sql, userId: string): Promise<PasskeyRow[]> {
  return await sql.query<PasskeyRow>(
    `select ${passkeyColumns} from user_passkeys where user_id = $1 order by created_at, id`,
    [userId],
  );
}

export async function findPasskey(sql: Sql, id: string): Promise<PasskeyRow | undefined> {
  const [row] = await sql.query<PasskeyRow>(`select ${passkeyColumns} from user_passkeys where id = $1`, [
    id,
  ]);
  return row;
}

/** Returns false if the passkey is already registered. */
export async function insertPasskey(
  tx: Tx,
  passkey: Pick<PasskeyRow, 'id' | 'user_id' | 'public_key' | 'transports' | 'label'> & {
    readonly counter: number;
  },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into user_passkeys (id, user_id, public_key, counter, transports, label)
     values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing
     returning id`,
    [passkey.id, passkey.user_id, passkey.public_key, passkey.counter, passkey.transports, passkey.label],
  );
  return rows.length > 0;
}

/**
 * Updates the counter. Returns false if it did not increase, which indicates a replay or a cloned
 * authenticator. Authenticators without a counter always send 0.
 */
export async function updatePasskeyUsed(tx: Tx, id: string, counter: number): Promise<boolean> {
  const rows = await tx.query(
    `update user_passkeys
     set counter = $2, used_at = now()
     where id = $1
     and (counter < $2 or (counter = 0 and $2 = 0))
     returning id`,
    [id, counter],
  );
  return rows.length > 0;
}

export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<boolean> {
  const rows = await tx.query('delete from user_passkeys where user_id = $1 and id = $2 returning id', [
    userId,
    id,
  ]);
  return rows.length > 0;
}

/** Replaces all recovery codes of a user. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx.query('delete from user_recovery_codes where user_id = $1', [userId]);
  await tx.query(
    `insert into user_recovery_codes (user_id, hash)
     select $1, hash
     from unnest($2::bytea[]) as hash`,
    [userId, hashes],
  );
}

/** Uses up a recovery code. Returns false if it is unknown or used. */
export async function useRecoveryCode(tx: Tx, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await tx.query(
    `update user_recovery_codes
     set used_at = now()
     where user_id = $1
     and hash = $2
     and used_at is null
     returning hash`,
    [userId, hash],
  );
  return rows.length > 0;
}

export type SecondFactors = {
  readonly totp: boolean;
  readonly passkeys: number;
  readonly recovery_codes_left: number;
};

export async function readSecondFactors(sql: Sql, userId: string): Promise<SecondFactors> {
  const [row] = await sql.query<SecondFactors>(
    `select
       exists (select from user_totps where user_id = $1 and confirmed_at is not null) as totp,
       (select count(*)::integer from user_passkeys where user_id = $1) as passkeys,
       (select count(*)::integer from user_recovery_codes where user_id = $1 and used_at is null)
         as recovery_codes_left`,
    [userId],
  );
  return row ?? { totp: false, passkeys: 0, recovery_codes_left: 0 };
}

export async function deleteSecondFactors(tx: Tx, userId: string): Promise<void> {
  for (const table of ['user_totps', 'user_passkeys', 'user_recovery_codes']) {
    await tx.query(`delete from ${table} where user_id = $1`, [userId]);
  }
}

export async function deleteTotp(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.query('delete from user_totps where user_id = $1 returning id', [userId]);
  return rows.length > 0;
}

export async function insertChallenge(sql: Sql, hash: Buffer, boundTo: string): Promise<void> {
  await sql.query(
    `insert into user_challenges (hash, bound_to, expires_at)
     values ($1, $2, now() + interval '5 minutes')`,
    [hash, boundTo],
  );
}

/** Uses up a challenge. Returns false if it is unknown, expired, or bound to something else. */
export async function takeChallenge(sql: Sql, hash: Buffer, boundTo: string): Promise<boolean> {
  const rows = await sql.query<{ is_good: boolean }>(
    `delete from user_challenges
     where hash = $1
     and bound_to = $2
     returning expires_at > now() as is_good`,
    [hash, boundTo],
  );
  return rows[0]?.is_good === true;
}
