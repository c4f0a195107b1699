/** Purchases of a route with a strategy: the chosen provider, the stored reason, and failures. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { truthCounts } from '../../src/catalog/measures/measure.ts';
import { changeRoute } from '../../src/catalog/routes/operations/change-route.ts';
import type { RouteStrategy } from '../../src/catalog/routes/route-store.ts';
import { systemClock } from '../../src/core/clock.ts';
import { announceChange } from '../../src/db/change-notice-store.ts';
import { measureProviders } from '../../src/finance/measures/measure-providers.ts';
import { builtInProviders } from '../../src/providers/registry.ts';
import { runOja } from '../cli/harness.ts';
import { until } from '../support/until.ts';
import { airtime, airtimeSync, openGatewayUnderTest } from './gateway-under-test.ts';
import { openShop } from './shop.ts';

const gateway = await openGatewayUnderTest();
const { database } = gateway;
const shop = await openShop(gateway);

// biome-ignore lint/suspicious/noExplicitAny: the assertions judge its shape
async function oja(...args: string[]): Promise<any> {
  const settings = { DATABASE_URL: gateway.databaseUrl, OJA_DATA_DIR: gateway.dataDir };
  const ran = await runOja(settings, [...args, '--json']);
  assert.equal(ran.code, 0, ran.err);
  return JSON.parse(ran.out);
}

type Shown = {
  readonly id: string;
  readonly route: string;
  readonly details: { readonly choice?: Record<string, unknown> } | null;
};

async function setStrategy(strategy: RouteStrategy): Promise<void> {
  await database.transaction((tx) =>
    changeRoute(
      tx,
      builtInProviders,
      { environment: 'live', product: 'airtime', network: 'MTN', providers: ['vtpass', 'nomba'], strategy },
      'test',
      { force: true },
    ),
  );
}

async function buy(): Promise<Shown & { readonly attempted: string }> {
  const answer = await gateway.call('POST', airtimeSync, {
    as: shop.live,
    body: airtime({ merchant: shop.code }),
  });
  assert.equal(answer.status, 200, answer.text);
  const id = answer.body.data.internal_reference;
  const [row] = await database.query<Shown & { attempted: string }>(
    `select v.id, v.route, v.details, a.provider as attempted
     from purchases v
     join attempts a on a.purchase_id = v.id
     where v.id = $1
     order by a.number
     limit 1`,
    [id],
  );
  assert.ok(row);
  return row;
}

/**
 * Stores the cost of 100 naira at each provider, and how many of its orders it delivered. A fifth
 * of VTpass's orders stayed unknown for long.
 */
async function figures(of: Readonly<Record<'vtpass' | 'nomba', readonly [cost: number, delivered: number]>>) {
  for (const [provider, [cost, delivered]] of Object.entries(of)) {
    await database.query(
      `insert into known_costs (environment, product, network, provider, plan_code, currency, amount, cost, at)
       values ('live', 'airtime', 'MTN', $1, '', 'NGN', 10000, $2, 'infinity')
       on conflict (environment, product, network, provider, plan_code) do update
       set cost = excluded.cost, amount = excluded.amount, at = excluded.at`,
      [provider, cost],
    );
    await database.query(
      `insert into provider_days (
         environment, day, provider, product, network, delivered, refused, long_unknown, final_ms, face_value, cost
       )
       values ('live', lagos_day(now()), $1, 'airtime', 'MTN', $2, 1000 - $2::bigint, case $1 when 'vtpass' then 200 else 0 end,
         2000 * $2::bigint, 1, 1)
       on conflict (environment, day, provider, product, network) do update
       set delivered = excluded.delivered, refused = excluded.refused, final_ms = excluded.final_ms`,
      [provider, delivered],
    );
  }
  await until('the figures are measured', async () => {
    await database.query("update provider_measures set measured_at = now() - interval '1 hour'");
    return await measureProviders({ database, clock: systemClock, providers: [] });
  });
  await database.transaction((tx) => announceChange(tx, 'routes'));
}

