/**
 * The Prometheus metrics of one gateway process. Labels have few values: never a merchant's key, a
 * phone number or a path.
 */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { listMoneyTotals, type MoneyTotal } from '../catalog/margins/money-total-store.ts';
import { type Measure, truthCounts } from '../catalog/measures/measure.ts';
import { listMeasures } from '../catalog/measures/measure-store.ts';
import { truthGrade, truthOf } from '../catalog/measures/truth-grade.ts';
import type { Routes } from '../catalog/routes/routes.ts';
import { systemClock } from '../core/clock.ts';
import { formatAmount } from '../core/money.ts';
import type { RunningJobs } from '../core/run-jobs.ts';
import type { Sql } from '../db/database.ts';
import { countOpenDeliveries } from '../notifications/messages/delivery-store.ts';
import type { BackupAge } from '../operate/backup/backup-watch.ts';
import type { LimiterUse } from '../providers/http/limiter.ts';
import type { Provider } from '../providers/provider.ts';
import type { PurchaseEvents } from '../purchases/engine/purchase-events.ts';
import { resultOf } from '../purchases/health/call-counts.ts';
import { countOpenAlarms, countPendingByAge } from '../purchases/history/watch-store.ts';
import type { Purchases } from '../purchases/purchases.ts';
import type { CellState } from './cell-contact.ts';
import { gauge, ofInstallation, type Read, sharedRead, total } from './collected-metrics.ts';
import type { Events } from './events.ts';
import type { Health } from './health/gateway-health.ts';
import type { ProviderFloats } from './provider-floats.ts';

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The values that are read at each collection. */
type Watched = {
  readonly purchases: Pick<Purchases, 'gauges'>;
  readonly providers: ReadonlyMap<string, Pick<Provider, 'limiters'>>;
  readonly jobs: Pick<RunningJobs, 'states'>;
  readonly database: Sql;
  readonly floats: Pick<ProviderFloats, 'all' | 'readAt'>;
  readonly backupAge: () => Promise<BackupAge>;
  readonly routes: Pick<Routes, 'isPausedWhole'>;
  readonly events: Pick<Events, 'waiting'>;
  /** Whether the provider is unavailable, by the reports of all processes. */
  readonly isAway: (provider: string) => boolean;
  /** The cells of other servers. */
  readonly cells: () => readonly CellState[];
};

export type Metrics = {
  readonly registry: Registry;
  readonly purchaseEvents: PurchaseEvents;
  observeRequest(route: string, status: number, latencyMs: number): void;
  /** Counts an attempt to send an order to its customer. */
  observeDelivery(channel: string, outcome: string): void;
  /** Counts an attempt to send an event to an endpoint. */
  observeWebhook(outcome: string): void;
  /** Labels providers by the names that `nameOf` returns for their ids. */
  nameProviders(nameOf: (provider: string) => string): void;
  /** Gauges of this process and of the database. */
  watch(watched: Watched): void;
  /** Gauges that exist from the start of the process. */
  watchHealth(report: () => Promise<Health>): void;
};

type NameOf = (provider: string) => string;

