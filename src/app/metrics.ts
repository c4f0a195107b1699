/**
 * The Prometheus metrics of one gateway process. Labels have few values: never a merchant's key, a
 * number or a path.
 */

import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { BackupAge } from '../backup/backup-watch.ts';
import type { FloatStatus } from '../floats/float-status.ts';
import type { JobState } from '../kernel/job.ts';
import { formatAmount, type Money } from '../kernel/money.ts';
import type { MoneyTotal } from '../margins/money-total-store.ts';
import { resultOf } from '../vending/health/call-counts.ts';
import type { LaneUse } from '../vending/path/lane.ts';
import type { VendingEvents } from '../vending/path/vending-events.ts';
import type { VendingGauges } from '../vending/path/vending-gauges.ts';
import { gauge, ofInstallation, total } from './collected-metrics.ts';
import type { Health } from './health/gateway-health.ts';
import { watchFloatStatuses, watchMoney } from './money-metrics.ts';

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Read when the metrics are asked for. */
type MetricsSources = {
  gauges(): VendingGauges;
  pendingByAge(): Promise<readonly { readonly age: string; readonly count: number }[]>;
  providerFloats(): readonly (Money & { readonly provider: string })[];
  /** As a worker looked at them last. */
  floatStatuses(): readonly FloatStatus[];
  /** Of the database: the same in every process. */
  moneyTotals(): Promise<readonly MoneyTotal[]>;
  breakers(): readonly { readonly provider: string; readonly state: string }[];
  lanes(): readonly LaneMetric[];
  openAlarms(): Promise<number>;
  backupAge(): Promise<BackupAge>;
  openDeliveries(): Promise<
    readonly { readonly channel: string; readonly state: string; readonly count: number }[]
  >;
  jobs(): readonly JobState[];
  /** When our money at a provider was last read. */
  floatsReadAt(): readonly { readonly provider: string; readonly at: Date }[];
  endpoints(): Promise<readonly { readonly state: string; readonly count: number }[]>;
  /** Questions for events that wait. */
  waitingPolls(): number;
};

type LaneMetric = LaneUse & {
  readonly provider: string;
  readonly isAway: boolean;
  readonly isPaused: boolean;
  readonly lastAnswerAt: Date | undefined;
};

export type Metrics = {
  readonly registry: Registry;
  readonly vendingEvents: VendingEvents;
  observeRequest(route: string, status: number, latencyMs: number): void;
  /** To be called when a try to send an order to its customer has ended. */
  observeDelivery(channel: string, outcome: string): void;
  /** To be called when a try to send an event to an endpoint was stored. */
  observeWebhook(outcome: string): void;
  /** Gauges of this process and of the database. */
  watch(sources: MetricsSources): void;
  /** Those that are there from the start. */
  watchHealth(report: () => Promise<Health>): void;
};

