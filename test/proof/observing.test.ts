/** Health, metrics and logs: visible facts, and secrets that must not be visible. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { request } from 'undici';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  data,
  dataSync,
  eventually,
  openGatewayUnderTest,
  untilFinal,
} from '../e2e/gateway-under-test.ts';
import { misbehave, settle } from '../e2e/provider.ts';
import { openShop } from '../e2e/shop.ts';

const gateway = await openGatewayUnderTest({ settings: { OJA_LOG_LEVEL: 'trace' } });

type Sample = { readonly name: string; readonly labels: string; readonly value: number };

async function metricsText(path = ''): Promise<{ status: number; text: string; type: string }> {
  const answer = await request(`${gateway.metricsUrl}${path}`);
  return {
    status: answer.statusCode,
    text: await answer.body.text(),
    type: String(answer.headers['content-type']),
  };
}

async function samples(): Promise<Sample[]> {
  const { text } = await metricsText();
  return [...text.matchAll(/^([a-z_]+)(?:\{([^}]*)\})? ([0-9.e+-]+)$/gm)].map(([, name, labels, value]) => ({
    name: name ?? '',
    labels: labels ?? '',
    value: Number(value),
  }));
}

/** The sum of a metric over all samples with all of `labels`. */
async function metric(name: string, ...labels: readonly string[]): Promise<number> {
  return (await samples())
    .filter((one) => one.name === name && labels.every((label) => one.labels.includes(label)))
    .reduce((sum, one) => sum + one.value, 0);
}

describe('the health check', () => {
  it('reports the health of each part without credentials', async () => {
    const { status, body } = await gateway.call('GET', '/v1/healthz', { as: 'nobody' });
    assert.equal(status, 200);
    const { version, uptime_s, ...rest } = body;
    assert.equal(rest.status, 'ok');
    assert.deepEqual([...new Set(Object.values(rest.checks))], ['ok'], JSON.stringify(rest.checks));
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.ok(Number.isInteger(uptime_s) && uptime_s >= 0 && uptime_s < 600);
  });
});

