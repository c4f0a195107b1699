/** Reads a database that may be older than this version, or not set up yet. */
import type { Sql } from '../db/database.ts';
import { sqlState } from '../db/database-errors.ts';

/** PostgreSQL's code for a table that does not exist. */
const undefinedTable = '42P01';

/** A table that does not exist yet has no rows. */
export function beforeMigration(sql: Sql): Sql {
  return {
    query: async (text, values) => {
      try {
        return await sql.query(text, values);
      } catch (error) {
        if (sqlState(error) === undefinedTable) return [];
        throw error;
      }
    },
  };
}
