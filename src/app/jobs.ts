/**
 * Every background job of a gateway process: its name, which processes run it, how often, and the
 * effect of its failure. The jobs of events and webhooks, of balances and of users are in the
 * `*-jobs.ts` beside this file. The folder of its subject has its code. All jobs find their work in
 * the database. So any number of processes may run them, and the others take over the work of a
 * process that dies.
 */

import { systemClock } from '../core/clock.ts';
import type { Job } from '../core/job.ts';
import type { Database } from '../db/database.ts';
import type { FloatWatch } from '../finance/floats/watch-floats.ts';
import type { Funding } from '../funding/funding.ts';
import type { Authenticator } from '../merchants/authenticate.ts';
import { forgetOldSpending } from '../merchants/spending-store.ts';
import type { DeliveryWork } from '../notifications/messages/deliver-orders.ts';
import type { WebhookWork } from '../notifications/webhooks/deliver-events.ts';
import { watchBackups } from '../operate/backup/backup-watch.ts';
import type { RestoreLock } from '../operate/restore-lock/restore-lock.ts';
import type { RewindDetector } from '../operate/restore-lock/rewind-detector.ts';
import { Forgetting, type Periods } from '../operate/retention/forget-old.ts';
import { IDLE_POLL_MS } from '../purchases/engine/work-purchases.ts';
import type { HealthReport } from '../purchases/health/report-health.ts';
import type { HealthWatch } from '../purchases/health/watch-health.ts';
import type { Purchases } from '../purchases/purchases.ts';
import { balanceJobs } from './balance-jobs.ts';
import type { Batches } from './batches.ts';
import { eventJobs } from './event-jobs.ts';
import type { ProviderFloats } from './provider-floats.ts';
import type { Reloading } from './reload-on-change.ts';
import { type UserJobParts, userJobs } from './user-jobs.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type JobParts = UserJobParts & {
  /** Where the rest is, if `database` is a cell on another server. */
  readonly coordinator?: Database;
  /** The cells, if they are on other servers. */
  readonly placedCells?: readonly Database[];
  readonly reloading: Pick<Reloading, 'reloadAll'>;
  readonly authenticator: Pick<Authenticator, 'writeLastUsed'>;
  readonly purchases: Pick<Purchases, 'background'>;
  readonly batches: Pick<Batches, 'work'>;
  readonly funding: Pick<Funding, 'background'>;
  readonly deliveries: DeliveryWork;
  readonly webhooks: { readonly work: WebhookWork };
  readonly floats: ProviderFloats;
  readonly floatWatch: Pick<FloatWatch, 'look'>;
  /** Measures what each account did in the last 30 days. */
  readonly measureProviders: () => Promise<unknown>;
  /** After how long the last backup is old. */
  readonly backups: Parameters<typeof watchBackups>[1];
  readonly health: Pick<HealthReport, 'write'>;
  readonly healthWatch: Pick<HealthWatch, 'look'>;
  /** Updates the catalog from the price lists of providers that have a rule. */
  readonly syncCatalog: () => Promise<void>;
  readonly restoreLock: Pick<RestoreLock, 'look' | 'lookInto'>;
  readonly life: Pick<RewindDetector, 'look'>;
  /** How often each funding account's payments are listed. */
  readonly fundingSweepMs: number;
  /** How long an identity document is kept. Undefined: until an operator deletes it. */
  readonly documentDays: number | undefined;
  /** After how many days personal data is removed, by kind. */
  readonly retention: Periods;
  /** How long a shutdown waits for calls to providers. */
  readonly drainMs: number;
};

export function listJobs(parts: JobParts): readonly Job[] {
  return [
    ...purchaseJobs(parts),
    ...providerJobs(parts),
    ...moneyJobs(parts),
    ...balanceJobs(parts),
    ...eventJobs(parts),
    ...waitingJobs(parts),
    ...recordJobs(parts),
    ...databaseJobs(parts),
    ...reloadingJobs(parts),
    ...userJobs(parts),
  ];
}

