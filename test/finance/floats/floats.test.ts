/**
 * Our money at providers: booked, compared, reported before it runs out, and the automatic pause.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createProviderFloats } from '../../../src/app/provider-floats.ts';
import { auditPurchases } from '../../../src/audit/audit-purchases.ts';
import type { Money } from '../../../src/core/money.ts';
import { noteHour } from '../../../src/finance/floats/float-store.ts';
import { FloatWatch } from '../../../src/finance/floats/watch-floats.ts';
import type { ProviderFacts } from '../../../src/providers/provider.ts';
import { builtInProviders } from '../../../src/providers/registry.ts';
import { touchGateway } from '../../../src/purchases/engine/gateway-store.ts';
import { writeStates } from '../../../src/purchases/health/health-store.ts';
import type { ProviderState } from '../../../src/purchases/health/provider-state.ts';
import { type Operator, operator } from '../../cli/harness.ts';
import { houseBalances } from '../../support/house-balances.ts';

let op: Operator;
before(async () => {
  op = await operator();
});
after(() => op[Symbol.asyncDispose]());

const clock = { nowMs: 1_000, elapsedMs: (): number => clock.nowMs, now: (): Date => new Date() };
const MINUTE_MS = 60_000;
const gateway = { id: randomUUID(), role: 'all', host: 'here', pid: 1, providers: ['vtpass'] };

/** The report of a living process about a provider's float. */
async function report(
  provider: string,
  float: string | null,
  more: Partial<ProviderState> = {},
  currency = 'NGN',
) {
  await touchGateway(op.database, gateway);
  const count = { success: 0, failed: 0, refused: 0, accepted: 0, unknown: 0, unreachable: 0, held: 0 };
  const state = {
    within_1m: count,
    within_5m: count,
    within_60m: count,
    last_call: null,
    last_answer: null,
    unanswered: { calls: 0, for_ms: 0 },
    breaker: 'closed',
    broken_ms: 0,
    credentials_version: 0,
    limiter: { calls: 0, calls_max: 0, waiting: 0, per_second: 0, per_second_max: 0 },
    float: float === null ? null : { amount: float, currency, age_ms: 1_000 },
    float_failing_ms: 0,
    ...more,
  } as unknown as ProviderState;
  await writeStates(op.database, gateway.id, new Map([[provider, state]]));
}

function watch(): FloatWatch {
  return new FloatWatch({ database: op.database, clock, providers: builtInProviders });
}

async function alarms(kind: string): Promise<{ message: string; ended: boolean }[]> {
  return await op.database.query(
    'select message, ended_at is not null as ended from alarms where kind = $1 order by id',
    [kind],
  );
}

/** The given amount was spent there in each of the last hours. */
async function spend(provider: string, perHour: bigint, hours: number): Promise<void> {
  await op.database.query('delete from float_hours where provider = $1', [provider]);
  await op.database.query(
    `insert into float_hours (provider, environment, hour, cost)
     select $1, 'live', date_trunc('hour', now()) - n * interval '1 hour', ($3::int - n) * $2::bigint
     from generate_series(0, $3::int) n`,
    [provider, perHour, hours],
  );
}

