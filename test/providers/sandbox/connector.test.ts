/** The sandbox: its test numbers behave the same in every process. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { ProviderOrder } from '../../../src/providers/provider.ts';
import { createSandbox } from '../../../src/providers/sandbox/connector.ts';
import { aPurchase, isBought } from '../../support/a-purchase.ts';

const T0 = 1_795_000_000_000;

function order(recipient: string, reference: string, product = 'airtime'): ProviderOrder {
  return { reference, product, network: 'MTN', recipient, amount: 100_00n, currency: 'NGN' };
}

describe('the sandbox', () => {
  it('settles a pending order three seconds after the purchase, in any process', async () => {
    const minting = createSandbox({ notFoundGraceMs: 0 });
    const asked = createSandbox({ notFoundGraceMs: 0 });
    const reference = minting.mintReference(new Date(T0), aPurchase, isBought);
    for (const [recipient, outcome] of [
      ['2348000000002', 'success'],
      ['2348000000003', 'failed'],
    ] as const) {
      const asAged = async (ageMs: number) =>
        (await asked.query({ ...order(recipient, reference), ageMs })).kind;
      assert.equal(await asAged(2_999), 'accepted');
      assert.equal(await asAged(3_000), outcome);
    }
  });

  it('makes different references in two processes', () => {
    const [one, two] = [createSandbox({ notFoundGraceMs: 0 }), createSandbox({ notFoundGraceMs: 0 })];
    assert.notEqual(
      one.mintReference(new Date(T0), aPurchase, isBought),
      two.mintReference(new Date(T0), aPurchase, isBought),
    );
  });

  it('treats a pending order of unknown age as settled', async () => {
    const sandbox = createSandbox({ notFoundGraceMs: 0 });
    assert.equal((await sandbox.query(order('2348000000002', 'strange'))).kind, 'success');
  });

  it('serves any other number, airtime and data, at face value', async () => {
    const sandbox = createSandbox({ notFoundGraceMs: 0 });
    for (const product of ['airtime', 'data']) {
      for (const recipient of ['2348031234567', '2348000000006', '2347012345678']) {
        const answer = await sandbox.purchase(
          order(recipient, sandbox.mintReference(new Date(), aPurchase, isBought), product),
        );
        assert.ok(answer.kind === 'success');
        assert.equal(answer.cost, 100_00n);
        assert.ok(answer.telcoMessage?.includes(recipient));
      }
    }
  });

  it('gives up a lost call after 300 ms, or when the caller stops waiting', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const sandbox = createSandbox({ notFoundGraceMs: 0 });
    const lost = order('2348000000004', 'r');
    let given: string | undefined;
    const waiting = sandbox.purchase(lost).then(({ kind }) => {
      given = kind;
    });
    t.mock.timers.tick(299);
    await turnOfLoop();
    assert.equal(given, undefined);
    t.mock.timers.tick(1);
    await waiting;
    assert.equal(given, 'unknown');
    // The clock is frozen: only the caller ends these.
    const caller = new AbortController();
    const ended = sandbox.purchase(lost, { signal: caller.signal });
    caller.abort();
    assert.equal((await ended).kind, 'unknown');
    assert.equal((await sandbox.purchase(lost, { signal: AbortSignal.abort() })).kind, 'unknown');
  });
});
