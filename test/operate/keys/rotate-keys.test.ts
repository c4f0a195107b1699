/** Sealing values again with a new key, during concurrent writes to the same tables. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createSealer, newSealingKey, type Sealer } from '../../../src/core/sealing.ts';
import type { Database, Sql, Tx } from '../../../src/db/database.ts';
import { rotateKeys } from '../../../src/operate/keys/operations/rotate-keys.ts';
import { openCredentials, sealCredentials } from '../../../src/operate/keys/provider-credentials.ts';
import { findCredentials } from '../../../src/providers/provider-credential-store.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { lookedAt } from '../../support/looked-at.ts';
import { until } from '../../support/until.ts';

const database = await openFileDatabase();

const oldKey = newSealingKey();
const before = createSealer(oldKey);
const rotating = createSealer(newSealingKey(), [oldKey]);

async function keep(sql: Sql, sealer: Sealer, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await sql.query(
    `insert into sealed_goods (merchant_id, purchase_id, key_id, sealed)
     select 1, id, $3, sealed
     from unnest($1::uuid[], $2::text[]) as t(id, sealed)`,
    [ids, ids.map((id) => sealer.seal(`sealed_goods/${id}/sealed`, 'a card')), sealer.keyId],
  );
}

/** Lets `between` run once, between the first transaction of a rotation and its second. */
function interrupted(between: () => Promise<void>): Pick<Database, 'transaction'> {
  let begun = false;
  return {
    transaction: async (work) => {
      const done = await database.transaction(work);
      if (!begun) {
        begun = true;
        await between();
      }
      return done;
    },
  };
}

test('reseals a row that moves to a processed place', async () => {
  await keep(database, before, 250);
  const rotated = await rotateKeys(
    interrupted(async () => {
      // New rows reuse the space of deleted rows, at the start of the table.
      await database.query("delete from sealed_goods where ctid < '(1,0)'");
      // The server's own transactions may still see them.
      await until('no other process reads', async () => {
        const others = await database.query(
          `select 1 from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null`,
        );
        return others.length === 0;
      });
      await database.query('vacuum sealed_goods');
      await keep(database, before, 1);
      const [moved] = await database.query<{ n: bigint }>(
        "select count(*) as n from sealed_goods where ctid < '(1,0)'",
      );
      assert.equal(moved?.n, 1n);
    }),
    rotating,
    'ada',
  );
  assert.deepEqual(rotated.find(({ table }) => table === 'sealed_goods')?.unopened, 0);
  const keys = await database.query('select distinct key_id from sealed_goods');
  assert.deepEqual(keys, [{ key_id: rotating.keyId }]);
});

test('reports progress after each batch, and records an interrupted rotation', async () => {
  await database.query('delete from sealed_goods');
  await database.query('delete from funding_documents');
  await keep(database, before, 450);
  const merchants = await database.query<{ id: number }>(
    "insert into merchants (code, name) values ('AA', 'A'), ('BB', 'B'), ('CC', 'C') returning id",
  );
  for (const { id: merchantId } of merchants) {
    const sealed = before.seal(`funding_documents/${merchantId}/live/sealed`, 'a document');
    await database.query(
      `insert into funding_documents (merchant_id, environment, media_type, key_id, sealed)
       values ($1, 'live', 'image/png', $2, $3)`,
      [merchantId, before.keyId, sealed],
    );
  }
  const told: string[] = [];
  const entries = async (): Promise<string[]> =>
    (
      await database.query<{ action: string }>(
        "select action from audit_log where subject = 'key:' || $1 and actor = 'bola' order by id",
        [rotating.keyId],
      )
    ).map(({ action }) => action);
  const stop = rotateKeys(database, rotating, 'bola', ({ step, done }) => {
    told.push(`${step} ${done}`);
    if (told.length === 2) throw new Error('stopped');
  });
  await assert.rejects(stop, /stopped/);
  assert.deepEqual(told, ['sealed_goods 200', 'sealed_goods 400']);
  assert.deepEqual(await entries(), ['key.rotate_begin']);
  told.length = 0;
  await rotateKeys(database, rotating, 'bola', ({ step, done }) => {
    told.push(`${step} ${done}`);
  });
  // Documents are megabytes: one by one.
  assert.deepEqual(told, ['sealed_goods 50', ...[1, 2, 3].map((count) => `funding_documents ${count}`)]);
  assert.deepEqual(await entries(), ['key.rotate_begin', 'key.rotate_begin', 'key.rotate']);
});

test('opens stored provider credentials only with the new key after a rotation', async () => {
  const values = { OJA_ACME_KEY: 'a key' };
  const rows = [1, 2].map((version) => ({ provider: 'acme', version }));
  for (const row of rows) {
    await database.query(
      `insert into provider_credentials (provider, version, sealed, fingerprints, set_by)
       values ($1, $2, $3, '{}', 'ada')`,
      [row.provider, row.version, sealCredentials(before, row, values)],
    );
  }
  await rotateKeys(database, rotating, 'ada');
  const found = await findCredentials(database, 'acme');
  assert.deepEqual(
    found.map((row) => [row.version, openCredentials(rotating, row), openCredentials(before, row)]),
    [
      [2, values, undefined],
      [1, values, undefined],
    ],
  );
});

test('counts values that no key opens once, and leaves them unchanged', async () => {
  await database.query('delete from sealed_goods');
  await keep(database, createSealer(newSealingKey()), 3);
  await keep(database, before, 1);
  const [goods] = (await rotateKeys(database, rotating, 'ada')).filter(
    ({ table }) => table === 'sealed_goods',
  );
  assert.deepEqual(goods, { table: 'sealed_goods', resealed: 1, unopened: 3 });
});

test('reads a bounded part of the table in each batch', async () => {
  await database.query('delete from sealed_goods');
  await database.query('vacuum full sealed_goods');
  await keep(database, rotating, 20_000);
  await keep(database, before, 1);
  const looks: number[] = [];
  const counting: Pick<Database, 'transaction'> = {
    transaction: async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      const done: T[] = [];
      looks.push(await lookedAt(database, ['sealed_goods'], async (tx) => done.push(await work(tx))));
      return done[0] as T;
    },
  };
  const [goods] = await rotateKeys(counting, rotating, 'ada');
  assert.deepEqual(goods, { table: 'sealed_goods', resealed: 1, unopened: 0 });
  assert.ok(Math.max(...looks) < 5_000, `looked at ${Math.max(...looks)} rows`);
});
