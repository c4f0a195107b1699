/** SQL of token buckets that limit attempts across all processes. */
import type { Sql } from '../../db/database.ts';

/** Allows `burst` attempts at once, and one more every `refillS` seconds. */
export type Bucket = { readonly key: Buffer; readonly burst: number; readonly refillS: number };

const level = `
  least($2::double precision,
    b.tokens + greatest(0, extract(epoch from now() - b.counted_at)) / $3::double precision)`;

/** Takes an attempt. Returns undefined, or the seconds until the next attempt is allowed. */
export async function takeTry(sql: Sql, { key, burst, refillS }: Bucket): Promise<number | undefined> {
  const taken = await sql.query(
    `insert into sign_in_buckets as b (key, tokens)
     values ($1, $2::double precision - 1)
     on conflict (key) do update
     set tokens = ${level} - 1, counted_at = now()
     where ${level} >= 1
     returning key`,
    [key, burst, refillS],
  );
  if (taken.length > 0) return undefined;
  const [row] = await sql.query<{ seconds: number }>(
    `select ((1 - ${level}) * $3)::double precision as seconds
     from sign_in_buckets b
     where key = $1`,
    [key, burst, refillS],
  );
  return Math.max(1, Math.ceil(row?.seconds ?? 1));
}

/** Returns an attempt that does not count. */
export async function giveTryBack(sql: Sql, { key, burst }: Bucket): Promise<void> {
  await sql.query(
    'update sign_in_buckets set tokens = least($2::double precision, tokens + 1) where key = $1',
    [key, burst],
  );
}

export async function fillBucket(sql: Sql, key: Buffer): Promise<void> {
  await sql.query('delete from sign_in_buckets where key = $1', [key]);
}
