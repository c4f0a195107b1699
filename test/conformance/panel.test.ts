/**
 * The panel connector against simulated panels: the suite of every connector for the family that
 * can be queried, then the false answers and traps of each family.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PresetName } from '../../src/providers/panel/presets.ts';
import type { ProviderAnswer, ProviderOrder } from '../../src/providers/provider.ts';
import { openPanelBench } from './panel-bench.ts';
import { airtime, airtimeOrder, cable, data, orderOf, postpaid, prepaid, waec } from './products.ts';
import { type Behaviour, type CustomerFate, goodsOf, plain, providerSuite } from './provider-suite.ts';
import type { ConnectorBench } from './simulator-bench.ts';

/** Absent records prove nothing, so `not_found` is never returned. */
const QUERIED = [
  'success',
  'refused',
  'pending_then_success',
  'pending_then_failed',
  'lost_after_delivery',
  'goods_late',
  'known',
  'unknown',
  'unavailable',
] as const satisfies readonly (Behaviour | CustomerFate)[];

describe('a panel whose successes are trusted', { concurrency: 3 }, () => {
  for (const product of [airtime, data, prepaid, postpaid, cable]) {
    // The panel reports refused airtime as a success.
    const offers = QUERIED.filter((one) => one !== 'refused' || product !== airtime);
    providerSuite(
      'msorg',
      product,
      () => openPanelBench('msorg', { product, settings: { provisional: 'final' } }),
      new Set(offers),
    );
  }
});

/** Queries as the gateway does, with the id of the answer, `sentMs` after the order. */
async function ask(
  bench: ConnectorBench,
  order: ProviderOrder,
  answer: ProviderAnswer,
  sentMs = 0,
): Promise<ProviderAnswer> {
  const { providerId } = answer;
  return plain(
    await bench.provider.query({ ...order, sentMs, ...(providerId !== undefined && { providerId }) }),
    bench.secrets,
  );
}

