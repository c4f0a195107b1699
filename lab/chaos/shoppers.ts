/**
 * The merchants: many clients of one wallet, and clients with their own wallet. All buy through the
 * balancer and record their answers.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fund, openWallets } from '../../bench/wallets.ts';
import type { Database } from '../../src/db/database.ts';
import type { Credentials } from '../../test/support/gateway.ts';
import {
  fetchPlans,
  type Load,
  type LoadOptions,
  type Purchase,
  startLoad,
} from '../../test/support/load.ts';
import { fundByCommand, openWalletsByCommand, type Release } from './wallets-by-command.ts';

export type Shoppers = {
  /** Their records so far. */
  purchases(): Purchase[];
  /**
   * Resolves when all have stopped buying and, if possible, know the outcomes of their purchases.
   */
  stop(): Promise<void>;
};

type ShoppersOptions = {
  readonly stack: AsyncDisposableStack;
  readonly database: Database;
  readonly dataDir: string;
  /** The gateways that serve first, if they differ. */
  readonly before: Release | undefined;
  readonly url: string;
  readonly seed: number;
  readonly hot: number;
  readonly spread: number;
  readonly onSend: NonNullable<LoadOptions['onSend']>;
};

const PAUSE_MS = 150;
const HANG_UP_SHARE = 0.01;
const BILL_SHARE = 0.1;
/** The price of the most expensive bought plan, in naira. */
const PRICE_MAX = 1_000;

export async function sendShoppers(options: ShoppersOptions): Promise<Shoppers> {
  const { stack, database, dataDir, before, url, seed, spread, onSend } = options;
  const { live, merchant } = JSON.parse(
    await readFile(join(dataDir, 'credentials.json'), 'utf8'),
  ) as Credentials;
  if (before === undefined) await database.transaction((tx) => fund(tx, merchant, 'live'));
  else await fundByCommand(before, merchant);
  const wallets =
    before === undefined
      ? await openWallets(database, dataDir, { count: spread, environment: 'live' })
      : await openWalletsByCommand(before, spread);
  const plans = await fetchPlans(url, live.key, live.secret);
  const manners = {
    url: () => url,
    pauseMs: PAUSE_MS,
    hangUpShare: HANG_UP_SHARE,
    plans: plans.filter(({ price }) => Number(price) <= PRICE_MAX),
    onSend,
  };
  const loads: Load[] = [
    startLoad({ ...manners, ...live, clients: options.hot, seed, billShare: BILL_SHARE }),
    // Their numbers are far from those of the others, so that all references differ.
    ...wallets.map((wallet, index) =>
      startLoad({ ...manners, ...wallet, clients: 1, seed: seed + 1_000_000 * (index + 1) }),
    ),
  ];
  for (const load of loads) stack.use(load);
  return {
    purchases: () => loads.flatMap((load) => load.purchases),
    stop: async () => {
      await Promise.all(loads.map((load) => load.stop()));
      await Promise.all(loads.map((load) => load.resolveUnknown()));
    },
  };
}
