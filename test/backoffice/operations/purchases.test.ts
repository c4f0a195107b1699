/** Operators' queries about purchases and additions to them, through every interface. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Operator } from '../../../src/backoffice/operations/run-operation.ts';
import { formatDay } from '../../../src/core/clock.ts';
import type { MerchantRole } from '../../../src/core/operation.ts';
import { goodsPlace } from '../../../src/purchases/engine/sealed-goods.ts';
import { makePurchases, openShop, referenceOf } from '../../audit/fixture.ts';
import { awayFromMidnight } from '../../support/away-from-midnight.ts';
import { changeWallet } from '../../support/change-wallet.ts';
import { operatorOf, startOperations } from './harness.ts';

await awayFromMidnight();
const op = await startOperations();
after(() => op[Symbol.asyncDispose]());
const shop = await openShop(op.database);
const purchases = await makePurchases(op.database, shop);
const support = operatorOf('support');
const viewer = operatorOf('viewer');

/** A delivered gift card: only its row, with a delivery in that state. */
async function giftCard(reference: string, state?: string): Promise<string> {
  const [row] = await op.database.query<{ id: string }>(
    `insert into purchases (merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge,
       wallet_id, mode, route)
     values ($1, 'test', gen_random_uuid(), $2, 'GIFTCARD', 'GIFTCARD', '', '', 500, 500, 0, 'sync', 'sandbox')
     returning id`,
    [shop.merchantId, reference],
  );
  const id = row?.id ?? '';
  if (state !== undefined) {
    await op.database.query(
      `insert into deliveries (merchant_id, environment, purchase_id, channel, destination, hint, state)
       values ($1, 'test', $2, 'email', '', 'a***@example.com', $3)`,
      [shop.merchantId, id, state],
    );
  }
  return id;
}

const shopper = (role: MerchantRole, code = 'SHOP'): Operator => ({
  name: 'bola',
  principal: 'user:0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69 (bola@shop.example)',
  edge: 'portal',
  roles: [],
  merchant: { code, roles: [role] },
});

describe('a purchase', () => {
  it('shows every detail, by reference and by id', async () => {
    for (const [name, id] of purchases) {
      const shown = await op.ask('purchase.show', { reference: referenceOf(name) }, viewer);
      assert.equal(shown.id, id, name);
      assert.deepEqual(await op.ask('purchase.show', { reference: id.toUpperCase() }, viewer), shown);
    }
  });

  it('shows the next step and its time', async () => {
    const next = async (name: string) => (await op.ask('purchase.show', { reference: `r-${name}` })).next;
    assert.equal(await next('delivered'), null);
    assert.deepEqual(await next('calling'), { what: 'in_hand', at: null });
    for (const [name, what] of [
      ['sending', 'send'],
      ['retrying', 'send'],
      ['unknown', 'ask'],
      ['tokenless', 'ask_for_goods'],
    ] as const) {
      const step = await next(name);
      assert.equal(step.what, what, name);
      assert.match(step.at, /^20\d\d-.*\+01:00$/);
    }
  });

  it('shows attempts, answers, transfers, alarms and audit entries', async () => {
    const { attempts, answers, transfers, timeline } = await op.ask('purchase.show', {
      reference: 'r-delivered',
    });
    assert.deepEqual(
      [attempts.length, attempts[0].provider, answers.length, answers[0].kind],
      [1, 'sandbox', 1, 'success'],
    );
    assert.deepEqual(
      transfers.map(({ code, amount }: { code: string; amount: string }) => [code, amount]),
      [
        ['purchase_cost', '97.00'],
        ['purchase_margin', '1.00'],
      ],
    );
    assert.equal(timeline.length, 6);
    const moved = timeline.filter(({ what }: { what: string }) => what === 'transfer');
    // The codes of accounts and the merchant's number are not shown to people.
    for (const { detail } of moved) assert.doesNotMatch(detail, /\w:\w|_/);
    assert.match(moved[0].detail, /97\.00 from wallet to float sandbox$/);
  });

  it('refuses an unknown or ambiguous purchase, with the choices', async () => {
    await op.refuses('purchase.show', { reference: 'nothing' }, 'no_purchase');
    await op.refuses('purchase.show', { reference: '' }, 'input_malformed');
    await op.refuses('purchase.show', { reference: 'r-delivered', merchant: 'NOBODY' }, 'no_purchase');
    await giftCard('r-delivered');
    await op.refuses('purchase.show', { reference: 'r-delivered' }, 'purchase_ambiguous');
    const live = await op.ask('purchase.show', { reference: 'r-delivered', environment: 'live' });
    assert.equal(live.product, 'airtime');
  });
});