describe('the metrics', () => {
  it('cover the money of the whole installation', async () => {
    const shop = await openShop(gateway);
    const labels = ['environment="live"', 'product="airtime"', 'provider="vtpass"'];
    const read = async (name: string): Promise<number> => await metric(name, ...labels);
    const [charge, cost] = [
      await read('oja_sales_charge_naira_total'),
      await read('oja_sales_cost_naira_total'),
    ];
    const body = airtime({ merchant: shop.code, amount: '200' });
    const answer = await gateway.call('POST', airtimeSync, { as: shop.live, body });
    assert.equal(answer.body.response_code, '00', answer.text);
    const isAdded = async () =>
      (await read('oja_sales_charge_naira_total')) === charge + 200 ? true : undefined;
    await eventually('it is added up', isAdded);
    const earned = 200 - ((await read('oja_sales_cost_naira_total')) - cost);
    assert.ok(earned > 0 && earned < 20, String(earned));
    assert.equal(await read('oja_sales_loss_naira_total'), 0);
  });

  it('serves metrics only on their own listener', async () => {
    assert.equal((await metricsText()).status, 200);
    assert.match((await metricsText()).type, /^text\/plain/);
    assert.equal((await gateway.call('GET', '/metrics')).status, 404);
    assert.notEqual(new URL(gateway.metricsUrl).port, new URL(gateway.url).port);
    assert.equal((await metricsText('/other')).status, 404);
  });

  it('count purchases by product, network, provider and outcome', async () => {
    const labels = ['product="airtime"', 'network="GLO"', 'environment="test"', 'provider="sandbox"'];
    const before = await metric('oja_purchases_total', ...labels, 'outcome="success"');
    await gateway.call('POST', airtimeSync, { body: airtime({ network: 'glo' }) });
    assert.equal(await metric('oja_purchases_total', ...labels, 'outcome="success"'), before + 1);
    await gateway.call('POST', airtimeSync, { body: airtime({ network: 'glo', msisdn: '08000000001' }) });
    assert.equal(await metric('oja_purchases_total', ...labels, 'outcome="failed"', 'reason="refused"'), 1);
    await gateway.call('POST', dataSync, { as: 'live', body: data() });
    assert.equal(
      await metric('oja_purchases_total', 'product="data"', 'provider="vtpass"', 'outcome="success"'),
      1,
    );
  });

  it('count each repeated reference once', async () => {
    const body = airtime({ network: 'airtel' });
    for (let time = 0; time < 3; time += 1) await gateway.call('POST', airtimeSync, { body });
    assert.equal(await metric('oja_purchases_total', 'network="AIRTEL"'), 1);
  });

  it('count purchases that a wallet could not pay', async () => {
    const shop = await openShop(gateway, { balance: 0n });
    await gateway.call('POST', airtimeSync, { as: shop.live, body: airtime({ merchant: shop.code }) });
    assert.equal(await metric('oja_wallet_floor_hits_total', 'environment="live"', 'product="airtime"'), 1);
    assert.equal(await metric('oja_purchases_total', 'reason="insufficient_funds"'), 1);
  });

  it('measure accept, provider, resolve and requests, and the sizes of batches', async () => {
    for (const stage of ['accept', 'resolve']) {
      assert.ok((await metric('oja_batch_seconds_count', `stage="${stage}"`)) > 0);
      assert.ok((await metric('oja_batch_size_count', `stage="${stage}"`)) > 0);
    }
    assert.ok(
      (await metric('oja_provider_answer_seconds_count', 'operation="purchase"', 'provider="vtpass"')) > 0,
    );
    const route = `route="${airtimeSync}"`;
    assert.ok((await metric('oja_http_request_seconds_count', route, 'status="200"')) > 0);
    await gateway.call('POST', airtimeSync, { body: '{' });
    assert.ok((await metric('oja_http_request_seconds_count', route, 'status="400"')) > 0);
  });

  it('show pending purchases by age, queue depths, floats, breakers and alarms', async () => {
    const msisdn = '08051112222';
    await misbehave(gateway, { fault: 'pending_then_success', recipient: msisdn, settle_ms: 600_000 });
    const body = airtime({ msisdn });
    await gateway.call('POST', airtimeAsync, { as: 'live', body });
    assert.equal(await metric('oja_pending_purchases', 'age="under_30s"'), 1);
    assert.equal((await samples()).filter((one) => one.name === 'oja_pending_purchases').length, 5);
    await settle(gateway, msisdn);
    await untilFinal(gateway, body.request_ref, 'live');
    assert.equal(await metric('oja_pending_purchases'), 0);
    const queues = (await samples()).filter((one) => one.name === 'oja_queue_depth');
    assert.deepEqual(queues.map((one) => one.labels).sort(), [
      'queue="accept"',
      'queue="awaited"',
      'queue="resolve"',
      'queue="sync"',
      'queue="worker"',
    ]);
    await eventually('the float is read', async () =>
      (await metric('oja_provider_float_naira', 'provider="vtpass"')) > 0 ? true : undefined,
    );
    await eventually('the float in dollars is read', async () =>
      (await metric('oja_provider_float', 'provider="esimaccess"', 'currency="USD"')) > 0 ? true : undefined,
    );
    const all = await samples();
    const inNaira = all.filter((one) => one.name === 'oja_provider_float_naira');
    assert.deepEqual(
      inNaira.map(({ labels, value }) => [`${labels},currency="NGN"`, value]),
      all
        .filter((one) => one.name === 'oja_provider_float' && one.labels.includes('NGN'))
        .map(({ labels, value }) => [labels, value]),
    );
    assert.equal(await metric('oja_open_alarms'), 0);
    assert.ok((await metric('process_resident_memory_bytes')) > 0);
  });

  it('cover every background job; a failed one is counted, and the gateway continues', async () => {
    const okAt = 'oja_job_last_success_timestamp_seconds';
    await eventually('every job has done well', async () => {
      const all = (await samples()).filter(({ name }) => name === okAt);
      return all.length >= 12 && all.every(({ value }) => value > 1_700_000_000) ? true : undefined;
    });
    for (const job of ['purchases', 'heartbeat', 'deposits', 'deliveries', 'credential-uses']) {
      assert.equal(await metric('oja_job_failures_total', `job="${job}"`), 0, job);
    }
    await gateway.database.query('alter table bank_notices rename to bank_notices_away');
    await eventually('its failures are counted', async () =>
      (await metric('oja_job_failures_total', 'job="deposits"')) > 0 ? true : undefined,
    );
    const { status, body } = await gateway.call('GET', '/v1/healthz', { as: 'nobody' });
    assert.deepEqual([status, body.status], [200, 'ok']);
    await gateway.database.query('alter table bank_notices_away rename to bank_notices');
    const failedAt = Date.now() / 1_000;
    await eventually('it does well again', async () =>
      (await metric(okAt, 'job="deposits"')) > failedAt ? true : undefined,
    );
    assert.equal(await metric('oja_job_failures_total', 'job="heartbeat"'), 0);
  });

  it('metrics contain no merchant, key, number, reference or path', async () => {
    const secret = '08067776666';
    const reference = 'a-reference-of-mine';
    await gateway.call('POST', airtimeSync, { body: airtime({ msisdn: secret, request_ref: reference }) });
    await gateway.call('GET', `/v1/transactions/status?request_ref=${reference}`);
    await gateway.call('GET', `/v1/secret-path/${secret}`);
    const { text } = await metricsText();
    const { test, live, merchant } = gateway.credentials;
    for (const word of [
      secret,
      secret.slice(1),
      reference,
      'secret-path',
      test.key,
      live.key,
      test.secret,
      merchant,
    ]) {
      assert.ok(!text.includes(word), word);
    }
    assert.ok(text.includes('route="unmatched"'));
  });
});