async function firstBecomes(provider: string): Promise<Shown> {
  let last: Awaited<ReturnType<typeof buy>> | undefined;
  await until(`${provider} is chosen`, async () => {
    last = await buy();
    assert.equal(last.attempted, last.route.split(',')[0]);
    return last.attempted === provider;
  });
  assert.ok(last);
  return last;
}

describe('a route that chooses', () => {
  before(async () => {
    await figures({ vtpass: [98_00, 900], nomba: [96_00, 990] });
    // Last, so that no purchase is routed by incomplete figures.
    await setStrategy('cheapest');
  });

  it('sends a purchase to the cheapest provider and keeps the reason', async () => {
    const { route, details } = await firstBecomes('nomba');
    assert.equal(route, 'nomba,vtpass');
    const { grade, ...choice } = details?.choice ?? {};
    assert.deepEqual(choice, { strategy: 'cheapest', of: 2, cost: '9600', success: 99, seconds: 2 });
    assert.equal(grade, 'A');
  });

  it('shows the reason in the purchase', async () => {
    const { id } = await firstBecomes('nomba');
    const { chosen } = (await oja('purchase', 'show', id)).data;
    assert.deepEqual([chosen.strategy, chosen.provider], ['cheapest', 'nomba']);
    for (const figure of ['96', '99 %', '2 s', 'A']) assert.ok(chosen.why.includes(figure), chosen.why);
  });

  it('shows the figures with the provider', async () => {
    const listed = (await oja('provider', 'list')).data.find(
      ({ provider }: { provider: string }) => provider === 'nomba',
    );
    // Its purchases of this file are counted too.
    const { success_percent, cost_percent, grade, answers, refusals, by_network } = listed.thirty_days;
    assert.deepEqual([success_percent, grade, refusals], [99, 'A', 10]);
    assert.ok(cost_percent > 0 && cost_percent <= 100 && answers >= 1_000, JSON.stringify(listed));
    const [network, ...others] = by_network;
    assert.deepEqual([network.product, network.network, others], ['airtime', 'MTN', []]);
    assert.equal(Math.round(network.final_seconds), 2);
  });

  it('shows the same grade and counts in the metrics', async () => {
    type Listed = { readonly provider: string; readonly thirty_days: Record<string, unknown> };
    // A job may measure between the two reads.
    await until('the metrics show what is listed', async () => {
      const listed: Listed[] = (await oja('provider', 'list')).data;
      const metrics = (await (await fetch(gateway.metricsUrl)).text()).split('\n');
      const expected = listed.flatMap(({ provider, thirty_days: shown }) => {
        const place = `environment="live",provider="${provider}",product="airtime",network="MTN"`;
        if (shown.answers === 0) return [];
        return truthCounts.map(
          (count) => `oja_provider_truth_counts{${place},count="${count}"} ${shown[count]}`,
        );
      });
      assert.equal(expected.length, 2 * truthCounts.length);
      return expected.every((sample) => metrics.includes(sample));
    });
    const metrics = (await (await fetch(gateway.metricsUrl)).text()).split('\n');
    const graded = metrics.flatMap((line) => {
      const found = /^oja_provider_truth\{.*provider="(\w+)".*grade="(\w+)"\} (\S+)$/.exec(line);
      return found ? [[found[1], found[2], Math.round(10 * Number(found[3])) / 10]] : [];
    });
    assert.deepEqual(graded.sort(), [
      ['nomba', 'A', 1],
      ['vtpass', 'E', 0.8],
    ]);
  });

  it('follows the figures', async () => {
    await figures({ vtpass: [95_00, 900], nomba: [96_00, 990] });
    assert.equal((await firstBecomes('vtpass')).details?.choice?.cost, '9500');
    await setStrategy('most_reliable');
    assert.equal((await firstBecomes('nomba')).details?.choice?.strategy, 'most_reliable');
  });

  it('keeps no reason for a route in order', async () => {
    await setStrategy('order');
    const { route, details } = await firstBecomes('vtpass');
    assert.deepEqual([route, details], ['vtpass,nomba', null]);
  });
});
