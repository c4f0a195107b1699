/**
 * The example shop and its gateway are killed at random while customers buy. In the end the books
 * of the shop, the gateway and the simulated provider agree. Each order is bought once, ends as the
 * gateway reports, and a customer without goods is refunded.
 *
 * `OJA_CRASH_ROUNDS` sets the number of kills, `OJA_CRASH_SEED` repeats a run's choices.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Oja } from '../../sdk/src/index.ts';
import { drawnSeed } from '../support/budget.ts';
import { randomFrom } from '../support/load.ts';
import { freePort } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { type Fixture, openFixture, temporaryFolder } from './fixture.ts';

const rounds = Number(process.env.OJA_CRASH_ROUNDS ?? 1);
const seed = Number(process.env.OJA_CRASH_SEED ?? drawnSeed);
const random = randomFrom(seed);

const misbehaviour = [
  { fault: 'cut_after', share: 0.06 },
  { fault: 'error_5xx', share: 0.03, delivered: true },
  { fault: 'refused', share: 0.06 },
  { fault: 'pending_then_success', share: 0.06, settle_ms: 800 },
  { fault: 'pending_then_failed', share: 0.04, settle_ms: 800 },
];

async function misbehave({ simulator }: Fixture, rules: readonly object[]): Promise<void> {
  const answer = await fetch(`${simulator.url}/faults`, {
    method: 'PUT',
    body: JSON.stringify({ seed, rules }),
  });
  assert.ok(answer.ok, await answer.text());
}

type Shop = { readonly url: string; start(): Promise<void>; kill(): Promise<void> } & AsyncDisposable;

/** As its README starts it. It uses one port and one file, however often it is killed. */
async function openShop(variables: Readonly<Record<string, string>>): Promise<Shop> {
  const port = await freePort();
  const file = join(await temporaryFolder(), 'shop.db');
  const entry = join(import.meta.dirname, '..', '..', 'examples', 'shop', 'shop.ts');
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    start: async () => {
      let said = '';
      const started = spawn(process.execPath, ['--conditions=oja-source', entry], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH, SHOP_PORT: String(port), SHOP_FILE: file, ...variables },
      });
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          said += chunk;
        });
      }
      await until('the shop is open', () => {
        assert.equal(started.exitCode, null, said);
        return said.includes('the shop is open');
      });
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

type ShopOrder = {
  readonly id: string;
  readonly kobo: number;
  readonly product: string;
  readonly state: 'open' | 'success' | 'failed';
  readonly token: string | null;
  readonly told_by: string | null;
};
type ShopBooks = { readonly orders: ShopOrder[]; readonly money: { order_id: string; kobo: number }[] };

async function booksOf(shop: Shop): Promise<ShopBooks> {
  return (await (await fetch(`${shop.url}/books`)).json()) as ShopBooks;
}

/** Customers order until they are stopped, and repeat an order until the shop has it. */
function startCustomers(shop: Shop, count: number): { ordered: string[]; stop(): Promise<void> } {
  const ordered: string[] = [];
  let isOpen = true;
  const customers = Array.from({ length: count }, async (_, customer) => {
    for (let number = 0; isOpen; number += 1) {
      const id = `shop-${customer}-${number}`;
      ordered.push(id);
      const digits = String(10_000_000 + Math.floor(random() * 80_000_000));
      const order =
        random() < 0.7
          ? { product: 'airtime', network: 'mtn', customer: `0803${digits.slice(1)}`, kobo: 10_000 }
          : { product: 'electricity', network: 'Ikeja Electric', customer: `45${digits}1`, kobo: 150_000 };
      await until('the shop takes an order', async () => {
        const body = JSON.stringify({ id, ...order });
        return (await fetch(`${shop.url}/orders`, { method: 'POST', body }).catch(() => undefined))?.ok;
      });
      await sleep(60 + random() * 100);
    }
  });
  const finished = Promise.all(customers);
  finished.catch(() => undefined);
  return {
    ordered,
    stop: async () => {
      isOpen = false;
      await finished;
    },
  };
}

/** It answers no purchase until it is set to refuse them. `found` has the orders it received. */
async function openRefusingGateway(): Promise<
  { url: string; found: Set<string>; sent: string[]; refuse(): void } & AsyncDisposable
