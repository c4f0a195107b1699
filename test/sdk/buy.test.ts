/** How the client buys when answers are lost, refused or not the gateway's. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AuthenticationError,
  ConnectionError,
  DuplicateReferenceError,
  InvalidRequestError,
  OutcomeUnknownError,
  PermissionError,
  RateLimitError,
  UnavailableError,
  UnexpectedAnswerError,
} from '../../sdk/src/index.ts';
import {
  created,
  order,
  page,
  refused,
  type Scripted,
  type Step,
  scripted,
  soon,
  stored,
} from './scripted.ts';

const one = { ...order, request_ref: 'one' };

function buy({ oja }: Scripted, options = {}): Promise<{ status: string; data: { request_id: string } }> {
  return oja.airtime.buySync(one, options);
}

function sendsOf({ asked }: Scripted): number {
  return asked.filter(({ method }) => method === 'POST').length;
}

const asking = '/v1/transactions/status?request_ref=one';

describe('a purchase', { concurrency: true }, () => {
  it('sends a purchase once, with the merchant of the client', async () => {
    const gateway = scripted([created('one')]);
    assert.equal((await buy(gateway)).status, 'success');
    assert.deepEqual(gateway.asked, [
      { method: 'POST', path: '/v1/transactions/airtime/sync', body: { merchant: 'DEMO', ...one } },
    ]);
  });

  it('makes a reference that every repetition keeps', async () => {
    const gateway = scripted([
      refused(503, {}, soon),
      refused(429, {}, soon),
      ({ body }) => created(String(body?.request_ref)),
    ]);
    await gateway.oja.data.buyAsync({ ...order, plan_code: 'MTN-1' });
    const references = new Set(gateway.asked.map(({ body }) => body?.request_ref));
    assert.equal(references.size, 1);
    assert.match(
      String([...references][0]),
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('accepts the other names of the API in place of the fields that it fills in', async () => {
    const gateway = scripted([created('mine')]);
    const { request_ref: _, ...rest } = one;
    const sent = { ...rest, client_request_id: 'mine', merchant_code: 'OTHER' };
    await gateway.oja.airtime.buySync(sent);
    const body = gateway.asked[0]?.body;
    assert.deepEqual([body?.request_ref, body?.merchant], ['mine', 'OTHER']);
    assert.ok(body !== undefined && !('client_request_id' in body) && !('merchant_code' in body));
  });

  it('verifies by a legacy service_id', async () => {
    const gateway = scripted([new Response('{"state":"ok","result":{}}')]);
    const meter = { product: 'ELECTRICITY', network: 'Ikeja Electric', msisdn: '10000000001' } as const;
    await gateway.oja.purchases.verify({ ...meter, service_id: 'ikeja-electric-prepaid' });
    assert.equal(gateway.asked[0]?.body?.service_id, 'ikeja-electric-prepaid');
  });

  for (const [name, lost] of [
    ['a lost answer', () => 'cut'],
    ['a 500', () => refused(500)],
    ['the page of a proxy', () => page(502)],
    ['a 503 that is not the gateway’s', () => page(503)],
    ['half an answer', () => new Response('{"status":"succ')],
    ['an answer about another purchase', () => created('two')],
  ] as const satisfies readonly (readonly [string, () => Step])[]) {
    it(`queries after ${name}, and does not send again when it exists`, async () => {
      const gateway = scripted([lost(), stored('one', 'pending')]);
      const answer = await buy(gateway);
      assert.deepEqual([answer.status, answer.data.request_id], ['pending', 'one']);
      assert.deepEqual(
        gateway.asked.map(({ method, path }) => `${method} ${path}`),
        ['POST /v1/transactions/airtime/sync', `GET ${asking}`],
      );
    });
  }

  it('sends again under its reference when the gateway does not find it', async () => {
    const gateway = scripted(['cut', refused(404), created('one')]);
    assert.equal((await buy(gateway)).status, 'success');
    assert.deepEqual(gateway.asked[0], gateway.asked[2]);
  });

  it('sends again after a 502 of the gateway, which stored nothing', async () => {
    const gateway = scripted([refused(502, {}, soon), created('one')]);
    assert.equal((await buy(gateway)).status, 'success');
    gateway.assertDone();
  });

  it('accepts a used reference that it created itself, unless the purchase differs', async () => {
    const taken: Step = ({ body }) => refused(422, { data: { request_id: body?.request_ref } });
    const told: Step = ({ path }) =>
      stored(new URL(path, 'http://x').searchParams.get('request_ref') ?? '', 'success');
    const gateway = scripted([taken, told]);
    const { status, data } = await gateway.oja.airtime.buySync(order);
    assert.deepEqual([status, data.request_id], ['success', gateway.asked[0]?.body?.request_ref]);
    const another = scripted([refused(422, { data: { request_id: 'x', differs: true } })]);
    await assert.rejects(another.oja.airtime.buySync(order), { differs: true });
  });

  it('refuses a value that cannot be written as JSON before it sends', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const extra of [{ amount: 100n }, { extra: cycle }]) {
      const gateway = scripted([]);
      const odd = { ...one, ...extra } as typeof one;
      await assert.rejects(gateway.oja.airtime.buySync(odd), InvalidRequestError);
    }
  });

  it('does not buy twice when the first request arrives late', async () => {
    const late = refused(422, { data: { request_id: 'one', status: 'success' } });
    const gateway = scripted(['cut', refused(404), late, stored('one')]);
    assert.equal((await buy(gateway)).status, 'success');
    assert.equal(sendsOf(gateway), 2);
  });

  it('does not send again on the answer of a proxy, or behind a restore lock', async () => {
    const gateway = scripted([
      'cut',
      page(404),
      refused(503, {}, soon),
      refused(429, {}, soon),
      stored('one'),
    ]);
    assert.equal((await buy(gateway)).status, 'success');
    assert.equal(sendsOf(gateway), 1);
  });

  it('reports an unknown outcome when no answer arrives', async () => {
    const gateway = scripted(['cut', 'cut', 'cut']);
    await assert.rejects(buy(gateway, { maxRetries: 1 }), (error) => {
      assert.ok(error instanceof OutcomeUnknownError);
      assert.deepEqual([error.code, error.reference], ['outcome_unknown', 'one']);
      assert.ok(error.cause instanceof ConnectionError);
      return true;
    });
    gateway.assertDone();
  });

  it('reports an unknown outcome when an unanswered request is then refused', async () => {
    for (const end of [refused(403), refused(429, {}, { 'retry-after': '3600' }), refused(400)]) {
      const gateway = scripted(['cut', refused(404), end]);
      await assert.rejects(buy(gateway), OutcomeUnknownError);
    }
    await assert.rejects(buy(scripted(['cut', refused(401)])), OutcomeUnknownError);
  });

  it('reports a refusal when nothing was stored', async () => {
    for (const [status, type] of [
      [400, InvalidRequestError],
      [401, AuthenticationError],
      [403, PermissionError],
      [422, InvalidRequestError],
    ] as const) {
      const gateway = scripted([refused(status, { errors: [{ field: 'amount', message: 'is odd' }] })]);
      await assert.rejects(buy(gateway), (error) => {
        assert.ok(error instanceof type);
        assert.deepEqual([error.status, error.reference], [status, 'one']);
        if (error instanceof InvalidRequestError) assert.equal(error.fields[0]?.field, 'amount');
        return true;
      });
      assert.equal(gateway.asked.length, 1);
    }
  });

  it('detects another purchase under its reference', async () => {
    const purchase = { request_id: 'one', status: 'failed', response_code: '01' };
    await assert.rejects(buy(scripted([refused(422, { data: purchase })])), (error) => {
      assert.ok(error instanceof DuplicateReferenceError);
      assert.deepEqual(error.purchase, purchase);
      return true;
    });
    const another = { ...purchase, differs: true, differing_fields: ['amount'] };
    const after = scripted(['cut', refused(404), refused(422, { data: another })]);
    await assert.rejects(buy(after), {
      code: 'duplicate_reference',
      differs: true,
      differingFields: ['amount'],
    });
    for (const other of [{ amount: '900.00' }, { msisdn: '08030000000' }]) {
      const gateway = scripted(['cut', stored('one', 'success', other)]);
      await assert.rejects(buy(gateway), DuplicateReferenceError);
    }
    const spelt = scripted(['cut', stored('one', 'success', { msisdn: '2348031234567' })]);
    assert.equal((await buy(spelt)).status, 'success');
    const masked = scripted(['cut', stored('one', 'success', { msisdn: '0803*******' })]);
    assert.equal((await buy(masked)).status, 'success');
  });

  it('finds its purchase by the other name of the customer too', async () => {
    const { msisdn: customer_msisdn, ...rest } = one;
    const sent = { ...rest, customer_msisdn } as never;
    const same = scripted(['cut', stored('one', 'success')]);
    assert.equal((await same.oja.airtime.buySync(sent)).status, 'success');
    const other = scripted(['cut', stored('one', 'success', { msisdn: '08030000000' })]);
    await assert.rejects(other.oja.airtime.buySync(sent), DuplicateReferenceError);
  });

  it('ends with the gateway’s error when it stays busy', async () => {
    const busy = scripted([refused(503, {}, soon), refused(503, {}, soon)]);
    await assert.rejects(buy(busy, { maxRetries: 1 }), UnavailableError);
    const limited = scripted([refused(429, {}, { 'retry-after': '3600' })]);
    await assert.rejects(buy(limited), (error) => {
      assert.ok(error instanceof RateLimitError);
      assert.equal(error.retryAfterMs, 3_600_000);
      return true;
    });
  });

  it('waits at least as long as Retry-After requests', async () => {
    const gateway = scripted([refused(503, {}, { 'retry-after': '1' }), created('one')]);
    const startedAt = performance.now();
    await buy(gateway);
    const waited = performance.now() - startedAt;
    assert.ok(waited >= 995, `${waited} ms`);
  });

  it('follows no redirect', async () => {
    const gateway = scripted([
      new Response(null, { status: 307, headers: { location: 'https://evil.example' } }),
    ]);
    await assert.rejects(buy(gateway), UnexpectedAnswerError);
    assert.equal(gateway.asked.length, 1);
  });

  it('does not send when aborted before, and is unknown when aborted after', async () => {
    const none = scripted([]);
    await assert.rejects(buy(none, { signal: AbortSignal.abort(new Error('enough')) }), /^Error: enough$/);
    const ended = new AbortController();
    const hanging = scripted([
      async () => {
        ended.abort(new Error('enough'));
        return created('one');
      },
    ]);
    const outcome = await buy(hanging, { signal: ended.signal }).catch((error: unknown) => error);
    // The answer came all the same, or it is unknown.
    assert.ok(outcome instanceof OutcomeUnknownError || (outcome as { status: string }).status === 'success');
    const waiting = new AbortController();
    const busy = scripted([refused(503, {}, { 'retry-after': '30' })]);
    setTimeout(() => waiting.abort(new Error('enough')), 50);
    await assert.rejects(buy(busy, { signal: waiting.signal }), (error) => {
      assert.ok(error instanceof OutcomeUnknownError);
      assert.match(String(error.cause), /enough/);
      return true;
    });
  });
});

describe('an order', { concurrency: true }, () => {
  const data = {
    request_id: 'order-1',
    product: 'GIFTCARD',
    internal_reference: '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10',
    plan: '7',
  };
  const known = (): Response =>
    Response.json({ status: 'pending', response_code: '02', response_message: 'told', data });

  it('queries an order by its own lookup', async () => {
    const gateway = scripted(['cut', known()]);
    const answer = await gateway.oja.giftCards.order({ plan_id: 7, request_id: 'order-1' });
    assert.equal(answer.data.request_id, 'order-1');
    assert.equal(gateway.asked[1]?.path, '/v1/giftcards/orders/order-1');
  });

  it('detects another purchase under its reference', async () => {
    const gateway = scripted(['cut', known()]);
    await assert.rejects(
      gateway.oja.giftCards.order({ plan_id: 8, request_id: 'order-1' }),
      DuplicateReferenceError,
    );
  });

  it('queries an order of an eSIM with a voucher as an eSIM', async () => {
    const esim = {
      status: 'success',
      response_code: '00',
      response_message: 'told',
      data: { ...data, plan: 'NG-1' },
    };
    const gateway = scripted(['cut', Response.json(esim), 'cut', Response.json(esim)]);
    await gateway.oja.esims.order({ plan_id: 'NG-1', request_id: 'order-1' });
    await gateway.oja.vouchers.redeem({ code: 'C', product: 'ESIM', plan: 'ng-1', request_id: 'order-1' });
    assert.deepEqual(
      [gateway.asked[1]?.path, gateway.asked[3]?.path],
      Array(2).fill('/v1/esim/orders/order-1'),
    );
  });

  it('refuses an order with an invalid path segment before it sends', async () => {
    const gateway = scripted([]);
    for (const request_id of ['', '.', '..']) {
      await assert.rejects(gateway.oja.esims.order({ plan_id: 'NG-1', request_id }), InvalidRequestError);
    }
  });
});
