/**
 * The files of the database are copied back while its gateways run, or after all were killed. This
 * is detected before any sale, and purchases since the copy are not bought again. The gate has one
 * surviving process and one that was killed. The proof adds a second process, a copy of a running
 * server, and a restart without a copy (test/crash covers that on other servers).
 */
import assert from 'node:assert/strict';
import { chown, cp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { clusterOf, startEmbeddedServer } from '../../src/db/embedded-server.ts';
import { seenFolder } from '../../src/operate/restore-lock/rewind-record.ts';
import { airtime, airtimeSync, newNumber } from '../e2e/gateway-under-test.ts';
import { folder } from '../operate/restore-lock/gone-back.ts';
import { isGate, itInProof } from '../support/budget.ts';
import { type Gateway, ownSimulator, startGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

type Site = {
  /** All share one data folder, which the first of them creates. */
  start(): Promise<Gateway>;
  /** Copies the files of the stopped server, or replaces them with the copy. */
  copy(): Promise<void>;
  /** While it runs, as `pg_basebackup` does. */
  copyHot(): Promise<void>;
  copyBack(): Promise<void>;
  /** Resolves when the data folder has a record of the purchase. */
  noted(purchaseId: string): Promise<void>;
  deliveries(msisdn: string): Promise<number>;
};

async function openSite(stack: AsyncDisposableStack): Promise<Site> {
  const [dataDir, gateways] = [await folder(stack), await folder(stack)];
  const gatewayDir = join(gateways, 'not', 'there');
  const simulatorUrl = await ownSimulator(stack);
  const cluster = clusterOf(dataDir);
  const backup = join(dataDir, 'backup');
  let server = await startEmbeddedServer({ dataDir });
  stack.defer(() => server.stop());
  const { connectionString: databaseUrl } = server;
  const whileStopped = async (work: () => Promise<void>): Promise<void> => {
    await server.stop();
    await work();
    server = await startEmbeddedServer({ dataDir });
    assert.equal(server.connectionString, databaseUrl);
  };
  return {
    start: async () =>
      stack.use(
        await startGateway({
          databaseUrl,
          simulatorUrl,
          dataDir: gatewayDir,
          settings: { OJA_SYNC_DEADLINE_S: '2' },
        }),
      ),
    copy: () => whileStopped(() => cp(cluster, backup, { recursive: true, preserveTimestamps: true })),
    copyHot: async () => {
      await using database = openDatabase({
        connectionString: databaseUrl,
        connectionsMax: 1,
        applicationName: 'oja test',
        onPoolError: () => undefined,
      });
      await database.session(async (sql) => {
        await sql.query("select pg_backup_start('rewind', true)");
        await cp(cluster, backup, { recursive: true, preserveTimestamps: true });
        const [stop] = await sql.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
        await cp(join(cluster, 'pg_wal'), join(backup, 'pg_wal'), { recursive: true });
        await rm(join(backup, 'postmaster.pid'), { force: true });
        await writeFile(join(backup, 'backup_label'), stop?.labelfile ?? '');
      });
      await giveToOwnerOf(cluster, backup);
    },
    copyBack: () =>
      whileStopped(async () => {
        await rm(cluster, { recursive: true });
        await rename(backup, cluster);
      }),
    noted: async (purchaseId) => {
      await until('the purchase is noted', async () => (await readNoted(gatewayDir)).includes(purchaseId));
    },
    deliveries: async (msisdn) => {
      const books = await (await fetch(`${simulatorUrl}/books`)).text();
      return books.split('\n').filter((line) => line.includes(`"${msisdn}"`)).length;
    },
  };
}

/** Keys also wait for confirmation. */
const refusals = ['purchases_locked', 'credential_unconfirmed'];

/** A copy belongs to the user who made it, and the server may run as another. */
async function giveToOwnerOf(original: string, copy: string): Promise<void> {
  const { uid, gid } = await stat(original);
  await chown(copy, uid, gid);
  for (const entry of await readdir(copy, { recursive: true })) await chown(join(copy, entry), uid, gid);
}

/** The purchases that processes recorded in the folder. */
async function readNoted(gatewayDir: string): Promise<string> {
  const seen = seenFolder(gatewayDir);
  const names = (await readdir(seen).catch(() => [])).filter((name) => name.endsWith('.json'));
  return (await Promise.all(names.map((name) => readFile(join(seen, name), 'utf8')))).join();
}

type Order = ReturnType<typeof airtime>;

/** Returns the id of the purchase. On a slow machine its outcome may come after the answer. */
async function buy(gateway: Gateway, order: Order): Promise<string> {
  const { status, body } = await gateway.call('POST', airtimeSync, { as: 'live', body: order });
  if (body.reason === 'outcome_unknown') {
    await until('the purchase is delivered', async () => {
      const known = await gateway.call('GET', statusOf(order), { as: 'live' });
      return known.status === 200 && known.body.code === '00';
    });
  } else {
    assert.deepEqual([status, body.response_code], [200, '00'], JSON.stringify(body));
  }
  return body.data.internal_reference;
}

function statusOf(order: Order): string {
  return `/v1/transactions/status?request_ref=${order.request_ref}`;
}

/** Answers again after the database was unavailable. */
async function answers(gateway: Gateway, order: Order): Promise<void> {
  await until('the database answers', async () => {
    const known = await gateway.call('GET', statusOf(order), { as: 'live' });
    return known.status !== 503 || known.body.reason === 'purchases_locked';
  });
}

/**
 * Sends it repeatedly from the first moment until the restore lock is set. A purchase that waited
 * for the database may be stored, and then waits for the lock to be removed.
 */
async function isNotSoldAgain(site: Site, gateway: Gateway, order: Order): Promise<void> {
  await until('the restore lock is up', async () => {
    const again = await gateway.call('POST', airtimeSync, { as: 'live', body: order });
    assert.notEqual(again.body.response_code, '00', JSON.stringify(again.body));
    const { body } = await gateway.call('GET', '/v1/healthz', { as: 'nobody' });
    return (
      body.checks.restore_lock.startsWith('up') &&
      (again.status === 422 || refusals.includes(again.body.reason))
    );
  });
  const other = await gateway.call('POST', airtimeSync, { as: 'live', body: airtime() });
  assert.ok(refusals.includes(other.body.reason), JSON.stringify(other.body));
  assert.equal(await site.deliveries(String(order.msisdn)), 1);
}

const kill = async (...gateways: readonly Gateway[]): Promise<void> => {
  for (const gateway of gateways) gateway.kill('SIGKILL');
  await Promise.all(gateways.map(({ exited }) => exited));
};

describe('the files of a database that are copied back', { concurrency: 3 }, () => {
  it('a purchase after the copy is not sold again by the surviving process that sold it', async () => {
    await using stack = new AsyncDisposableStack();
    const site = await openSite(stack);
    const gateway = await site.start();
    const early = airtime({ msisdn: newNumber() });
    await buy(gateway, early);
    await site.copy();
    await answers(gateway, early);
    const order = airtime({ msisdn: newNumber() });
    await buy(gateway, order);
    const back = site.copyBack();
    await isNotSoldAgain(site, gateway, order);
    await back;
  });

  itInProof(
    'a purchase after the copy is not sold again by another process, which only saw the database live',
    async () => {
      await using stack = new AsyncDisposableStack();
      const site = await openSite(stack);
      const [seller, other] = [await site.start(), await site.start()];
      const early = airtime({ msisdn: newNumber() });
      await buy(seller, early);
      await site.copy();
      await Promise.all([answers(seller, early), answers(other, early)]);
      const order = airtime({ msisdn: newNumber() });
      await buy(seller, order);
      await other.call('GET', statusOf(order), { as: 'live' });
      await kill(seller);
      const back = site.copyBack();
      await isNotSoldAgain(site, other, order);
      await back;
    },
  );

  it('a purchase after the copy is not sold again after all processes were killed, by the data folder', async () => {
    await using stack = new AsyncDisposableStack();
    const site = await openSite(stack);
    const seller = await site.start();
    const gateways = isGate ? [seller] : [seller, await site.start()];
    const early = airtime({ msisdn: newNumber() });
    await buy(seller, early);
    await site.copy();
    await answers(seller, early);
    const order = airtime({ msisdn: newNumber() });
    // Within the same second, as soon as its record is on disk.
    await site.noted(await buy(seller, order));
    await kill(...gateways);
    await site.copyBack();
    await isNotSoldAgain(site, await site.start(), order);
  });

  itInProof(
    'what was sold after a copy that was taken hot is not sold again after all were killed',
    async () => {
      await using stack = new AsyncDisposableStack();
      const site = await openSite(stack);
      const gateways = [await site.start(), await site.start()] as const;
      await buy(gateways[0], airtime({ msisdn: newNumber() }));
      await site.copyHot();
      const order = airtime({ msisdn: newNumber() });
      await site.noted(await buy(gateways[0], order));
      await kill(...gateways);
      await site.copyBack();
      await isNotSoldAgain(site, await site.start(), order);
    },
  );

  itInProof('a restart after a kill, without a copy, continues to sell', async () => {
    await using stack = new AsyncDisposableStack();
    const site = await openSite(stack);
    const gateway = await site.start();
    const order = airtime({ msisdn: newNumber() });
    await buy(gateway, order);
    await kill(gateway);
    const next = await site.start();
    const again = await next.call('POST', airtimeSync, { as: 'live', body: order });
    assert.equal(again.status, 422);
    await buy(next, airtime({ msisdn: newNumber() }));
  });
});
