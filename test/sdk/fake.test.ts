/** The gateway in memory that merchants test their programs with. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeGateway, type FakeGateway } from '../../sdk/src/fake/index.ts';
import {
  InvalidRequestError,
  NotFoundError,
  Oja,
  OutcomeUnknownError,
  UnavailableError,
  webhooks,
} from '../../sdk/src/index.ts';

const order = { network: 'mtn', amount: '100' } as const;

function open(options: { balance?: string } = {}): { fake: FakeGateway; oja: Oja } {
  const fake = createFakeGateway(options);
  return { fake, oja: new Oja(fake.options) };
}

describe('the fake gateway', { concurrency: true }, () => {
  it('delivers, refuses, and is slow by the test numbers', async () => {
    const { fake, oja } = open();
    const buy = async (msisdn: string): Promise<string> =>
      (await oja.airtime.buySync({ ...order, msisdn, request_ref: msisdn })).status;
    const numbers = [
      '08031234567',
      '08000000001',
      '08000000002',
      '2348000000003',
      '08000000004',
      '08000000005',
    ];
    const outcomes = await Promise.all(numbers.map(buy));
    assert.deepEqual(outcomes, ['success', 'failed', 'pending', 'pending', 'success', 'pending']);
    fake.settle('08000000002');
    assert.equal((await oja.purchases.status('08000000002')).state, 'success');
    fake.settle();
    const rows = await Array.fromAsync(oja.purchases.list());
    assert.deepEqual(rows.map(({ status }) => status).reverse(), [
      'success',
      'failed',
      'success',
      'failed',
      'success',
      'failed',
    ]);
    assert.equal(fake.balance(), '999700.00');
  });

  it('plays the stories of the sandbox by their digits', async () => {
    const { fake, oja } = open();
    const outcomes: string[] = [];
    for (const digits of [
      '101',
      '105',
      '110',
      '111',
      '121',
      '131',
      '210',
      '324',
      '401',
      '599',
      '120',
      '777',
    ]) {
      const request_ref = `story-${digits}`;
      const { status } = await oja.airtime.buyAsync({ ...order, msisdn: `08000000${digits}`, request_ref });
      fake.settle(request_ref);
      const { state } = await oja.purchases.status(request_ref);
      outcomes.push(`${digits} ${status} ${state}`);
    }
    assert.deepEqual(outcomes, [
      ...['101 failed failed', '105 failed failed', '110 pending success', '111 pending failed'],
      ...['121 pending failed', '131 failed failed', '210 pending success', '324 pending failed'],
      ...['401 pending success', '599 pending failed', '120 success success', '777 success success'],
    ]);
    const bill = { product: 'ELECTRICITY', network: 'EKEDC', plan_code: '2003', amount: '1000' } as const;
    const late = await oja.purchases.create({ ...bill, msisdn: '10000000140', request_ref: 'late' });
    assert.deepEqual([late.status, late.data.token], ['success', undefined]);
    fake.settle('late');
    assert.match((await oja.purchases.status('late')).payload.token ?? '', /^\d{20}$/);
    const card = await oja.giftCards.order({ plan_id: 7, request_id: 'oja-141-a' });
    assert.deepEqual([card.status, card.data.cards], ['pending', undefined]);
    fake.settle('oja-141-a');
    assert.equal((await oja.giftCards.getOrder('oja-141-a')).data.cards?.length, 1);
    for (const [digits, type] of [
      ['150', InvalidRequestError],
      ['152', UnavailableError],
    ] as const) {
      const none = oja.giftCards.order({ plan_id: 7, request_id: `oja-${digits}-a` }, { maxRetries: 0 });
      await assert.rejects(none, type);
    }
  });

  it('pays bills and orders goods', async () => {
    const { fake, oja } = open();
    const bill = { product: 'ELECTRICITY', network: 'EKEDC', plan_code: '2003', amount: '1000' } as const;
    const paid = await oja.purchases.create({ ...bill, msisdn: '10000000001' });
    assert.match(paid.data.token ?? '', /^\d{20}$/);
    assert.equal((await oja.purchases.create({ ...bill, msisdn: '4' })).status, 'failed');
    const { data } = await oja.giftCards.order({ plan_id: 7 });
    assert.equal(data.cards?.length, 1);
    assert.deepEqual((await oja.giftCards.getOrder(data.request_id)).data, data);
    fake.loseNextAnswer();
    assert.equal((await oja.esims.order({ plan_id: 'NG-1GB-7D' })).status, 'success');
    assert.equal(fake.purchases().length, 4);
  });

  it('loses requests and answers, and the client buys once', async () => {
    const { fake, oja } = open();
    fake.loseNextAnswer();
    await oja.airtime.buyAsync({ ...order, msisdn: '08031234567' });
    fake.loseNextRequest();
    await oja.airtime.buyAsync({ ...order, msisdn: '08031234567' });
    fake.refuseNext(500);
    fake.refuseNext(503);
    await oja.airtime.buyAsync({ ...order, msisdn: '08031234567' });
    assert.equal(fake.purchases().length, 3);
    fake.refuseNext(503, 7_200);
    await assert.rejects(oja.airtime.buyAsync({ ...order, msisdn: '08031234567' }), UnavailableError);
    fake.loseNextAnswer();
    fake.loseNextAnswer();
    const never = oja.airtime.buyAsync({ ...order, msisdn: '08031234567' }, { maxRetries: 0 });
    await assert.rejects(never, OutcomeUnknownError);
  });

  it('refuses what the gateway refuses', async () => {
    const { oja } = open({ balance: '150.00' });
    const first = { ...order, msisdn: '08031234567', request_ref: 'one' };
    await oja.airtime.buySync(first);
    await assert.rejects(oja.airtime.buySync(first), { code: 'duplicate_reference', differs: false });
    const other = { ...first, amount: '200' };
    await assert.rejects(oja.airtime.buySync(other), { differs: true, differingFields: ['amount'] });
    const unpaid = await oja.airtime.buySync({ ...first, request_ref: 'two' });
    assert.equal(unpaid.data.reason, 'insufficient_funds');
    const odd = { ...first, request_ref: 'three', amount: 'much' };
    await assert.rejects(oja.airtime.buySync(odd), InvalidRequestError);
    await assert.rejects(oja.purchases.status('nobody'), NotFoundError);
    await assert.rejects(oja.wallet.mtnBalance(), { status: 404, reason: 'path_unknown' });
    const { result } = await oja.wallet.balance();
    assert.equal(result.available, '50.00');
  });

  it('sends the webhook of a purchase', async () => {
    const { fake, oja } = open();
    const secret = `whsec_${btoa('0'.repeat(32))}`;
    await oja.airtime.buyAsync({ ...order, msisdn: '08000000003', request_ref: 'one' });
    await assert.rejects(fake.webhook('one', secret), { code: 'not_final' });
    fake.settle();
    const { body, headers } = await fake.webhook('one', secret);
    const event = await webhooks.unwrap(body, headers, secret);
    assert.ok(event.type === 'transaction.failed' && event.data.payload.request_id === 'one');
  });
});
