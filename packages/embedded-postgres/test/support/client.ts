/** A small pool of connections, as a program that uses the server would have. */
import pg from 'pg';

export type Client = AsyncDisposable & {
  query(statement: string): Promise<Record<string, unknown>[]>;
};

export function open({ connectionString }: { readonly connectionString: string }): Client {
  const pool = new pg.Pool({ connectionString, max: 3, connectionTimeoutMillis: 10_000 });
  // An error of an idle connection is ignored.
  pool.on('error', () => undefined);
  return {
    async query(statement): Promise<Record<string, unknown>[]> {
      return (await pool.query<Record<string, unknown>>(statement)).rows;
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
