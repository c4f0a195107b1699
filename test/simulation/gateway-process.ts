/**
 * One gateway process of a simulation: the same composition of the path of a purchase as in
 * src/app/context.ts, over a simulated database, clock and providers.
 */

import { createClock } from '../../src/core/clock.ts';
import { noFailpoints } from '../../src/core/failpoints.ts';
import { newId } from '../../src/core/ids.ts';
import { createLog } from '../../src/core/log.ts';
import { createFunding, type Funding } from '../../src/funding/funding.ts';
import { assignNewPositions } from '../../src/notifications/events/assign-positions.ts';
import { CommitWatermark } from '../../src/notifications/events/commit-watermark.ts';
import type { FeedEvent } from '../../src/notifications/events/event.ts';
import { createWebhookWork, type WebhookWork } from '../../src/notifications/webhooks/deliver-events.ts';
import type { EventMessage } from '../../src/notifications/webhooks/run-endpoint.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { type Purchases, startPurchases } from '../../src/purchases/purchases.ts';
import { fixedRoutes } from '../support/fixed-routes.ts';
import { noRestoreLock } from '../support/no-restore-lock.ts';
import type { Installation } from './installation.ts';
import { panelNetwork } from './products.ts';
import { tellEvent } from './receiver.ts';
import { bankName, scriptedBank } from './scripted-bank.ts';
import { panelName, scriptedPanel } from './scripted-panel.ts';
import { providerNames, scriptedProvider } from './scripted-provider.ts';
import { simulatedDatabase } from './simulated-database.ts';

export type GatewayProcess = {
  readonly name: string;
  readonly purchases: Purchases;
  readonly funding: Funding;
  readonly webhooks: WebhookWork;
  /** Gives new events their places in the feeds. */
  placeEvents(): Promise<unknown>;
  /** By the wall clock of its machine. */
  nowMs(): number;
  /** Moves that clock. */
  setClock(byMs: number): void;
};

const nothing = (): void => undefined;

/** It needs steps to come up: its promise resolves when it can accept. */
export async function startProcess(
  installation: Installation,
  name: string,
  takesFirst: number,
): Promise<GatewayProcess> {
  const { server, steps, time, book, bank, receiver, catalog, guards, houseAccounts, sealer, pepper } =
    installation;
  const database = simulatedDatabase(server, steps, name);
  const log = createLog('silent');
  let aheadMs = 0;
  const clock = createClock({ wallMs: () => time.nowMs + aheadMs, steadyMs: () => time.elapsedMs });
  // Half of the processes prefer the other provider.
  const route = takesFirst === 0 ? providerNames : providerNames.toReversed();
  // The panel sells one network. One half of the processes have nothing besides it.
  const routeOf = (network: string): readonly string[] =>
    network !== panelNetwork ? route : takesFirst === 0 ? [panelName] : [panelName, ...providerNames];
  const callBack = (provider: string, reference: string): void =>
    void purchases.queryNow(provider, reference).catch(nothing);
  const purchases: Purchases = await startPurchases({
    databases: { money: database, work: database, heartbeat: database, readsOf: () => database },
    catalog,
    guards,
    houseAccounts,
    sealer,
    pepper,
    clock,
    newId,
    routes: fixedRoutes(routeOf),
    restoreLock: noRestoreLock,
    providers: new Map([
      ...providerNames.map((provider): [string, Provider] => [
        provider,
        scriptedProvider(provider, name, { book, steps, time, callBack }),
      ]),
      [panelName, scriptedPanel(name, { book, steps, time })],
    ]),
    role: 'all',
    log,
    failpoints: noFailpoints,
    syncDeadlineMs: 60_000,
    syncWaitMs: 5_000,
    asyncPatienceMs: 900_000,
    orderWaitMs: 30_000,
    liveChannels: [],
    events: {
      onBatch: nothing,
      onAnswer: nothing,
      onFinal: nothing,
      onUnfunded: nothing,
      onRefused: nothing,
      onContradiction: nothing,
    },
  });
  const shared = { database, clock, log, failpoints: noFailpoints };
  const funding = createFunding({
    ...shared,
    sealer,
    pepper,
    houseAccounts,
    newId,
    liveProvider: bankName,
    payIns: new Map(),
    providers: new Map([[bankName, scriptedBank(name, { bank, steps })]]),
  });
  const webhooks = createWebhookWork({
    ...shared,
    watermark: new CommitWatermark(database),
    compose: async (_, events) => new Map(events.map((event) => [event.id, messageOf(event)])),
    turn: async () => true,
    send: (_, message) =>
      steps.wait('call', name, 'sends an event', async () => receiver.receive(message, Math.random())),
    onTried: nothing,
  });
  purchases.background.work(async (work) => {
    await steps.wait('look', name, 'looks into the queue', async () => undefined);
    try {
      return await work();
    } catch {
      return undefined;
    }
  });
  return {
    name,
    purchases,
    funding,
    webhooks,
    placeEvents: () => assignNewPositions(database),
    nowMs: () => clock.now().getTime(),
    setClock: (byMs) => {
      aheadMs += byMs;
    },
  };
}

/** Of a deposit its facts say which. */
function messageOf({ id, type, purchaseId, facts }: FeedEvent): EventMessage {
  return { id, body: tellEvent(type, purchaseId ?? `${facts?.deposit}`) };
}
