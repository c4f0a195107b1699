/** Observed behaviour of the real eSIM Access, one test each. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ProviderAnswer, ProviderOrder } from '../../src/providers/provider.ts';
import { ACCOUNT, eSimOrder, openEsimAccessBench } from './esimaccess-bench.ts';
import { goodsOf, plain } from './provider-suite.ts';
import type { ConnectorBench } from './simulator-bench.ts';

describe('eSIM Access as observed', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openEsimAccessBench();
  });
  after(() => bench[Symbol.asyncDispose]());

  /** Its transaction id ends in this digit. */
  const orderEnding = (digit: string): ProviderOrder => {
    const order = eSimOrder(bench.provider);
    return { ...order, reference: order.reference.slice(0, -1) + digit };
  };
  const bought = async (order: ProviderOrder): Promise<ProviderAnswer> => {
    const answer = await bench.provider.purchase(order);
    assert.ok('providerId' in answer && answer.providerId !== undefined);
    const asked = { ...order, providerId: answer.providerId };
    return plain(await bench.provider.query(asked), bench.secrets);
  };
  const change = async (path: string, esimTranNo: string | undefined): Promise<void> => {
    const response = await fetch(`${bench.url}/esimaccess/api/v1/open/esim/${path}`, {
      method: 'POST',
      headers: { 'rt-accesscode': ACCOUNT.accessCode },
      body: JSON.stringify({ esimTranNo }),
    });
    assert.equal(((await response.json()) as { success: boolean }).success, true);
  };

  it('reports eSIMs that were installed before the query', async () => {
    const answer = await bought(orderEnding('0'));
    assert.deepEqual([answer.kind, answer.code], ['success', 'ONBOARDING']);
  });

  it('returns an LPA of 255 characters whole', async () => {
    const { lpa, activation_code: code } = goodsOf(await bought(orderEnding('1')));
    assert.equal(String(lpa).length, 255);
    assert.ok(String(lpa).endsWith(`$${code}`));
  });

  it('reports suspended eSIMs as delivered, and leaves revoked ones to a person', async () => {
    const order = orderEnding('3');
    const answer = await bought(order);
    assert.ok(answer.kind === 'success');
    await change('suspend', answer.providerId);
    assert.equal((await bench.provider.query(order)).kind, 'success');
    await change('revoke', answer.providerId);
    assert.equal((await bench.provider.query(order)).kind, 'unknown');
  });

  it('refunds cancelled eSIMs', async () => {
    const order = orderEnding('4');
    const answer = await bought(order);
    await change('cancel', 'providerId' in answer ? answer.providerId : undefined);
    assert.equal((await bench.provider.query(order)).kind, 'failed');
  });
});
