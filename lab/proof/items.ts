/** The runs of the proof layer, in their order. To add one, add an entry here. */
import { findProgram, missingPrograms } from '../failover/programs.ts';
import { lastLine, linesWith, tally } from './found.ts';

export type Item = {
  readonly name: string;
  readonly proves: string;
  /** Arguments of Node.js, which runs in the root of the project. */
  readonly command: readonly string[];
  /** The run with `--short`. Without it, `--short` leaves out an item of hours. */
  readonly short?: { readonly command: readonly string[]; readonly minutes: number };
  readonly environment?: Readonly<Record<string, string>>;
  /** How long `command` takes on two processors with nothing else running, about. */
  readonly minutes: number;
  /** Returns the programs, addresses and folders that this machine lacks. */
  readonly missing?: () => readonly string[];
  /** Returns the findings of a successful run, from its output. */
  readonly found: (output: string) => string;
};

/** A checkout of an earlier release with its `node_modules`. */
const beforeVariable = 'OJA_PROOF_BEFORE';

/** The addresses of a running Citus, for `--urls` of the cluster's harness. */
const clusterVariable = 'OJA_CLUSTER_URLS';

/**
 * Node's own runner: the runner of the layers ends a file after ten minutes. Its summary has one
 * line each for the tests that passed, failed and were skipped.
 */
const testFiles = ['--test', '--test-reporter=spec', '--test-global-setup=test/support/global-setup.ts'];
const testSummary = linesWith(/^ℹ ((?:pass|fail|skipped) \d+)$/);

const heldRows = tally({ held: /\| yes *\|/, missed: /\| NO *\|/ });
const chaosSummary = linesWith(/^((?:faults|purchases|purchases|wrong): .*)$/);