describe('missing goods', () => {
  const token = '6734-3797-4609-1524-5954';

  it('adds goods once by support, and shows by whom', async () => {
    await op.entries();
    const added = await op.ask('purchase.goods', { reference: 'r-tokenless', token, units: '23.8' }, support);
    assert.deepEqual(added.brought, ['token', 'units']);
    assert.deepEqual(await op.entries(), [
      ['ada', 'purchase.goods', `purchase:${purchases.get('tokenless')}`],
    ]);
    await op.refuses('purchase.goods', { reference: 'r-tokenless', token }, 'no_token_owed', support);
    const { audit_entries: entries, pending_fulfilments: late } = await op.ask('purchase.show', {
      reference: 'r-tokenless',
    });
    assert.deepEqual(
      [entries.length, entries[0].actor, entries[0].principal, late.goods],
      [1, 'ada', support.principal, ['token', 'units']],
    );
  });

  it('refuses goods that are not owed or malformed, and viewers', async () => {
    const goods = (name: string, more: object = { token }) => ({ reference: `r-${name}`, ...more });
    await op.refuses('purchase.goods', goods('delivered', { token, environment: 'live' }), 'no_token_owed');
    await op.refuses('purchase.goods', goods('unknown'), 'purchase_not_delivered');
    await op.refuses('purchase.goods', goods('tokenless', { token: '123' }), 'input_malformed');
    await op.refuses('purchase.goods', goods('tokenless'), 'role_lacking', viewer);
    const cards = { cards: [{ pin: '1' }] };
    await op.refuses('order.goods', goods('unknown', { goods: cards }), 'goods_not_sealed');
    await op.refuses('order.goods', goods('unknown', { goods: 'cards.json' }), 'input_malformed');
    await op.refuses('order.goods', goods('unknown', { goods: cards }), 'role_lacking', viewer);
  });
});

describe('sealed goods', () => {
  it('reveals goods only to support, with an audit entry', async () => {
    const id = await giftCard('card-1');
    const sealer = await op.services.sealer();
    const goods = { cards: [{ pin: '4711' }] };
    await op.database.query(
      'insert into sealed_goods (merchant_id, purchase_id, key_id, sealed) values ($1, $2, $3, $4)',
      [shop.merchantId, id, sealer.keyId, sealer.seal(goodsPlace(id), JSON.stringify(goods))],
    );
    const shown = await op.ask('purchase.show', { reference: 'card-1' }, viewer);
    assert.ok(shown.goods_sealed && !JSON.stringify(shown).includes('4711'));
    await op.refuses('purchase.reveal_goods', { reference: 'card-1' }, 'role_lacking', viewer);
    await op.refuses('purchase.reveal_goods', { reference: 'r-unknown' }, 'goods_not_sealed');
    await op.entries();
    const revealed = await op.ask('purchase.reveal_goods', { reference: 'card-1' }, support);
    assert.deepEqual(revealed, { id, reference: 'card-1', goods });
    assert.deepEqual(await op.entries(), [['ada', 'purchase.reveal_goods', `purchase:${id}`]]);
    await giftCard('card-2');
    assert.equal((await op.ask('purchase.reveal_goods', { reference: 'card-2' })).goods, null);
  });
});