describe('money that moves at a provider without a purchase', () => {
  it('books a movement from capital or a bank, once for a reference and once for a key', async () => {
    const topUp = ['float', 'top-up', 'vtpass', '500000'];
    const first = await op.json(...topUp, '--reference', 'FT1', '--key', 'k1');
    assert.deepEqual([first.amount, first.account], ['500000.00', 'capital:live:NGN']);
    assert.equal((await op.json(...topUp, '--reference', 'FT1', '--key', 'k1')).id, first.id);
    const again = await op.oja(...topUp, '--reference', 'FT1', '--key', 'k2');
    assert.deepEqual([again.code, again.refused], [1, 'movement_booked']);
    const fromBank = await op.json(...topUp, '--from', 'monnify');
    assert.equal(fromBank.account, 'bank:monnify:live:NGN');
    const charge = await op.json('float', 'charge', 'vtpass', '52.50', '--reason', 'SMS');
    assert.equal(charge.account, 'provider-charges:live:NGN');
    const { float, movements } = await op.json('float', 'show', 'vtpass');
    assert.equal(float.expected, '999947.50');
    assert.equal(movements.length, 3);
    assert.deepEqual(await houseBalances(op.database), {
      'bank:monnify:live:NGN': 50_000_000n,
      'capital:live:NGN': 50_000_000n,
      'float:vtpass:live:NGN': -99_994_750n,
      'provider-charges:live:NGN': -5_250n,
    });
  });

  it('requires the cost in naira for an account in another currency', async () => {
    const order = ['float', 'top-up', 'esimaccess', '500', '--currency', 'USD'];
    const refused = await op.oja(...order);
    assert.deepEqual([refused.code, refused.refused], [1, 'naira_missing']);
    const booked = await op.json(...order, '--naira', '772500');
    assert.equal(booked.amount, '772500.00');
    const [movement] = (await op.json('float', 'show', 'esimaccess')).movements;
    assert.deepEqual(movement.foreign, { amount: '500.00', currency: 'USD' });
  });

  it('refuses invalid movements and changes nothing', async () => {
    const nonsense: readonly (readonly [args: readonly string[], code: number, refused: string])[] = [
      [['float', 'top-up', 'vtpas', '5'], 1, 'no_such_provider'],
      [['float', 'top-up', 'vtpass', '0'], 2, 'input_malformed'],
      [['float', 'top-up', 'vtpass', '5', '--from', 'gtb'], 1, 'no_such_bank'],
      [['float', 'charge', 'vtpass', '5'], 2, 'usage'],
      [['float', 'set-alarm', 'vtpass', '--hours', '0'], 2, 'input_malformed'],
    ];
    for (const [args, code, refused] of nonsense) {
      const ran = await op.oja(...args);
      assert.deepEqual([ran.code, ran.refused], [code, refused], args.join(' '));
    }
    assert.equal((await op.json('float', 'show', 'vtpass')).movements.length, 3);
  });

  it('shows movements in the books', async () => {
    const results = await auditPurchases(op.database);
    const failed = JSON.stringify(results, (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    assert.doesNotMatch(failed, /"differences":\[\{/);
  });
});

describe('the watch of floats', () => {
  it('raises low_float once before the float is empty, and ends it afterwards', async () => {
    await spend('vtpass', 10_000_000n, 48);
    await report('vtpass', '500000.00');
    const watches = [watch(), watch()];
    const look = async (): Promise<void> => {
      for (const one of watches) await one.look();
    };
    await look();
    const [low, ...more] = await alarms('low_float');
    assert.match(low?.message ?? '', /\bvtpass\b.*\b[45]\.\d\b/);
    assert.deepEqual([low?.ended, more.length], [false, 0]);
    const [row] = (await op.json('float', 'list')).filter(
      ({ provider }: ProviderNamed) => provider === 'vtpass',
    );
    assert.deepEqual(
      row.troubles.map(({ kind }: { kind: string }) => kind),
      ['low_float'],
    );
    await report('vtpass', '900000.00');
    await look();
    assert.equal((await alarms('low_float'))[0]?.ended, true);
    await op.json('float', 'set-alarm', 'vtpass', '--amount', '900001');
    await look();
    assert.match((await alarms('low_float'))[1]?.message ?? '', /\b900000\.00 NGN\b.*\b900001\.00\b/);
    await op.json('float', 'set-alarm', 'vtpass', '--hours', '1');
    await look();
    assert.equal((await alarms('low_float'))[1]?.ended, true);
  });

  it('raises float_unknown, and shows no value for a provider that reports none', async () => {
    const one = watch();
    await report('vtpass', '900000.00', { float_failing_ms: 16 * MINUTE_MS });
    await one.look();
    assert.match((await alarms('float_unknown'))[0]?.message ?? '', /\bvtpass\b.*\b16 min/);
    await report('vtpass', '900000.00');
    await one.look();
    assert.equal((await alarms('float_unknown'))[0]?.ended, true);
    let money: Money | undefined = { amount: 5n, currency: 'NGN' };
    const floats = createProviderFloats(
      new Map([['one', { balance: async () => money }]]),
      clock,
      async () => undefined,
    );
    await floats.read();
    assert.equal(floats.all().length, 1);
    money = undefined;
    await floats.read();
    // A single failed reading is ignored.
    assert.equal(floats.all().length, 1);
    clock.nowMs += 3 * MINUTE_MS;
    await floats.read();
    assert.deepEqual(floats.all(), []);
  });

  it('raises float_differs after the difference has lasted', async () => {
    const one = watch();
    await spend('vtpass', 0n, 2);
    await report('vtpass', '999900.00');
    await one.look();
    clock.nowMs += 11 * MINUTE_MS;
    await one.look();
    assert.deepEqual(await alarms('float_differs'), [], 'fifty naira are a moment');
    await report('vtpass', '900000.00');
    await one.look();
    assert.deepEqual(await alarms('float_differs'), []);
    clock.nowMs += 11 * MINUTE_MS;
    await report('vtpass', '900000.00');
    await one.look();
    const [differs] = await alarms('float_differs');
    assert.match(differs?.message ?? '', /\bvtpass\b.*\b99947\.50\b/);
    await report('vtpass', '999947.50');
    await one.look();
    assert.equal((await alarms('float_differs'))[0]?.ended, true);
  });

  it('pauses a provider with too little money if a limit is set, and resumes it after a top-up', async () => {
    const one = watch();
    const pauses = () =>
      op.database.query<{ paused_by: string; reason: string }>(
        "select paused_by, reason from provider_pauses where provider = 'vtpass'",
      );
    await report('vtpass', '10.00');
    await one.look();
    await one.look();
    assert.deepEqual(await pauses(), [], 'no person set it');
    await op.json('float', 'set-alarm', 'vtpass', '--pause-below', '5000');
    await one.look();
    assert.deepEqual(await pauses(), [], 'one reading may be wrong');
    await one.look();
    const [paused] = await pauses();
    assert.equal(paused?.reason, 'our float there is 10.00 NGN, below 5000.00');
    await report('vtpass', null, { float_failing_ms: MINUTE_MS });
    await one.look();
    assert.equal((await pauses()).length, 1, 'what is not told resumes nothing');
    await report('vtpass', '6000.00');
    await one.look();
    assert.deepEqual(await pauses(), []);
    const acts = await op.database.query<{ action: string }>(
      "select action from audit_log where actor = 'the watch of floats' order by id",
    );
    assert.deepEqual(
      acts.map(({ action }) => action),
      ['provider.pause', 'provider.resume'],
    );
  });

  it('does not resume a provider that a person paused', async () => {
    const one = watch();
    await op.json('provider', 'pause', 'vtpass', '--reason', 'maintenance');
    await report('vtpass', '1.00');
    await one.look();
    await one.look();
    await report('vtpass', '9000.00');
    await one.look();
    const rows = await op.database.query("select 1 from provider_pauses where provider = 'vtpass'");
    assert.equal(rows.length, 1);
  });

  it('records spending once an hour', async () => {
    await op.database.query(
      `insert into money_totals (environment, kind, product, provider, amount)
       values ('live', 'cost', 'airtime', 'nomba', 500)`,
    );
    // In one transaction the hour stays the same.
    await op.database.transaction(async (tx) => {
      await noteHour(tx);
      await tx.query("update money_totals set amount = 900 where provider = 'nomba'");
      await noteHour(tx);
    });
    const rows = await op.database.query("select cost from float_hours where provider = 'nomba'");
    assert.deepEqual(rows, [{ cost: 500n }]);
  });
});

describe('an alarm of a float after a start', () => {
  before(async () => {
    await spend('vtpass', 10_000_000n, 48);
    await report('vtpass', '999947.50');
    await watch().look();
  });

  /** For alarms that are raised from now on: whether they have ended. */
  async function newAlarms(kind: string): Promise<() => Promise<boolean[]>> {
    const before = (await alarms(kind)).length;
    return async () => (await alarms(kind)).slice(before).map(({ ended }) => ended);
  }

  /** As after a start: none of its processes has read a float. */
  async function start(): Promise<FloatWatch> {
    await report('vtpass', null);
    const started = watch();
    await started.look();
    return started;
  }

  it('neither ends nor repeats an alarm by amount before there is a reading', async () => {
    const lows = await newAlarms('low_float');
    await op.json('float', 'set-alarm', 'vtpass', '--amount', '900000');
    await report('vtpass', '800000.00');
    await watch().look();
    assert.deepEqual(await lows(), [false]);
    const started = await start();
    clock.nowMs += 20 * MINUTE_MS;
    await started.look();
    assert.deepEqual(await lows(), [false], 'the books say nothing of an amount');
    await report('vtpass', '800000.00');
    await started.look();
    assert.deepEqual(await lows(), [false]);
    await report('vtpass', '900000.00');
    await started.look();
    assert.deepEqual(await lows(), [true]);
  });

  it('estimates an alarm by hours from the books when no reading arrives', async () => {
    const lows = await newAlarms('low_float');
    await op.json('float', 'set-alarm', 'vtpass', '--hours', '6');
    await report('vtpass', '500000.00');
    await watch().look();
    const started = await start();
    clock.nowMs += 14 * MINUTE_MS;
    await started.look();
    assert.deepEqual(await lows(), [false]);
    clock.nowMs += MINUTE_MS;
    await started.look();
    assert.deepEqual(await lows(), [true]);
  });

  it('does not end an alarm by hours by an old reading when no top-up is booked', async () => {
    const lows = await newAlarms('low_float');
    await spend('nomba', 10_000_000n, 48);
    await report('nomba', '500000.00');
    const one = watch();
    await one.look();
    assert.deepEqual(await lows(), [false]);
    await report('nomba', null, {
      float: { amount: '500000.00', currency: 'NGN', age_ms: 16 * MINUTE_MS },
    });
    await one.look();
    assert.deepEqual(await lows(), [false]);
    await report('nomba', '900000.00');
    await one.look();
    assert.deepEqual(await lows(), [true]);
  });

  it('keeps an alarm about an unknown or different float', async () => {
    const [unknown, differs] = [await newAlarms('float_unknown'), await newAlarms('float_differs')];
    const one = watch();
    await report('vtpass', '700000.00');
    await one.look();
    clock.nowMs += 11 * MINUTE_MS;
    await one.look();
    await report('vtpass', '700000.00', { float_failing_ms: 16 * MINUTE_MS });
    await one.look();
    assert.deepEqual([await unknown(), await differs()], [[false], [false]]);
    const started = await start();
    assert.deepEqual([await unknown(), await differs()], [[false], [false]]);
    await report('vtpass', '700000.00');
    await started.look();
    assert.deepEqual([await unknown(), await differs()], [[true], [false]]);
    await report('vtpass', '999947.50');
    await started.look();
    assert.deepEqual(await differs(), [true]);
  });
});

type ProviderNamed = Pick<ProviderFacts, 'name'> & { readonly provider: string };