describe('A panel of the family msorg', () => {
  it('believes a success when its record reads success again later', async () => {
    await using bench = await openPanelBench('msorg');
    const order = airtimeOrder(bench.provider, await bench.arrange('success'));
    const first = plain(await bench.provider.purchase(order), bench.secrets);
    assert.deepEqual([first.kind, first.code], ['accepted', 'provisional']);
    assert.ok(first.providerId);
    assert.equal((await ask(bench, order, first)).code, 'provisional');
    assert.equal((await ask(bench, order, first, 600_000)).kind, 'success');
  });

  it('trusts a success at once for data, because a debit proves it', async () => {
    await using bench = await openPanelBench('msorg', { product: data });
    const order = orderOf(bench.provider, data, await bench.arrange('success'));
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
  });

  it('may report refused airtime as successful, and as failed later', async () => {
    await using bench = await openPanelBench('msorg');
    const recipient = await bench.arrangeFault({ fault: 'refused', settle_ms: 600_000 });
    const order = airtimeOrder(bench.provider, recipient);
    const first = await bench.provider.purchase(order);
    assert.equal(first.code, 'provisional');
    assert.equal(await bench.deliveries(order.reference), 0);
    await bench.release(recipient);
    assert.equal((await ask(bench, order, first)).kind, 'failed');
  });

  it('shows a success that turned into a failure by a query', async () => {
    await using bench = await openPanelBench('msorg', { product: data });
    const recipient = await bench.arrangeFault({ fault: 'reversed_later', settle_ms: 600_000 });
    const order = orderOf(bench.provider, data, recipient);
    const first = await bench.provider.purchase(order);
    assert.equal(first.kind, 'success');
    await bench.release(recipient);
    assert.equal((await ask(bench, order, first)).kind, 'failed');
    assert.equal(bench.provider.takesBack, true);
  });

  it('keeps an order unknown until its late record appears', async () => {
    await using bench = await openPanelBench('msorg');
    const recipient = await bench.arrangeFault({ fault: 'late_visible', late_visible_ms: 600_000 });
    const order = airtimeOrder(bench.provider, recipient);
    assert.equal((await bench.provider.purchase(order)).kind, 'unknown');
    const absent = await bench.provider.query(order);
    assert.deepEqual([absent.kind, absent.code], ['unknown', 'not_listed']);
    await bench.release(recipient);
    assert.equal((await bench.provider.query(order)).code, 'provisional');
  });

  it('never reports a lost order as not found', async () => {
    await using bench = await openPanelBench('msorg');
    const order = airtimeOrder(bench.provider, await bench.arrange('lost_before_delivery'));
    assert.equal((await bench.provider.purchase(order)).kind, 'unknown');
    assert.equal((await bench.provider.query(order)).code, 'not_listed');
  });

  it('ignores the record of another purchase', async () => {
    await using bench = await openPanelBench('msorg');
    const recipient = await bench.arrange('success');
    const first = airtimeOrder(bench.provider, recipient);
    const { providerId } = await bench.provider.purchase(first);
    assert.ok(providerId);
    const second = airtimeOrder(bench.provider, recipient);
    assert.equal((await bench.provider.query({ ...second, otherIds: [providerId] })).code, 'not_listed');
  });

  it('keeps an order unknown when two records can be it', async () => {
    await using bench = await openPanelBench('msorg');
    const recipient = await bench.arrange('success');
    for (let count = 0; count < 2; count += 1) {
      await bench.provider.purchase(airtimeOrder(bench.provider, recipient));
    }
    const order = airtimeOrder(bench.provider, recipient);
    assert.equal((await bench.provider.query(order)).code, 'several_records');
  });

  it('finds a record beyond the first page', async () => {
    await using bench = await openPanelBench('msorg');
    const order = airtimeOrder(bench.provider, await bench.arrange('lost_after_delivery'));
    await bench.provider.purchase(order);
    for (let count = 0; count < 25; count += 1) {
      await bench.provider.purchase(airtimeOrder(bench.provider, await bench.arrange('success')));
    }
    assert.equal((await bench.provider.query(order)).code, 'provisional');
  });

  it('keeps an order unknown when the path without its slash redirects, and buys nothing', async () => {
    await using bench = await openPanelBench('msorg', {
      mapping: { orders: { airtime: { request: { path: '/api/topup' } } } },
    });
    const order = airtimeOrder(bench.provider, await bench.arrange('success'));
    const answer = await bench.provider.purchase(order);
    assert.deepEqual([answer.kind, answer.code], ['unknown', 'redirected']);
    assert.equal(await bench.deliveries(order.reference), 0);
  });

  it('lists its plans with kind and price', async () => {
    await using bench = await openPanelBench('msorg');
    const plans = await bench.provider.listPlans?.('MTN');
    assert.deepEqual(plans?.[0], {
      code: '100',
      name: '110MB SME 30 days',
      price: 100_00n,
      fixed: true,
      cost: 100_00n,
      kind: 'sme',
      sizeMb: 110,
      days: 30,
    });
    assert.equal(await bench.provider.listPlans?.('SMILE'), undefined);
  });

  it('sells exam PINs', async () => {
    await using bench = await openPanelBench('msorg', { product: waec, settings: { provisional: 'final' } });
    const order = orderOf(bench.provider, waec, await bench.arrange('success'));
    const { pins } = goodsOf(await bench.provider.purchase(order));
    assert.ok(Array.isArray(pins) && pins.length === 1);
  });
});

describe('A panel that cannot be queried', () => {
  for (const preset of ['adex', 'php'] as const) {
    it(`family ${preset}: a repeated reference answered like a refusal is unknown`, async () => {
      await using bench = await openPanelBench(preset);
      const order = airtimeOrder(bench.provider, await bench.arrange('lost_after_delivery'));
      assert.equal((await bench.provider.purchase(order)).kind, 'unknown');
      const again = await bench.provider.purchase(order);
      assert.deepEqual([again.kind, again.code], ['unknown', 'duplicate']);
      const unqueried = await bench.provider.query(order);
      assert.equal(unqueried.code, 'no_look_up');
      // So our balance may decide it.
      assert.ok(unqueried.kind === 'unknown' && unqueried.isUnqueryable);
      assert.equal(bench.provider.balanceProves, 'either');
      assert.equal(await bench.deliveries(order.reference), 1);
    });

    it(`family ${preset}: a success is believed, and a failure that is certain`, async () => {
      await using bench = await openPanelBench(preset, { product: data });
      const good = orderOf(bench.provider, data, await bench.arrange('success'));
      assert.equal((await bench.provider.purchase(good)).kind, 'success');
      const bad = orderOf(bench.provider, data, await bench.arrange('refused'));
      const refused = await bench.provider.purchase(bad);
      // A failure of a php panel may be a lost answer, so the balance decides.
      if (preset === 'php') assert.equal(refused.kind, 'unknown');
      else assert.ok(refused.kind === 'failed' && refused.fault === 'order');
      const wait = orderOf(bench.provider, data, await bench.arrange('pending_then_success'));
      assert.equal((await bench.provider.purchase(wait)).kind, 'accepted');
    });

    it(`family ${preset}: verifies a smartcard, and rejects only with a message`, async () => {
      await using bench = await openPanelBench(preset, { product: cable });
      const verify = async (fate: CustomerFate): Promise<string | undefined> => {
        const { product, network, recipient } = orderOf(
          bench.provider,
          cable,
          await bench.arrangeCustomer(fate),
        );
        return (await bench.provider.verifyCustomer?.({ product, network, recipient }))?.kind;
      };
      assert.equal(await verify('known'), 'verified');
      assert.equal(await verify('unknown'), 'unavailable');
    });
  }

  it('family php: hides a wrong key that the panel quotes', async () => {
    await using bench = await openPanelBench('php', { settings: { key: 'another-secret-key' } });
    const order = airtimeOrder(bench.provider, await bench.arrange('success'));
    const answer = plain(await bench.provider.purchase(order), ['another-secret-key']);
    assert.ok(answer.kind === 'failed' && answer.fault === 'provider');
  });
});

