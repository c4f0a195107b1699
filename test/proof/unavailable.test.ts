/**
 * The gateway refuses a request because something is missing or full for the moment. Each reason is
 * seen through the public interface of a real gateway, and the same request succeeds afterwards.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runOja } from '../cli/harness.ts';
import { assertRefused, eventually, newReference, openGatewayUnderTest } from '../e2e/gateway-under-test.ts';
import { cardOrders, openCounter } from '../e2e/goods.ts';
import { openShop } from '../e2e/shop.ts';
import { spoilBank, startTestBank } from '../support/bank.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

const gateway = await openGatewayUnderTest();
const accounts = '/v1/wallet/funding-account';

/** Runs a command of the operator, which must succeed. */
async function oja({ databaseUrl, dataDir }: Gateway, ...args: readonly string[]): Promise<void> {
  const ran = await runOja({ DATABASE_URL: databaseUrl, OJA_DATA_DIR: dataDir }, args);
  assert.equal(ran.code, 0, ran.err);
}

let people = 0;

/** A registration of a new person. */
function person(currency: string): object {
  people += 1;
  return {
    currency,
    bvn: String(22_500_000_000 + people),
    email: `ada${people}@shop.example`,
    first_name: 'Ada',
    last_name: 'Obi',
    phone_number: '08031234567',
  };
}

describe('a currency', () => {
  it('without an exchange rate sells nothing until a rate is set', async () => {
    const counter = await openCounter(gateway, cardOrders);
    const cardIn = async (currency: string): Promise<number> => {
      const listed = await gateway.call('GET', `/v1/giftcards/catalog?currency=${currency}`, {
        as: counter.shop.live,
      });
      return listed.body.data.find((card: { face_value?: number }) => card.face_value !== undefined).plan_id;
    };
    const [dollars, pounds] = [await cardIn('USD'), await cardIn('GBP')];
    // An installation that has never set this rate: rates are only added.
    await gateway.database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query("delete from fx_rates where currency = 'GBP'");
    });
    await oja(gateway, 'fx', 'set', 'AED', '421');
    await eventually('the rates are read again', async () =>
      (await counter.order({ plan_id: pounds })).status === 200 ? undefined : true,
    );
    const refused = await counter.assertNothingStored({ plan_id: pounds });
    assertRefused(refused, 503, { reason: 'no_exchange_rate' });
    assert.equal((await counter.order({ plan_id: dollars })).status, 200);
    await oja(gateway, 'fx', 'set', 'GBP', '2065.25');
    await eventually('it is sold', async () =>
      (await counter.order({ plan_id: pounds })).status === 200 ? true : undefined,
    );
  });

  it('without a bank has no funding accounts', async () => {
    const shop = await openShop(gateway);
    for (const currency of ['NGN', 'USD']) {
      if (currency === 'USD') await oja(gateway, 'wallet', 'open', shop.code, currency);
      await gateway.database.query(
        "insert into funding_currencies (merchant_id, environment, currency) values ($1, 'live', $2)",
        [shop.id, currency],
      );
    }
    const open = (currency: string) =>
      gateway.call('POST', accounts, { as: shop.live, body: person(currency) });
    assertRefused(await open('USD'), 503, { reason: 'no_bank' });
    assert.equal((await open('NGN')).status, 200);
  });
});

describe('a funding account', () => {
  it('is being opened for a while after the process that requested it died', async () => {
    await using bank = await startTestBank({ OJA_SIMULATOR_TIMEOUT_MS: '60000' }, { silent: true });
    await using data = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'oja-unavailable-'));
    cleanUpAfter(dataDir);
    const started = { databaseUrl: data.connectionString, dataDir, simulatorUrl: bank.url };
    const body = person('NGN');
    const doomed = await startGateway(started);
    const shop = await openShop(doomed);
    await doomed.database.query(
      "insert into funding_currencies (merchant_id, environment, currency) values ($1, 'live', 'NGN')",
      [shop.id],
    );
    await spoilBank(bank.url, { fault: 'slow', operation: 'account', delay_ms: 10_000 });
    const lost = doomed.call('POST', accounts, { as: shop.live, body }).catch(() => undefined);
    await eventually('the bank is called', async () =>
      (await doomed.database.query('select from funding_accounts')).length > 0 ? true : undefined,
    );
    doomed.kill('SIGKILL');
    await lost;
    await doomed[Symbol.asyncDispose]();
    await spoilBank(bank.url);
    await using next = await startGateway(started);
    const refused = await next.call('POST', accounts, { as: shop.live, body });
    assertRefused(refused, 503, { reason: 'account_being_opened' });
    await next.database.query('update funding_accounts set due_at = now()');
    const opened = await eventually('it is opened', async () => {
      const answer = await next.call('POST', accounts, { as: shop.live, body });
      return answer.status === 200 && answer.body.result.status === 'active' ? answer : undefined;
    });
    assert.equal(opened.body.result.status, 'active');
  });
});

describe('forged keys by thousands while the database is slow', () => {
  it('are refused, and the next requests are served', async () => {
    const shop = await openShop(gateway);
    const balance = () => gateway.call('GET', '/v1/wallet/balance', { as: shop.live });
    const unlocked = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = gateway.database.transaction(async (tx) => {
      await tx.query('lock table credentials in access exclusive mode');
      locked.resolve();
      await unlocked.promise;
    });
    await locked.promise;
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => forgedKeys(gateway, 20)));
    unlocked.resolve();
    await holding;
    const others = answers.flat().filter((reason) => !refusals.includes(reason));
    assert.deepEqual(others, []);
    await eventually('it is served again', async () => ((await balance()).status === 200 ? true : undefined));
  });
});

/** While keys cannot be looked up, or too many wait. */
const refusals = ['database_away', 'credentials_full'];

/** Sends requests with as many forged keys over one connection. Returns the reasons. */
function forgedKeys({ url }: Gateway, count: number): Promise<string[]> {
  const { hostname, port } = new URL(url);
  const requests = Array.from(
    { length: count },
    () =>
      `GET /v1/wallet/balance HTTP/1.1\r\nhost: x\r\nx-merchant-key: oja_live_${randomBytes(18).toString('base64url')}\r\nx-merchant-secret: ${newReference()}\r\n\r\n`,
  );
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(requests.join('')));
    const end = (): void => {
      socket.destroy();
      resolve([...text.matchAll(/"reason":"(\w+)"/g)].map(([, reason = '']) => reason));
    };
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if ([...text.matchAll(/HTTP\/1\.1 \d{3}/g)].length >= count) setTimeout(end, 50);
    });
    socket.once('error', reject);
    socket.once('end', end);
  });
}
