/**
 * A panel with every known false behaviour, and a gateway that is killed: each purchase ends as in
 * the panel's own books, none is bought twice, and an unknown outcome stays pending with its hold.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import { setRoute } from '../../src/catalog/routes/route-store.ts';
import { type Delivery, readBooks, readLivePurchases, type StoredPurchase } from '../support/books.ts';
import { until } from '../support/until.ts';
import { type Fixture, type FixtureGateway, openFixture } from './fixture.ts';

const KEY = 'simulator-panel-key';
/** At this scale, success is confirmed 2 s after the order, and equal orders wait 2 s. */
const SCALE = '0.02';
const mapping = {
  preset: 'msorg',
  networks: { MTN: '1', GLO: '2' },
  orders: {
    airtime: { trust: { confirm_after_s: 100 }, lookup: { list: { skew_s: 20 } } },
  },
};

type Rule = { readonly fault: string; readonly [detail: string]: unknown };
type Answer = { readonly status: number; readonly outcome: string | undefined };

describe('a panel that lies', () => {
  const stack = new AsyncDisposableStack();
  const rules: object[] = [];
  let fixture: Fixture;
  let gateway: FixtureGateway;
  let count = 0;

  const start = (): Promise<FixtureGateway> =>
    fixture.start({
      OJA_PANEL_URL: `${fixture.simulator.url}/panel/msorg`,
      OJA_PANEL_KEY: KEY,
      OJA_PANEL_MAPPING: JSON.stringify(mapping),
      OJA_TIME_SCALE: SCALE,
      // An order may be sent up to half of it late, also on a busy machine.
      OJA_NOT_FOUND_GRACE_S: '3000',
      OJA_LOG_LEVEL: 'debug',
    });

  before(async () => {
    fixture = stack.use(await openFixture({ OJA_SIMULATOR_TIMEOUT_MS: '300' }));
    gateway = await start();
    await fixture.database.transaction(async (tx) => {
      const airtime = { environment: 'live', product: 'airtime' } as const;
      await setRoute(tx, { ...airtime, network: 'MTN', providers: ['panel'] });
      await setRoute(tx, { ...airtime, network: 'GLO', providers: ['panel', 'vtpass'] });
    });
    await until('the route is known', async () => (await buy('MTN', number(), 'sync')).status !== 200);
  });
  after(async () => {
    const { checks } = await auditPurchases(fixture.database);
    assert.deepEqual(
      checks.filter(({ ok }) => !ok),
      [],
    );
    await stack.disposeAsync();
  });

  function number(): string {
    count += 1;
    return `0803900${count.toString().padStart(4, '0')}`;
  }

  async function misbehave(recipient: string, rule: Rule): Promise<void> {
    rules.unshift({ ...rule, recipient, provider: 'panel-msorg' });
    await control('PUT', 'faults', { rules });
  }

  async function control(method: string, path: string, body: object): Promise<void> {
    const answer = await fetch(`${fixture.simulator.url}/${path}`, { method, body: JSON.stringify(body) });
    assert.ok(answer.ok, await answer.text());
  }

  async function buy(
    network: string,
    msisdn: string,
    mode: 'sync' | 'async',
    reference = `ref-${++count}`,
  ): Promise<Answer> {
    const { key, secret } = await fixture.live();
    const answer = await fetch(`${gateway.url}/v1/transactions/airtime/${mode}`, {
      method: 'POST',
      headers: { 'x-merchant-key': key, 'x-merchant-secret': secret, 'content-type': 'application/json' },
      body: JSON.stringify({ merchant: 'DEMO', msisdn, network, amount: '100', request_ref: reference }),
    });
    const { status } = (await answer.json()) as { status?: string };
    return { status: answer.status, outcome: status };
  }

  async function purchasesOf(msisdn: string): Promise<readonly StoredPurchase[]> {
    const all = await readLivePurchases(fixture.database);
    return all.filter(({ recipient }) => recipient.endsWith(msisdn.slice(-10)));
  }

  async function deliveriesOf(msisdn: string): Promise<readonly Delivery[]> {
    const all = await readBooks(fixture.simulator.url);
    return all.filter(({ recipient }) => recipient.endsWith(msisdn.slice(-10)));
  }

  /**
   * Buys with a set behaviour. Returns the outcome, and the number of deliveries in the panel's
   * books.
   */
  async function played(rule: Rule | undefined): Promise<[status: string | undefined, deliveries: number]> {
    const msisdn = number();
    if (rule !== undefined) await misbehave(msisdn, rule);
    assert.deepEqual(await buy('MTN', msisdn, 'async'), { status: 200, outcome: 'pending' });
    await until(`the purchase for ${msisdn} is final`, async () => {
      const [purchase] = await purchasesOf(msisdn);
      return purchase !== undefined && purchase.status !== 'pending';
    });
    const [purchase, ...more] = await purchasesOf(msisdn);
    assert.equal(more.length, 0);
    return [purchase?.status, (await deliveriesOf(msisdn)).length];
  }

  async function answersOf(msisdn: string): Promise<readonly string[]> {
    const [purchase] = await purchasesOf(msisdn);
    const rows = await fixture.database.query<{ code: string }>(
      'select code from provider_answers where purchase_id = $1 order by at',
      [purchase?.id],
    );
    return rows.map(({ code }) => code);
  }

  it('sends no sync purchase to a lying panel, but to the next provider of the route', async () => {
    const msisdn = number();
    assert.equal((await buy('GLO', msisdn, 'sync')).outcome, 'success');
    assert.deepEqual(
      (await deliveriesOf(msisdn)).map(({ provider }) => provider),
      ['vtpass'],
    );
    assert.notEqual((await buy('MTN', number(), 'sync')).status, 200);
  });

  it('believes a success only after the time to confirm', async () => {
    const msisdn = number();
    await buy('MTN', msisdn, 'async');
    await until('it is a success', async () => (await purchasesOf(msisdn))[0]?.status === 'success');
    const codes = await answersOf(msisdn);
    assert.ok(codes.includes('provisional'), codes.join());
    assert.equal(codes.at(-1), 'successful');
    assert.equal((await deliveriesOf(msisdn)).length, 1);
  });

  for (const [what, rule, expected] of [
    ['calls refused airtime successful', { fault: 'refused', settle_ms: 300 }, ['failed', 0]],
    ['cuts the line after delivery', { fault: 'cut_after' }, ['success', 1]],
    ['answers a page after delivery', { fault: 'html_page', delivered: true }, ['success', 1]],
    ['answers 200 with an error after delivery', { fault: 'odd_reply', delivered: true }, ['success', 1]],
    ['writes its record late', { fault: 'late_visible', late_visible_ms: 1_500 }, ['success', 1]],
    ['is pending, then delivers', { fault: 'pending_then_success', settle_ms: 500 }, ['success', 1]],
    ['is pending, then fails', { fault: 'pending_then_failed', settle_ms: 500 }, ['failed', 0]],
  ] as const) {
    it(`${what}: ends the purchase in agreement with the panel's books`, async () => {
      assert.deepEqual(await played(rule), expected);
    });
  }

  it('leaves an order without a record pending, with its money held', async () => {
    const msisdn = number();
    await misbehave(msisdn, { fault: 'odd_reply' });
    await buy('MTN', msisdn, 'async');
    await until(
      'it was looked up',
      async () => (await answersOf(msisdn)).filter((code) => code === 'not_listed').length >= 4,
    );
    assert.equal((await purchasesOf(msisdn))[0]?.status, 'pending');
  });

  it('sends one of two similar orders; the other goes to the next provider', async () => {
    const msisdn = `0805${number().slice(4)}`;
    await misbehave(msisdn, { fault: 'slow', hold: true, delay_ms: 0 });
    await buy('GLO', msisdn, 'async');
    await until('the first is held', () => held(msisdn));
    await buy('GLO', msisdn, 'async');
    await until('the second is delivered', async () => (await deliveriesOf(msisdn)).length === 1);
    await control('POST', 'faults/release', { recipient: msisdn });
    await until('both are final', async () =>
      (await purchasesOf(msisdn)).every(({ status }) => status === 'success'),
    );
    const by = (await deliveriesOf(msisdn)).map(({ provider }) => provider).toSorted();
    assert.deepEqual(by, ['panel-msorg', 'vtpass']);
  });

  it('delivers once when the gateway is killed between the order and its answer', async () => {
    const msisdn = number();
    await misbehave(msisdn, { fault: 'slow', hold: true, delay_ms: 0 });
    await buy('MTN', msisdn, 'async');
    await until('the order is held', () => held(msisdn));
    gateway.kill('SIGKILL');
    await gateway.exited;
    await control('POST', 'faults/release', { recipient: msisdn });
    gateway = await start();
    await until('it is a success', async () => (await purchasesOf(msisdn))[0]?.status === 'success');
    assert.equal((await deliveriesOf(msisdn)).length, 1);
  });

  it('logs no key of the panel', () => {
    assert.ok(!gateway.output().includes(KEY));
  });

  async function held(msisdn: string): Promise<boolean> {
    const answer = await fetch(`${fixture.simulator.url}/faults`);
    const shown = (await answer.json()) as { held: Record<string, number> };
    return shown.held[msisdn.slice(-10)] !== undefined;
  }
});
