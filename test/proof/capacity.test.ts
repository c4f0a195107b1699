/**
 * The simulation behind docs/scale.md: its queues against closed forms, its gateway against the
 * rate that was measured, and the figures of the document against those it prints.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { batchCost, measured } from '../../lab/capacity/measured.ts';
import { parseOptions } from '../../lab/capacity/options.ts';
import { planFor, walletRate } from '../../lab/capacity/plan.ts';
import { exponential, logNormal, randomOf } from '../../lab/capacity/random.ts';
import { formatPlans, formatSimulated } from '../../lab/capacity/report.ts';
import { Resource, use } from '../../lab/capacity/resource.ts';
import { type Simulated, simulate } from '../../lab/capacity/simulate.ts';
import { Simulation } from '../../lab/capacity/simulation.ts';

const SERVICE_US = 100;
const SEED = 7;
const CUSTOMERS = 200_000;

type Queue = { readonly times: Float64Array; readonly usage: number };

/** One queue for `places` servers: how long each customer stayed, sorted. */
function serve(load: number, places: number, serviceUs: (random: () => number) => number): Queue {
  const [simulation, random] = [new Simulation(), randomOf(SEED)];
  const server = new Resource(simulation, places);
  const times: number[] = [];
  const arrive = (left: number): void => {
    if (left === 0) return;
    simulation.after(exponential(random, SERVICE_US / load / places), () => {
      const cameAt = simulation.now;
      use(simulation, [server], serviceUs(random), () => times.push(simulation.now - cameAt));
      arrive(left - 1);
    });
  };
  arrive(CUSTOMERS);
  simulation.run();
  return { times: Float64Array.from(times).sort(), usage: server.usage() };
}

function mean(times: Float64Array): number {
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

function assertNear(actual: number, expected: number, share: number): void {
  assert.ok(Math.abs(actual / expected - 1) <= share, `${actual} is not near ${expected}`);
}

function run(command: string): Simulated {
  return simulate(parseOptions(command.split(' ')).setup);
}

describe('the queues', () => {
  it('waits as M/M/1 does: service / (1 - load) on average, and ln 100 times that at the p99', () => {
    for (const load of [0.3, 0.5, 0.7]) {
      const { times, usage } = serve(load, 1, (random) => exponential(random, SERVICE_US));
      assertNear(mean(times), SERVICE_US / (1 - load), 0.05);
      const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
      assertNear(p99, (Math.log(100) * SERVICE_US) / (1 - load), 0.07);
      assertNear(usage, load, 0.02);
    }
  });

  it('waits as M/D/1 does: half as long before a service of constant time', () => {
    for (const load of [0.3, 0.5, 0.7]) {
      const { times } = serve(load, 1, () => SERVICE_US);
      assertNear(mean(times), SERVICE_US * (1 + load / (2 * (1 - load))), 0.03);
    }
  });

  it('waits as M/M/2 does: service / (1 - load²)', () => {
    const { times } = serve(0.8, 2, (random) => exponential(random, SERVICE_US));
    assertNear(mean(times), SERVICE_US / (1 - 0.8 ** 2), 0.05);
  });

  it('draws latencies with the requested median and p99', () => {
    const random = randomOf(SEED);
    const drawn = Float64Array.from({ length: 100_000 }, () => logNormal(random, 400, 3_000)).sort();
    assertNear(drawn[50_000] ?? 0, 400, 0.02);
    assertNear(drawn[99_000] ?? 0, 3_000, 0.05);
  });
});

describe('the gateway', () => {
  const oneMachine = '--clients 256 --gateways 1 --cores 2 --one-machine --wallets 1 --purchases 30000';

  it('serves on one machine what was measured there: 6,600 to 7,200 a second', () => {
    assertNear(run(oneMachine).ratePerS, 6_900, 0.1);
  });

  it('returns the same figures for the same seed, and others for another', () => {
    const command = '--rate 2000 --purchases 5000';
    assert.deepEqual(run(command), run(command));
    assert.notDeepEqual(run(`${command} --seed 2`), run(command));
  });

  it('serves a rate that fits, and names the limit of one that does not', () => {
    const fits = run('--rate 3000 --gateways 2 --purchases 20000');
    assertNear(fits.ratePerS, 3_000, 0.05);
    assert.ok(fits.p99Ms < 50);
    const full = run('--rate 15000 --gateways 1 --cores 16 --purchases 20000');
    assert.equal(full.usage[0]?.what, 'the thread of a gateway');
    assertNear(full.ratePerS, 1_000_000 / measured.gatewayUs, 0.02);
    const fewCores = run('--rate 40000 --gateways 8 --cores 1 --sticky --purchases 40000');
    assert.equal(fewCores.usage[0]?.what, "PostgreSQL's cores");
  });

  it('stops at the lock of one wallet as calculated, but not where each wallet has its gateway', () => {
    const oneWallet = run('--rate 60000 --gateways 12 --cores 32 --wallets 1 --purchases 60000');
    assert.match(oneWallet.usage[0]?.what ?? '', /locks/);
    assertNear(oneWallet.ratePerS, walletRate(measured), 0.1);
    const spread = run('--rate 60000 --gateways 12 --cores 32 --wallets 1200 --sticky --purchases 60000');
    assertNear(spread.ratePerS, 60_000, 0.05);
  });

  it('keeps as many calls in progress as the provider accepts, and no more', () => {
    const paced = run(
      '--rate 500 --provider-ms 100 --provider-p99-ms 100 --provider-at-once 20 --purchases 4000',
    );
    assert.equal(paced.usage[0]?.what, "the provider's places");
    assertNear(paced.ratePerS, 200, 0.03);
  });
});

describe('the division', () => {
  it('splits the cost of a purchase into batches and items, without a remainder', () => {
    const { itemUs, batchUs } = batchCost(measured);
    assertNear(2 * (itemUs + batchUs / measured.itemsPerCommit), measured.moneyUs, 1e-9);
  });

  it('matches the table of docs/scale.md', () => {
    const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'scale.md'), 'utf8');
    const table = formatPlans([100, 1_000, 10_000, 100_000].map((rate) => planFor(rate, measured)));
    assert.ok(text.includes(table), `docs/scale.md does not have what is computed:\n${table}`);
  });
});

describe('the command line', () => {
  it('prints the limit', () => {
    const { setup } = parseOptions(['--rate', '20000', '--gateways', '1', '--purchases', '5000']);
    const text = formatSimulated(setup, simulate(setup));
    assert.match(text, /^20,000 purchases\/s, gateways: 1, /);
    assert.match(text, /the wall: the thread of a gateway$/);
  });

  it('refuses invalid arguments', () => {
    const refused: [string, RegExp][] = [
      ['', /--rate, --clients or --plan is needed/],
      ['--rate 10 --clients 5', /exclude each other/],
      ['--rate none', /--rate must be a number/],
      ['--rate 10 --gateways 1.5', /--gateways must be a whole number/],
      ['--rate 10 --provider-ms 50 --provider-p99-ms 20', /--provider-p99-ms must be a number from 50/],
    ];
    for (const [command, message] of refused) {
      assert.throws(() => parseOptions(command.split(' ').filter(Boolean)), message);
    }
  });
});
