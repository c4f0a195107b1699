/**
 * One gateway process of a simulation: the same composition of the path of a purchase as in
 * src/app/context.ts, over a simulated database, clock and providers.
 */

import { createProviderFloats } from '../../src/app/provider-floats.ts';
import { purchasesOfCells } from '../../src/app/purchases-of-cells.ts';
import { createClock } from '../../src/core/clock.ts';
import { noFailpoints } from '../../src/core/failpoints.ts';
import { newId } from '../../src/core/ids.ts';
import { createLog } from '../../src/core/log.ts';
import type { Database } from '../../src/db/database.ts';
import { createFunding, type Funding } from '../../src/funding/funding.ts';
import { assignNewPositions } from '../../src/notifications/events/assign-positions.ts';
import { CommitWatermark } from '../../src/notifications/events/commit-watermark.ts';
import type { FeedEvent } from '../../src/notifications/events/event.ts';
import { createWebhookWork, type WebhookWork } from '../../src/notifications/webhooks/deliver-events.ts';
import type { EventMessage } from '../../src/notifications/webhooks/run-endpoint.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { createPurchaseShares, type PurchaseShares } from '../../src/purchases/engine/purchase-shares.ts';
import { insertReading } from '../../src/purchases/evidence/reading-store.ts';
import { type Purchases, type PurchasesOptions, startPurchases } from '../../src/purchases/purchases.ts';
import { fixedRoutes } from '../support/fixed-routes.ts';
import { noRestoreLock } from '../support/no-restore-lock.ts';
import type { Installation } from './installation.ts';
import { panelNetwork, silentPanelNetwork } from './products.ts';
import { tellEvent } from './receiver.ts';
import { bankName, scriptedBank } from './scripted-bank.ts';
import { panelName, scriptedPanel } from './scripted-panel.ts';
import { providerNames, scriptedProvider } from './scripted-provider.ts';
import { silentPanel, silentPanelName } from './silent-panel.ts';
import { simulatedDatabase } from './simulated-database.ts';

/** The panels, by the network that each sells. */
const panels = new Map([
  [panelNetwork, panelName],
  [silentPanelNetwork, silentPanelName],
]);

export type GatewayProcess = {
  readonly name: string;
  readonly database: Database;
  readonly purchases: Purchases;
  readonly funding: Funding;
  readonly webhooks: WebhookWork;
  /** Gives new events their places in the feeds. */
  placeEvents(): Promise<unknown>;
  /** By the wall clock of its machine. */
  nowMs(): number;
  /** Reads and stores the balances that the panels report. */
  readBalances(): Promise<void>;
  /** Moves the wall clock of its machine. */
  setClock(byMs: number): void;
};

const nothing = (): void => undefined;

/** It needs several steps to start: its promise resolves when it can accept. */
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
  // A panel sells one network. One half of the processes have no other provider.
  const routeOf = (network: string): readonly string[] => {
    const panel = panels.get(network);
    if (panel === undefined) return route;
    return takesFirst === 0 ? [panel] : [panel, ...providerNames];
  };
  const callBack = (provider: string, reference: string): void =>
    void purchases.queryNow(provider, reference).catch(nothing);
  const providers = new Map<string, Provider>([
    ...providerNames.map((provider): [string, Provider] => [
      provider,
      scriptedProvider(provider, name, { book, steps, time, callBack }),
    ]),
    [panelName, scriptedPanel(name, { book, steps, time })],
    [silentPanelName, silentPanel(name, { book, steps, time })],
  ]);
  const options = {
    catalog,
    guards,
    houseAccounts,
    sealer,
    pepper,
    clock,
    newId,
    routes: fixedRoutes(routeOf),
    restoreLock: noRestoreLock,
    providers,
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
  } satisfies Omit<PurchasesOptions, 'databases'>;
  const startOn = (on: Database, shares?: PurchaseShares): Promise<Purchases> =>
    startPurchases({
      ...options,
      databases: { money: on, work: on, heartbeat: on, readsOf: () => on },
      ...(shares && { shares }),
    });
  const startCells = async (): Promise<Purchases> => {
    const shares = createPurchaseShares(newId);
    const cells: Purchases[] = [];
    for (const cell of server.cells) {
      cells.push(await startOn(simulatedDatabase(server, steps, name, cell), shares));
    }
    return purchasesOfCells(await startOn(database, shares), cells, installation.cellOf);
  };
  const purchases = server.cells.length === 0 ? await startOn(database) : await startCells();
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
  const floats = createProviderFloats(providers, clock, (reading) => insertReading(database, reading));
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
    database,
    purchases,
    funding,
    webhooks,
    placeEvents: () => assignNewPositions(database),
    nowMs: () => clock.now().getTime(),
    readBalances: () => floats.read(),
    setClock: (byMs) => {
      aheadMs += byMs;
    },
  };
}

/** For a deposit, its facts state which. */
function messageOf({ id, type, purchaseId, facts }: FeedEvent): EventMessage {
  return { id, body: tellEvent(type, purchaseId ?? `${facts?.deposit}`) };
}
