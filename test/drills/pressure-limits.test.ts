/**
 * Two processes on one database: together they respect a provider's limit per second, and no
 * purchase fails because of it.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { setRoute } from '../../src/catalog/routes/route-store.ts';
import type { Database } from '../../src/db/database.ts';
import {
  airtime,
  airtimeAsync,
  eventually,
  newNumber,
  openGatewayUnderTest,
} from '../e2e/gateway-under-test.ts';
import { openShop } from '../e2e/shop.ts';
import { readBooks } from '../support/books.ts';
import { startGateway } from '../support/gateway.ts';

const PURCHASES = 90;
/** Nomba's limit of 15 a second allows 30 here. Two independent processes would send 60. */
const WINDOW_MS = 2_000;
const PER_SECOND = 15;
/** Calls may be recorded a little late. */
const WITHIN_MAX = 30 + 4;
/** After a longer pause, the process records all arrivals with the same time. */
const STILL_MS = 50;

it('two processes together respect the provider’s rate, and no purchase fails', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'oja-limits-'));
  const simulator = await startSimulator(readSettings({ OJA_SIMULATOR_PORT: '0', OJA_SIMULATOR_DIR: dir }));
  after(async () => {
    await simulator.close();
    await rm(dir, { recursive: true });
  });
  const settings = {
    OJA_TIME_SCALE: '1',
    OJA_NOMBA_BASE_URL: `${simulator.url}/nomba`,
    OJA_NOMBA_ACCOUNT_ID: '00000000-0000-4000-8000-00000000a001',
    OJA_NOMBA_CLIENT_ID: '00000000-0000-4000-8000-00000000c001',
    OJA_NOMBA_CLIENT_SECRET: 'simulator-client-secret-0123456789abcdefghij',
  };
  const gateway = await openGatewayUnderTest({ simulatorUrl: simulator.url, settings });
  const { database, databaseUrl, dataDir } = gateway;
  await using second = await startGateway({ simulatorUrl: simulator.url, settings, databaseUrl, dataDir });
  const shop = await openShop(gateway, { balance: 100_000_000n });
  await database.transaction((tx) =>
    setRoute(tx, { environment: 'live', product: 'airtime', network: 'MTN', providers: ['nomba'] }),
  );
  // The first answer compiles the schema check. That blocks this process and its simulator for a
  // while, so that separate calls would appear simultaneous.
  await gateway.call('POST', airtimeAsync, { as: shop.test, body: airtime({ merchant: shop.code }) });
  await untilBothKnow(database);
  using standstills = watchStandstills();
  const answers = await Promise.all(
    Array.from({ length: PURCHASES }, (_, n) => {
      const body = airtime({ merchant: shop.code, msisdn: newNumber() });
      return (n % 2 === 0 ? gateway : second).call('POST', airtimeAsync, { as: shop.live, body });
    }),
  );
  for (const answer of answers) assert.equal(answer.status, 200, answer.text);
  const outcomes = await eventually('all are final', async () => {
    const rows = await database.query<{ status: string }>(
      `select status from purchase_outcomes where merchant_id = $1 and environment = 'live'`,
      [shop.id],
    );
    return rows.length === PURCHASES ? rows : undefined;
  });
  assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], ['success']);
  const times = (await readBooks(simulator.url)).map((line) => Date.parse(line.delivered_at));
  assert.equal(times.length, PURCHASES);
  for (const from of times) {
    const to = from + WINDOW_MS;
    const within = times.filter((time) => time >= from && time < to).length;
    const stillMs = standstills.endedIn(from, to);
    const most = WITHIN_MAX + (PER_SECOND * stillMs) / 1_000;
    assert.ok(within <= most, `${within} within ${WINDOW_MS} ms, ${stillMs} of them at a standstill`);
  }
});

/** The periods in which this process, with the simulator, was blocked, each by its end. */
function watchStandstills(): Disposable & { endedIn(from: number, to: number): number } {
  const stood: { readonly endedAt: number; readonly ms: number }[] = [];
  let lastAt = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - lastAt > STILL_MS) stood.push({ endedAt: now, ms: now - lastAt });
    lastAt = now;
  }, 10);
  return {
    endedIn: (from, to) =>
      stood
        .filter(({ endedAt }) => endedAt >= from - STILL_MS && endedAt < to + STILL_MS)
        .reduce((sum, { ms }) => sum + ms, 0),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Each has written a heartbeat since both started, and so knows the other. */
async function untilBothKnow(database: Database): Promise<void> {
  const [row] = await database.query<{ now: Date }>('select clock_timestamp() as now');
  await eventually('both processes know each other', async () => {
    const known = await database.query('select from gateways where seen_at > $1', [row?.now]);
    return known.length === 2 ? true : undefined;
  });
}
