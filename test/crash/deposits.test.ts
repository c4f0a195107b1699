/**
 * A crash at each point between a customer's transfer and its credit, and between requesting an
 * account from a bank and storing it. The proof also kills repeatedly at random moments.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import type { StopPoint } from '../../src/core/failpoints.ts';
import { payInto } from '../support/bank.ts';
import { itInProof } from '../support/budget.ts';
import { freePort } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { type Fixture, openFixture } from './fixture.ts';

/** Enabled for bank funding by the demo: the merchant DEMO. */
async function call(
  fixture: Fixture,
  url: string,
  method: 'GET' | 'POST',
  path: string,
): Promise<Response | 'cut'> {
  const { key, secret } = await fixture.live();
  const body = {
    bvn: '22222222222',
    email: 'demo@example.com',
    first_name: 'Demo',
    last_name: 'Merchant',
    phone_number: '08031234567',
  };
  return await fetch(`${url}${path}`, {
    method,
    headers: { 'x-merchant-key': key, 'x-merchant-secret': secret },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  }).catch(() => 'cut' as const);
}

const fundingAccount = '/v1/wallet/funding-account';

async function accountOf(fixture: Fixture, url: string, method: 'GET' | 'POST'): Promise<string> {
  const answer = await call(fixture, url, method, fundingAccount);
  assert.ok(answer !== 'cut');
  const { result } = (await answer.json()) as { result: { account_number: string } };
  assert.match(result.account_number, /^\d{10}$/);
  return result.account_number;
}

async function posted(fixture: Fixture): Promise<bigint> {
  const [row] = await fixture.database.query<{ posted: bigint }>(
    "select posted from wallets where environment = 'live'",
  );
  return row?.posted ?? 0n;
}

async function assertInOrder(fixture: Fixture): Promise<void> {
  const { checks } = await auditPurchases(fixture.database);
  assert.deepEqual(
    checks.filter((check) => !check.ok),
    [],
  );
}

/** Short enough that claims of a dead process are due again at once. */
async function endLeases(fixture: Fixture): Promise<void> {
  await fixture.database.query('update bank_notices set due_at = now() where due_at is not null');
  await fixture.database.query('update funding_accounts set due_at = now() where due_at is not null');
}

describe('a crash between a transfer and its credit', { concurrency: 2 }, () => {
  const points: readonly StopPoint[] = ['after-notice-stored', 'after-read-back', 'before-deposit-commits'];
  for (const point of points) {
    const register = point === 'after-read-back' ? itInProof : it;
    register(`${point}: credits the transfer once`, async () => {
      const port = await freePort();
      await using fixture = await openFixture({
        OJA_SIMULATOR_HOOKS_URL: `http://127.0.0.1:${port}/hooks`,
      });
      const settings = { PORT: String(port) };
      const doomed = await fixture.start({ ...settings, OJA_STOP_AT: point });
      const account = await accountOf(fixture, doomed.url, 'POST');
      // The sweep finds no payment here, so only the notice can.
      await fixture.database.query("update funding_accounts set sweep_due_at = 'infinity'");
      const before = await posted(fixture);
      await payInto(fixture.simulator.url, account, '5000');
      assert.equal((await doomed.exited).signal, 'SIGKILL');
      assert.equal(await posted(fixture), before);
      assert.deepEqual(await fixture.database.query('select 1 from deposits'), []);
      await assertInOrder(fixture);

      await endLeases(fixture);
      await fixture.start(settings);
      await until('the deposit is credited', async () => (await posted(fixture)) !== before);
      // The bank sends its notice again, because it got no answer.
      await until('the notice is settled', async () => {
        const rows = await fixture.database.query('select 1 from bank_notices where outcome is null');
        return rows.length === 0;
      });
      assert.equal((await posted(fixture)) - before, 490_000n);
      assert.equal((await fixture.database.query('select 1 from deposits')).length, 1);
      await assertInOrder(fixture);
    });
  }

  const kills = 4;
  itInProof(`credits each of many transfers once after ${kills} kills at any moment`, async () => {
    const port = await freePort();
    await using fixture = await openFixture({
      OJA_SIMULATOR_HOOKS_URL: `http://127.0.0.1:${port}/hooks`,
    });
    const settings = { PORT: String(port) };
    let gateway = await fixture.start(settings);
    const account = await accountOf(fixture, gateway.url, 'POST');
    const before = await posted(fixture);
    let paid = 0;
    for (let round = 0; round < kills; round += 1) {
      const pays = Array.from({ length: 15 }, async (_, index) => {
        await payInto(fixture.simulator.url, account, '600', { notices: index % 3 });
        paid += 1;
      });
      await Promise.all(pays);
      gateway.kill('SIGKILL');
      await gateway.exited;
      await endLeases(fixture);
      gateway = await fixture.start(settings);
    }
    const due = BigInt(paid) * 50_000n;
    await fixture.database.query('update funding_accounts set sweep_due_at = now()');
    await until('all of it is credited', async () => (await posted(fixture)) - before === due);
    assert.equal((await fixture.database.query('select 1 from deposits')).length, paid);
    await assertInOrder(fixture);
  });
});

describe('a crash between asking a bank for an account and storing it', () => {
  it('keeps the request, and finds the same account', async () => {
    await using fixture = await openFixture();
    const doomed = await fixture.start({ OJA_STOP_AT: 'after-bank-asked' });
    assert.equal(await call(fixture, doomed.url, 'POST', fundingAccount), 'cut');
    assert.equal((await doomed.exited).signal, 'SIGKILL');
    const rows = await fixture.database.query<{ status: string; tries: number }>(
      'select status, tries from funding_accounts',
    );
    assert.deepEqual(rows, [{ status: 'requested', tries: 1 }]);

    await endLeases(fixture);
    const next = await fixture.start();
    const account = await until('the account is found', async () => {
      const answer = await call(fixture, next.url, 'GET', fundingAccount);
      const body =
        answer === 'cut'
          ? undefined
          : ((await answer.json()) as { result: { account_number: string | null } });
      return body?.result.account_number ?? undefined;
    });
    assert.equal(await accountOf(fixture, next.url, 'POST'), account);
    // The bank has one account for this BVN: a second would have been refused.
    assert.equal((await fixture.database.query('select 1 from funding_accounts')).length, 1);
  });
});