describe('Our balance at a panel', () => {
  it('reads our balance before and after from the reply to an order', async () => {
    await using bench = await openPanelBench('adex');
    const before = await bench.provider.balance();
    const order = airtimeOrder(bench.provider, await bench.arrange('success'));
    const { balance } = await bench.provider.purchase(order);
    const after = await bench.provider.balance();
    assert.deepEqual(balance, { before: before?.amount, after: after?.amount });
  });

  it('needs the login if the panel requires it to read the balance', async () => {
    await using bench = await openPanelBench('adex', { settings: { login: undefined } });
    assert.equal(bench.provider.hasNoBalance, true);
    assert.equal(await bench.provider.balance(), undefined);
    const order = airtimeOrder(bench.provider, await bench.arrange('success'));
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
    await using wrong = await openPanelBench('adex', { settings: { login: 'simulator:no' } });
    assert.equal(await wrong.provider.balance(), undefined);
  });

  it('the balance may decide an order that has no record', async () => {
    await using bench = await openPanelBench('adex', { product: data });
    const order = orderOf(bench.provider, data, await bench.arrange('lost_after_delivery'));
    await bench.provider.purchase(order);
    const asked = await bench.provider.query(order);
    assert.ok(asked.kind === 'unknown' && asked.isUnqueryable);
  });

  it('confirms by the balance a success that nothing else can confirm', async () => {
    const trust = { success: 'provisional', confirm_by: ['record'], confirm_after_s: 600 };
    const mapping = { orders: { airtime: { trust } } };
    await assert.rejects(openPanelBench('adex', { product: airtime, mapping }));
  });
});

describe('A panel of the family smartrecharge', () => {
  it('queries by its own id, and trusts the answer', async () => {
    await using bench = await openPanelBench('smartrecharge');
    const order = airtimeOrder(bench.provider, await bench.arrange('success'));
    const first = plain(await bench.provider.purchase(order), bench.secrets);
    assert.equal(first.kind, 'accepted');
    assert.equal((await ask(bench, order, first)).kind, 'success');
    const lost = airtimeOrder(bench.provider, await bench.arrange('lost_after_delivery'));
    const unknown = plain(await bench.provider.purchase(lost), bench.secrets);
    assert.equal(unknown.kind, 'unknown');
    assert.equal((await ask(bench, lost, unknown)).code, 'no_look_up');
  });
});

describe('A panel over a bad line', () => {
  for (const preset of ['msorg', 'adex', 'php', 'smartrecharge'] as const satisfies readonly PresetName[]) {
    it(`family ${preset}: an order is unknown after any unlisted answer`, async () => {
      await using bench = await openPanelBench(preset);
      for (const fault of [
        'error_5xx',
        'broken_json',
        'html_page',
        'odd_reply',
        'no_reply',
        'timeout',
      ] as const) {
        for (const delivered of [false, true]) {
          const order = airtimeOrder(bench.provider, await bench.arrangeFault({ fault, delivered }));
          const answer = plain(await bench.provider.purchase(order), bench.secrets);
          assert.equal(answer.kind, 'unknown', `${fault} ${delivered} ${answer.message}`);
          assert.equal(await bench.deliveries(order.reference), delivered ? 1 : 0);
          const found = plain(await bench.provider.query(order), bench.secrets);
          assert.equal(['success', 'failed', 'not_found'].includes(found.kind), false, found.kind);
        }
      }
    });

    it(`family ${preset}: reads its float in naira`, async () => {
      await using bench = await openPanelBench(preset);
      const balance = await bench.provider.balance();
      assert.deepEqual(balance, { amount: 1_000_000_000_00n, currency: 'NGN' });
    });
  }
});
