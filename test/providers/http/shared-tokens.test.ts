/**
 * One token for all processes, at a provider whose log-in ends the token before it: the simulated
 * VTU.ng, which the connectors of two processes use at once.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createSealer, newSealingKey } from '../../../src/core/sealing.ts';
import type { HeldToken, NoAccess } from '../../../src/providers/http/access-tokens.ts';
import { type SharedTokens, shareTokens } from '../../../src/providers/http/shared-tokens.ts';
import { airtimeOrder } from '../../conformance/products.ts';
import { openVtungBench } from '../../conformance/vtung-bench.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const TIMES = { leaseMs: 1_000, paceMs: 0, pollMs: 5 } as const;
const FAR_MS = 86_400_000;

describe('a shared token', () => {
  let clone: TestDatabase;
  const sealer = createSealer(newSealingKey());
  before(async () => {
    clone = await createTestDatabase();
  });
  after(async () => {
    await clone[Symbol.asyncDispose]();
  });

  const share = (times: Partial<typeof TIMES> | Readonly<Record<string, number>> = {}): SharedTokens =>
    shareTokens(clone.database, async () => sealer, { ...TIMES, ...times });
  const granted = (value: string): HeldToken => ({ value, expiresAtMs: Date.now() + FAR_MS });

  it('one log-in provides the token for all processes', async () => {
    let logIns = 0;
    const logIn = async (): Promise<HeldToken> => {
      logIns += 1;
      return granted(`t${logIns}`);
    };
    const tokens = await Promise.all(Array.from({ length: 8 }, () => share()('one log-in', [], logIn)));
    assert.deepEqual(new Set(tokens.map((token) => 'value' in token && token.value)), new Set(['t1']));
    assert.equal(logIns, 1);
    // Eight processes whose token was refused log in once more.
    await Promise.all(Array.from({ length: 8 }, () => share()('one log-in', ['t1', undefined], logIn)));
    assert.equal(logIns, 2);
  });

  it('stores it sealed, and renews it when it expires', async () => {
    const soon = { value: 'expires-soon', expiresAtMs: Date.now() + 1_000 };
    await share()('sealed', [], async () => soon);
    const rows = await clone.database.query<{ value: string }>(
      "select value from settings where name like 'access_token:%'",
    );
    assert.ok(rows.length > 0);
    assert.ok(rows.every(({ value }) => !value.includes('expires-soon')));
    const next = await share()('sealed', [], async () => granted('next'));
    assert.equal('value' in next && next.value, 'next');
    const key = newSealingKey();
    const other = shareTokens(clone.database, async () => createSealer(key), TIMES);
    const unread = await other('sealed', [], async () => granted('under another key'));
    assert.equal('value' in unread && unread.value, 'under another key');
  });

  it('replaces it after the lease of a process that died during its log-in', async () => {
    const never = new Promise<HeldToken>(() => undefined);
    void share({ leaseMs: 300 })('died', [], () => never);
    const token = await share({ leaseMs: 300 })('died', [], async () => granted('after'));
    assert.equal('value' in token && token.value, 'after');
  });

  it('logs in one process at a time, also after a failed log-in', async () => {
    const refused: NoAccess = { kind: 'refused', reason: 'wrong password' };
    let logIns = 0;
    const logIn = async (): Promise<NoAccess> => {
      logIns += 1;
      return refused;
    };
    const paced = share({ paceMs: 300 });
    assert.deepEqual(await paced('paced', [], logIn), refused);
    const startedAt = performance.now();
    assert.deepEqual(await paced('paced', [], logIn), refused);
    assert.ok(performance.now() - startedAt >= 250);
    assert.equal(logIns, 2);
  });

  it('reports it as unavailable when the database is unreadable', async () => {
    const broken = {
      query: () => Promise.reject(new Error('down')),
    } as unknown as TestDatabase['database'];
    const token = await shareTokens(broken, async () => sealer, TIMES)('any', [], async () => granted('x'));
    assert.equal('kind' in token && token.kind, 'unavailable');
  });

  it('lets two processes buy in turn after a single log-in', async () => {
    await using bench = await openVtungBench(undefined, {}, share());
    await using other = await bench.openOther(share());
    await bench.addRule({ fault: 'slow', operation: 'token', delay_ms: 0 });
    for (let round = 0; round < 10; round += 1) {
      for (const provider of [bench.provider, other]) {
        const order = airtimeOrder(provider, await bench.arrange('success'));
        assert.equal((await provider.purchase(order)).kind, 'success');
        assert.equal(await bench.deliveries(order.reference), 1);
      }
    }
    assert.deepEqual(await bench.hits(), [1], 'log-ins');
    // A third party logs in: one process notices, and both go on with its new token.
    await fetch(`${bench.url}/vtung/jwt-auth/v1/token`, {
      method: 'POST',
      body: JSON.stringify({ username: 'simulator', password: 'simulator-vtung-password' }),
    });
    for (const provider of [bench.provider, other, bench.provider, other]) {
      assert.equal((await provider.purchase(airtimeOrder(provider, '2348030099999'))).kind, 'success');
    }
    assert.deepEqual(await bench.hits(), [3], 'log-ins with that of the third party');
  });

  it('every call would lose it if each process logged in by itself', async () => {
    await using bench = await openVtungBench();
    await using other = await bench.openOther();
    await bench.addRule({ fault: 'slow', operation: 'token', delay_ms: 0 });
    for (const provider of [bench.provider, other, bench.provider, other]) {
      assert.equal((await provider.purchase(airtimeOrder(provider, '2348030099999'))).kind, 'success');
    }
    assert.deepEqual(await bench.hits(), [4], 'log-ins');
  });
});
