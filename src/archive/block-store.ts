/**
 * The SQL that reads, takes away and brings back the attempts and answers of some purchases.
 */
import type { Tx } from '../db/database.ts';
import { isOver } from '../retention/vend-anonymising-store.ts';
import { answerColumns, attemptColumns, type Block, toBlock } from './archive-block.ts';

/** What makes a purchase one that may go. */
export type Goes = {
  /** Purchases with lower ids. */
  readonly below: string;
  /** They became final before. */
  readonly endedBefore: Date;
  /** Personal data goes by these kinds of the retention: it must have passed the purchase by. */
  readonly kinds: readonly string[];
};

/** Rows have the times of one zone, whatever the server's is. */
export async function prepareRows(tx: Tx): Promise<void> {
  await tx.query("set local timezone = 'UTC'");
}

const arrayOf = (columns: Readonly<Record<string, string>>): string =>
  `json_build_array(${Object.keys(columns).join(', ')})::text as row`;

/** The next merchant after this one who has attempts of purchases with lower ids. */
export async function findMerchantWith(tx: Tx, below: string, after: number): Promise<number | undefined> {
  const [row] = await tx.query<{ id: number }>(
    `select m.id
     from merchants m
     where m.id > $2
     and exists (
       select
       from attempts a
       where a.merchant_id = m.id
       and a.vend_id < $1::uuid
     )
     order by m.id
     limit 1`,
    [below, after],
  );
  return row?.id;
}

type Seen = { readonly over: readonly string[]; readonly last: string | undefined };

/** The next purchases of a merchant that have attempts: the last one, and those that may go. */
export async function findOver(
  tx: Tx,
  merchantId: number,
  after: string,
  goes: Goes,
  limit: number,
): Promise<Seen> {
  const rows = await tx.query<{ id: string; over: boolean }>(
    `select seen.vend_id as id, ${mayGo('$1', 'seen.vend_id', '$5', '$6')} as over
     from (
       select distinct vend_id
       from attempts
       where merchant_id = $1
       and vend_id > $2::uuid
       and vend_id < $3::uuid
       order by vend_id
       limit $4
     ) as seen
     order by seen.vend_id`,
    [merchantId, after, goes.below, limit, goes.endedBefore, goes.kinds],
  );
  return { over: rows.filter(({ over }) => over).map(({ id }) => id), last: rows.at(-1)?.id };
}

/** By the rules of the retention. What names a person in answers is gone where it goes at all. */
function mayGo(merchant: string, vend: string, endedBefore: string, kinds: string): string {
  return `(
    ${isOver(`${merchant}::integer`, vend, endedBefore)}
    and not exists (
      select
      from unnest(${kinds}::text[]) as k(kind)
      where not exists (
        select
        from retention_marks p
        where p.kind = k.kind
        and p.merchant_id = ${merchant}::integer
        and p.vend_id >= ${vend}
      )
      or exists (
        select
        from retention_left l
        where l.kind = k.kind
        and l.merchant_id = ${merchant}::integer
        and l.vend_id = ${vend}
      )
    )
  )`;
}

export async function readRows(tx: Tx, merchantId: number, vendIds: readonly string[]): Promise<Block> {
  const read = async (table: string, columns: Readonly<Record<string, string>>): Promise<string[]> => {
    const rows = await tx.query<{ row: string }>(
      `select ${arrayOf(columns)}
       from ${table}
       where merchant_id = $1
       and vend_id = any($2::uuid[])`,
      [merchantId, vendIds],
    );
    return rows.map(({ row }) => row);
  };
  return toBlock(
    merchantId,
    await read('attempts', attemptColumns),
    await read('provider_answers', answerColumns),
  );
}

export type Taken = {
  readonly block: Block;
  /** All of its purchases may still go. */
  readonly isOver: boolean;
  readonly hasWords: boolean;
  readonly referenceHashes: readonly bigint[];
  /** Of the rows in their tables. */
  readonly bytes: bigint;
};

/** Deletes the rows of some purchases, and gives what they were. */
export async function deleteRows(
  tx: Tx,
  merchantId: number,
  vendIds: readonly string[],
  goes: Goes,
): Promise<Taken> {
  const mine = [merchantId, vendIds];
  const [still] = await tx.query<{ over: boolean }>(
    `select coalesce(bool_and(${mayGo('$1', 'v.id', '$3', '$4')}), false) as over
     from unnest($2::uuid[]) as v(id)`,
    [...mine, goes.endedBefore, goes.kinds],
  );
  await tx.query("set local oja.archiving = 'on'");
  const attempts = await tx.query<{ row: string; hash: bigint; bytes: number }>(
    `delete from attempts t
     where merchant_id = $1
     and vend_id = any($2::uuid[])
     returning ${arrayOf(attemptColumns)}, hashtextextended(reference, 0) as hash, pg_column_size(t.*) as bytes`,
    mine,
  );
  const answers = await tx.query<{ row: string; words: boolean; bytes: number }>(
    `delete from provider_answers t
     where merchant_id = $1
     and vend_id = any($2::uuid[])
     returning ${arrayOf(answerColumns)}, message <> '' as words, pg_column_size(t.*) as bytes`,
    mine,
  );
  await tx.query('set local oja.archiving = off');
  const rowsOf = (rows: readonly { readonly row: string }[]): string[] => rows.map(({ row }) => row);
  return {
    block: toBlock(merchantId, rowsOf(attempts), rowsOf(answers)),
    isOver: still?.over ?? false,
    hasWords: answers.some(({ words }) => words),
    referenceHashes: attempts.map(({ hash }) => hash),
    bytes: [...attempts, ...answers].reduce((sum, { bytes }) => sum + BigInt(bytes), 0n),
  };
}

/** Words that the retention has passed by since go with its next run. */
export async function insertRows(tx: Tx, { merchantId, vendIds, attempts, answers }: Block): Promise<void> {
  const insert = async (
    table: string,
    columns: Readonly<Record<string, string>>,
    rows: readonly string[],
  ): Promise<void> => {
    const values = Object.values(columns).map((type, place) => `(r.values ->> ${place})::${type}`);
    await tx.query(
      `insert into ${table} (merchant_id, ${Object.keys(columns).join(', ')})
       select $1, ${values.join(', ')}
       from (
         select row::jsonb as values
         from unnest($2::text[]) as row
       ) as r`,
      [merchantId, rows],
    );
  };
  await insert('attempts', attemptColumns, attempts);
  await insert('provider_answers', answerColumns, answers);
  await tx.query(
    `insert into retention_left (kind, merchant_id, vend_id)
     select p.kind, p.merchant_id, v.id
     from retention_marks p
     join unnest($2::uuid[]) as v(id) on v.id <= p.vend_id
     where p.merchant_id = $1
     on conflict do nothing`,
    [merchantId, vendIds],
  );
}
