/**
 * Requirements for every provider's list of a period: it is read to its end from pages that overlap
 * in any order, each order is returned once with our reference, and a list that cannot be read
 * completely is unavailable.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Provider, ProviderOrder } from '../../src/providers/provider.ts';
import { ListUnavailableError, readLinePages } from '../../src/providers/statements/read-pages.ts';
import type { Period, StatementLine } from '../../src/providers/statements/statement-line.ts';
import { eSimOrder, openEsimAccessBench } from './esimaccess-bench.ts';
import { openNombaBench } from './nomba-bench.ts';
import { airtime, orderOf } from './products.ts';
import { cardOrder, openReloadlyBench } from './reloadly-bench.ts';
import type { SimulatorBench } from './simulator-bench.ts';

type Bench = SimulatorBench & { readonly provider: Provider };

type Listing = {
  readonly open: () => Promise<Bench>;
  readonly order: (provider: Provider, recipient: string) => ProviderOrder;
  /** The simulator's name of the call that lists. */
  readonly operation: string;
  readonly tells: (order: ProviderOrder) => Partial<StatementLine>;
};

const listings: Readonly<Record<string, Listing>> = {
  nomba: {
    open: () => openNombaBench(),
    order: (provider, recipient) => orderOf(provider, airtime, recipient),
    operation: 'list',
    tells: ({ amount, recipient }) => ({
      amount,
      cost: amount,
      recipient: recipient.replace(/^234/, '0'),
      product: 'airtime',
      currency: 'NGN',
    }),
  },
  reloadly: {
    open: () => openReloadlyBench(),
    order: cardOrder,
    operation: 'list',
    tells: ({ item }) => ({
      amount: (item?.unitPrice ?? 0n) * BigInt(item?.quantity ?? 0),
      amountCurrency: item?.currency ?? '',
      currency: 'NGN',
    }),
  },
  esimaccess: {
    open: () => openEsimAccessBench(),
    order: eSimOrder,
    operation: 'requery',
    tells: () => ({ product: 'ESIM', currency: 'USD' }),
  },
};

/** More than two pages of the smallest kind. */
const ORDERS = 105;

async function linesOf(provider: Provider, period: Period): Promise<StatementLine[]> {
  return await Array.fromAsync(readLinePages(provider.name, provider.listOrders, period, { waitsMs: [10] }));
}

function oncePerOrder(lines: readonly StatementLine[]): Map<string, StatementLine> {
  return new Map(lines.map((line) => [`${line.reference} ${line.providerId}`, line]));
}

for (const [name, listing] of Object.entries(listings)) {
  describe(`the list of ${name}`, { concurrency: 1 }, () => {
    let bench: Bench;
    let orders: readonly ProviderOrder[] = [];
    let period: Period;
    before(async () => {
      bench = await listing.open();
      const from = new Date(Date.now() - 1_000);
      const made: ProviderOrder[] = [];
      for (let count = 0; count < ORDERS; count += 1) {
        made.push(listing.order(bench.provider, await bench.arrange('success')));
      }
      const refused = listing.order(bench.provider, await bench.arrange('refused'));
      const pending = listing.order(bench.provider, await bench.arrange('pending_then_success'));
      orders = [...made, pending];
      for (const order of [...orders, refused]) await bench.provider.purchase(order);
      period = { from, to: new Date(Date.now() + 5_000) };
    });
    after(() => bench[Symbol.asyncDispose]());

    it('lists every order once, whatever the pages repeat', async () => {
      const lines = await linesOf(bench.provider, period);
      const told = oncePerOrder(lines);
      const references = new Set([...told.values()].map(({ reference }) => reference));
      for (const { reference } of orders) assert.ok(references.has(reference), `no line of ${reference}`);
      const [first] = orders;
      assert.ok(first !== undefined);
      const line = lines.find(({ reference }) => reference === first.reference);
      assert.ok(line !== undefined);
      assert.equal(line.state, 'delivered', line.words);
      assert.ok((line.providerId ?? '') !== '');
      for (const [field, value] of Object.entries(listing.tells(first))) {
        assert.equal(line[field as keyof StatementLine], value, field);
      }
    });

    it('lists pending and refused orders as such', async () => {
      const states = (await linesOf(bench.provider, period)).map(({ state }) => state);
      assert.ok(states.includes('reversed') || name === 'esimaccess');
      assert.ok(states.every((state) => ['delivered', 'pending', 'reversed', 'failed'].includes(state)));
    });

    it('lists nothing outside the period', async () => {
      const ages = { from: new Date(Date.now() - 7_200_000), to: new Date(Date.now() - 3_600_000) };
      assert.deepEqual(await linesOf(bench.provider, ages), []);
    });

    it('retries a page that could not be read', async () => {
      await bench.addRule({ fault: 'error_5xx', operation: listing.operation, times: 1 });
      const lines = await linesOf(bench.provider, period);
      assert.ok(oncePerOrder(lines).size >= ORDERS);
    });

    it('fails when a page cannot be read', async () => {
      await bench.addRule({ fault: 'html_page', operation: listing.operation, times: 2 });
      await assert.rejects(linesOf(bench.provider, period), ListUnavailableError);
    });
  });
}