/** The labels of a vend that failed before a provider had it. */
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
    help: 'Tries to send an order to its customer, by what became of it',
    labelNames: ['channel', 'outcome'],
    registers: [registry],
  });
  const webhooks = new Counter({
    name: 'oja_webhooks_total',
    help: 'Tries to send an event to an endpoint of a merchant, by what became of the event',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return {
    registry,
    vendingEvents: vendingEvents(registry),
    observeRequest: (route, status, latencyMs) => requests.observe({ route, status }, latencyMs / 1_000),
    observeDelivery: (channel, outcome) => deliveries.inc({ channel, outcome }),
    watchHealth: (report) => watchHealth(registry, report),
    observeWebhook: (outcome) => webhooks.inc({ outcome }),
    watch: (sources) => {
      watchGauges(registry, sources);
      watchFloats(registry, sources);
      watchFloatStatuses(registry, sources.floatStatuses);
      watchMoney(registry, sources.moneyTotals);
      watchLanes(registry, sources.lanes);
      watchJobs(registry, sources.jobs);
    },
  };
}

function vendingEvents(registry: Registry): VendingEvents {
  const vends = new Counter({
    name: 'oja_vends_total',
    help: 'Vends that became final in this process',
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
    help: 'Answers against the final outcome of a vend: each needs a person',
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
    help: 'Purchases sent to a provider and questions about them, by what became of the call',
    labelNames: ['provider', 'result'],
    registers: [registry],
  });
  const stages = histogram(registry, 'oja_batch_seconds', 'Time of an accept or resolve transaction', [
    'stage',
  ]);
  const sizes = new Histogram({
    name: 'oja_batch_size',
    help: 'Vends in an accept or resolve transaction',
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
      const { provider, operation, kind, latencyMs } = event;
      answers.observe({ provider, operation, kind }, latencyMs / 1_000);
      const result = resultOf(event);
      if (result !== undefined) results.inc({ provider, result });
    },
    onFinal: (vend, effect, outcome) =>
      vends.inc({
        environment: vend.environment,
        product: vend.product,
        network: vend.network,
        provider: vend.attempt.provider,
        outcome,
        reason: effect.kind === 'fail' ? effect.reason : 'delivered',
      }),
    onUnfunded: ({ environment, product, network }) => {
      floorsHit.inc({ environment, product });
      vends.inc({ environment, product, network, ...neverSent, reason: 'insufficient_funds' });
    },
    onRefused: ({ environment, product, network }, reason) =>
      vends.inc({ environment, product, network, ...neverSent, reason }),
    onContradiction: (vend) => contradictions.inc({ provider: vend.attempt.provider }),
  };
}

function watchGauges(registry: Registry, sources: MetricsSources): void {
  gauge(
    registry,
    'oja_queue_depth',
    'Vends that wait for a batch or are being worked on',
    ['queue'],
    (set) => {
      const now = sources.gauges();
      set({ queue: 'accept' }, now.acceptQueue);
      set({ queue: 'resolve' }, now.resolveQueue);
      set({ queue: 'sync' }, now.purchases.live + now.purchases.test);
      set({ queue: 'awaited' }, now.awaited);
      set({ queue: 'worker' }, now.inHand);
    },
  );
  gauge(
    registry,
    'oja_pending_vends',
    `Vends that are not final, by age ${ofInstallation}`,
    ['age'],
    async (set) => {
      for (const { age, count } of await sources.pendingByAge()) set({ age }, count);
    },
  );
  gauge(
    registry,
    'oja_provider_breaker_open',
    '1 while calls to a provider are held back',
    ['provider'],
    (set) => {
      for (const { provider, state } of sources.breakers()) set({ provider }, state === 'closed' ? 0 : 1);
    },
  );
  gauge(
    registry,
    'oja_open_alarms',
    `Alarms nobody has acknowledged, 10,000 at most ${ofInstallation}`,
    [],
    async (set) => {
      set({}, await sources.openAlarms());
    },
  );
  gauge(
    registry,
    'oja_backup_last_success_timestamp_seconds',
    `When the last backup that is known was taken ${ofInstallation}`,
    [],
    async (set) => {
      const { lastAt } = await sources.backupAge();
      if (lastAt !== undefined) set({}, lastAt.getTime() / 1_000);
    },
  );
  gauge(
    registry,
    'oja_backup_max_age_seconds',
    `How old the last backup may be, where there ought to be one ${ofInstallation}`,
    [],
    async (set) => {
      const { maxAgeSeconds } = await sources.backupAge();
      if (maxAgeSeconds !== undefined) set({}, maxAgeSeconds);
    },
  );
  gauge(
    registry,
    'oja_open_deliveries',
    `Orders not sent to their customers ${ofInstallation}`,
    ['channel', 'state'],
    async (set) => {
      for (const { channel, state, count } of await sources.openDeliveries()) set({ channel, state }, count);
    },
  );
  gauge(
    registry,
    'oja_webhook_endpoints',
    'Endpoints of merchants, by how they do',
    ['state'],
    async (set) => {
      for (const { state, count } of await sources.endpoints()) set({ state }, count);
    },
  );
  gauge(registry, 'oja_event_polls', 'Questions for events that wait', [], (set) =>
    set({}, sources.waitingPolls()),
  );
}

/** The float in naira has a gauge of its own, besides the one of all currencies. */
function watchFloats(
  registry: Registry,
  { providerFloats: floats, floatsReadAt }: Pick<MetricsSources, 'providerFloats' | 'floatsReadAt'>,
): void {
  gauge(
    registry,
    'oja_provider_float_read_timestamp_seconds',
    'When this process last read our money at a provider',
    ['provider'],
    (set) => {
      for (const { provider, at } of floatsReadAt()) set({ provider }, at.getTime() / 1_000);
    },
  );
  // A gauge is for watching, not for counting money: floating-point naira or dollars are near
  // enough.
  gauge(
    registry,
    'oja_provider_float',
    `Our money at a provider, as it says, in its currency ${ofInstallation}`,
    ['provider', 'currency'],
    (set) => {
      for (const { provider, amount, currency } of floats()) {
        set({ provider, currency }, Number(formatAmount(amount)));
      }
    },
  );
  gauge(
    registry,
    'oja_provider_float_naira',
    `Our money at a provider, as it says, where it is in naira ${ofInstallation}`,
    ['provider'],
    (set) => {
      for (const { provider, amount, currency } of floats()) {
        if (currency === 'NGN') set({ provider }, Number(formatAmount(amount)));
      }
    },
  );
}

/** Of this process alone: the sum over all of them is that of the installation. */
function watchLanes(registry: Registry, lanes: MetricsSources['lanes']): void {
  const name = 'oja_provider_lane';
  const help = 'Calls to a provider: under way, places for them, and what waits for a place';
  gauge(registry, name, help, ['provider', 'what'], (set) => {
    for (const { provider, calls, places, waiting } of lanes()) {
      set({ provider, what: 'calls' }, calls);
      set({ provider, what: 'places' }, places);
      set({ provider, what: 'waiting' }, waiting);
    }
  });
  const paused = 'oja_provider_paused';
  gauge(
    registry,
    paused,
    `1 while no new purchase is sent to a provider ${ofInstallation}`,
    ['provider'],
    (set) => {
      for (const { provider, isPaused } of lanes()) set({ provider }, isPaused ? 1 : 0);
    },
  );
  const away = 'oja_provider_away';
  gauge(
    registry,
    away,
    '1 while a provider cannot be bought from, by what all processes see of it',
    ['provider'],
    (set) => {
      for (const { provider, isAway } of lanes()) set({ provider }, isAway ? 1 : 0);
    },
  );
  const answeredAt = 'oja_provider_last_answer_timestamp_seconds';
  gauge(
    registry,
    answeredAt,
    'When a provider last answered this process; 0: never yet',
    ['provider'],
    (set) => {
      for (const { provider, lastAnswerAt } of lanes()) {
        set({ provider }, (lastAnswerAt?.getTime() ?? 0) / 1_000);
      }
    },
  );
}

/** The checks of `/healthz`. While a process starts, the one that says so. */
function watchHealth(registry: Registry, report: () => Promise<Health>): void {
  const help = '1 while a check of the health of this process is why nothing can be sold';
  gauge(registry, 'oja_health_down', help, ['check'], async (set) => {
    const { checks } = (await report()).health;
    for (const [check, text] of Object.entries(checks)) set({ check }, text.startsWith('down') ? 1 : 0);
  });
}

/**
 * Every job has its metrics from the start: a job that never runs shows as one that never
 * succeeded.
 */
function watchJobs(registry: Registry, jobs: MetricsSources['jobs']): void {
  const okAt = 'oja_job_last_success_timestamp_seconds';
  gauge(registry, okAt, 'When a background job last ended well; 0: never yet', ['job'], (set) => {
    for (const { name, lastOkAt } of jobs()) set({ job: name }, (lastOkAt?.getTime() ?? 0) / 1_000);
  });
  gauge(registry, 'oja_job_interval_seconds', 'How often a background job runs', ['job'], (set) => {
    for (const { name, everyMs } of jobs()) set({ job: name }, everyMs / 1_000);
  });
  gauge(
    registry,
    'oja_job_duration_seconds',
    'How long the last run of a background job took',
    ['job'],
    (set) => {
      for (const { name, lastDurationMs } of jobs()) {
        if (lastDurationMs !== undefined) set({ job: name }, lastDurationMs / 1_000);
      }
    },
  );
  total(registry, 'oja_job_failures_total', 'Runs of a background job that failed', ['job'], (set) => {
    for (const job of jobs()) set({ job: job.name }, job.failures);
  });
}

function histogram(registry: Registry, name: string, help: string, labelNames: readonly string[]): Histogram {
  return new Histogram({ name, help, labelNames: [...labelNames], buckets: seconds, registers: [registry] });
}