> {
  const found = new Set<string>();
  const sent: string[] = [];
  let isRefusing = false;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    const say = (code: number, body: object): void => {
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const refuse = (code: number): void => say(code, { status: 'error', code, message: 'no' });
    if (request.method === 'POST') {
      const { request_ref } = JSON.parse(await text(request)) as { request_ref: string };
      sent.push(request_ref);
      return isRefusing ? refuse(403) : undefined;
    }
    const request_id = url.searchParams.get('request_ref') ?? '';
    if (!found.has(request_id)) return refuse(404);
    say(200, { state: 'success', code: '00', message: '', payload: { request_id } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    found,
    sent,
    refuse: () => {
      isRefusing = true;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it('a restarted shop refunds no order that may still arrive', async () => {
  await using gateway = await openRefusingGateway();
  await using shop = await openShop({ OJA_URL: gateway.url, OJA_KEY: 'oja_test_1', OJA_SECRET: 's' });
  await shop.start();
  const order = { product: 'airtime', network: 'mtn', customer: '08031234567', kobo: 10_000 };
  for (const id of ['late', 'never']) {
    const body = JSON.stringify({ id, ...order });
    assert.ok((await fetch(`${shop.url}/orders`, { method: 'POST', body })).ok);
  }
  await until('both are sent', () => gateway.sent.length === 2);
  await shop.kill();
  gateway.refuse();
  await shop.start();
  await until('both are refused', () => gateway.sent.length === 4);
  assert.deepEqual(
    (await booksOf(shop)).orders.map(({ state }) => state),
    ['open', 'open'],
  );
  gateway.found.add('late');
  const { orders, money } = await until('both have ended', async () => {
    const books = await booksOf(shop);
    return books.orders.every(({ state }) => state !== 'open') ? books : undefined;
  });
  assert.deepEqual(Object.fromEntries(orders.map(({ id, state }) => [id, state])), {
    late: 'success',
    never: 'failed',
  });
  assert.deepEqual(
    money.filter(({ kobo }) => kobo < 0).map(({ order_id }) => order_id),
    ['never'],
  );
});

it(`a shop and its gateway survive ${rounds} kills (seed ${seed})`, async (t) => {
  await using fixture = await openFixture({ OJA_SIMULATOR_TIMEOUT_MS: '1500' });
  const port = String(await freePort());
  const start = (): ReturnType<Fixture['start']> => fixture.start({ PORT: port });
  let gateway = await start();
  const { key, secret } = await fixture.live();
  await misbehave(fixture, misbehaviour);
  await using shop = await openShop({ OJA_URL: gateway.url, OJA_KEY: key, OJA_SECRET: secret });
  await shop.start();
  const customers = startCustomers(shop, 3);
  for (let round = 0; round < rounds; round += 1) {
    await sleep(500 + random() * 1_000);
    const victim = (['both', 'gateway', 'shop'] as const)[round % 3];
    if (victim !== 'gateway') await shop.kill();
    if (victim !== 'shop') {
      gateway.kill('SIGKILL');
      await gateway.exited;
      // The lease of the dead process expires.
      await fixture.database.query('update webhook_endpoints set due_at = now() where due_at is not null');
      gateway = await start();
    }
    if (victim !== 'gateway') await shop.start();
    t.diagnostic(`kill ${round + 1}: ${victim}`);
  }
  // The first source of an outcome is recorded. On a busy machine that is seldom a webhook.
  await until('there was something to do, and webhooks arrived', async () => {
    const { orders } = await booksOf(shop);
    return orders.length > 10 * rounds && orders.some(({ told_by }) => told_by === 'webhook');
  });
  await customers.stop();
  await misbehave(fixture, []);
  await until('all orders are bought', async () => {
    const bought = await fixture.database.query('select from purchases');
    return bought.length >= customers.ordered.length;
  });
  const { purchases, wrong } = await fixture.settle({ gateway });
  assert.deepEqual(wrong, []);
  const { orders, money } = await until('every order has ended', async () => {
    const books = await booksOf(shop);
    return books.orders.every(({ state }) => state !== 'open') ? books : undefined;
  });

  const ended = (rows: readonly { id: string; state: string; kobo: number }[]): string[] =>
    rows.map(({ id, state, kobo }) => `${id} ${state} ${kobo}`).sort();
  assert.deepEqual(
    ended(orders),
    ended(
      purchases.map((purchase) => ({
        id: purchase.reference,
        state: purchase.status,
        kobo: Number(purchase.face_value),
      })),
    ),
  );
  assert.deepEqual(orders.map(({ id }) => id).sort(), customers.ordered.toSorted());
  const kept = money.reduce((sum, { kobo }) => sum + kobo, 0);
  const sold = orders.filter(({ state }) => state === 'success').reduce((sum, { kobo }) => sum + kobo, 0);
  assert.equal(kept, sold);

  const oja = new Oja({ key, secret, merchant: 'DEMO', baseUrl: gateway.url });
  for (const { id, product, state, token } of orders) {
    if (product !== 'electricity' || state !== 'success') continue;
    // A provider may report a success before it returns the token.
    assert.equal(token, (await oja.purchases.status(id)).payload.token ?? null, id);
  }
  const told = Object.groupBy(orders, ({ told_by }) => told_by ?? 'nobody');
  const counts = Object.entries(told).map(([by, of]) => `${of?.length} by ${by}`);
  t.diagnostic(`${orders.length} orders: told ${counts.join(', ')}`);
  assert.ok(orders.length > 8 * rounds, 'there was something to do');
  assert.ok((told.webhook?.length ?? 0) > 0, 'webhooks arrived');
});
