/**
 * Gateways killed while they buy the rows of a batch: the next process continues the batch, and no
 * row is lost or bought twice. The books of the gateway and of the simulator are compared. The gate
 * kills between two parts of a batch, and one of two processes; the proof also kills within a
 * purchase.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StopPoint } from '../../src/core/failpoints.ts';
import { itInProof } from '../support/budget.ts';
import type { KeyPair } from '../support/gateway.ts';
import { quickSettings } from '../support/quick-settings.ts';
import { until } from '../support/until.ts';
import { type Fixture, type FixtureGateway, openFixture } from './fixture.ts';

const ROWS = 40;
const settings = quickSettings(5, { OJA_NOT_FOUND_GRACE_S: '4' });
const csv = [
  'Phone,Network,Amount',
  ...Array.from({ length: ROWS }, (_, index) => `0803123${String(1_000 + index)},MTN,100`),
].join('\n');

async function call(
  { url }: FixtureGateway,
  { key, secret }: KeyPair,
  method: string,
  path: string,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path
): Promise<any> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-merchant-key': key, 'x-merchant-secret': secret },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await answer.json()) as { data?: unknown }).data;
}

async function start(fixture: Fixture, gateway: FixtureGateway): Promise<string> {
  const live = await fixture.live();
  const { id } = await call(gateway, live, 'POST', '/v1/batches', { csv });
  // The gateway may die before it answers.
  await call(gateway, live, 'PATCH', `/v1/batches/${id}`, { state: 'running' }).catch(() => undefined);
  return id;
}

/** The lease of the dead process expires. */
async function endLease({ database }: Fixture): Promise<void> {
  await database.query('update batches set due_at = now() where due_at is not null');
}

async function assertBoughtOnce(fixture: Fixture, gateway: FixtureGateway, id: string): Promise<void> {
  const live = await fixture.live();
  await until('the batch is done', async () => {
    return (await call(gateway, live, 'GET', `/v1/batches/${id}`)).state === 'done';
  });
  const { purchases, wrong } = await fixture.settle();
  assert.deepEqual(wrong, []);
  assert.equal(purchases.length, ROWS);
  assert.equal(new Set(purchases.map(({ reference }) => reference)).size, ROWS);
  const { progress } = await call(gateway, live, 'GET', `/v1/batches/${id}`);
  assert.equal(progress.success + progress.failed, ROWS);
  assert.deepEqual([progress.waiting, progress.refused], [0, 0]);
  // The same file again buys nothing.
  assert.equal((await call(gateway, live, 'POST', '/v1/batches', { csv })).id, id);
}

describe('a crash while a batch is bought', { concurrency: 2 }, () => {
  const points: readonly (readonly [StopPoint, typeof it])[] = [
    ['after-accept', itInProof],
    ['before-batch-continues', it],
    ['after-call', itInProof],
  ];
  for (const [point, register] of points) {
    register(`${point}: the next process buys the rest, and each row once`, async () => {
      await using fixture = await openFixture();
      const doomed = await fixture.start({ ...settings, OJA_STOP_AT: point });
      const id = await start(fixture, doomed);
      assert.equal((await doomed.exited).signal, 'SIGKILL');
      await endLease(fixture);
      await assertBoughtOnce(fixture, await fixture.start(settings), id);
    });
  }

  it('two processes of which one is killed in the middle buy each row once', async () => {
    await using fixture = await openFixture();
    const doomed = await fixture.start(settings);
    const other = await fixture.start(settings);
    const id = await start(fixture, doomed);
    await until('rows are bought', async () => {
      const rows = await fixture.database.query("select from purchases where reference like 'batch-%'");
      return rows.length >= 8;
    });
    doomed.kill('SIGKILL');
    await doomed.exited;
    // Both processes may have claimed the batch, so the lease of the live one is removed too.
    await endLease(fixture);
    await assertBoughtOnce(fixture, other, id);
  });
});
