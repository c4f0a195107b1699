/** Keys that are looked up while the database is slow: in batches, and not without limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from '../../src/db/database.ts';
import { createPrincipalLoader } from '../../src/merchants/principal-loader.ts';
import { refusedFor } from '../support/refusals.ts';

const LIMIT = 10_000;
const BATCH = 500;

test('reads keys in batches, and refuses more than may wait', async () => {
  const open = Promise.withResolvers<void>();
  const batches: number[] = [];
  const sql: Sql = {
    query: async (_, values) => {
      const [keys] = values as [readonly string[] | undefined];
      if (keys !== undefined) batches.push(keys.length);
      await open.promise;
      return [];
    },
  };
  const loader = createPrincipalLoader(sql);
  const first = loader.load('first');
  const waiting = Array.from({ length: LIMIT }, (_, index) => loader.load(`key-${index}`));
  await assert.rejects(loader.load('one-more'), refusedFor('credentials_full'));
  assert.equal(loader.load('key-0'), waiting[0], 'a key that waits already is looked up once');
  open.resolve();
  assert.deepEqual(new Set(await Promise.all([first, ...waiting])), new Set([undefined]));
  assert.equal(await loader.load('one-more'), undefined);
  assert.deepEqual(batches, [1, ...Array.from({ length: LIMIT / BATCH }, () => BATCH), 1]);
});
