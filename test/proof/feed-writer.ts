/**
 * A process that buys for one merchant as fast as it can, settles its purchases, and stores other
 * events, until a test kills it. Its arguments: connection string, the buyer as JSON, a unique
 * number.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/db/database.ts';
import { assignNewPositions } from '../../src/notifications/events/assign-positions.ts';
import { insertEvent } from '../../src/notifications/events/event-store.ts';
import { commitPurchases } from '../../src/purchases/engine/commit-store.ts';
import type { ResolveItem } from '../../src/purchases/engine/resolve-store.ts';
import { answer, type Buyer, gatewayId, purchase } from '../purchases/fixture.ts';

const [connectionString = '', text = '{}'] = process.argv.slice(2);
const read = JSON.parse(text) as Record<'live' | 'test', Record<string, string>>;
const buyers = Object.values(read).map(
  (fields) =>
    ({
      ...fields,
      merchantId: Number(fields.merchantId),
      walletId: BigInt(fields.walletId ?? 0),
      floatId: BigInt(fields.floatId ?? 0),
      revenueId: BigInt(fields.revenueId ?? 0),
    }) as unknown as Buyer,
);
const database = openDatabase({
  connectionString,
  connectionsMax: 4,
  applicationName: 'feed writer',
  onPoolError: () => undefined,
});

async function buy(buyer: Buyer): Promise<void> {
  let resolves: ResolveItem[] = [];
  for (;;) {
    const accepts = Array.from({ length: 1 + Math.floor(Math.random() * 6) }, () =>
      // Some cannot be paid, and fail at once.
      purchase(buyer, Math.random() < 0.1 ? 900_000_000n : 100n),
    );
    const verdicts = await commitPurchases(database, { accepts, resolves }, gatewayId);
    resolves = accepts
      .filter((_, nth) => verdicts.accepts[nth]?.kind === 'accepted')
      .map((item) => answer(buyer, item, Math.random() < 0.3 ? 'failed' : 'success'));
    await sleep(Math.random() * 4);
  }
}

/** Stays open for some time, so that events with a later position commit first. */
async function tell(buyer: Buyer): Promise<void> {
  for (;;) {
    await database.transaction(async (tx) => {
      await insertEvent(tx, buyer, { type: 'wallet.low', facts: { currency: 'NGN' } });
      await sleep(Math.random() * 10);
    });
    await sleep(Math.random() * 20);
  }
}

async function place(): Promise<void> {
  for (;;) {
    await assignNewPositions(database);
    await sleep(10);
  }
}

process.stdout.write('writes\n');
await Promise.all([...buyers.flatMap((buyer) => [buy(buyer), tell(buyer)]), place()]);
