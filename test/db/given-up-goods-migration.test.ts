/**
 * The migration that keeps goods given up: those of earlier versions get their row, and a token
 * that was added to an order is taken away. What is in order stays as it is.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrate } from '../../src/db/migrate.ts';
import { createTestDatabase } from '../support/database.ts';

const migrations = join(import.meta.dirname, '..', '..', 'migrations');
const own = '_given_up_goods.sql';

const id = (n: number): string => `00000000-0000-7000-8000-00000000000${n}`;
const sold = { meter: id(1), spoiltOrder: id(2), sealedOrder: id(3), tokenCame: id(4), partOrder: id(5) };

test('goods that earlier versions gave up are kept, and a token is taken off an order', async () => {
  await using clone = await createTestDatabase({ empty: true });
  const { database } = clone;
  const folder = await mkdtemp(join(tmpdir(), 'oja-before-'));
  try {
    const names = (await readdir(migrations)).filter((name) => /^\d{4}_/.test(name)).toSorted();
    const before = names.slice(
      0,
      names.findIndex((name) => name.endsWith(own)),
    );
    assert.ok(before.length > 17);
    for (const name of before) await cp(join(migrations, name), join(folder, name));
    await migrate(database, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
  for (const [at, vend] of Object.values(sold).entries()) {
    const product = vend === sold.meter || vend === sold.tokenCame ? 'ELECTRICITY' : 'GIFTCARD';
    await database.query(
      `insert into vends (merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge, mode, route, wallet_id, credential_id)
       values (1, 'live', $1, $2, $3, 'X', '', '', 1, 1, 'sync', 'vtpass', 1, 'x')`,
      [vend, `ref-${at}`, product],
    );
    await database.query(
      `insert into vend_outcomes (merchant_id, environment, vend_id, status, reason, message)
       values (1, 'live', $1, 'success', 'delivered', '')`,
      [vend],
    );
    await database.query(
      `insert into alarms (kind, merchant_id, vend_id, message) values ('goods_lost', 1, $1, 'x')`,
      [vend],
    );
  }
  await database.query(
    `insert into vend_goods (merchant_id, vend_id, goods)
     values (1, $1, '{"token":"1"}'), (1, $2, '{"token":"2"}'), (1, $3, '{"reference_code":"r"}')`,
    [sold.spoiltOrder, sold.tokenCame, sold.sealedOrder],
  );
  await database.query(
    `insert into sealed_goods (merchant_id, vend_id, key_id, sealed)
     values (1, $1, 'k', 'k:x'), (1, $2, 'k', 'k:y')`,
    [sold.sealedOrder, sold.partOrder],
  );
  await database.query(
    `insert into deliveries (merchant_id, environment, vend_id, channel, destination, hint)
     values (1, 'live', $1, 'sms', 'x', 'x')`,
    [sold.partOrder],
  );

  await migrate(database);

  const owed = await database.query('select vend_id, due_at from late_goods order by vend_id');
  assert.deepEqual(
    owed,
    [sold.meter, sold.spoiltOrder, sold.partOrder].map((vend_id) => ({ vend_id, due_at: null })),
  );
  const brought = await database.query('select vend_id, goods from vend_goods order by vend_id');
  assert.deepEqual(brought, [
    { vend_id: sold.sealedOrder, goods: { reference_code: 'r' } },
    { vend_id: sold.tokenCame, goods: { token: '2' } },
  ]);
  await assert.rejects(database.query('delete from vend_goods'), /vend_goods/);
});