export const items: readonly Item[] = [
  {
    name: 'capacity',
    proves: 'one gateway for each merchant serves 100,000 purchases a second in the simulation',
    command: 'lab/capacity/main.ts --rate 100000 --gateways 18 --cores 14 --purchases 200000 --sticky'.split(
      ' ',
    ),
    minutes: 1,
    found: linesWith(/^((?:served|p50|p99|the first wall)\b.*)$/),
  },
  {
    name: 'properties',
    proves: 'the properties hold with twenty times the runs of npm test',
    command: [
      ...testFiles,
      // Sets the number of runs of properties without their own number.
      '--import=./test/support/budget.ts',
      'test/property/*.test.ts',
      'test/{providers,purchases,ledger,funding,db}/**/*.test.ts',
      'test/audit/audit.test.ts',
      'test/finance/reconciliation/layouts.test.ts',
    ],
    environment: { OJA_PROPERTY_RUNS: '20' },
    minutes: 20,
    found: testSummary,
  },
  {
    name: 'cells',
    proves: 'purchases, money, funding, audit and crashes are the same on eight cells',
    command: [
      ...testFiles,
      'test/{audit,funding,purchases,wallet}/**/*.test.ts',
      'test/finance/reports/*.test.ts',
      'test/notifications/events/*.test.ts',
      'test/{api,crash,e2e}/*.test.ts',
    ],
    environment: { OJA_TEST_CELLS: '8' },
    minutes: 25,
    found: testSummary,
  },
  {
    name: 'tests',
    proves: 'lists at size, documented commands, upgrades, clients, providers and restores work',
    command: ['test/runner/main.ts', 'proof'],
    minutes: 18,
    found: lastLine,
  },
  {
    name: 'large-day',
    proves: 'a day of 100,000 purchases is reconciled with a statement that lies',
    command: [...testFiles, 'test/finance/reconciliation/lying-day.test.ts'],
    environment: { OJA_TEST_DAY_PURCHASES: '100000' },
    minutes: 4,
    found: testSummary,
  },
  {
    name: 'liars',
    proves: 'all books agree after 10,000 purchases over two lying panels, with 50 kills',
    command: [...testFiles, 'test/proof/lying-panels.test.ts'],
    environment: { OJA_LIARS_PURCHASES: '10000' },
    minutes: 30,
    found: testSummary,
  },
  {
    name: 'simulation-cells',
    proves: 'no seed in three of simulated failures leaves anything wrong on eight cells',
    command: ['test/simulation/main.ts', '--seeds', '1..10000', '--every', '3'],
    short: { command: ['test/simulation/main.ts', '--seeds', '1..1000', '--every', '3'], minutes: 3 },
    environment: { OJA_TEST_CELLS: '8' },
    minutes: 30,
    found: lastLine,
  },
  {
    name: 'simulation',
    proves: 'no seed of simulated failures leaves anything wrong',
    command: ['test/simulation/main.ts', '--seeds', '1..10000'],
    short: { command: ['test/simulation/main.ts', '--seeds', '1..1000'], minutes: 6 },
    minutes: 60,
    found: lastLine,
  },
  {
    name: 'mutations',
    proves: 'the simulation finds each deliberate bug of the money path',
    command: ['test/simulation/check-mutations.ts'],
    minutes: 5,
    missing: () => (findProgram('git') === undefined ? ['git'] : []),
    found: lastLine,
  },
  {
    name: 'crash',
    proves: 'a hundred kills at random, of gateways and of clients, lose and repeat nothing',
    command: [...testFiles, 'test/crash/random-kill.test.ts', 'test/crash/shop.test.ts'],
    environment: { OJA_CRASH_ROUNDS: '100', OJA_PROPERTY_RUNS: '2' },
    minutes: 30,
    found: testSummary,
  },
  {
    name: 'drills',
    proves: 'drills hold in their long form: more kills, callers, copies, faults of a start and floods',
    command: [...testFiles, 'test/{crash,drills}/*.test.ts'],
    environment: { OJA_PROPERTY_RUNS: '2' },
    minutes: 15,
    found: testSummary,
  },
  {
    name: 'screens',
    proves: 'every screen is accessible, fits its window, large and small, and shows each role its part',
    command: [...testFiles, 'test/browser/*.test.ts'],
    environment: { OJA_PROPERTY_RUNS: '2' },
    minutes: 8,
    found: testSummary,
  },
  {
    name: 'console-tasks',
    proves: 'the tasks of a day are done, by keyboard only too, with at most 60 % of the clicks of 0.2',
    command: ['lab/console-tasks/main.ts'],
    minutes: 6,
    found: linesWith(/^\| \*\*(Sum .*)$/),
  },
  {
    name: 'pressure',
    proves: 'slow, sick and greedy callers and providers do not slow the others down',
    command: ['bench/pressure/main.ts'],
    minutes: 15,
    found: heldRows,
  },
  {
    name: 'chaos',
    proves: 'the books of all sides agree after faults of processes, network, disk and clocks',
    command: ['lab/chaos/main.ts', '--faults', '1000'],
    short: { command: ['lab/chaos/main.ts', '--faults', '100'], minutes: 6 },
    minutes: 60,
    found: chaosSummary,
  },
  {
    name: 'chaos-upgrade',
    proves: 'gateways of an earlier release are upgraded under faults',
    command: [
      'lab/chaos/main.ts',
      '--faults',
      '70',
      '--before',
      process.env[beforeVariable] ?? beforeVariable,
    ],
    minutes: 6,
    missing: () =>
      process.env[beforeVariable] === undefined ? [`${beforeVariable} (a checkout of a release)`] : [],
    found: chaosSummary,
  },
  {
    name: 'cluster',
    proves: 'purchases at the workers of a Citus are stored once, and the books of each wallet agree',
    command: ['lab/cluster/main.ts', '--urls', process.env[clusterVariable] ?? ''],
    minutes: 3,
    missing: () =>
      process.env[clusterVariable] === undefined
        ? [`${clusterVariable}, the addresses of a coordinator and its workers`]
        : [],
    found: linesWith(/^(.* purchases stored; wrong: \d+)$/),
  },
  {
    name: 'failover',
    proves: 'sales continue within 15 s after a standby was promoted, and no purchase is lost',
    command: ['lab/failover/main.ts'],
    minutes: 20,
    missing: () => missingPrograms(['etcd', 'patroni', 'haproxy', 'pgbouncer']),
    found: linesWith(/^(\w+: \d+ purchases: .*)$/),
  },
  {
    name: 'fuzz',
    proves: 'no generated request gets an answer of 500 or data of another merchant',
    command: ['lab/fuzz/main.ts', '--requests', '1000000'],
    short: { command: ['lab/fuzz/main.ts', '--requests', '20000'], minutes: 1 },
    minutes: 60,
    found: linesWith(/^(\d+ requests in .*|\d+ faults|.*in 100,000 requests, once warm: .*)$/),
  },
  {
    name: 'ten-million',
    proves: 'the gateway is as fast with ten million purchases as with few',
    command: ['lab/ten-million/main.ts'],
    minutes: 90,
    found: heldRows,
  },
  {
    name: 'bench',
    proves: 'the gateway reaches the rates and times that are published',
    command: ['bench/main.ts'],
    minutes: 10,
    found: heldRows,
  },
];
