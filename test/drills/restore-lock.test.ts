/**
 * A restored database starts locked, is reconciled with the providers, and is unlocked. Purchases
 * of the lost time are found and not bought again.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { runOja } from '../cli/harness.ts';
import { electricity, newMeter } from '../e2e/bills.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  anyProduct,
  assertAudited,
  eventually,
  newNumber,
  statusOf,
} from '../e2e/gateway-under-test.ts';
import { deliveriesTo } from '../e2e/provider.ts';
import { copyOf, folder } from '../operate/restore-lock/gone-back.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway.ts';

const cardOrders = '/v1/giftcards/orders';

describe('a database that went back', () => {
  it('sells nothing until it is reconciled, and then knows every purchase', async () => {
    await using stack = new AsyncDisposableStack();
    const dataDir = await folder(stack);
    const simulator = await startSimulator(
      readSettings({
        OJA_SIMULATOR_PORT: '0',
        OJA_SIMULATOR_DIR: await folder(stack),
        OJA_SIMULATOR_TIMEOUT_MS: '2000',
      }),
    );
    stack.defer(() => simulator.close());
    const clone = stack.use(await createTestDatabase());
    const start = (databaseUrl: string, role = 'all'): Promise<Gateway> =>
      startGateway({ databaseUrl, dataDir, simulatorUrl: simulator.url, settings: { OJA_ROLE: role } });

    // Before the backup: one that is final, and one that waits to be sent.
    const early = airtime({ msisdn: newNumber() });
    const waiting = airtime({ msisdn: newNumber() });
    {
      await using gateway = await start(clone.connectionString, 'api');
      assertCode(await gateway.call('POST', airtimeSync, { as: 'live', body: early }), '00');
      // No worker runs: it is not sent.
      assertCode(await gateway.call('POST', airtimeAsync, { as: 'live', body: waiting }), '02');
      await gateway.stop();
    }
    const backup = await copyOf(clone.connectionString, stack);

    // Purchases after it, which will be lost.
    const lostAirtime = airtime({ msisdn: newNumber() });
    const lostBill = electricity({ msisdn: newMeter() });
    const lostCard = { plan_id: 300008, request_id: `card-${process.pid}`, quantity: 2 };
    let token: string;
    {
      await using gateway = await start(clone.connectionString);
      assertCode(await gateway.call('POST', airtimeSync, { as: 'live', body: lostAirtime }), '00');
      const paid = await gateway.call('POST', anyProduct, { as: 'live', body: lostBill });
      assertCode(paid, '00');
      token = paid.body.data.token;
      assertCode(await gateway.call('POST', cardOrders, { as: 'live', body: lostCard }), '00');
      await eventually('it is delivered', async () =>
        (await statusOf(gateway, waiting.request_ref, 'live')).body.code === '00' ? true : undefined,
      );
      await gateway.stop();
    }

    await using gateway = await start(backup);
    const health = await gateway.call('GET', '/v1/healthz', { as: 'nobody' });
    assert.match(health.body.checks.restore_lock, /^up\b/);
    // Keys may have been revoked in the lost time, so they wait until a person confirms them.
    const unconfirmed = await statusOf(gateway, early.request_ref, 'live');
    assert.deepEqual([unconfirmed.status, unconfirmed.body.reason], [403, 'credential_unconfirmed']);
    const settings = {
      DATABASE_URL: backup,
      OJA_DATA_DIR: dataDir,
      OJA_PROFILE: 'demo',
      OJA_SIMULATOR_URL: simulator.url,
    };
    const confirmed = await runOja(settings, ['credential', 'confirm', '--all', '--yes']);
    assert.equal(confirmed.code, 0, confirmed.err);
    await eventually('the gateway reads the confirmation', async () =>
      (await statusOf(gateway, early.request_ref, 'live')).status === 403 ? undefined : true,
    );
    // Known purchases are answered; unknown ones are not.
    assertCode(await statusOf(gateway, early.request_ref, 'live'), '00');
    assert.equal((await gateway.call('POST', airtimeSync, { as: 'live', body: early })).status, 422);
    for (const answer of [
      await statusOf(gateway, lostAirtime.request_ref, 'live'),
      await gateway.call('POST', airtimeSync, { as: 'live', body: lostAirtime }),
      await gateway.call('POST', airtimeAsync, { as: 'live', body: airtime({ msisdn: newNumber() }) }),
      await gateway.call('POST', anyProduct, { as: 'live', body: lostBill }),
      await gateway.call('POST', cardOrders, { as: 'live', body: lostCard }),
      await gateway.call('GET', `${cardOrders}/${lostCard.request_id}`, { as: 'live' }),
    ]) {
      assert.equal(answer.status, 503, answer.text);
      assert.equal(answer.headers['retry-after'], '30');
    }
    assertCode(await gateway.call('POST', airtimeSync, { body: airtime({ msisdn: newNumber() }) }), '00');

    // Without VTpass's statement the reconciliation is incomplete, so the lock stays.
    const refused = await runOja(settings, ['restore', 'open', '--yes']);
    assert.deepEqual([refused.code, refused.refused], [1, 'restore_incomplete']);
    assert.match(refused.err, /\bvtpass\b/);

    const file = join(dataDir, 'vtpass.csv');
    const csv = await (await fetch(`${simulator.url}/statements/vtpass.csv`)).text();
    // Another system buys with the same account.
    const at = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    const strangers = `99,${at},strangers-1,9,Airtime Recharge,MTN Airtime VTU,08030000001,100.00,3.00,97.00,,delivered\r\n`;
    await writeFile(file, csv.replace('Closing Balance', `${strangers}Closing Balance`));
    const before = await counts(gateway);
    await reconcile(settings, 'vtpass', file);
    assert.deepEqual(await counts(gateway), before);
    assert.deepEqual((await missing(settings)).includes('vtpass'), true);
    // It was downloaded with the day before as its start.
    const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString();
    const wholeFile = ['vtpass', file, '--from', day(1), '--to', day(0)];
    await reconcile(settings, ...wholeFile, '--apply');
    for (const provider of await missing(settings)) await reconcile(settings, provider, '--apply');
    assert.deepEqual(await missing(settings), []);
    const found = await runOja(settings, ['finding', 'list', '--json']);
    assert.deepEqual(verdictsOf(JSON.parse(found.out)), [
      'attempt airtime',
      'entered GIFTCARD',
      'entered airtime',
      'entered null',
      'open airtime',
    ]);
    const unopened = await runOja(settings, ['restore', 'open', '--yes']);
    assert.equal(unopened.refused, 'restore_incomplete');
    const dismiss = ['finding', 'dismiss', 'vtpass', 'strangers-1', '--yes'];
    const dismissed = await runOja(settings, [...dismiss, '--reason', 'of our old system']);
    assert.equal(dismissed.code, 0, dismissed.err);

    const opened = await runOja(settings, ['restore', 'open']);
    assert.equal(opened.code, 0, opened.err);
    await eventually('it is open', async () => {
      const { body } = await gateway.call('GET', '/v1/healthz', { as: 'nobody' });
      return body.checks.restore_lock === 'ok' ? true : undefined;
    });
    // The same references are found again, with their goods.
    const bill = await eventually('it is final', async () => {
      const answer = await statusOf(gateway, lostBill.request_ref, 'live');
      return answer.body.code === '00' ? answer : undefined;
    });
    assert.equal(bill.body.payload.token, token);
    for (const [path, body] of [
      [airtimeSync, lostAirtime],
      [anyProduct, lostBill],
      [cardOrders, lostCard],
      [airtimeAsync, waiting],
    ] as const) {
      await eventually('it is final', async () => {
        const answer = await gateway.call('POST', path, { as: 'live', body });
        assert.equal(answer.status, 422, answer.text);
        return answer.body.data.status === 'pending' ? undefined : answer;
      });
      const answer = await gateway.call('POST', path, { as: 'live', body });
      assert.equal(answer.body.data.status, 'success', answer.text);
    }
    for (const { msisdn } of [early, waiting, lostAirtime, lostBill]) {
      assert.equal((await deliveriesTo(gateway, msisdn)).length, 1, String(msisdn));
    }
    const fresh = airtime({ msisdn: newNumber() });
    assertCode(await gateway.call('POST', airtimeSync, { as: 'live', body: fresh }), '00');
    await assertAudited(gateway.database);
  });
});

function assertCode(answer: Answer, code: string): void {
  assert.deepEqual([answer.status, answer.body.response_code ?? answer.body.code], [200, code], answer.text);
}

type Found = {
  readonly data: readonly {
    readonly verdict: string;
    readonly listed: { readonly product: string | null };
  }[];
};

function verdictsOf({ data }: Found): readonly string[] {
  return data.map(({ verdict, listed }) => `${verdict} ${listed.product}`).toSorted();
}

async function reconcile(settings: Readonly<Record<string, string>>, ...args: string[]): Promise<void> {
  const ran = await runOja(settings, ['reconcile', ...args, '--json']);
  assert.equal(ran.code, 0, ran.err);
}

/** The providers whose lists are needed to remove the restore lock. */
async function missing(settings: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { out, err } = await runOja(settings, ['restore', 'status', '--json']);
  assert.ok(out.startsWith('{'), err);
  const { providers } = JSON.parse(out).data as {
    providers: readonly { readonly provider: string; readonly gaps: readonly object[] }[];
  };
  return providers.filter(({ gaps }) => gaps.length > 0).map(({ provider }) => provider);
}

async function counts(gateway: Gateway): Promise<unknown> {
  return await gateway.database.query(
    `select
       (select count(*) from purchases where environment = 'live') as purchases,
       (select count(*) from attempts) as attempts,
       (select count(*) from audit_log where action <> 'reconciliation.run') as entries`,
  );
}
