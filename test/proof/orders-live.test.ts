/**
 * Live orders of gift cards through the real connector: delivered, late, failed, lost, refused;
 * bought once, and charged to the kobo or not at all.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { attemptsOf } from '../e2e/bills.ts';
import {
  assertRefused,
  eventually,
  newReference,
  openGatewayUnderTest,
  putOffQuestions,
} from '../e2e/gateway-under-test.ts';
import { attemptCount, cardOrders, deliveriesOf, kobo, naira, openCounter } from '../e2e/goods.ts';
import { misbehave, release } from '../e2e/provider.ts';
import { compareBooks, readBooks, readLivePurchases } from '../support/books.ts';
import type { Answer } from '../support/gateway.ts';
import { freePort, spawnSimulator } from '../support/processes.ts';

// Own gateways: providers are paused, and one simulator is killed.
const gateway = await openGatewayUnderTest();
/** Does not wait for late cards, and waits longer for an order than a busy machine needs. */
const hasty = await openGatewayUnderTest({
  settings: { OJA_TIME_SCALE: '0.5', OJA_SYNC_DEADLINE_S: '10', OJA_NOT_FOUND_GRACE_S: '120' },
});

const folder = await mkdtemp(join(tmpdir(), 'oja-orders-'));
const simulator = await spawnSimulator({ port: await freePort(), dir: folder });
const lonely = await openGatewayUnderTest({ simulatorUrl: simulator.url });
after(async () => {
  await simulator[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Plans of the demo catalog, each of another product at Reloadly, which sets the simulator's
 * behaviour.
 */
const plans = {
  success: [300008, '121'],
  late: [300022, '156'],
  hasty: [300033, '191'],
  pending: [300044, '219'],
  failing: [300056, '254'],
  lost: [300068, '289'],
  once: [300077, '324'],
  unsold: [300011, '128'],
  unreleased: [300024, '163'],
  unasked: [300047, '226'],
  poor: [300059, '261'],
  refused: [300070, '296'],
  forgotten: [300085, '352'],
  pendingAway: [300123, '499'],
} as const;

async function quoteOf(planId: number): Promise<string> {
  const quote = await gateway.call('GET', `/v1/giftcards/plans/${planId}/quote`, { as: 'live' });
  assert.equal(quote.status, 200, quote.text);
  return quote.body.data.ngn_price;
}

function assertCode(answer: Answer, code: string): void {
  assert.deepEqual([answer.status, answer.body.response_code], [200, code], answer.text);
  assert.equal('cards' in answer.body.data, code === '00', answer.text);
}

function assertCards(answer: Answer, count: number): void {
  assertCode(answer, '00');
  const cards: Record<string, string>[] = answer.body.data.cards;
  assert.equal(cards.length, count);
  assert.equal(new Set(cards.map((card) => card.card_number)).size, count);
  assert.match(answer.body.data.reference_code, /^\d+$/);
}

describe('a live order of gift cards', { concurrency: true }, () => {
  it('returns as many cards as were ordered, for the quote times the quantity', async () => {
    const counter = await openCounter(gateway, cardOrders);
    const [plan_id] = plans.success;
    const answer = await counter.order({ plan_id, quantity: 3 });
    assertCards(answer, 3);
    assert.equal(answer.body.data.amount, naira(3n * kobo(await quoteOf(plan_id))));
    await counter.assertSpent(answer.body.data.amount);
    assert.equal(await deliveriesOf(gateway, answer), 1);
    assert.deepEqual((await counter.look(answer.body.data.request_id)).body, answer.body);
    for (const { card_number } of answer.body.data.cards) assert.ok(!gateway.output().includes(card_number));
  });

  it('an order with late cards is pending until they arrive', async () => {
    const counter = await openCounter(gateway, cardOrders);
    const [plan_id, recipient] = plans.late;
    await misbehave(gateway, { fault: 'pending_fulfilments', recipient, fulfilment_ms: 600_000 });
    const answer = await counter.order({ plan_id, quantity: 2 });
    assertCode(answer, '02');
    await counter.assertHeld(answer.body.data.amount);
    await release(gateway, recipient);
    assertCards(await counter.final(answer.body.data.request_id), 2);
    await counter.assertSpent(answer.body.data.amount);
    assert.equal(await deliveriesOf(gateway, answer), 1);
  });

  it('makes an order with very late cards a success without them, and adds them later', async () => {
    const counter = await openCounter(hasty, cardOrders);
    const [plan_id, recipient] = plans.hasty;
    await misbehave(hasty, { fault: 'pending_fulfilments', recipient, fulfilment_ms: 600_000 });
    const answer = await counter.order({ plan_id });
    assert.deepEqual([answer.status, answer.body.response_code], [200, '00'], answer.text);
    assert.ok(!('cards' in answer.body.data));
    await counter.assertSpent(answer.body.data.amount);
    await release(hasty, recipient);
    const complete = await eventually('the cards are there', async () => {
      const found = await counter.look(answer.body.data.request_id);
      assert.equal(found.body.response_code, '00', found.text);
      return 'cards' in found.body.data ? found : undefined;
    });
    assertCards(complete, 1);
    await counter.assertSpent(answer.body.data.amount);
    assert.equal(await deliveriesOf(hasty, answer), 1);
  });

  it('a pending order holds the money, and succeeds with its cards when the provider reports it', async () => {
    const counter = await openCounter(gateway, cardOrders);
    const [plan_id, recipient] = plans.pending;
    await misbehave(gateway, { fault: 'pending_then_success', recipient, settle_ms: 600_000 });
    const answer = await counter.order({ plan_id });
    assertCode(answer, '02');
    assertCode(await counter.look(answer.body.data.request_id), '02');
    await counter.assertHeld(answer.body.data.amount);
    assert.equal(await deliveriesOf(gateway, answer), 0);
    // The background does not query: a status request of the merchant triggers the query.
    await putOffQuestions(gateway, answer.body.data.internal_reference);
    await release(gateway, recipient);
    assertCards(await counter.final(answer.body.data.request_id), 1);
    await counter.assertSpent(answer.body.data.amount);
    assert.equal(await deliveriesOf(gateway, answer), 1);
  });

  it('returns all of the money of a pending order that fails', async () => {
    const counter = await openCounter(gateway, cardOrders);
    const [plan_id, recipient] = plans.failing;
    await misbehave(gateway, { fault: 'pending_then_failed', recipient, settle_ms: 600_000 });
    const answer = await counter.order({ plan_id });
    assertCode(answer, '02');
    await counter.assertHeld(answer.body.data.amount);
    await release(gateway, recipient);
    assertCode(await counter.final(answer.body.data.request_id), '01');
    await counter.assertSpent('0.00');
    assert.equal(await deliveriesOf(gateway, answer), 0);
  });

  it('queries an order whose answer was lost, and never buys it again', async () => {
    const counter = await openCounter(gateway, cardOrders);
    const [plan_id, recipient] = plans.lost;
    await misbehave(
      gateway,
      { fault: 'cut_after', recipient },
      { fault: 'slow', recipient, operation: 'requery', hold: true },
    );
    const answer = await counter.order({ plan_id, quantity: 2 });
    assertCode(answer, '02');
    const { request_id, amount } = answer.body.data;
    assertRefused(await counter.order({ request_id, plan_id, quantity: 2 }), 422, 'request_id');
    await release(gateway, recipient);
    assertCards(await counter.final(request_id), 2);
    assert.deepEqual([await attemptCount(gateway, answer), await deliveriesOf(gateway, answer)], [1, 1]);
    await counter.assertSpent(amount);
  });

  it('keeps an order that never arrived pending, while the provider may still receive it', async () => {
    const counter = await openCounter(hasty, cardOrders);
    const [plan_id, recipient] = plans.forgotten;
    await misbehave(hasty, { fault: 'cut_before', recipient });
    const answer = await counter.order({ plan_id });
    assertCode(answer, '02');
    assertCode(await counter.look(answer.body.data.request_id), '02');
    await counter.assertHeld(answer.body.data.amount);
    assert.deepEqual([await attemptCount(hasty, answer), await deliveriesOf(hasty, answer)], [1, 0]);
  });

  it('buys once when the order is sent fifty times at once', async () => {
    const counter = await openCounter(gateway, cardOrders);
    const [plan_id, recipient] = plans.once;
    await misbehave(gateway, { fault: 'slow', recipient, hold: true });
    const request_id = newReference();
    let refusals = 0;
    const sent = Promise.all(
      Array.from({ length: 50 }, async () => {
        const answer = await counter.order({ request_id, plan_id });
        if (answer.status === 422) refusals += 1;
        return answer;
      }),
    );
    await eventually('all but one are refused', () => (refusals === 49 ? true : undefined));
    await release(gateway, recipient);
    const answers = await sent;
    const [first, ...more] = answers.filter((answer) => answer.status === 200);
    assert.ok(first !== undefined && more.length === 0);
    assertCards(first, 1);
    assert.equal(answers.filter((answer) => answer.status === 422).length, 49);
    assert.deepEqual([await attemptCount(gateway, first), await deliveriesOf(gateway, first)], [1, 1]);
    await counter.assertSpent(first.body.data.amount);
  });

  it('refuses a card that is out of stock, unreleased, or of unknown availability; nothing is stored', async () => {
    const counter = await openCounter(gateway, cardOrders);
    for (const [[plan_id, recipient], fault, status, says] of [
      [plans.unsold, 'refused', 400, 'out_of_stock'],
      [plans.unreleased, 'biller_down', 400, 'preorder'],
      [plans.unasked, 'error_5xx', 502, undefined],
    ] as const) {
      await misbehave(gateway, { fault, recipient, operation: 'verify' });
      const answer = await counter.assertNothingStored({ plan_id });
      assertRefused(answer, status, status === 400 ? 'plan_id' : undefined);
      const path = `/v1/giftcards/plans/${plan_id}/availability`;
      const asked = await gateway.call('GET', path, { as: counter.shop.live });
      if (says === undefined) assertRefused(asked, 502);
      else assert.deepEqual([asked.body.data.available, asked.body.data.fulfillment], [false, says]);
    }
    await counter.assertSpent('0.00');
  });

  it('an order beyond our float, or refused by the provider, fails and costs nothing', async () => {
    const counter = await openCounter(gateway, cardOrders);
    for (const [[plan_id, recipient], fault] of [
      [plans.poor, 'float_out'],
      [plans.refused, 'biller_down'],
    ] as const) {
      await misbehave(gateway, { fault, recipient });
      const answer = await counter.order({ plan_id });
      assertCode(answer, '01');
      assert.doesNotMatch(answer.text, /reloadly|wallet|float|our /i);
      assert.deepEqual(await attemptsOf(gateway, answer.body.data.internal_reference), [
        'reloadly (first of the route) failed',
      ]);
      await counter.assertSpent('0.00');
      assert.equal(await deliveriesOf(gateway, answer), 0);
    }
  });

  it('keeps an order whose provider is away, and ends it when the provider is back', async () => {
    const counter = await openCounter(lonely, cardOrders);
    const [plan_id, recipient] = plans.pendingAway;
    await simulator.misbehave(1, [{ fault: 'pending_then_success', recipient, settle_ms: 600_000 }]);
    const answer = await counter.order({ plan_id });
    assertCode(answer, '02');
    const { request_id, amount } = answer.body.data;
    await simulator.kill();
    assertCode(await counter.look(request_id), '02');
    const [elsewhere] = plans.success;
    assertRefused(await counter.assertNothingStored({ plan_id: elsewhere }), 502);
    await counter.assertHeld(amount);
    await simulator.start();
    await release(lonely, recipient);
    assertCards(await counter.final(request_id), 1);
    await counter.assertSpent(amount);
    assert.deepEqual([await attemptCount(lonely, answer), await deliveriesOf(lonely, answer)], [1, 1]);
  });
});

describe('after all of them', () => {
  it('the provider’s books and ours agree', async () => {
    for (const one of [gateway, hasty, lonely]) {
      const wrong = compareBooks(await readBooks(one.simulatorUrl), await readLivePurchases(one.database));
      assert.deepEqual(
        wrong.filter((line) => !line.startsWith('not final')),
        [],
      );
    }
  });
});
