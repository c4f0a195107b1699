/**
 * A lower floor of a live wallet is money that may be spent: by more than a correction may be, it
 * waits for a second person.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operationNamed } from '../../../src/backoffice/operations/registry.ts';
import { runOperation } from '../../../src/backoffice/operations/run-operation.ts';
import { newId } from '../../../src/core/ids.ts';
import { setFloor } from '../../../src/wallet/operations/set-floor.ts';
import { type Admin, startAdmin, systemUser } from '../../backoffice/admin/harness.ts';
import { operator, runOja } from '../../cli/harness.ts';
import { until } from '../../support/until.ts';

let admin: Admin;
let ada: string;
let bob: string;
let shops = 0;

before(async () => {
  admin = await startAdmin();
  ada = await admin.tokenFor('finance', 'ada');
  bob = await admin.tokenFor('finance', 'bob');
});
after(() => admin[Symbol.asyncDispose]());

/** A merchant whose wallets have nothing, and floors of 0. Corrections are limited to 1,000,000. */
async function openShop(): Promise<string> {
  shops += 1;
  const code = `SHOP${shops}`;
  await admin.run('merchant.create', { code, name: code });
  return code;
}

const floorTo = (shop: string, floor: string, environment = 'live', token = ada) =>
  admin.call('PUT', `/merchants/${shop}/wallet/floor`, { token, body: { floor, environment } });

async function floorOf(shop: string, environment = 'live'): Promise<string> {
  const { data } = await admin.run('wallet.show', { merchant: shop });
  return data.find((row: { environment: string }) => row.environment === environment).floor;
}

const approve = (approval: string, token: string) =>
  admin.call('POST', `/approvals/${approval}/approve`, { token, body: {} });

describe('a floor that is lowered by more than a correction may be', () => {
  it('waits for a second person, is set as requested, and names both', async () => {
    const shop = await openShop();
    const asked = await floorTo(shop, '-1000000.01');
    assert.equal(asked.status, 202, JSON.stringify(asked.body));
    assert.equal(await floorOf(shop), '0.00');
    const { id, input, asked_by: by } = asked.body.data.approval;
    assert.deepEqual(
      [input, by],
      [{ merchant: shop, floor: '-1000000.01', environment: 'live', currency: 'NGN' }, 'ada'],
    );
    const own = await approve(id, ada);
    assert.deepEqual([own.status, await floorOf(shop)], [403, '0.00']);
    const done = await approve(id, bob);
    assert.deepEqual([done.status, done.body.data.output.floor], [200, '-1000000.01']);
    assert.equal(await floorOf(shop), '-1000000.01');
    const entries = await admin.database.query<{ actor: string; after: Record<string, unknown> }>(
      "select actor, after from audit_log where action = 'wallet.set_floor' and subject = 'merchant:' || $1",
      [shop],
    );
    assert.deepEqual(
      entries.map(({ actor, after: { floor, approved_by: second } }) => [actor, floor, second]),
      [['ada', '-1000000.01', 'bob']],
    );
  });

  it('measures from the current floor: within the limit, or higher, it is set at once', async () => {
    const shop = await openShop();
    for (const [floor, status] of [
      ['-1000000', 200],
      ['-2000000.01', 202],
      ['-2000000', 200],
      ['-2000000', 200],
      ['0', 200],
      ['-2000000', 202],
      ['-1000000.01', 202],
    ] as const) {
      const before = await floorOf(shop);
      // The reductions of one person in a day are added up (gifts.test.ts).
      const answer = await floorTo(shop, floor, 'live', await admin.tokenFor('finance', newId()));
      assert.equal(answer.status, status, `${before} to ${floor}: ${JSON.stringify(answer.body)}`);
      assert.equal(Number(await floorOf(shop)), status === 200 ? Number(floor) : Number(before));
    }
  });

  it('requires no approval for test money, or without a limit', async () => {
    const shop = await openShop();
    assert.equal((await floorTo(shop, '-9000000', 'test')).status, 200);
    assert.equal(await floorOf(shop, 'test'), '-9000000.00');
    const services = { ...admin.services, approvalLimits: { correction: undefined } };
    const input = { merchant: shop, floor: '-9000000' };
    const ran = await runOperation(services, operationNamed('wallet.set_floor'), input, systemUser);
    assert.deepEqual([ran.approval, await floorOf(shop)], [undefined, '-9000000.00']);
  });

  it('refuses an invalid floor at once, without a request', async () => {
    const waiting = async (): Promise<number> => (await admin.run('approval.list', {})).data.length;
    const count = await waiting();
    assert.equal((await floorTo('NOBODY', '-2000000')).status, 404);
    const viewer = await admin.tokenFor('viewer', 'eve');
    assert.equal((await floorTo(await openShop(), '-2000000', 'live', viewer)).status, 403);
    assert.equal(await waiting(), count);
  });

  it('compares with the floor that it replaces, even during another change', async () => {
    const shop = await openShop();
    assert.equal((await floorTo(shop, '-1000000')).status, 200);
    const change = { merchantCode: shop, environment: 'live', currency: 'NGN', floor: 0n } as const;
    let asked: ReturnType<typeof floorTo> | undefined;
    await admin.database.transaction(async (tx) => {
      await setFloor(tx, change, 'bob');
      // Half a million below the present floor, and more than the limit below the future one.
      asked = floorTo(shop, '-1500000');
      await until('it waits for the other change', async () => {
        const [row] = await admin.database.query<{ waiting: boolean }>(
          `select exists (
             select from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'
           ) as waiting`,
        );
        return row?.waiting === true;
      });
    });
    assert.equal((await asked)?.status, 202);
    assert.equal(await floorOf(shop), '0.00');
  });

  it('reports to the requester on the command line', async () => {
    await using cli = await operator();
    await cli.json('merchant', 'create', 'SHOP', 'Shop');
    const settings = { ...cli.settings, OJA_CORRECTION_LIMIT: '100' };
    const small = await runOja(settings, ['merchant', 'floor', 'SHOP', '-100', '--json']);
    assert.deepEqual(JSON.parse(small.out).data.floor, '-100.00');
    const large = await runOja(settings, ['merchant', 'floor', 'SHOP', '-201']);
    assert.equal(large.code, 0, large.err);
    const [waiting] = await cli.json('approval', 'list');
    assert.ok(large.out.includes(`./oja approval approve ${waiting.id}`), large.out);
  });
});