describe('a purchase as its merchant sees it', () => {
  const inside = /sandbox|margin|\bcosts?\b|attempt|ref-\w+-1|OTHER|secret words/;

  it('finds a purchase by the merchant’s own values and by no internal value', async () => {
    const { data } = await op.ask(
      'merchant_purchase.list',
      { environment: 'live', limit: 200 },
      shopper('viewer'),
    );
    const references = data.map(({ reference }: { reference: string }) => reference);
    for (const name of purchases.keys()) assert.ok(references.includes(referenceOf(name)), name);
    assert.doesNotMatch(JSON.stringify(data), inside);
    const delivered = data.find(({ reference }: { reference: string }) => reference === 'r-delivered');
    assert.deepEqual(
      [delivered.amount, delivered.charge, delivered.refunded, delivered.status],
      ['100.00', '98.00', '0.00', 'success'],
    );
    const found = async (filter: object): Promise<string[]> =>
      (await op.ask('merchant_purchase.list', filter, shopper('viewer'))).data.map(
        ({ reference }: { reference: string }) => reference,
      );
    assert.deepEqual(await found({ reference: 'r-refused' }), ['r-refused']);
    const today = formatDay(new Date());
    assert.ok((await found({ phone: '0803 123 4567', day: today, status: 'failed' })).includes('r-refused'));
    assert.deepEqual(await found({ day: '2020-01-01' }), []);
    assert.deepEqual(await found({ network: 'GLO', environment: 'live' }), []);
    await op.refuses(
      'merchant_purchase.list',
      { day: today, from: today },
      'input_malformed',
      shopper('viewer'),
    );
    await op.refuses('merchant_purchase.list', { provider: 'sandbox' }, 'input_malformed', shopper('viewer'));
    await op.refuses('merchant_purchase.list', { merchant: 'OTHER' }, 'no_merchant', shopper('viewer'));
  });

  it('shows a timeline with refunds and webhooks, and no operator texts', async () => {
    const named = { merchant: 'SHOP', environment: 'live', reference: 'r-delivered' };
    const refund = { ...named, amount: '8', reason: 'secret words of support' };
    await op.ask('purchase.refund', refund, operatorOf('finance'));
    const url = 'https://shop.example/hooks';
    const { id: endpoint } = await op.ask('webhook.create', { merchant: 'SHOP', environment: 'live', url });
    await op.database.query(
      `insert into webhook_deliveries (merchant_id, environment, id, endpoint_id, event_id, event_type, event_at, state, http_status)
       values ($1, 'live', gen_random_uuid(), $2, $3, 'transaction.success', now(), 'delivered', 200)`,
      [shop.merchantId, endpoint, purchases.get('delivered')],
    );
    const shown = await op.ask('merchant_purchase.show', named, shopper('viewer'));
    assert.deepEqual(
      [shown.id, shown.charge, shown.refunded, shown.refunds.length, shown.status],
      [purchases.get('delivered'), '98.00', '8.00', 1, 'success'],
    );
    assert.deepEqual(
      shown.webhooks.map((row: Record<string, unknown>) => [row.endpoint, row.event_type, row.state]),
      [[endpoint, 'transaction.success', 'delivered']],
    );
    assert.deepEqual(
      shown.timeline.map(({ what }: { what: string }) => what),
      ['accepted', 'success', 'refund'],
    );
    for (const [name, id] of purchases) {
      const story = await op.ask(
        'merchant_purchase.show',
        { ...named, reference: referenceOf(name) },
        shopper('viewer'),
      );
      assert.equal(story.id, id);
      assert.doesNotMatch(JSON.stringify(story), inside, name);
      if (story.status === 'pending') assert.deepEqual([story.ended_at, story.message], [null, null]);
    }
    await op.refuses(
      'merchant_purchase.show',
      { ...named, reference: 'nothing' },
      'no_purchase',
      shopper('viewer'),
    );
  });

  it('reveals goods to authorized users, with an audit entry', async () => {
    const card = { reference: 'card-1', environment: 'test' };
    const late = { reference: 'r-tokenless', environment: 'live' };
    const story = await op.ask('merchant_purchase.show', late, shopper('viewer'));
    assert.deepEqual(story.brought, ['token', 'units']);
    assert.ok(story.goods_arrived_at !== null && !/6734/.test(JSON.stringify(story)));
    await op.refuses('merchant_purchase.reveal', late, 'role_lacking', shopper('viewer'));
    await op.entries();
    const revealed = await op.ask('merchant_purchase.reveal', late, shopper('finance'));
    assert.deepEqual(revealed.goods, { token: '67343797460915245954', units: '23.8' });
    assert.deepEqual(await op.entries(), [['bola', 'merchant_purchase.reveal', `purchase:${revealed.id}`]]);
    const nothing = await op.ask('merchant_purchase.reveal', { reference: 'r-refused' }, shopper('owner'));
    assert.equal(nothing.goods, null);
    await op.ask('merchant.create', { code: 'OTHER', name: 'Other' });
    for (const named of [card, late]) {
      await op.refuses('merchant_purchase.reveal', named, 'no_purchase', shopper('owner', 'OTHER'));
      await op.refuses('merchant_purchase.show', named, 'no_purchase', shopper('owner', 'OTHER'));
    }
  });
});

