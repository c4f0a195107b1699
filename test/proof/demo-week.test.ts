/** The week that is played, at several hours of the day: what nobody's chance may leave out. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { playWeek } from '../../src/app/demo/history/play-week.ts';
import { seedDemo } from '../../src/app/demo/seed-demo.ts';
import { createLog } from '../../src/kernel/log.ts';
import { createSealer, parseSealingKey } from '../../src/kernel/sealing.ts';
import { createSeeded } from '../../src/kernel/seeded.ts';
import { loadPepper } from '../../src/keys/secrets.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { builtInProviders } from '../../src/providers/registry.ts';
import { createTestDatabase } from '../support/database.ts';

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 7 * 24;
const clone = await createTestDatabase();
const { database } = clone;
const dataDir = await mkdtemp(join(tmpdir(), 'oja-week-'));
after(async () => {
  await clone[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

const key = parseSealingKey('ab'.repeat(32));
assert.ok(key);
const sealer = createSealer(key);
const pepper = await loadPepper(database, sealer);
await seedDemo(database, pepper, dataDir, builtInProviders);
// Nobody is called: what they answer is made up.
const calls = { mintReference: () => randomUUID(), notFoundGraceMs: 60_000 };
const providers = new Map(
  builtInProviders.map((facts) => [facts.name, { ...facts, ...calls } as unknown as Provider]),
);

/** How many deliveries are refused in a week that ends so many hours after a midnight of Lagos. */
async function countRefused(hours: number): Promise<number | undefined> {
  const begin = new Date('2026-01-04T23:00:00Z');
  const week = { begin, end: new Date(begin.getTime() + (WEEK_HOURS + hours) * HOUR_MS) };
  // What comes by chance alone does not come.
  const seeded = { ...createSeeded(hours), happens: () => false };
  const parts = {
    providers,
    bank: { name: 'monnify', environment: 'live', accounts: new Map() },
    sealer,
    pepper,
    log: createLog('silent'),
    seeded,
    held: new Map(),
  } as const;
  const undone = new Error('undone');
  let refused: number | undefined;
  await database
    .transaction(
      async (tx) => {
        await playWeek({ ...parts, tx }, week);
        const rows = await tx.query<{ count: number }>(
          "select count(*)::integer as count from deliveries where state = 'refused'",
        );
        refused = rows[0]?.count;
        throw undone;
      },
      { patient: true },
    )
    .catch((error: unknown) => assert.equal(error, undone));
  return refused;
}

for (const hours of [0.1, 16]) {
  test(`a delivery is refused in a week that is played ${hours} hours after midnight`, async () => {
    assert.equal(await countRefused(hours), 1);
  });
}
