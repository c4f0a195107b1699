/**
 * Two gateways on one database compared with one, alternating: they share the locks of wallets, and
 * here also the processors.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { Gateway } from '../gateway.ts';
import type { Credential, LoadResult } from '../load/job.ts';
import {
  countAnswers,
  formatRate,
  formatRatio,
  median,
  type ResultRow,
  rangeOf,
  ratePerS,
} from '../results.ts';
import { openShop, type Shop } from '../shop.ts';
import { CONNECTIONS } from './throughput.ts';

/** The time until a gateway notices that it is the only one again. */
const ALONE_MS = 2_000;

type Turns = { readonly alone: LoadResult[]; readonly both: LoadResult[] };

export async function together(bench: Bench): Promise<ResultRow[]> {
  const { scale, progress } = bench;
  const shop = await openShop(bench, 'together', 'all');
  await using first = shop.gateway;
  const customers: Readonly<Record<string, readonly Credential[]>> = {
    'one wallet': [shop.hot],
    [`${scale.wallets} wallets`]: await shop.openWallets(scale.wallets),
  };
  const turns = Object.entries(customers).map(([name, credentials]) => ({
    name,
    credentials,
    alone: [] as LoadResult[],
    both: [] as LoadResult[],
  }));
  const buy = (credentials: readonly Credential[], seconds: number, beside?: Gateway): Promise<LoadResult> =>
    shop.purchase(first, {
      mode: 'sync',
      credentials,
      connections: CONNECTIONS,
      pace: { kind: 'closed', seconds },
      ...(beside !== undefined && { beside }),
    });
  for (const { credentials } of turns) await buy(credentials, scale.warmUpS);
  for (let round = 1; round <= scale.rounds; round += 1) {
    for (const { credentials, alone } of turns) alone.push(await buy(credentials, scale.roundS));
    await withSecond(shop, async (second) => {
      for (const { credentials } of turns) await buy(credentials, scale.warmUpS, second);
      for (const { credentials, both } of turns) both.push(await buy(credentials, scale.roundS, second));
    });
    progress(`round ${round}: ${turns.map(({ name, ...turn }) => `${name} ${formatLast(turn)}`).join(', ')}`);
  }
  return turns.map(({ name, ...turn }) => toRow(name, turn));
}

async function withSecond(shop: Shop, work: (second: Gateway) => Promise<void>): Promise<void> {
  {
    await using second = await shop.startGateway('all');
    await work(second);
  }
  await sleep(ALONE_MS);
}

function formatLast({ alone, both }: Turns): string {
  const [one, two] = [alone, both].map((results) => formatRate(results.map(ratePerS).at(-1) ?? 0));
  return `${one} alone and ${two} together`;
}

function toRow(name: string, { alone, both }: Turns): ResultRow {
  const rates = both.map(ratePerS);
  const share = median(rates) / median(alone.map(ratePerS));
  return {
    scenario: 'together',
    name: `sync airtime, ${name}, ${CONNECTIONS} connections, two gateways`,
    figure: formatRate(median(rates)),
    range: rangeOf(rates, formatRate),
    goal: `at least 1× one gateway alone (${formatRate(median(alone.map(ratePerS)))}): ${formatRatio(share)}`,
    met: share >= 1,
    ...countAnswers([...alone, ...both]),
  };
}
