/** SQL of who asks and who decides: the operator's people, and access tokens. */
import type { Sql } from '../db/database.ts';

/** Somebody as an approval names them. */
export type Person = {
  readonly principal: string;
  readonly user_id: string | null;
  readonly name: string;
  readonly email: string | null;
  readonly roles: readonly string[];
  /** They can sign in, or use the token. */
  readonly is_active: boolean;
};

/** The operator's people, by address: as many as there are. */
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
