/** A reconciliation that is killed again and again enters each purchase once. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { keyMarks, mintDigits } from '../../src/providers/reference-mark.ts';
import { operator, startOja } from '../cli/harness.ts';
import { assertAudited } from '../e2e/gateway-under-test.ts';
import { openBuyer } from '../purchases/fixture.ts';
import { isBought } from '../support/a-purchase.ts';
import { until } from '../support/until.ts';

const ORDERS = 60;

it('a killed reconciliation runs again until everything is entered once', async () => {
  await using opened = await operator();
  const { database, settings } = opened;
  keyMarks(opened.pepper);
  const buyer = await openBuyer(database, 1_000_00n);
  await opened.json('route', 'set', 'live', 'airtime', '*', 'vtpass');
  await opened.json('restore', 'lock', '--reason', 'a test', '--yes');
  const at = new Date(Date.now() + 3_000_000).toISOString().slice(0, 19).replace('T', ' ');
  const lines = Array.from({ length: ORDERS }, (_, index) => {
    const purchase = {
      environment: 'live',
      merchantId: buyer.merchantId,
      reference: `LOST-${index}`,
    } as const;
    const reference = `202611221030${mintDigits(purchase, isBought)}`;
    return `${at},${reference},MTN Airtime VTU,08031234567,1.00,0.97,delivered`;
  });
  const head = 'Transaction Date,Request ID,Product Name,Unique Element,Amount,Total Amount,Status';
  const file = join(settings.OJA_DATA_DIR ?? '', 'vtpass.csv');
  await writeFile(file, [head, ...lines].join('\n'));
  const entered = async (): Promise<number> => {
    const [row] = await database.query<{ count: bigint }>('select count(*) from entered_purchases');
    return Number(row?.count);
  };
  await database.query(`
    create table held_up (after integer not null);
    create function hold_up() returns trigger language plpgsql as $$
    begin
      if (select count(*) from entered_purchases) >= (select after from held_up) then
        perform pg_advisory_xact_lock_shared(4711);
      end if;
      return null;
    end $$;
    create trigger hold_up after insert on entered_purchases for each row execute function hold_up()`);
  for (const least of [5, 20]) {
    await database.query('delete from held_up');
    await database.query('insert into held_up values ($1)', [least]);
    // It cannot enter more than these, so it is killed before its end, however late.
    await database.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(4711)');
      // A run that waited too long and gave up is started again.
      for (let isSeen = false; !isSeen; ) {
        const running = startOja(settings, ['reconcile', 'vtpass', file, '--apply', '--json']);
        running.stdout?.resume();
        const closed = once(running, 'close');
        await until('some are entered', async () => {
          isSeen = (await sessionsOfCommands(database, "wait_event = 'advisory'")) > 0;
          return isSeen || running.exitCode !== null;
        });
        running.kill('SIGKILL');
        await closed;
      }
    });
    await until('the server has noticed', async () => (await sessionsOfCommands(database, 'true')) === 0);
  }
  await database.query(
    'drop trigger hold_up on entered_purchases; drop function hold_up(); drop table held_up',
  );
  const killedAt = await entered();
  assert.ok(killedAt >= 19 && killedAt < ORDERS, `it was killed on its way, after ${killedAt}`);
  const whole = [
    '--from',
    new Date(Date.now() - 172_800_000).toISOString(),
    '--to',
    new Date().toISOString(),
  ];
  await opened.json('reconcile', 'vtpass', file, ...whole, '--apply');
  assert.equal(await entered(), ORDERS);
  const [wallet] = await database.query<{ held: bigint; purchases: bigint; attempts: bigint }>(
    `select w.held, (select count(*) from purchases) as purchases, (select count(*) from attempts) as attempts
     from wallets w
     where w.account_id = $1`,
    [buyer.walletId],
  );
  assert.deepEqual(wallet, {
    held: BigInt(ORDERS) * 100n,
    purchases: BigInt(ORDERS),
    attempts: BigInt(ORDERS),
  });
  assert.equal((await opened.json('restore', 'open')).open, 0);
  await assertAudited(database);
});

async function sessionsOfCommands(database: Database, condition: string): Promise<number> {
  const sessions = await database.query(
    `select from pg_stat_activity
     where datname = current_database()
     and application_name = 'oja-cli'
     and ${condition}`,
  );
  return sessions.length;
}