/** The labels of a purchase that failed before it reached a provider. */
const neverSent = { provider: 'none', outcome: 'failed' } as const;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = histogram(registry, 'oja_http_request_seconds', 'Time to answer a request', [
    'route',
    'status',
  ]);
  const deliveries = new Counter({
    name: 'oja_deliveries_total',
    help: 'Attempts to send an order to its customer, by outcome',
    labelNames: ['channel', 'outcome'],
    registers: [registry],
  });
  const webhooks = new Counter({
    name: 'oja_webhooks_total',
    help: 'Attempts to send an event to a merchant’s endpoint, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  let namedBy = (provider: string): string => provider;
  const nameOf: NameOf = (provider) => namedBy(provider);
  return {
    registry,
    nameProviders: (given) => {
      namedBy = given;
    },
    purchaseEvents: purchaseEvents(registry, nameOf),
    observeRequest: (route, status, latencyMs) => requests.observe({ route, status }, latencyMs / 1_000),
    observeDelivery: (channel, outcome) => deliveries.inc({ channel, outcome }),
    watchHealth: (report) => watchHealth(registry, report),
    observeWebhook: (outcome) => webhooks.inc({ outcome }),
    watch: (watched) => {
      watchDatabase(registry, watched, nameOf);
      watchProcess(registry, watched, nameOf);
      watchLimiters(registry, watched.providers, nameOf);
      watchFloats(registry, watched.floats, nameOf);
      watchMeasures(registry, watched.database, nameOf);
      watchMoney(registry, async () =>
        (await listMoneyTotals(watched.database)).map((one) => ({ ...one, provider: nameOf(one.provider) })),
      );
    },
  };
}

function purchaseEvents(registry: Registry, nameOf: NameOf): PurchaseEvents {
  const purchases = new Counter({
    name: 'oja_purchases_total',
    help: 'Purchases that became final in this process',
    labelNames: ['environment', 'product', 'network', 'provider', 'outcome', 'reason'],
    registers: [registry],
  });
  const floorsHit = new Counter({
    name: 'oja_wallet_floor_hits_total',
    help: 'Purchases refused because the wallet could not pay',
    labelNames: ['environment', 'product'],
    registers: [registry],
  });
  const contradictions = new Counter({
    name: 'oja_contradictions_total',
    help: 'Answers that contradict a final outcome: each needs a person',
    labelNames: ['provider'],
    registers: [registry],
  });
  const answers = histogram(registry, 'oja_provider_answer_seconds', 'Time of a provider call', [
    'provider',
    'operation',
    'kind',
  ]);
  const results = new Counter({
    name: 'oja_provider_calls_total',
    help: 'Purchases and queries sent to a provider, by the result of the call',
    labelNames: ['provider', 'result'],
    registers: [registry],
  });
  const stages = histogram(registry, 'oja_batch_seconds', 'Time of an accept or resolve transaction', [
    'stage',
  ]);
  const sizes = new Histogram({
    name: 'oja_batch_size',
    help: 'Purchases in an accept or resolve transaction',
    labelNames: ['stage'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [registry],
  });
  return {
    onBatch: (stage, size, latencyMs) => {
      stages.observe({ stage }, latencyMs / 1_000);
      sizes.observe({ stage }, size);
    },
    onAnswer: (event) => {
      const { operation, kind, latencyMs } = event;
      const provider = nameOf(event.provider);
      answers.observe({ provider, operation, kind }, latencyMs / 1_000);
      const result = resultOf(event);
      if (result !== undefined) results.inc({ provider, result });
    },
    onFinal: (purchase, effect, outcome) =>
      purchases.inc({
        environment: purchase.environment,
        product: purchase.product,
        network: purchase.network,
        provider: nameOf(purchase.attempt.provider),
        outcome,
        reason: effect.kind === 'fail' ? effect.reason : 'delivered',
      }),
    onUnfunded: ({ environment, product, network }) => {
      floorsHit.inc({ environment, product });
      purchases.inc({ environment, product, network, ...neverSent, reason: 'insufficient_funds' });
    },
    onRefused: ({ environment, product, network }, reason) =>
      purchases.inc({ environment, product, network, ...neverSent, reason }),
    onContradiction: (purchase) => contradictions.inc({ provider: nameOf(purchase.attempt.provider) }),
  };
}

/** Metrics of the whole installation, with the same values in every process. */
function watchDatabase(
  registry: Registry,
  { database, backupAge, providers, routes }: Watched,
  nameOf: NameOf,
): void {
  const watch = (name: string, help: string, labels: readonly string[], read: Read): void =>
    gauge(registry, name, `${help} ${ofInstallation}`, labels, read);
  watch('oja_pending_purchases', 'Purchases that are not final, by age', ['age'], async (set) => {
    const sums = new Map<string, number>();
    for (const { age, count } of await countPendingByAge(database, systemClock.now())) {
      sums.set(age, (sums.get(age) ?? 0) + count);
    }
    for (const [age, count] of sums) set({ age }, count);
  });
  watch('oja_open_alarms', 'Alarms that are not acknowledged, 10,000 at most', [], async (set) => {
    set({}, await countOpenAlarms(database));
  });
  const lastBackup = 'When the last recorded backup was taken; absent before the first';
  watch('oja_backup_last_success_timestamp_seconds', lastBackup, [], async (set) => {
    const { lastAt } = await backupAge();
    if (lastAt !== undefined) set({}, lastAt.getTime() / 1_000);
  });
  const oldest = 'The maximum age of the last backup; absent if no backup is expected';
  watch('oja_backup_max_age_seconds', oldest, [], async (set) => {
    const { maxAgeSeconds } = await backupAge();
    if (maxAgeSeconds !== undefined) set({}, maxAgeSeconds);
  });
  watch('oja_open_deliveries', 'Orders not sent to their customers', ['channel', 'state'], async (set) => {
    for (const { channel, state, count } of await countOpenDeliveries(database)) {
      set({ channel, state }, count);
    }
  });
  watch('oja_provider_paused', '1 while no new purchase is sent to a provider', ['provider'], (set) => {
    for (const provider of providers.keys()) {
      set({ provider: nameOf(provider) }, routes.isPausedWhole(provider) ? 1 : 0);
    }
  });
}

/** Metrics of this process. The sum over all processes is that of the installation. */
function watchProcess(
  registry: Registry,
  { purchases, providers, events, isAway, jobs, cells }: Watched,
  nameOf: NameOf,
): void {
  const watch = (name: string, help: string, labels: readonly string[], read: Read): void =>
    gauge(registry, name, help, labels, read);
  watch(
    'oja_queue_depth',
    'Purchases by state: accept and resolve wait for a batch, sync and worker are running, awaited only wait',
    ['queue'],
    (set) => {
      const now = purchases.gauges();
      set({ queue: 'accept' }, now.acceptQueue);
      set({ queue: 'resolve' }, now.resolveQueue);
      set({ queue: 'sync' }, now.purchases.live + now.purchases.test);
      set({ queue: 'awaited' }, now.awaited);
      set({ queue: 'worker' }, now.inHand);
    },
  );
  watch('oja_event_polls', 'Waiting long-poll requests for events', [], (set) => set({}, events.waiting()));
  const away = '1 while a provider is unavailable, as reported by all processes';
  watch('oja_provider_away', away, ['provider'], (set) => {
    for (const provider of providers.keys()) set({ provider: nameOf(provider) }, isAway(provider) ? 1 : 0);
  });
  const reachable = '1 while this process reaches a cell of another server';
  watch('oja_cell_reachable', reachable, ['cell'], (set) => {
    for (const { number, isReachable } of cells()) set({ cell: String(number) }, isReachable ? 1 : 0);
  });
  // A job that never runs appears as one that never succeeded.
  const okAt = 'When a background job last succeeded; 0: never';
  watch('oja_job_last_success_timestamp_seconds', okAt, ['job'], (set) => {
    for (const { name, lastOkAt } of jobs.states()) {
      set({ job: name }, (lastOkAt?.getTime() ?? 0) / 1_000);
    }
  });
  watch('oja_job_interval_seconds', 'How often a background job runs', ['job'], (set) => {
    for (const { name, everyMs } of jobs.states()) set({ job: name }, everyMs / 1_000);
  });
  total(registry, 'oja_job_failures_total', 'Runs of a background job that failed', ['job'], (set) => {
    for (const job of jobs.states()) set({ job: job.name }, job.failures);
  });
}

/** The use of the limiters of this process. */
function watchLimiters(registry: Registry, providers: Watched['providers'], nameOf: NameOf): void {
  const labels = ['provider', 'kind'];
  const reading =
    (read: (use: LimiterUse) => number): Read =>
    (set) => {
      for (const [id, { limiters }] of providers) {
        if (limiters === undefined) continue;
        const provider = nameOf(id);
        set({ provider, kind: 'orders' }, read(limiters.orders.use()));
        set({ provider, kind: 'reads' }, read(limiters.reads.use()));
      }
    };
  const watch = (name: string, help: string, read: (use: LimiterUse) => number): void =>
    gauge(registry, name, help, labels, reading(read));
  watch('oja_provider_calls_running', 'Calls to a provider in progress', ({ calls }) => calls);
  watch(
    'oja_provider_calls_max',
    'The maximum number of concurrent calls to a provider: the share of this process',
    ({ callsMax }) => callsMax,
  );
  watch('oja_provider_calls_waiting', 'Calls that wait for the limiter of a provider', (use) => use.waiting);
}

/**
 * These gauges are for monitoring and not for the books: floating-point amounts are precise enough.
 */
function watchFloats(registry: Registry, floats: Watched['floats'], nameOf: NameOf): void {
  const readAt = 'When this process last read the float';
  gauge(registry, 'oja_provider_float_read_timestamp_seconds', readAt, ['provider'], (set) => {
    for (const { provider, atMs } of floats.readAt()) {
      const agoMs = systemClock.elapsedMs() - atMs;
      set({ provider: nameOf(provider) }, (systemClock.now().getTime() - agoMs) / 1_000);
    }
  });
  const reported = `The float that a provider reports, in its currency; absent while it cannot be read ${ofInstallation}`;
  gauge(registry, 'oja_provider_float', reported, ['provider', 'currency'], (set) => {
    for (const { provider, amount, currency } of floats.all()) {
      set({ provider: nameOf(provider), currency }, Number(formatAmount(amount)));
    }
  });
  const inNaira = `The float that a provider reports, if it is in naira ${ofInstallation}`;
  gauge(registry, 'oja_provider_float_naira', inNaira, ['provider'], (set) => {
    for (const { provider, amount, currency } of floats.all()) {
      if (currency === 'NGN') set({ provider: nameOf(provider) }, Number(formatAmount(amount)));
    }
  });
}

/** The results of accounts in 30 days, as a job measures them. */
function watchMeasures(registry: Registry, database: Sql, nameOf: NameOf): void {
  const labels = ['environment', 'provider', 'product', 'network'];
  const measures = sharedRead(() => listMeasures(database, undefined));
  const truth = `How far the answers of an account could be trusted over 30 days, from 0 to 1 ${ofInstallation}`;
  gauge(registry, 'oja_provider_truth', truth, [...labels, 'grade'], async (set) => {
    for (const measure of await measures()) {
      set({ ...placeOf(measure), grade: truthGrade(measure) ?? 'none' }, truthOf(measure));
    }
  });
  const counts = `The counts behind the trust value: orders, and days on which the balance differed ${ofInstallation}`;
  gauge(registry, 'oja_provider_truth_counts', counts, [...labels, 'count'], async (set) => {
    for (const measure of await measures()) {
      for (const count of truthCounts) set({ ...placeOf(measure), count }, measure[count]);
    }
  });
  function placeOf({ environment, provider, product, network }: Measure): Record<string, string> {
    return { environment, provider: nameOf(provider), product, network };
  }
}

/**
 * The checks of `/healthz`. While a process starts, there is a single check, which reports that.
 */
function watchHealth(registry: Registry, report: () => Promise<Health>): void {
  const help = '1 while this health check stops all sales of this process';
  gauge(registry, 'oja_health_down', help, ['check'], async (set) => {
    const { checks } = (await report()).health;
    for (const [check, text] of Object.entries(checks)) set({ check }, text.startsWith('down') ? 1 : 0);
  });
}

function histogram(registry: Registry, name: string, help: string, labelNames: readonly string[]): Histogram {
  return new Histogram({ name, help, labelNames: [...labelNames], buckets: seconds, registers: [registry] });
}

/** By the kind of total. */
const salesMetrics: Readonly<Record<MoneyTotal['kind'], readonly [string, string]>> = {
  charge: ['oja_sales_charge_naira_total', 'What merchants paid for successful purchases'],
  cost: ['oja_sales_cost_naira_total', 'What providers charged for them, or were expected to charge'],
  loss: ['oja_sales_loss_naira_total', 'The loss of sales that cost more than merchants paid'],
};

/**
 * Metrics of money: totals of the whole installation, which a background job rolls up in the
 * database. Every process shows the same totals, and a restart does not reset them.
 */
function watchMoney(registry: Registry, read: () => Promise<readonly MoneyTotal[]>): void {
  const readOnce = sharedRead(read);
  const labels = ['environment', 'product', 'provider'];
  for (const [name, [metric, help]] of Object.entries(salesMetrics)) {
    total(registry, metric, `${help} ${ofInstallation}`, labels, async (set) => {
      for (const { kind, amount, environment, product, provider } of await readOnce()) {
        if (kind === name) set({ environment, product, provider }, Number(formatAmount(amount)));
      }
    });
  }
}
