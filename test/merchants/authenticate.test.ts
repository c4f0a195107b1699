/** The principal of a credential, and how soon its changes reach every process. */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { after, test } from 'node:test';
import { setDiscount } from '../../src/catalog/operations/set-discount.ts';
import type { Clock } from '../../src/core/clock.ts';
import { changesChannel } from '../../src/db/change-notice-store.ts';
import type { Database, Sql, SqlStatement } from '../../src/db/database.ts';
import type { ListenHandlers } from '../../src/db/listen.ts';
import { type Authenticator, createAuthenticator } from '../../src/merchants/authenticate.ts';
import type { Principal } from '../../src/merchants/merchant.ts';
import { type CredentialTerms, issueCredential } from '../../src/merchants/operations/issue-credential.ts';
import { revokeCredential } from '../../src/merchants/operations/revoke-credential.ts';
import { rotateCredential } from '../../src/merchants/operations/rotate-credential.ts';
import { setProduct } from '../../src/merchants/operations/set-product.ts';
import { setSuspended } from '../../src/merchants/operations/suspend-merchant.ts';
import { indexRules } from '../../src/merchants/prices/price-rule.ts';
import { createPrincipalLoader } from '../../src/merchants/principal-loader.ts';
import { createMerchant } from '../../src/wallet/operations/create-merchant.ts';
import { createTestDatabase } from '../support/database.ts';

const pepper = createSecretKey(randomBytes(32));
const anywhere = '203.0.113.9';
const WAIT_MS = 60_000;

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
let benches = 0;

test('the right secret identifies the caller: merchant, environment, products, discounts, wallets', async () => {
  await using bench = await setUp();
  const { key, secret } = await bench.issue({ environment: 'test', rateLimitPerS: 7 });
  await bench.database.transaction((tx) =>
    setDiscount(tx, { merchantCode: bench.code, product: 'data', network: 'MTN', basisPoints: 150 }, 'ada'),
  );
  await bench.database.transaction((tx) =>
    setProduct(tx, { merchantCode: bench.code, environment: 'live', product: 'data', enabled: false }, 'ada'),
  );
  const principal = await settled(
    bench.authenticator,
    key,
    secret,
    (found) => found.merchant.prices.length > 0,
  );
  const [wallet] = await bench.database.query<{ account_id: bigint }>(
    "select account_id from wallets where environment = 'test' and merchant_id = $1",
    [bench.merchantId],
  );
  assert.deepEqual(principal, {
    credentialId: key,
    environment: 'test',
    rateLimitPerS: 7,
    capped: false,
    mcpPurchases: false,
    merchant: {
      id: bench.merchantId,
      code: bench.code,
      name: 'Shop',
      suspended: false,
      products: new Set(['airtime', 'data']),
      prices: [
        {
          list: `own:${bench.code}`,
          version: 1,
          fromMs: Number.NEGATIVE_INFINITY,
          rules: indexRules([
            {
              product: 'data',
              network: 'MTN',
              kind: '*',
              plan: '*',
              pricing: { by: 'off', off: 150 },
              roundTo: 1n,
            },
          ]),
        },
      ],
      wallets: new Map([['NGN', wallet?.account_id]]),
    },
  });
});

test('a wrong secret, an unknown key and a malformed key are all unknown', async () => {
  await using bench = await setUp();
  const { key, secret } = await bench.issue({ environment: 'live' });
  const { authenticator } = bench;
  const other = await bench.issue({ environment: 'live' });
  for (const [keyId, given] of [
    [key, other.secret],
    [key, ''],
    [key, `${secret}x`],
    [key, '\u0000'.repeat(secret.length)],
    [key, secret.toLowerCase()],
    [`oja_live_${'x'.repeat(24)}`, secret],
    [key.replace('live', 'test'), secret],
    ['', secret],
    ['\u0000', secret],
    ["oja_live_' or true --", secret],
  ] as const) {
    assert.equal(await authenticator.authenticate(keyId, given, anywhere), 'unknown', keyId);
  }
  assert.equal(typeof (await authenticator.authenticate(key, secret, anywhere)), 'object');
});

test('a correct secret does not admit another one', async () => {
  await using bench = await setUp();
  const { authenticator } = bench;
  await authenticator.ready;
  const { key, secret } = await bench.issue({ environment: 'live' });
  const other = await bench.issue({ environment: 'live' });
  for (let round = 1; round <= 2; round += 1) {
    assert.equal(typeof (await authenticator.authenticate(key, secret, anywhere)), 'object');
    for (const wrong of [other.secret, '', `${secret}x`, secret.slice(0, -1)]) {
      assert.equal(await authenticator.authenticate(key, wrong, anywhere), 'unknown');
    }
  }
});

