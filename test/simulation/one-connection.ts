/**
 * A database over one connection. A simulation needs no more, because one thing happens at a time.
 * It costs half as much as a pool: each text is planned once, and the start of a transaction does
 * not wait for an answer.
 */
import pg from 'pg';
import type { Queries, Sql, SqlStatement } from '../../src/db/database.ts';
import { rowValues } from '../../src/db/row-values.ts';
import { searchFirst } from '../../src/db/session-store.ts';

/** `schema` is that of a cell. */
export async function openConnection(
  connectionString: string,
  schema?: string,
): Promise<Queries & AsyncDisposable> {
  const client = new pg.Client({ connectionString, types: rowValues, pipeline: true });
  await client.connect();
  const names = new Map<string, string>();
  const named = (statement: string | SqlStatement): SqlStatement => {
    if (typeof statement !== 'string' && statement.name !== undefined) return statement;
    const text = typeof statement === 'string' ? statement : statement.text;
    const name = names.get(text) ?? `simulated_${names.size}`;
    names.set(text, name);
    return { name, text };
  };
  const query: Sql['query'] = async (statement, values) => {
    const text = typeof statement === 'string' ? statement : statement.text;
    const result =
      values === undefined
        ? await client.query(text)
        : await client.query({ ...named(statement), values: [...values] });
    return result.rows;
  };
  if (schema !== undefined) await searchFirst({ query }, schema);
  return {
    query,
    transaction: async (work, { isolation = 'read committed' } = {}) => {
      const beginning = client.query(`begin isolation level ${isolation}`);
      try {
        const result = await work({ kind: 'tx', query });
        await beginning;
        const { command } = await client.query('commit');
        if (command !== 'COMMIT') throw new Error(`nothing was committed (${command})`);
        return result;
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
