/**
 * The parts of a simulation that outlive its processes: the database with its clock, and the
 * providers' books. Many seeds use one installation, each with its own merchant.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { prepareDatabase } from '../../src/app/open-storage.ts';
import { type Catalog, loadCatalog } from '../../src/catalog/catalog.ts';
import { type Guards, loadGuards } from '../../src/catalog/margins/guards.ts';
import { environments } from '../../src/core/environment.ts';
import { createSealer, newSealingKey, type Sealer } from '../../src/core/sealing.ts';
import type { Queries } from '../../src/db/database.ts';
import { CellLookup, findCells } from '../../src/db/find-cells.ts';
import { builtInProviders } from '../../src/providers/registry.ts';
import {
  bankAccount,
  depositFeesAccount,
  floatAccount,
  revenueAccount,
  suspenseAccount,
  vouchersAccount,
} from '../../src/wallet/ledger/chart-of-accounts.ts';
import { createHouseAccounts, type HouseAccounts } from '../../src/wallet/ledger/house-accounts.ts';
import { createTestDatabase } from '../support/database.ts';
import { giveClock } from './database-time.ts';
import { openConnection } from './one-connection.ts';
import { storePlans } from './products.ts';
import { ProviderBook } from './provider-book.ts';
import { Receiver } from './receiver.ts';
import { BankBook, bankName } from './scripted-bank.ts';
import { panelName } from './scripted-panel.ts';
import { providerNames } from './scripted-provider.ts';
import { silentPanelName } from './silent-panel.ts';
import { Server } from './simulated-database.ts';
import { SimulatedTime } from './simulated-time.ts';
import { Steps } from './steps.ts';

export type Installation = AsyncDisposable & {
  readonly time: SimulatedTime;
  readonly steps: Steps;
  readonly server: Server;
  /** Call it for each merchant that buys: no process waits for a cell. */
  readonly findCell: (merchantId: number) => Promise<void>;
  readonly cellOf: (merchantId: number) => Promise<number>;
  readonly book: ProviderBook;
  readonly bank: BankBook;
  readonly receiver: Receiver;
  readonly catalog: Catalog;
  readonly guards: Guards;
  /** Shared: each process would read the same ids at its start. */
  readonly houseAccounts: HouseAccounts;
  readonly sealer: Sealer;
  readonly pepper: KeyObject;
};

/** The first simulated day. */
const startMs = Date.UTC(2030, 0, 1);

export async function openInstallation(): Promise<Installation> {
  await using stack = new AsyncDisposableStack();
  const test = stack.use(await createTestDatabase());
  // The template may come from other code if a deliberate bug is in the SQL functions.
  await prepareDatabase(test.database, builtInProviders);
  await test.database.transaction((tx) => storePlans(tx));
  await giveClock(test.database);
  const database = stack.use(await openConnection(test.connectionString));
  const time = new SimulatedTime(startMs);
  const cells = await findCells(database, test.connectionString);
  const lookup = new CellLookup(database);
  const cellsOf = new Map<number, number>();
  const connections: (Queries & AsyncDisposable)[] = [];
  for (const { schema } of cells.length === 1 ? [] : cells) {
    connections.push(stack.use(await openConnection(test.connectionString, schema)));
  }
  const server = new Server(database, connections, time);
  const [catalog, guards] = await server.run(async () => [
    await loadCatalog(database),
    await loadGuards(database),
  ]);
  const houseAccounts = createHouseAccounts(database);
  await server.run(() => openHouseAccounts(houseAccounts));
  const owned = stack.move();
  return {
    time,
    server,
    findCell: async (merchantId) =>
      void cellsOf.set(merchantId, await server.run(() => lookup.find(merchantId))),
    cellOf: async (merchantId) => cellsOf.get(merchantId) ?? 0,
    catalog,
    guards,
    steps: new Steps(time),
    houseAccounts,
    book: new ProviderBook(time),
    bank: new BankBook(time),
    receiver: new Receiver(),
    sealer: createSealer(newSealingKey()),
    pepper: createSecretKey(Buffer.alloc(32, 2)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Every query of a process's start is made once, so that no process waits for one later. */
async function openHouseAccounts({ houseAccountId }: HouseAccounts): Promise<void> {
  for (const environment of environments) {
    await houseAccountId(revenueAccount(environment, 'NGN'));
    await houseAccountId(vouchersAccount(environment, 'NGN'));
    await houseAccountId(bankAccount(bankName, environment, 'NGN'));
    await houseAccountId(suspenseAccount(environment, 'NGN'));
    await houseAccountId(depositFeesAccount(environment, 'NGN'));
    for (const provider of [...providerNames, panelName, silentPanelName])
      await houseAccountId(floatAccount(provider, environment, 'NGN'));
  }
}