test('a known credential and an unknown key are checked without the database', async () => {
  await using bench = await setUp();
  const { key, secret } = await bench.issue({ environment: 'live' });
  const missing = `oja_live_${'y'.repeat(24)}`;
  await bench.authenticator.authenticate(key, secret, anywhere);
  await bench.authenticator.authenticate(missing, secret, anywhere);
  const before = bench.reads();
  for (let count = 0; count < 100; count += 1) {
    assert.equal(typeof (await bench.authenticator.authenticate(key, secret, anywhere)), 'object');
    assert.equal(await bench.authenticator.authenticate(missing, secret, anywhere), 'unknown');
    assert.equal(await bench.authenticator.authenticate('nonsense', secret, anywhere), 'unknown');
  }
  assert.equal(bench.reads(), before);
});

test('keeps no larger buffer for a cached credential', async () => {
  await using bench = await setUp();
  const { key } = await bench.issue({ environment: 'test' });
  const read = await createPrincipalLoader(bench.database).load(key);
  assert.equal(read?.secretHash.length, 32);
  assert.equal(read.secretHash.buffer.byteLength, 32);
});

test('concurrent requests for the same and for other credentials share their reads', async () => {
  await using bench = await setUp();
  const credentials: { key: string; secret: string }[] = [];
  for (let count = 0; count < 5; count += 1) credentials.push(await bench.issue({ environment: 'live' }));
  const before = bench.reads();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const credential = credentials[index % 5];
      assert.ok(credential);
      return bench.authenticator.authenticate(credential.key, credential.secret, anywhere);
    }),
  );
  assert.ok(answers.every((answer) => typeof answer === 'object'));
  assert.equal(bench.reads() - before, 2);
});

test('every process refuses a revoked credential and a suspended merchant at once', async () => {
  await using bench = await setUp();
  await using second = createAuthenticator({ database: bench.database, pepper });
  await second.ready;
  const { key, secret } = await bench.issue({ environment: 'live' });
  const everywhere = [bench.authenticator, second];
  for (const one of everywhere)
    assert.equal(typeof (await one.authenticate(key, secret, anywhere)), 'object');

  const suspend = (suspended: boolean) =>
    bench.database.transaction((tx) => setSuspended(tx, { merchantCode: bench.code, suspended }, 'ada'));
  await suspend(true);
  for (const one of everywhere) await eventually(one, key, secret, 'suspended');
  assert.equal(await second.authenticate(key, `${secret}x`, anywhere), 'unknown');
  await suspend(false);
  for (const one of everywhere) await eventually(one, key, secret, 'principal');

  await bench.database.transaction((tx) => revokeCredential(tx, key, 'ada'));
  for (const one of everywhere) await eventually(one, key, secret, 'unknown');
});

test('accepts a key that was looked up before it was issued, once it is issued', async () => {
  await using bench = await setUp();
  const { key, secret } = await bench.issue({ environment: 'live' });
  await bench.database.query('create table parked as select * from credentials');
  await bench.database.query('delete from credentials');
  await bench.notify('credentials');
  assert.equal(await bench.authenticator.authenticate(key, secret, anywhere), 'unknown');
  await bench.database.query('insert into credentials overriding system value select * from parked');
  assert.equal(await bench.authenticator.authenticate(key, secret, anywhere), 'unknown');
  await bench.notify(`credential:${key}`);
  assert.equal(typeof (await bench.authenticator.authenticate(key, secret, anywhere)), 'object');
});

test('a credential ends exactly at its expiry, also from memory', async () => {
  const clock = steppedClock();
  await using bench = await setUp({ clock });
  const expiresAt = new Date(clock.now().getTime() + 1_000);
  const { key, secret } = await bench.issue({ environment: 'live', expiresAt });
  assert.equal(typeof (await bench.authenticator.authenticate(key, secret, anywhere)), 'object');
  clock.step(999);
  assert.equal(typeof (await bench.authenticator.authenticate(key, secret, anywhere)), 'object');
  clock.step(1);
  assert.equal(await bench.authenticator.authenticate(key, secret, anywhere), 'unknown');
});

test('rotation: both work during the overlap, then only the new one', async () => {
  const clock = steppedClock();
  await using bench = await setUp({ clock });
  const old = await bench.issue({ environment: 'live' });
  const now = clock.now();
  const oldEndsAt = new Date(now.getTime() + 60_000);
  const fresh = await bench.database.transaction((tx) =>
    rotateCredential(tx, pepper, { keyId: old.key, oldEndsAt, now }, 'ada'),
  );
  const newKey = fresh.credential.key_id;
  await eventually(bench.authenticator, old.key, old.secret, 'principal');
  await eventually(bench.authenticator, newKey, fresh.secret, 'principal');
  clock.step(60_000);
  await eventually(bench.authenticator, old.key, old.secret, 'unknown');
  await eventually(bench.authenticator, newKey, fresh.secret, 'principal');
});

