/** The SQL of what the database knows of archives: each file, and which of its blocks are out. */
import type { Sql, Tx } from '../db/database.ts';
import type { Taken } from './block-store.ts';

export type ArchiveRecord = {
  readonly id: string;
  readonly folder: string;
  readonly before: Date;
  readonly bytes: bigint;
  readonly sha256: string;
  readonly blocks: number;
  readonly vends: bigint;
  readonly attempts: bigint;
  readonly answers: bigint;
  readonly fromAt: Date;
  readonly toAt: Date;
};

export async function insertArchive(tx: Tx, archive: ArchiveRecord): Promise<void> {
  const { id, folder, before, bytes, sha256, blocks, vends, attempts, answers, fromAt, toAt } = archive;
  await tx.query(
    `insert into archives (id, folder, before, bytes, sha256, blocks, vends, attempts, answers, from_at, to_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [id, folder, before, bytes, sha256, blocks, vends, attempts, answers, fromAt, toAt],
  );
}

export type StoredArchive = ArchiveRecord & {
  readonly writtenAt: Date;
  /** Undefined: the command that wrote it was cut short. */
  readonly endedAt: Date | undefined;
  /** Blocks whose rows are in the file alone, and their purchases. */
  readonly blocksOut: number;
  readonly vendsOut: bigint;
};

/** The newest first. */
export async function listArchives(sql: Sql): Promise<StoredArchive[]> {
  const rows = await sql.query<Omit<StoredArchive, 'endedAt'> & { readonly endedAt: Date | null }>(
    `select
       a.id, a.folder, a.before, a.bytes, a.sha256, a.blocks, a.vends, a.attempts, a.answers, a.from_at as "fromAt",
       a.to_at as "toAt", a.written_at as "writtenAt", a.ended_at as "endedAt",
       coalesce(b.blocks, 0)::integer as "blocksOut", coalesce(b.vends, 0)::bigint as "vendsOut"
     from archives a
     left join (
       select archive_id, count(*) as blocks, sum(vends) as vends
       from archive_blocks
       group by archive_id
     ) as b on b.archive_id = a.id
     order by a.written_at desc, a.id desc`,
  );
  return rows.map((row) => ({ ...row, endedAt: row.endedAt ?? undefined }));
}

export async function endArchive(sql: Sql, id: string): Promise<void> {
  await sql.query('update archives set ended_at = now() where id = $1 and ended_at is null', [id]);
}

/** The numbers of the blocks whose rows are in the file alone. */
export async function listBlocksOut(sql: Sql, id: string): Promise<ReadonlySet<number>> {
  const rows = await sql.query<{ number: number }>(
    'select number from archive_blocks where archive_id = $1',
    [id],
  );
  return new Set(rows.map(({ number }) => number));
}

/** In the transaction that deletes its rows. */
export async function insertBlock(
  tx: Tx,
  archiveId: string,
  number: number,
  { block, hasWords, referenceHashes }: Taken,
): Promise<void> {
  const { merchantId, vendIds, attempts, answers } = block;
  await tx.query(
    `insert into archive_blocks (
       archive_id, number, merchant_id, first_vend_id, last_vend_id, vends, attempts, answers, has_words, vend_ids,
       reference_hashes
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[archiveId, number, merchantId, vendIds[0], vendIds.at(-1), vendIds.length],
      ...[attempts.length, answers.length, hasWords, vendIds, referenceHashes],
    ],
  );
}

/** In the transaction that brings its rows back. False where they are back already. */
export async function deleteBlock(tx: Tx, archiveId: string, number: number): Promise<boolean> {
  await tx.query("set local oja.archiving = 'on'");
  const rows = await tx.query(
    `delete from archive_blocks
     where archive_id = $1
     and number = $2
     returning number`,
    [archiveId, number],
  );
  await tx.query('set local oja.archiving = off');
  return rows.length > 0;
}

/** What room the tables take for each byte of their rows, indexes included. */
export async function readRoomPerByte(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ room: number }>(
    `select
       sum(pg_total_relation_size(t::regclass))::float8 / greatest(sum(pg_relation_size(t::regclass)), 1)::float8 as room
     from unnest(array['attempts', 'provider_answers']) as t`,
  );
  return row?.room ?? 1;
}

/** So that the room is there for new rows at once. Gently: it reads the whole of the indexes. */
export async function vacuumTables(session: Sql): Promise<void> {
  await session.query('set vacuum_cost_delay = 2');
  for (const table of ['attempts', 'provider_answers', 'archive_blocks']) {
    await session.query(`vacuum (truncate false) ${table}`);
  }
}

/** Held until the session ends. False where another command has it. */
export async function takeTurn(session: Sql): Promise<boolean> {
  const [row] = await session.query<{ taken: boolean }>(
    "select pg_try_advisory_lock(hashtext('oja.archive')) as taken",
  );
  return row?.taken ?? false;
}

/** Undefined where its rows are in the tables. */
export async function readBlockRecord(
  sql: Sql,
  archiveId: string,
  number: number,
): Promise<{ readonly merchantId: number; readonly vendIds: readonly string[] } | undefined> {
  const [row] = await sql.query<{ merchantId: number; vendIds: string[] }>(
    `select merchant_id as "merchantId", vend_ids as "vendIds"
     from archive_blocks
     where archive_id = $1
     and number = $2`,
    [archiveId, number],
  );
  return row;
}
