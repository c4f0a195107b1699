/**
 * A gateway that is killed between two rechecks: each success is still queried, and a reversal has
 * one alarm.
 */
import assert from 'node:assert/strict';
import { itInProof } from '../support/budget.ts';
import { changeOutcomes } from '../support/change-outcomes.ts';
import { until } from '../support/until.ts';
import { type Fixture, type FixtureGateway, openFixture } from './fixture.ts';

const COUNT = 12;

async function buyAll(fixture: Fixture, { url }: FixtureGateway): Promise<void> {
  const { key, secret } = await fixture.live();
  const headers = { 'x-merchant-key': key, 'x-merchant-secret': secret, 'content-type': 'application/json' };
  for (let n = 0; n < COUNT; n += 1) {
    const order = {
      merchant: 'DEMO',
      network: 'mtn',
      amount: '100',
      msisdn: `080312345${n + 10}`,
      request_ref: `look-${n}`,
    };
    const answer = await fetch(`${url}/v1/transactions/airtime/sync`, {
      method: 'POST',
      headers,
      body: JSON.stringify(order),
    });
    assert.equal(((await answer.json()) as { response_code: string }).response_code, '00');
  }
}

/** Lists alarms of all kinds, by purchase. */
async function alarms({ database }: Fixture): Promise<string[]> {
  const rows = await database.query<{ alarm: string }>(
    `select v.reference || ' ' || a.kind as alarm
     from alarms a
     join purchases v
       on v.merchant_id = a.merchant_id
       and v.id = a.purchase_id
     order by split_part(v.reference, '-', 2)::integer, a.id`,
  );
  return rows.map(({ alarm }) => alarm);
}

itInProof('an interrupted recheck continues, and finds each reversal once', async () => {
  await using fixture = await openFixture();
  const { database, simulator } = fixture;
  const misbehave = async (...rules: object[]): Promise<void> => {
    const answer = await fetch(`${simulator.url}/faults`, {
      method: 'PUT',
      body: JSON.stringify({ rules }),
    });
    assert.equal(answer.status, 200, await answer.text());
  };
  await misbehave({ fault: 'reversed_later', operation: 'pay', settle_ms: 200 });
  const seller = await fixture.start();
  await buyAll(fixture, seller);
  seller.kill('SIGKILL');
  await seller.exited;
  // They are from yesterday, one per second, and no recheck has reached them yet.
  await changeOutcomes(
    database,
    `set at = now() - interval '1 day 5 minutes' + split_part(v.reference, '-', 2)::integer * interval '1 second'
     from purchases v
     where v.merchant_id = o.merchant_id
     and v.id = o.purchase_id`,
  );
  await database.query("update merchants set created_at = created_at - interval '2 days'");
  await database.query('delete from success_rechecks');

  // One query is slow: the process dies while it waits, and the purchases beside it have an alarm
  // that the checkpoint does not cover.
  await misbehave({ fault: 'slow', operation: 'requery', recipient: '08031234517', delay_ms: 60_000 });
  const doomed = await fixture.start();
  const slow = 'look-7 contradiction';
  await until('those beside it were asked about', async () =>
    (await alarms(fixture)).includes('look-6 contradiction'),
  );
  doomed.kill('SIGKILL');
  await doomed.exited;
  const [left] = await database.query<{ lease_id: string | null }>(
    "select lease_id from success_rechecks where provider = 'vtpass' and age_minutes = 1440",
  );
  assert.ok(left?.lease_id, 'it died with the look in hand');
  assert.ok(!(await alarms(fixture)).includes(slow));

  await misbehave();
  // Its lease expires.
  await database.query('update success_rechecks set due_at = now()');
  await fixture.start();
  const all = Array.from({ length: COUNT }, (_, n) => `look-${n} contradiction`);
  await until('all were asked about', async () => (await alarms(fixture)).length >= COUNT);
  await until('the look is given back', async () => {
    const [row] = await database.query<{ lease_id: string | null }>(
      "select lease_id from success_rechecks where provider = 'vtpass' and age_minutes = 1440",
    );
    return row?.lease_id === null;
  });
  assert.deepEqual(await alarms(fixture), all);
  const [wallet] = await database.query<{ held: bigint }>(
    "select held from wallets where environment = 'live' limit 1",
  );
  assert.equal(wallet?.held, 0n);
  const [refunds] = await database.query("select 1 from purchase_outcomes where status <> 'success'");
  assert.equal(refunds, undefined);
});
