/** A gateway that is killed in the middle of an order of gift cards: the cards are bought once, and the merchant gets them, or pays nothing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StopPoint } from '../../src/stop-points.ts';
import { assertAudited } from '../api/door.ts';
import { readBooks } from '../support/books.ts';
import { until } from '../support/processes.ts';
import { openScene, type Scene } from './scene.ts';

const cases: readonly { readonly point: StopPoint; readonly delivered: 0 | 1 }[] = [
  { point: 'after-accept', delivered: 0 },
  { point: 'before-call', delivered: 0 },
  { point: 'after-call', delivered: 1 },
  { point: 'before-resolve-commits', delivered: 1 },
];

const orders = '/v1/giftcards/orders';

type Order = { readonly response_code: string; readonly data: { readonly cards?: readonly object[] } };

describe('a crash in the middle of an order', { concurrency: 4 }, () => {
  for (const { point, delivered } of cases) {
    it(`${point}: bought ${delivered} times`, { timeout: 120_000 }, async () => {
      await using scene = await openScene();
      const doomed = await scene.start({ OJA_STOP_AT: point });
      await call(scene, 'POST', `${doomed.url}${orders}`, { request_id: 'card-1', plan_id: 300002 }).catch(
        () => undefined,
      );
      assert.equal((await doomed.exited).signal, 'SIGKILL');
      assert.equal((await readBooks(scene.simulator.url)).length, delivered);

      const { url } = await scene.start();
      const order = await until('the order is final', 90_000, async () => {
        const found = await call(scene, 'GET', `${url}${orders}/card-1`);
        return found.response_code === '02' ? undefined : found;
      });
      assert.equal(order.response_code, delivered === 1 ? '00' : '01');
      assert.equal(order.data.cards?.length ?? 0, delivered);
      assert.equal((await readBooks(scene.simulator.url)).length, delivered);
      assert.equal((await scene.database.query('select from attempts')).length, 1);
      await assertAudited(scene.database);
    });
  }
});

async function call(scene: Scene, method: string, url: string, body?: object): Promise<Order> {
  const { key, secret } = await scene.live();
  const answer = await fetch(url, {
    method,
    headers: { 'x-merchant-key': key, 'x-merchant-secret': secret, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Order;
}
