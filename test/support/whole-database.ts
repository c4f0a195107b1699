/** Searches the whole database for values that it must not contain in clear text. */
import type { Database } from '../../src/db/database.ts';

/** Returns the values that a row of any table contains, as `value: table`. */
export async function findInDatabase(database: Database, values: readonly string[]): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name
     from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.query<{ text: string }>(
      `select coalesce(string_agg(t::text, E'\\n'), '') as text from ${name} t`,
    );
    for (const value of values) {
      // Bytes are written as hexadecimal digits.
      const hex = Buffer.from(value).toString('hex');
      if (row?.text.includes(value) || row?.text.includes(hex)) found.push(`${value}: ${name}`);
    }
  }
  return found;
}
