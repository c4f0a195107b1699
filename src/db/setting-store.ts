/** The SQL of small values that belong to the installation. */
import type { Sql, Tx } from './database.ts';

export async function readSetting(sql: Sql, name: string): Promise<string | undefined> {
  const rows = await sql.query<{ value: string }>('select value from settings where name = $1', [name]);
  return rows[0]?.value;
}

/** Stores the value unless there is one already. Returns the stored one. */
export async function insertSettingOnce(sql: Sql, name: string, value: string): Promise<string> {
  await sql.query('insert into settings (name, value) values ($1, $2) on conflict (name) do nothing', [
    name,
    value,
  ]);
  return (await readSetting(sql, name)) ?? value;
}

/** Replaces the value if it is still `before`. Returns whether it was. */
export async function replaceSetting(
  sql: Sql,
  name: string,
  before: string,
  after: string,
): Promise<boolean> {
  const rows = await sql.query<{ name: string }>(
    'update settings set value = $3 where name = $1 and value = $2 returning name',
    [name, before, after],
  );
  return rows.length > 0;
}

/** Serializes the set-up of the installation. The lock is held to the end of the transaction. */
export async function lockSetup(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('oja.setup'))");
}