describe('deliveries', () => {
  it('lists deliveries page by page, newest change first, and resends them for support', async () => {
    const references = ['sent-1', 'refused-1', 'unknown-1', 'refused-2', 'waiting-1'];
    for (const reference of references) await giftCard(reference, reference.split('-')[0]);
    // Two that changed at the same microsecond are both listed.
    await op.database.query("update deliveries set updated_at = now() where state in ('refused', 'unknown')");
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { data: { reference: string }[]; cursor: string | null } = await op.ask(
        'delivery.list',
        { limit: 1, cursor },
        viewer,
      );
      listed.push(...page.data.map(({ reference }) => reference));
      cursor = page.cursor;
    } while (cursor !== null);
    assert.deepEqual(listed.toSorted(), ['refused-1', 'refused-2', 'unknown-1']);
    assert.equal((await op.ask('delivery.list', { all: true })).data.length, 4);
    await op.entries();
    const again = await op.ask('delivery.retry', { reference: 'refused-1' }, support);
    assert.equal(again.state, 'due');
    assert.equal((await op.ask('purchase.show', { reference: 'refused-1' })).next.what, 'deliver');
    assert.equal((await op.entries()).length, 1);
    await op.refuses('delivery.retry', { reference: 'unknown-1' }, 'delivery_doubtful');
    await op.refuses('delivery.retry', { reference: 'waiting-1' }, 'order_not_ready');
    await op.refuses('delivery.retry', { reference: 'r-refused' }, 'nothing_to_send');
    await op.refuses('delivery.retry', { reference: 'refused-2' }, 'role_lacking', viewer);
    assert.equal((await op.ask('delivery.retry', { reference: 'unknown-1', again: true })).state, 'due');
  });
});

describe('the audit', () => {
  it('reports its progress and failed checks', async () => {
    const told = new Set<string>();
    Reflect.set(op.services, 'onProgress', ({ step }: { step: string }) => told.add(step));
    const before = await op.ask('audit.run', {}, viewer);
    const isPosted = ({ name, ok }: { name: string; ok: boolean }) => name === 'wallet-posted' && ok;
    assert.ok(before.checks.some(isPosted));
    assert.ok(told.has('purchases and transfers') && told.has('references of attempts'), [...told].join());
    await changeWallet(op.database, shop.walletId, { posted: 5n });
    const off = await op.ask('audit.run', {});
    assert.equal(off.ok, false);
    const posted = off.checks.find(({ name }: { name: string }) => name === 'wallet-posted');
    assert.deepEqual(posted.differences[0].account, 'wallet:1:live:NGN');
    assert.equal(typeof posted.differences[0].posted, 'string');
    await op.refuses('audit.run', { fix: true }, 'input_malformed');
  });
});

describe('a merchant’s complaint', () => {
  const inside = /sandbox|margin|\bcosts?\b|ref-\w+-1|OTHER|secret words|said so/;
  const complain = async (name: string) =>
    await op.ask(
      'merchant_purchase.complaint',
      { reference: referenceOf(name), environment: 'live' },
      shopper('viewer'),
    );
  const moneyOf = async (name: string) =>
    (await complain(name)).money.map(({ what }: { what: string }) => what);

  it('contains the request and each attempt with its answers, without provider and cost', async () => {
    for (const name of purchases.keys()) {
      const shown = await complain(name);
      assert.equal(shown.id, purchases.get(name));
      assert.equal(shown.recipient, '08031234567');
      assert.doesNotMatch(JSON.stringify(shown), inside, name);
    }
    const [attempt, ...others] = (await complain('unknown')).attempts;
    assert.equal(others.length, 0);
    assert.deepEqual([attempt.number, attempt.provider], [1, 1]);
    assert.deepEqual(
      attempt.answers.map((one: Record<string, string>) => [one.source, one.answer]),
      [['purchase', 'unknown']],
    );
    assert.deepEqual((await complain('insufficient')).attempts, []);
  });

  it('states where the money is', async () => {
    assert.deepEqual(await moneyOf('unknown'), ['held']);
    assert.deepEqual(await moneyOf('delivered'), ['held', 'charged', 'refunded']);
    assert.deepEqual(await moneyOf('refused'), ['held', 'released']);
    for (const name of ['insufficient', 'over_daily', 'rejected']) {
      assert.deepEqual(await moneyOf(name), ['not_taken'], name);
    }
  });

  it('states what happens next', async () => {
    assert.equal((await complain('unknown')).next.what, 'ask');
    assert.equal((await complain('sending')).next.what, 'send');
    assert.equal((await complain('refused')).next, null);
    assert.equal((await complain('refused')).is_flagged, false);
  });

  it('covers purchases of the own merchant only', async () => {
    const named = { reference: referenceOf('unknown') };
    await op.refuses('merchant_purchase.complaint', named, 'no_purchase', shopper('owner', 'OTHER'));
    await op.refuses(
      'merchant_purchase.complaint',
      { ...named, merchant: 'OTHER' },
      'no_merchant',
      shopper('owner'),
    );
  });
});