test('a credential with allowed addresses is refused from any other', async () => {
  await using bench = await setUp();
  const { key, secret } = await bench.issue({
    environment: 'live',
    allowedIps: ['10.20.0.0/16', '198.51.100.4', '2001:db8:1::/48'],
  });
  const from = (ip: string) => bench.authenticator.authenticate(key, secret, ip);
  for (const ip of ['10.20.0.0', '10.20.255.255', '198.51.100.4', '::ffff:10.20.1.1', '2001:db8:1::9']) {
    assert.equal(typeof (await from(ip)), 'object', ip);
  }
  for (const ip of [
    '10.21.0.0',
    '198.51.100.5',
    '::ffff:10.21.1.1',
    '2001:db8:2::9',
    '::1',
    '',
    'localhost',
  ]) {
    assert.equal(await from(ip), 'forbidden', ip);
  }
  assert.equal(await bench.authenticator.authenticate(key, `${secret}x`, '10.20.0.1'), 'unknown');
});

test('reads the database for each request without the listening connection, and caches again with it', async () => {
  await using bench = await setUp();
  const { key, secret } = await bench.issue({ environment: 'live' });
  const ask = () => bench.authenticator.authenticate(key, secret, anywhere);
  await ask();
  bench.handlers().onDown();
  const before = bench.reads();
  await ask();
  await ask();
  assert.equal(bench.reads() - before, 2);
  // The notice of this change never arrives.
  await bench.database.query('update credentials set revoked_at = now()');
  assert.equal(await ask(), 'unknown');
  await bench.database.query('update credentials set revoked_at = null');
  bench.handlers().onUp();
  const again = bench.reads();
  await ask();
  await ask();
  assert.equal(bench.reads() - again, 1);
});

test('a remembered credential is read again after a minute, in case a notice was lost', async () => {
  const clock = steppedClock();
  await using bench = await setUp({ clock });
  const { key, secret } = await bench.issue({ environment: 'live' });
  const ask = () => bench.authenticator.authenticate(key, secret, anywhere);
  await ask();
  await bench.database.query('update credentials set revoked_at = now()');
  clock.step(60_000);
  assert.equal(typeof (await ask()), 'object');
  clock.step(1);
  assert.equal(await ask(), 'unknown');
});

test('a missing key is read again after five seconds, in case a notice was lost', async () => {
  const clock = steppedClock();
  await using bench = await setUp({ clock });
  const { key, secret } = await bench.issue({ environment: 'live' });
  const ask = () => bench.authenticator.authenticate(key, secret, anywhere);
  const hidden = "update credentials set key_id = 'hidden'";
  await bench.database.query(hidden);
  assert.equal(await ask(), 'unknown');
  await bench.database.query('update credentials set key_id = $1', [key]);
  const before = bench.reads();
  clock.step(5_000);
  assert.equal(await ask(), 'unknown');
  assert.equal(bench.reads(), before);
  clock.step(1);
  assert.equal(typeof (await ask()), 'object');
});

test('a read from before a change is not kept after it', async () => {
  await using bench = await setUp();
  const { key, secret } = await bench.issue({ environment: 'live' });
  bench.beforeAnswer(async () => {
    await bench.database.query('update credentials set revoked_at = now()');
    bench.handlers().onNotice(`credential:${key}`);
  });
  const ask = () => bench.authenticator.authenticate(key, secret, anywhere);
  assert.equal(typeof (await ask()), 'object');
  assert.equal(await ask(), 'unknown');
});

test('an unavailable database ends the request; the next one queries it again', async () => {
  await using bench = await setUp();
  const { key, secret } = await bench.issue({ environment: 'live' });
  bench.beforeAnswer(() => Promise.reject(new Error('down')));
  await assert.rejects(async () => bench.authenticator.authenticate(key, secret, anywhere), /down/);
  assert.equal(typeof (await bench.authenticator.authenticate(key, secret, anywhere)), 'object');
});

test('uses are stored together, later, and never move back', async () => {
  const clock = steppedClock();
  await using bench = await setUp({ clock });
  const used = await bench.issue({ environment: 'live' });
  const refused = await bench.issue({ environment: 'live' });
  const late = await bench.issue({ environment: 'live' });
  const tomorrow = new Date(clock.now().getTime() + 86_400_000);
  await bench.database.query('update credentials set last_used_at = $2 where key_id = $1', [
    late.key,
    tomorrow,
  ]);
  await bench.authenticator.authenticate(used.key, used.secret, anywhere);
  await bench.authenticator.authenticate(late.key, late.secret, anywhere);
  await bench.authenticator.authenticate(refused.key, 'wrong', anywhere);
  const read = async () => {
    const rows = await bench.database.query<{ key_id: string; last_used_at: Date | null }>(
      'select key_id, last_used_at from credentials',
    );
    return new Map(rows.map((row) => [row.key_id, row.last_used_at]));
  };
  assert.equal((await read()).get(used.key), null);
  await bench.database.query('alter table credentials rename to away');
  await assert.rejects(bench.authenticator.writeLastUsed());
  await bench.database.query('alter table away rename to credentials');
  await bench.authenticator.writeLastUsed();
  const noted = await read();
  assert.deepEqual(noted.get(used.key), clock.now());
  assert.deepEqual(noted.get(late.key), tomorrow);
  assert.equal(noted.get(refused.key), null);
});

