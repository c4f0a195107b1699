/**
 * Live orders of eSIMs through the real connector: pending first, then with all installation data,
 * bought once. The status request queries the provider itself.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { attemptsOf, strikesOn } from '../e2e/bills.ts';
import {
  assertRefused,
  eventually,
  newReference,
  openGatewayUnderTest,
  putOffQuestions,
} from '../e2e/gateway-under-test.ts';
import { attemptCount, type Counter, deliveriesOf, esimOrders, openCounter } from '../e2e/goods.ts';
import { misbehave, release } from '../e2e/provider.ts';
import { compareBooks, readBooks, readLivePurchases } from '../support/books.ts';
import { assertAsDocumented } from '../support/contract.ts';
import type { Answer } from '../support/gateway.ts';
import { freePort, spawnSimulator } from '../support/processes.ts';

/** An eSIM is pending until a test releases its package. */
const OJA_SIMULATOR_ALLOCATE_MS = '600000';
const ownFolder = await mkdtemp(join(tmpdir(), 'oja-esims-'));
const own = await startSimulator(
  readSettings({
    OJA_SIMULATOR_PORT: '0',
    OJA_SIMULATOR_DIR: ownFolder,
    OJA_SIMULATOR_TIMEOUT_MS: '2000',
    OJA_SIMULATOR_ALLOCATE_MS,
  }),
);
// Own gateways: one with a simulator that allocates late, and one without a simulator.
const gateway = await openGatewayUnderTest({ simulatorUrl: own.url });

const folder = await mkdtemp(join(tmpdir(), 'oja-esims-'));
const simulator = await spawnSimulator({
  port: await freePort(),
  dir: folder,
  settings: { OJA_SIMULATOR_ALLOCATE_MS },
});
const lonely = await openGatewayUnderTest({
  simulatorUrl: simulator.url,
  // An order that cannot be sent fails after half of it.
  settings: { OJA_SYNC_DEADLINE_S: '60' },
});
after(async () => {
  await own.close();
  await simulator[Symbol.asyncDispose]();
  for (const one of [ownFolder, folder]) await rm(one, { recursive: true, force: true });
});

/**
 * Plans of the demo catalog with their packages at eSIM Access, which set the simulator's
 * behaviour.
 */
const plans = {
  success: ['US-1GB-7D', 'US_1_7'],
  pictured: ['MX-5GB-30D', 'MX_5_30'],
  asked: ['US-5GB-30D', 'US_5_30'],
  failing: ['US-10GB-30D', 'US_10_30'],
  lost: ['CA-1GB-7D', 'CA_1_7'],
  once: ['CA-5GB-30D', 'CA_5_30'],
  refused: ['MX-1GB-7D', 'MX_1_7'],
  poor: ['EU-1GB-7D', 'EU-42_1_7'],
  gone: ['EU-5GB-30D', 'EU-42_5_30'],
  away: ['AS-1GB-7D', 'AS-21_1_7'],
} as const;

const installed = ['iccid', 'activation_code', 'smdp_address', 'lpa', 'redemption_instructions'];

function assertCode(answer: Answer, code: string): void {
  assert.deepEqual([answer.status, answer.body.response_code], [200, code], answer.text);
  for (const name of installed)
    assert.equal(name in answer.body.data, code === '00', `${name}: ${answer.text}`);
}

function assertEsim(answer: Answer): void {
  assertCode(answer, '00');
  const { iccid, activation_code, smdp_address, lpa, reference_code } = answer.body.data;
  assert.match(iccid, /^89\d{17}$/);
  assert.equal(lpa, `LPA:1$${smdp_address}$${activation_code}`);
  assert.match(reference_code, /^B\d+$/);
}

