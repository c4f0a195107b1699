/** What is not counted but looked at: read for each scrape of the metrics. */
import type { BackupAge } from '../backup/backup-watch.ts';
import type { Database } from '../db/database.ts';
import type { FloatWatch } from '../floats/watch-floats.ts';
import { systemClock } from '../kernel/clock.ts';
import type { RunningJobs } from '../kernel/run-jobs.ts';
import { listMoneyTotals } from '../margins/money-total-store.ts';
import { countOpenDeliveries } from '../messages/delivery-store.ts';
import type { Provider } from '../providers/provider.ts';
import type { Routes } from '../routing/routes.ts';
import type { CallCounts } from '../vending/health/call-counts.ts';
import { countOpenAlarms, countPendingByAge } from '../vending/history/watch-store.ts';
import type { Vending } from '../vending/vending.ts';
import { countEndpointsByState } from '../webhooks/endpoint-store.ts';
import type { Events } from './events.ts';
import type { Metrics } from './metrics.ts';
import type { ProviderFloats } from './provider-floats.ts';

export type Watched = {
  readonly vending: Vending;
  readonly metrics: Metrics;
  readonly jobs: Pick<RunningJobs, 'states'>;
  readonly database: Database;
  readonly providers: ReadonlyMap<string, Provider & { breakerState?(): string }>;
  readonly floats: ProviderFloats;
  readonly floatWatch: Pick<FloatWatch, 'statuses'>;
  readonly backupAge: () => Promise<BackupAge>;
  readonly calls: CallCounts;
  readonly routes: Pick<Routes, 'isPausedWhole'>;
  readonly events: Pick<Events, 'waiting'>;
  readonly isAway: (provider: string) => boolean;
};

export function watchGauges(watched: Watched): void {
  const {
    database,
    providers,
    vending,
    metrics,
    floats,
    floatWatch,
    backupAge,
    jobs,
    calls,
    routes,
    events,
    isAway,
  } = watched;
  metrics.watch({
    gauges: () => vending.gauges(),
    pendingByAge: () => countPendingByAge(database, systemClock.now()),
    openAlarms: () => countOpenAlarms(database),
    openDeliveries: () => countOpenDeliveries(database),
    providerFloats: () => floats.all(),
    floatsReadAt: () =>
      floats.readAt().map(({ provider, atMs }) => ({ provider, at: wallTime(atMs) ?? new Date(0) })),
    floatStatuses: () => floatWatch.statuses(),
    moneyTotals: () => listMoneyTotals(database),
    backupAge,
    breakers: () =>
      [...providers].flatMap(([provider, { breakerState }]) =>
        breakerState === undefined ? [] : [{ provider, state: breakerState() }],
      ),
    lanes: () =>
      [...vending.lanes].map(([provider, lane]) => ({
        provider,
        ...lane.use(),
        isPaused: routes.isPausedWhole(provider),
        isAway: isAway(provider),
        lastAnswerAt: wallTime(calls.last(provider).lastAnswer?.atMs),
      })),
    jobs: () => jobs.states(),
    endpoints: () => countEndpointsByState(database),
    waitingPolls: () => events.waiting(),
  });
}

/** The time of day at `atMs` of the steady clock. Undefined where there was no such moment. */
function wallTime(atMs: number | undefined): Date | undefined {
  if (atMs === undefined) return undefined;
  return new Date(systemClock.now().getTime() - (systemClock.elapsedMs() - atMs));
}
