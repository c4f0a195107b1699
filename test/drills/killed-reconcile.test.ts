/** A reconciliation that is killed again and again enters each purchase once. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { mintDigits } from '../../src/providers/reference-mark.ts';
import { operator, startOja } from '../cli/harness.ts';
import { assertAudited, eventually } from '../e2e/gateway-under-test.ts';
import { isBought } from '../support/a-purchase.ts';
import { openBuyer } from '../vending/fixture.ts';

const ORDERS = 60;

it('is run again after each kill, until everything is entered once', async () => {
  await using opened = await operator();
  const { database, settings } = opened;
  const buyer = await openBuyer(database, 1_000_00n);
  await opened.json('route', 'set', 'live', 'airtime', '*', 'vtpass');
  await opened.json('restore', 'fence', '--reason', 'a test', '--yes');
  const lines = Array.from({ length: ORDERS }, (_, index) => {
    const purchase = {
      environment: 'live',
      merchantId: buyer.merchantId,
      reference: `LOST-${index}`,
    } as const;
    const reference = `202611221030${mintDigits(purchase, isBought)}`;
    return `2026-11-22 10:30:00,${reference},MTN Airtime VTU,08031234567,1.00,0.97,delivered`;
  });
  const head = 'Transaction Date,Request ID,Product Name,Unique Element,Amount,Total Amount,Status';
  const file = join(settings.OJA_DATA_DIR ?? '', 'vtpass.csv');
  await writeFile(file, [head, ...lines].join('\n'));
  const entered = async (): Promise<number> => {
    const [row] = await database.query<{ count: bigint }>('select count(*) from entered_vends');
    return Number(row?.count);
  };
  for (const least of [5, 20]) {
    const running = startOja(settings, ['restore', 'reconcile', `vtpass=${file}`, '--apply', '--json']);
    running.stdout?.resume();
    await eventually('some are entered', async () => ((await entered()) >= least ? true : undefined));
    running.kill('SIGKILL');
    await once(running, 'close');
  }
  assert.ok((await entered()) < ORDERS, 'it was killed on its way');
  const told = await opened.json('restore', 'reconcile', `vtpass=${file}`, '--apply');
  assert.equal(told.complete, true);
  assert.equal(await entered(), ORDERS);
  const [wallet] = await database.query<{ held: bigint; vends: bigint; attempts: bigint }>(
    `select w.held, (select count(*) from vends) as vends, (select count(*) from attempts) as attempts
     from wallets w
     where w.account_id = $1`,
    [buyer.walletId],
  );
  assert.deepEqual(wallet, { held: BigInt(ORDERS) * 100n, vends: BigInt(ORDERS), attempts: BigInt(ORDERS) });
  assert.equal((await opened.json('restore', 'open')).left, 0);
  await assertAudited(database);
});
