/** An upgrade of a distributed installation by a process that is killed again and again. */
import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import { runKilled } from './killed.ts';

const released = join(import.meta.dirname, '..', '..', 'migrations');
/** Each process gets this much longer than the one before, as a factor. */
const STEP = 1.15;
const FIRST_MS = 50;
/** About how long a process takes to start. */
const START_MS = 600;

/** What a later version may bring. The views of cells stand in the way of the second statement. */
const later = {
  '0003_later.sql': `
    alter table purchases add column later_note text not null default 'none';
    alter table merchants alter column name type varchar(500);
    alter table merchants add column later_note text;
    alter table audit_log add column later_note text not null default 'none';
    -- In cells.
    create table later_notes (
      merchant_id integer not null,
      environment text not null,
      purchase_id uuid not null,
      -- Read by a person; never shown.
      note text not null,
      constraint later_notes_pkey primary key (merchant_id, purchase_id),
      constraint later_notes_purchase_fkey
        foreign key (merchant_id, environment, purchase_id)
        references purchases (merchant_id, environment, id)
    );
    insert into later_notes (merchant_id, environment, purchase_id, note)
    select merchant_id, environment, id, later_note from purchases;
    create table later_settings (id integer not null primary key);
  `.replaceAll(/^ {4}/gm, ''),
  '0004_later_index.sql': `-- no transaction
drop index if exists later_notes_note;
create index concurrently later_notes_note on later_notes (note);
`,
};

/** Returns what is wrong afterwards, one line each. Then the database counts as not upgraded. */
export async function upgradeUnderKills(coordinator: Database, url: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-later-'));
  try {
    await cp(released, folder, { recursive: true });
    for (const [name, text] of Object.entries(later)) await writeFile(join(folder, name), text);
    for (const name of ['post_transfers', 'resolve_purchases'])
      await appendFile(join(folder, 'functions', `${name}.sql`), '\n-- Later.\n');
    const before = await coordinator.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_functions',
    );
    const startedMs = performance.now();
    const kills = await killUntilDone(url, folder);
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    console.log(`  upgraded after ${kills} kills, in ${seconds} s`);
    const wrong = await compare(coordinator);
    await coordinator.query('delete from schema_migrations where version > 2');
    for (const { name, checksum } of before)
      await coordinator.query('update schema_functions set checksum = $2 where name = $1', [name, checksum]);
    return wrong;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function killUntilDone(url: string, folder: string): Promise<number> {
  let kills = 0;
  for (let ms = FIRST_MS; ; ms *= STEP) {
    const outcome = await runKilled(['upgrade', url, folder], sleep(START_MS + ms));
    if (outcome === 'done') return kills;
    if (outcome === 'killed') kills += 1;
  }
}

async function compare(coordinator: Database): Promise<string[]> {
  const [row] = await coordinator.query<{ notes: bigint; purchases: bigint; placed: bigint }>(
    `select
       (select count(*) from later_notes) as notes,
       (select count(*) from purchases) as purchases,
       (select count(*) from pg_dist_partition where logicalrelid = 'later_notes'::regclass) as placed`,
  );
  return [
    ...(row?.placed === 1n ? [] : ['the new table was not distributed']),
    ...(row?.notes === row?.purchases ? [] : [`${row?.notes} notes for ${row?.purchases} purchases`]),
  ];
}