test('a merchant exists by its code in any letter case', async () => {
  await using bench = await setUp();
  assert.equal(await bench.authenticator.merchantExists(bench.code.toLowerCase()), true);
  assert.equal(await bench.authenticator.merchantExists(`${bench.code}S`), false);
  assert.equal(await bench.authenticator.merchantExists(''), false);
});

type SteppedClock = Clock & { step(ms: number): void };

function steppedClock(): SteppedClock {
  // Not from 0: a machine has always been up for a while.
  let passedMs = 1;
  const start = Date.now();
  return {
    now: () => new Date(start + passedMs),
    elapsedMs: () => passedMs,
    step: (ms) => {
      passedMs += ms;
    },
  };
}

/**
 * A merchant of its own without credentials, in a database whose reads by the authenticator are
 * counted and whose notices can be made by hand.
 */
async function setUp(options: { clock?: Clock } = {}) {
  benches += 1;
  const code = `SHOP${benches}`;
  await database.query('delete from credentials');
  let reads = 0;
  let handlers: ListenHandlers | undefined;
  let hook: (() => Promise<unknown>) | undefined;
  const arrived = new EventEmitter();
  const watched: Database = {
    query: (async (statement: string | SqlStatement, values?: readonly unknown[]) => {
      if (typeof statement !== 'object') return await database.query(statement, values);
      reads += 1;
      const rows = await database.query(statement, values);
      const run = hook;
      hook = undefined;
      await run?.();
      return rows;
    }) as Sql['query'],
    transaction: (work, how) => database.transaction(work, how),
    session: (work) => database.session(work),
    listen: (channel, given) => {
      const onNotice = (payload: string) => {
        given.onNotice(payload);
        arrived.emit(payload);
      };
      handlers = { ...given, onNotice };
      return database.listen(channel, handlers);
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
  const notify = async (payload: string): Promise<void> => {
    const told = once(arrived, payload, { signal: AbortSignal.timeout(WAIT_MS) });
    await database.query('select pg_notify($1, $2)', [changesChannel, payload]);
    await told;
  };
  const merchant = await database.transaction((tx) => createMerchant(tx, { code, name: 'Shop' }, 'ada'));
  const authenticator = createAuthenticator({ database: watched, pepper, ...options });
  await authenticator.ready;
  return {
    database,
    authenticator,
    code,
    merchantId: merchant.id,
    reads: () => reads,
    /** Resolves when the authenticator was notified. */
    notify,
    beforeAnswer: (work: () => Promise<unknown>) => {
      hook = work;
    },
    handlers: () => {
      assert.ok(handlers);
      return handlers;
    },
    issue: async (terms: CredentialTerms) => {
      const issued = await database.transaction((tx) =>
        issueCredential(tx, pepper, { merchantCode: code, ...terms }, 'ada'),
      );
      // The notice of its creation must not arrive in the middle of a test.
      await notify(`mark:${issued.credential.key_id}`);
      return { key: issued.credential.key_id, secret: issued.secret };
    },
    [Symbol.asyncDispose]: () => authenticator[Symbol.asyncDispose](),
  };
}

/** Notifications take a moment: repeats until the answer is the expected one. */
async function eventually(
  authenticator: Authenticator,
  key: string,
  secret: string,
  expected: 'principal' | 'suspended' | 'unknown',
): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const answer = await authenticator.authenticate(key, secret, anywhere);
    const found = kindOf(answer);
    if (found === expected) return;
    assert.ok(Date.now() < deadline, `still ${found}, not ${expected}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function settled(
  authenticator: Authenticator,
  key: string,
  secret: string,
  done: (principal: Principal) => boolean,
): Promise<Principal> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const answer = await authenticator.authenticate(key, secret, anywhere);
    assert.ok(typeof answer === 'object');
    if (done(answer)) return answer;
    assert.ok(Date.now() < deadline, 'the change did not arrive');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function kindOf(answer: Awaited<ReturnType<Authenticator['authenticate']>>): string {
  if (typeof answer === 'string') return answer;
  return answer.merchant.suspended ? 'suspended' : 'principal';
}