describe('the log', () => {
  type Line = Record<string, unknown>;

  async function lineOf(requestId: string | string[] | undefined): Promise<Line[]> {
    return await eventually('the request is logged', () => {
      const lines = gateway.log().filter((line) => line.reqId === requestId);
      return lines.length > 0 ? lines : undefined;
    });
  }

  it('writes one line for a purchase, with its request, merchant and purchase', async () => {
    const answer = await gateway.call('POST', airtimeSync, { body: airtime() });
    const [line, ...more] = await lineOf(answer.headers['x-request-id']);
    assert.deepEqual(more, []);
    const { time, ms, ...rest } = line ?? {};
    assert.deepEqual(rest, {
      level: 'info',
      reqId: answer.headers['x-request-id'],
      method: 'POST',
      route: airtimeSync,
      status: 200,
      merchant: 'DEMO',
      purchase: answer.body.data.internal_reference,
      msg: 'request',
    });
    assert.ok(Math.abs(Date.parse(String(time)) - Date.now()) < 60_000);
    assert.ok(typeof ms === 'number' && ms >= 0);
  });

  it('writes one line for every other request too, refused or not', async () => {
    for (const answer of [
      await gateway.call('POST', airtimeSync, { body: '{' }),
      await gateway.call('POST', airtimeSync, { as: 'nobody', body: airtime() }),
      await gateway.call('GET', '/nowhere'),
      await gateway.call('GET', '/v1/plans/mtn'),
      await gateway.call('GET', '/v1/plans/%ff'),
      await gateway.call('GET', '/v1/healthz', { as: 'nobody' }),
    ]) {
      const lines = await lineOf(answer.headers['x-request-id']);
      assert.equal(lines.length, 1);
      assert.equal(lines[0]?.status, answer.status);
    }
  });

  it('holds no secret, number, reference, amount or body, at the most verbose level', async () => {
    const marks = {
      number: '08067771234',
      reference: 'reference-to-look-for',
      amount: '12345.67',
      wrongSecret: 'wrong-secret-to-look-for',
      note: 'note-to-look-for',
    };
    const fields = { msisdn: marks.number, amount: marks.amount, note: marks.note };
    await misbehave(gateway, { fault: 'cut_after', recipient: marks.number });
    for (const as of ['test', 'live'] as const) {
      const body = airtime({ ...fields, request_ref: marks.reference });
      await gateway.call('POST', airtimeSync, { as, body });
      await gateway.call('POST', airtimeSync, { as, body });
      await gateway.call('POST', airtimeSync, { as, body: { ...body, amount: `${marks.amount}8` } });
      await gateway.call('POST', airtimeSync, { as, body: JSON.stringify(body).slice(0, -1) });
    }
    await gateway.call('GET', `/v1/transactions/status?request_ref=${marks.reference}`);
    await gateway.call('GET', `/v1/transactions?msisdn=${marks.number}`);
    await gateway.call('GET', '/v1/wallet/balance', {
      as: { key: gateway.credentials.test.key, secret: marks.wrongSecret },
    });
    const last = await gateway.call('GET', '/v1/healthz');
    await lineOf(last.headers['x-request-id']);
    const logged = gateway
      .log()
      .map((line) => JSON.stringify(line))
      .join('\n');
    const { test, live } = gateway.credentials;
    const words = [...Object.values(marks), marks.number.slice(1), test.secret, live.secret];
    assert.deepEqual(
      words.filter((word) => logged.includes(word)),
      [],
    );
    const named = gateway.log().filter((line) => JSON.stringify(line).includes(test.key));
    assert.ok(named.length > 0, 'a refusal names the key');
    assert.ok(named.every(({ key, reason }) => key === test.key && typeof reason === 'string'));
    assert.ok(!/request_ref|msisdn|x-merchant/i.test(logged));
    assert.ok(logged.length > 1_000);
  });
});