function purchaseJobs({ purchases: { background }, batches, drainMs }: JobParts): readonly Job[] {
  return [
    {
      name: 'heartbeat',
      role: 'all',
      everyMs: SECOND_MS,
      untilDrained: true,
      failure:
        'cannot record the heartbeat: after 5 s without one, other processes take over the purchases of this one',
      run: () => background.beat(),
    },
    {
      name: 'dead-gateways',
      role: 'all',
      everyMs: SECOND_MS,
      untilDrained: true,
      failure: 'cannot take over the purchases of dead processes: they stay pending until the next run',
      run: () => background.takeOver(),
    },
    {
      name: 'forgotten-purchases',
      role: 'all',
      everyMs: 15 * SECOND_MS,
      untilDrained: true,
      failure:
        'cannot look for claimed purchases that no process works on: they stay pending until the next run',
      run: () => background.lookForForgotten(),
    },
    {
      name: 'stranded-purchases',
      role: 'worker',
      everyMs: 5 * SECOND_MS,
      failure: 'cannot look for purchases stuck at a provider: they stay pending until the next run',
      run: () => background.sweep(),
    },
    {
      name: 'purchases',
      role: 'worker',
      everyMs: IDLE_POLL_MS,
      stopWithinMs: drainMs,
      failure: 'cannot claim purchases from the queue: they wait',
      loop: (round) => background.work(round),
    },
    {
      name: 'rerouted-purchases',
      role: 'worker',
      everyMs: SECOND_MS / 2,
      failure: 'cannot reroute waiting purchases to the next provider: they wait for the first',
      run: () => background.reroute(),
    },
    {
      name: 'queue-watermarks',
      role: 'worker',
      everyMs: SECOND_MS,
      failure: 'cannot move the low watermark of the queue: claiming purchases takes longer',
      run: () => background.moveQueueWatermarks(),
    },
    {
      name: 'late-goods',
      role: 'worker',
      everyMs: SECOND_MS,
      stopWithinMs: drainMs,
      failure: 'cannot query pending fulfilments: goods arrive later',
      run: () => background.askPendingFulfilment(),
    },
    {
      name: 'batches',
      role: 'worker',
      everyMs: SECOND_MS / 4,
      idleMs: SECOND_MS,
      stopWithinMs: drainMs,
      failure: 'cannot buy rows of batches: they are bought later',
      run: () => batches.work(),
    },
    {
      name: 'search',
      role: 'worker',
      everyMs: 5 * SECOND_MS,
      failure: 'cannot index purchases for the search: searches still find them, but take longer',
      run: () => background.indexSearch(),
    },
    {
      name: 'second-looks',
      role: 'worker',
      everyMs: 10 * SECOND_MS,
      stopWithinMs: drainMs,
      failure: 'cannot recheck successes: reversals by providers are found later',
      run: () => background.recheckSuccesses(),
    },
  ];
}

function providerJobs(parts: JobParts): readonly Job[] {
  const { floats, floatWatch, measureProviders, health, healthWatch, syncCatalog, drainMs } = parts;
  return [
    {
      name: 'provider-floats',
      role: 'worker',
      everyMs: 30 * SECOND_MS,
      failure: 'cannot read provider floats: the last known values stay',
      run: () => floats.read(),
    },
    {
      name: 'float-alarms',
      role: 'worker',
      everyMs: 30 * SECOND_MS,
      failure: 'cannot check floats: alarms and pauses of providers without money come later',
      run: () => floatWatch.look(),
    },
    {
      name: 'catalog-syncs',
      role: 'worker',
      everyMs: MINUTE_MS,
      stopWithinMs: drainMs,
      failure: 'cannot follow the lists of providers: prices stay unchanged',
      run: () => syncCatalog(),
    },
    {
      name: 'provider-measures',
      role: 'worker',
      everyMs: MINUTE_MS,
      failure: 'cannot measure providers: routes use the previous figures',
      run: async () => {
        await measureProviders();
      },
    },
    {
      name: 'provider-health',
      role: 'all',
      everyMs: 2 * SECOND_MS,
      failure:
        'cannot record the health of providers: after 30 s the observations of this process are ignored',
      run: () => health.write(),
    },
    {
      name: 'provider-alarms',
      role: 'worker',
      everyMs: 5 * SECOND_MS,
      failure: 'cannot check the health of providers: alarms are raised and ended later',
      run: () => healthWatch.look(),
    },
  ];
}

