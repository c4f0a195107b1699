/**
 * A gateway that is killed in the middle of an order of gift cards or an eSIM: it is bought once,
 * and the merchant gets it, or pays nothing. The gate kills each kind of order at one point, and
 * the proof at each.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StopPoint } from '../../src/core/failpoints.ts';
import { readBooks } from '../support/books.ts';
import { itInProof } from '../support/budget.ts';
import { until } from '../support/until.ts';
import { type Fixture, openFixture } from './fixture.ts';

/** `inGate`: the name of the order that the gate kills at this point, if it does. */
const cases: readonly {
  readonly point: StopPoint;
  readonly delivered: 0 | 1;
  readonly inGate?: 'gift cards' | 'an eSIM';
}[] = [
  { point: 'after-accept', delivered: 0, inGate: 'an eSIM' },
  { point: 'before-call', delivered: 0 },
  { point: 'after-call', delivered: 1 },
  { point: 'before-resolve-commits', delivered: 1, inGate: 'gift cards' },
];

type Order = {
  readonly response_code: string;
  readonly data: { readonly cards?: readonly object[]; readonly iccid?: string };
};

const kinds: readonly {
  readonly name: string;
  readonly path: string;
  readonly plan: number | string;
  readonly count: (data: Order['data']) => number;
}[] = [
  {
    name: 'gift cards',
    path: '/v1/giftcards/orders',
    plan: 300002,
    count: ({ cards }) => cards?.length ?? 0,
  },
  {
    name: 'an eSIM',
    path: '/v1/esim/orders',
    plan: 'US-1GB-7D',
    count: ({ iccid }) => (iccid ? 1 : 0),
  },
];

describe('a crash in the middle of an order', { concurrency: 4 }, () => {
  for (const { kind, ...one } of kinds.flatMap((kind) => cases.map((one) => ({ ...one, kind })))) {
    const { name, path, plan, count } = kind;
    const { point, delivered, inGate } = one;
    const register = inGate === name ? it : itInProof;
    register(`of ${name}, ${point}: bought ${delivered} times`, async () => {
      await using fixture = await openFixture();
      const doomed = await fixture.start({ OJA_STOP_AT: point });
      await call(fixture, 'POST', `${doomed.url}${path}`, { request_id: 'order-1', plan_id: plan }).catch(
        () => undefined,
      );
      assert.equal((await doomed.exited).signal, 'SIGKILL');
      // An eSIM is allocated some time after its order was accepted.
      await until('the books agree', async () =>
        (await readBooks(fixture.simulator.url)).length === delivered ? true : undefined,
      );

      const { url } = await fixture.start();
      const order = await until('the order is final', async () => {
        const found = await call(fixture, 'GET', `${url}${path}/order-1`);
        return found === undefined || found.response_code === '02' ? undefined : found;
      });
      assert.equal(order.response_code, delivered === 1 ? '00' : '01');
      assert.equal(count(order.data), delivered);
      assert.equal((await readBooks(fixture.simulator.url)).length, delivered);
      assert.equal((await fixture.database.query('select from attempts')).length, 1);
      const { wrong } = await fixture.settle();
      assert.deepEqual(wrong, []);
    });
  }
});

/** Undefined if it must be sent again (503): several gateways start here at once. */
async function call(
  fixture: Fixture,
  method: string,
  url: string,
  body?: object,
): Promise<Order | undefined> {
  const { key, secret } = await fixture.live();
  const answer = await fetch(url, {
    method,
    headers: { 'x-merchant-key': key, 'x-merchant-secret': secret, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (answer.status === 503) return undefined;
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as Order;
}
