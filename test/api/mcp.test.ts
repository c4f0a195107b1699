/** The answer to an agent when a purchase takes long, or its outcome is unknown. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GatewayError } from '../../src/core/errors.ts';
import { DatabaseUnavailableError } from '../../src/db/database-errors.ts';
import type { Purchase, PurchaseRequest } from '../../src/purchases/state/purchase.ts';
import {
  aPrincipal,
  aPurchase,
  buildEdge,
  credentials,
  goodAirtime,
  purchaseId,
  without,
} from './harness.ts';

let purchase: (request: PurchaseRequest) => Promise<Purchase>;
let principal = aPrincipal({ capped: true, mcpPurchases: true });
const gateway = {
  authenticator: { authenticate: async () => principal },
  isDatabaseAway: (error: unknown) => error instanceof DatabaseUnavailableError,
  rateLimit: { perS: 1_000, burst: 1_000 },
  purchases: { purchase: (request: PurchaseRequest) => purchase(request) },
};
const edge = await buildEdge(gateway);
const hasty = await buildEdge({ ...gateway, limits: { agentWaitMs: 20 } });
after(async () => {
  await edge.app.close();
  await hasty.app.close();
});

const accept = 'application/json, text/event-stream';

async function buy({
  app,
} = edge): Promise<{ readonly isError: boolean; readonly told: Record<string, unknown> }> {
  const params = { name: 'buy_airtime', arguments: without(goodAirtime, 'merchant') };
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...credentials, 'content-type': 'application/json', accept },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  assert.equal(answer.statusCode, 200, answer.payload);
  const { result } = JSON.parse(/^data: (.*)$/m.exec(answer.payload)?.[1] ?? '');
  return { isError: result.isError, told: result.structuredContent };
}

test('a purchase that takes long is pending, with its reference, and continues', async () => {
  const end = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  purchase = async (request) => {
    await end.promise;
    over.resolve();
    return aPurchase(request);
  };
  const { isError, told } = await buy(hasty);
  assert.deepEqual([isError, told.status, told.reference], [false, 'pending', 'order-1']);
  assert.ok(String(told.next).includes('get_purchase'));
  end.resolve();
  await over.promise;
});

test('advises an agent with an unknown outcome to query, and never to buy again', async () => {
  const full = new GatewayError({ code: 'purchases_full' });
  const unserved = new GatewayError({ code: 'no_provider', product: 'airtime', network: 'MTN' });
  const cases: [Error, number, string][] = [
    [new GatewayError({ code: 'outcome_unknown', reference: 'order-1', purchaseId }), 500, 'outcome_unknown'],
    [new Error('something else'), 500, 'unexpected_error'],
    [new DatabaseUnavailableError('away'), 500, 'unexpected_error'],
    [full, 503, 'purchases_full'],
    [unserved, 503, 'no_provider'],
  ];
  const advice = { 500: new Set<unknown>(), 503: new Set<unknown>() };
  for (const [error, code, reason] of cases) {
    purchase = () => Promise.reject(error);
    const { isError, told } = await buy();
    assert.deepEqual([isError, told.status, told.reference], [true, 'error', 'order-1']);
    assert.deepEqual([told.code, told.reason], [code, reason]);
    assert.equal(String(told.next).includes('get_purchase'), code === 500, JSON.stringify(told));
    advice[code === 500 ? 500 : 503].add(told.next);
  }
  // The same advice for every unknown outcome, and how long to wait if nothing was bought.
  assert.equal(advice[500].size, 1);
  assert.deepEqual(
    [...advice[503]].map((next) => /\d+/.exec(String(next))?.[0]),
    ['1', '30'],
  );
});

test('each call counts against the mode and the rate of its credential', async () => {
  purchase = async (request) => aPurchase(request);
  assert.equal((await buy()).isError, false);
  principal = aPrincipal();
  assert.equal((await buy()).told.reason, 'purchases_not_allowed');
  principal = aPrincipal({ capped: true, mcpPurchases: true, rateLimitPerS: 0.001 });
  const limited = await buy();
  assert.equal(limited.isError, false, JSON.stringify(limited.told));
  const refused = await edge.app.inject({ method: 'POST', url: '/mcp', headers: credentials, payload: '{}' });
  assert.equal(refused.statusCode, 429);
});