async function pictureOf(counter: Counter, reference: unknown): Promise<Response> {
  const url = `${esimOrders}/${reference}/qrcode`;
  const response = await fetch(`${gateway.url}${url}`, {
    headers: { 'x-merchant-key': counter.shop.live.key, 'x-merchant-secret': counter.shop.live.secret },
  });
  const { status } = response;
  const headers = Object.fromEntries(response.headers);
  const text = await response.clone().text();
  await assertAsDocumented({ method: 'GET', url, sent: undefined, status, headers, text });
  return response;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

// One after the other: the simulator's rules for queries apply only to the newest order.
describe('the status of a live eSIM', () => {
  it('queries the provider itself, without another process', async () => {
    const counter = await openCounter(gateway, esimOrders);
    const [plan_id, recipient] = plans.asked;
    await misbehave(gateway, { fault: 'slow', recipient, operation: 'requery', delay_ms: 0 });
    const answer = await counter.order({ plan_id });
    assertCode(answer, '02');
    await putOffQuestions(gateway, answer.body.data.internal_reference);
    const [before = 0] = await strikesOn(gateway, recipient);
    assertCode(await counter.look(answer.body.data.request_id), '02');
    assert.deepEqual(await strikesOn(gateway, recipient), [before + 1]);
    await release(gateway, recipient);
    assertEsim(await counter.final(answer.body.data.request_id));
  });

  it('stays pending when the provider cannot be queried', async () => {
    const counter = await openCounter(gateway, esimOrders);
    const [plan_id, recipient] = plans.success;
    await misbehave(gateway, { fault: 'html_page', recipient, operation: 'requery', times: 1 });
    const answer = await counter.order({ plan_id });
    assertCode(answer, '02');
    assertCode(await counter.look(answer.body.data.request_id), '02');
    await counter.assertHeld(answer.body.data.amount);
    await release(gateway, recipient);
    assertEsim(await counter.final(answer.body.data.request_id));
  });
});

describe('a live order of an eSIM', { concurrency: true }, () => {
  it('is pending without an activation code, then a success with all of it, at the quote', async () => {
    const counter = await openCounter(gateway, esimOrders);
    const [plan_id, recipient] = plans.success;
    const answer = await counter.order({ plan_id });
    assertCode(answer, '02');
    const { request_id, amount } = answer.body.data;
    await counter.assertHeld(amount);
    assert.equal(await deliveriesOf(gateway, answer), 0);
    const quote = await gateway.call('GET', `/v1/esim/plans/${plan_id}/quote`, { as: 'live' });
    assert.equal(amount, quote.body.data.ngn_amount);
    await release(gateway, recipient);
    const final = await counter.final(request_id);
    assertEsim(final);
    assert.deepEqual((await counter.look(request_id)).body, final.body);
    await counter.assertSpent(amount);
    assert.equal(await deliveriesOf(gateway, answer), 1);
    for (const name of ['iccid', 'activation_code', 'lpa']) {
      assert.ok(!gateway.output().includes(final.body.data[name]), `${name} in the log`);
    }
  });

  it('has a picture once it is issued, and none before or for another merchant', async () => {
    const counter = await openCounter(gateway, esimOrders);
    const other = await openCounter(gateway, esimOrders);
    const { request_id } = (await counter.order({ plan_id: plans.pictured[0] })).body.data;
    assertRefused(await counter.look(request_id, '/qrcode'), 404);
    await release(gateway, plans.pictured[1]);
    assertEsim(await counter.final(request_id));
    const picture = await pictureOf(counter, request_id);
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png']);
    const bytes = [...new Uint8Array(await picture.arrayBuffer())];
    assert.deepEqual(bytes.slice(0, 8), PNG);
    assert.ok(bytes.length > 200);
    assertRefused(await other.look(request_id, '/qrcode'), 404);
    assertRefused(await other.look(request_id), 404);
  });

  it('a cancelled eSIM fails, with all of its money back and no picture', async () => {
    const counter = await openCounter(gateway, esimOrders);
    const [plan_id, recipient] = plans.failing;
    await misbehave(gateway, { fault: 'pending_then_failed', recipient, settle_ms: 600_000 });
    const answer = await counter.order({ plan_id });
    assertCode(answer, '02');
    await counter.assertHeld(answer.body.data.amount);
    await release(gateway, recipient);
    assertCode(await counter.final(answer.body.data.request_id), '01');
    await counter.assertSpent('0.00');
    assertRefused(await counter.look(answer.body.data.request_id, '/qrcode'), 404);
    assert.equal(await deliveriesOf(gateway, answer), 0);
  });

  it('queries an eSIM whose answer was lost under its id, and never buys it again', async () => {
    const counter = await openCounter(gateway, esimOrders);
    const [plan_id, recipient] = plans.lost;
    await misbehave(gateway, { fault: 'cut_after', recipient });
    const answer = await counter.order({ plan_id });
    assertCode(answer, '02');
    const { request_id, amount } = answer.body.data;
    assertRefused(await counter.order({ request_id, plan_id }), 422, 'request_id');
    assertEsim(await counter.final(request_id));
    assert.deepEqual([await attemptCount(gateway, answer), await deliveriesOf(gateway, answer)], [1, 1]);
    await counter.assertSpent(amount);
  });

  it('buys once when the order is sent thirty times at once', async () => {
    const counter = await openCounter(gateway, esimOrders);
    const [plan_id, recipient] = plans.once;
    await misbehave(gateway, { fault: 'slow', recipient, hold: true });
    const request_id = newReference();
    let refusals = 0;
    const sent = Promise.all(
      Array.from({ length: 30 }, async () => {
        const answer = await counter.order({ request_id, plan_id });
        if (answer.status === 422) refusals += 1;
        return answer;
      }),
    );
    await eventually('all but one are refused', () => (refusals === 29 ? true : undefined));
    await release(gateway, recipient);
    const answers = await sent;
    const [first, ...more] = answers.filter((answer) => answer.status === 200);
    assert.ok(first !== undefined && more.length === 0);
    assert.equal(answers.filter((answer) => answer.status === 422).length, 29);
    assertEsim(await counter.final(request_id));
    assert.deepEqual([await attemptCount(gateway, first), await deliveriesOf(gateway, first)], [1, 1]);
    await counter.assertSpent(first.body.data.amount);
  });

  it('a refused or unavailable eSIM, or one beyond our float, fails and costs nothing', async () => {
    const counter = await openCounter(gateway, esimOrders);
    for (const [[plan_id, recipient], fault] of [
      [plans.refused, 'refused'],
      [plans.poor, 'float_out'],
      [plans.gone, 'biller_down'],
    ] as const) {
      await misbehave(gateway, { fault, recipient });
      const answer = await counter.order({ plan_id });
      assertCode(answer, '01');
      assert.doesNotMatch(answer.text, /esim ?access|wallet|float|our |balance/i);
      assert.deepEqual(await attemptsOf(gateway, answer.body.data.internal_reference), [
        'esimaccess (first of the route) failed',
      ]);
      await counter.assertSpent('0.00');
      assert.equal(await deliveriesOf(gateway, answer), 0);
    }
  });

  it('keeps an order whose provider is away, and ends it when the provider is back', async () => {
    const counter = await openCounter(lonely, esimOrders);
    const answer = await counter.order({ plan_id: plans.away[0] });
    assertCode(answer, '02');
    const { request_id, amount } = answer.body.data;
    await simulator.kill();
    assertCode(await counter.look(request_id), '02');
    await counter.assertHeld(amount);
    const unsent = await counter.order({ plan_id: plans.success[0] });
    assertCode(await counter.final(unsent.body.data.request_id), '01');
    assert.equal((await counter.look(request_id)).body.response_code, '02');
    await counter.assertHeld(amount);
    await simulator.start();
    await release(lonely, plans.away[1]);
    assertEsim(await counter.final(request_id));
    await counter.assertSpent(amount);
    assert.deepEqual([await attemptCount(lonely, answer), await deliveriesOf(lonely, answer)], [1, 1]);
    assert.equal(await deliveriesOf(lonely, unsent), 0);
  });
});

describe('after all of them', () => {
  it('the provider’s books and ours agree', async () => {
    for (const one of [gateway, lonely]) {
      assert.deepEqual(
        compareBooks(await readBooks(one.simulatorUrl), await readLivePurchases(one.database)),
        [],
      );
    }
  });
});