function moneyJobs({ funding: { background }, fundingSweepMs, documentDays }: JobParts): readonly Job[] {
  return [
    {
      name: 'deposits',
      role: 'worker',
      everyMs: SECOND_MS / 2,
      idleMs: SECOND_MS,
      failure: 'cannot read announced payments back from banks: deposits are credited later',
      run: () => background.confirmPayments(),
    },
    {
      name: 'funding-accounts',
      role: 'worker',
      everyMs: SECOND_MS / 2,
      idleMs: SECOND_MS,
      failure: 'cannot request funding accounts: they are opened later',
      run: () => background.settleAccounts(),
    },
    {
      name: 'deposit-sweeps',
      role: 'worker',
      everyMs: Math.min(fundingSweepMs, 5 * SECOND_MS),
      failure: 'cannot list payments: deposits that banks did not announce are found later',
      run: () => background.sweepPayments(fundingSweepMs),
    },
    {
      name: 'old-documents',
      role: 'worker',
      everyMs: HOUR_MS,
      failure: 'cannot delete old identity documents: they are kept until the next run',
      run: async () => {
        if (documentDays !== undefined) await background.forgetDocuments(documentDays);
      },
    },
  ];
}

/** Jobs that send cards and eSIMs to customers. event-jobs.ts sends webhooks to merchants. */
function waitingJobs({ deliveries }: JobParts): readonly Job[] {
  return [
    {
      name: 'deliveries',
      role: 'worker',
      everyMs: SECOND_MS,
      failure: 'cannot claim deliveries: customers get their orders later',
      run: () => deliveries.run(),
      finish: () => deliveries.finish(),
    },
  ];
}

/** Jobs on stored records: personal data, uses of credentials. */
function recordJobs({ database, coordinator, authenticator, retention }: JobParts): readonly Job[] {
  const forgetting = new Forgetting(retention, () => systemClock.now());
  return [
    {
      name: 'retention',
      role: 'worker',
      everyMs: MINUTE_MS,
      failure: 'cannot remove old personal data: it is kept until the next run',
      run: async () => {
        await forgetting.run(database, coordinator);
        await forgetOldSpending(database);
      },
    },
    {
      name: 'credential-uses',
      role: 'api',
      everyMs: MINUTE_MS,
      failure: 'cannot record when credentials were last used: it is recorded later',
      run: () => authenticator.writeLastUsed(),
      finish: () => authenticator.writeLastUsed(),
    },
  ];
}

/** Jobs about the reliability of the database: its backups, and rewinds. */
function databaseJobs({ database, backups, restoreLock, life }: JobParts): readonly Job[] {
  return [
    {
      name: 'backups',
      role: 'worker',
      everyMs: MINUTE_MS,
      failure: 'cannot read the time of the last backup: no alarm is raised for an old one',
      run: () => watchBackups(database, backups, systemClock.now()),
    },
    {
      name: 'restore-lock',
      role: 'all',
      everyMs: SECOND_MS,
      failure: 'cannot check whether the database was rewound: the restore lock does not change',
      run: async () => {
        const settle = restoreLock.lookInto();
        await life.look();
        await restoreLock.look();
        settle();
      },
    },
  ];
}

/** Jobs that refresh what this process keeps in memory. */
function reloadingJobs({ reloading }: JobParts): readonly Job[] {
  return [
    {
      name: 'prices-and-routes',
      role: 'all',
      everyMs: 30 * SECOND_MS,
      failure: 'cannot reload prices, rates, routes, guards and credentials: the loaded ones stay in use',
      run: () => reloading.reloadAll(),
    },
  ];
}
