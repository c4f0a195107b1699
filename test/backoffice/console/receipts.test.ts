/** Receipts: links, the page that a customer opens, messages, and the shop's name and logo. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { systemClock } from '../../../src/core/clock.ts';
import { readDeliverableReceipt } from '../../../src/purchases/receipts/deliverable-receipt.ts';
import { inFours } from '../../../src/purchases/receipts/receipt.ts';
import { signReceiptLink } from '../../../src/purchases/receipts/receipt-link.ts';
import { answer, buy, delivered, makePurchases, openShop } from '../../audit/fixture.ts';
import { startConsole } from './harness.ts';

const test = await startConsole();
after(() => test[Symbol.asyncDispose]());
const { database, services } = test.admin;
const shop = await openShop(database);
const purchases = await makePurchases(database, shop);
await test.admin.run('merchant.create', { code: 'OTHER', name: 'Other' });
const finance = (await test.person('bola@shop.example', ['finance'], 'SHOP')).browser;
const viewer = (await test.person('ada@shop.example', ['viewer'], 'SHOP')).browser;
const owner = (await test.person('obi@shop.example', ['owner'], 'SHOP')).browser;
const stranger = (await test.person('eve@other.example', ['owner'], 'OTHER')).browser;
const customer = test.browser('portal');

const token = '67343797460915245954';
const kct1 = '11112222333344445555';
const kct2 = '55554444333322221111';

/** A purchase that was delivered with goods. */
async function deliveredWith(name: string, goods: Record<string, string>, product = 'ELECTRICITY') {
  const id = await buy(database, shop, name);
  const effect = { ...delivered(shop, 9_700n), goods };
  await answer(database, shop, id, 'success', effect);
  await database.transaction(async (tx) => {
    await tx.query("set local session_replication_role = 'replica'");
    await tx.query("update purchases set product = $2, network = 'Ikeja Electric' where id = $1", [
      id,
      product,
    ]);
  });
  return id;
}

const meterId = await deliveredWith('meter', { token, units: '23.8', customer_name: 'ADA OBI' });
const keyChangeId = await deliveredWith('key-change', {
  token,
  kct1,
  kct2,
  units: '5',
  bonus_token: '99998888777766665555',
});
const pathOf = (url: string): string => new URL(url).pathname;

async function linkOf(reference: string, input: object = {}): Promise<string> {
  const made = await finance.run('receipt.link', { reference, ...input });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return pathOf(made.body.data.url);
}

function refusedWith(answered: { readonly status: number; readonly body: { error?: { code: string } } }) {
  return [answered.status, answered.body.error?.code];
}

describe('a receipt', () => {
  it('shows a receipt by its link without a session, customer or price', async () => {
    const { status, headers, body } = await customer.get(await linkOf('r-meter'));
    assert.equal(status, 200);
    for (const shown of [
      'Shop',
      'Ikeja Electric',
      '08031234567',
      'NGN 100.00',
      inFours(token),
      '23.8',
      'r-meter',
    ]) {
      assert.ok(body.includes(shown), shown);
    }
    assert.doesNotMatch(body, /ADA OBI|98\.00|97\.00|sandbox/);
    assert.match(String(headers['x-robots-tag']), /noindex/);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
  });

  it('names the plan, and shows the code of one that is gone', async () => {
    const id = await deliveredWith('plan', {}, 'CABLE');
    const show = async (code: string): Promise<string> => {
      await database.transaction(async (tx) => {
        await tx.query("set local session_replication_role = 'replica'");
        await tx.query('update purchases set plan_code = $2 where id = $1', [id, code]);
      });
      return (await customer.get(await linkOf('r-plan'))).body;
    };
    await database.query(
      `insert into plans (plan_code, id, product, network, name, price, position)
       values ('7001', 7001, 'CABLE', 'DSTV', 'Compact Plus', 100, 1)`,
    );
    assert.ok((await show('7001')).includes('Compact Plus'));
    assert.ok((await show('7002')).includes('7002'));
  });

  it('a receipt shows key change tokens first, then the token, then the bonus', async () => {
    const { body } = await customer.get(await linkOf('r-key-change'));
    const places = [kct1, kct2, token, '99998888777766665555'].map((digits) => body.indexOf(inFours(digits)));
    assert.ok(places.every((place) => place > 0));
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    );
  });

  it('shows no link to a page for a purchase that was not delivered', async () => {
    for (const name of ['refused', 'unknown', 'sending', 'insufficient', 'rejected']) {
      const made = await finance.run('receipt.link', { reference: `r-${name}` });
      assert.deepEqual(refusedWith(made), [409, 'no_receipt'], name);
      const sent = await finance.run('receipt.send', {
        reference: `r-${name}`,
        channel: 'sms',
        to: '08031234567',
      });
      assert.deepEqual(refusedWith(sent), [409, 'no_receipt'], name);
    }
    // Also with a link that the gateway itself would never create.
    const purchaseId = purchases.get('unknown') ?? '';
    const link = { merchantId: shop.merchantId, environment: 'live', purchaseId, revision: 0 } as const;
    const expiresAt = new Date(Date.now() + 60_000);
    const path = `/r/${signReceiptLink(await services.pepper(), { ...link, expiresAt })}`;
    assert.equal((await customer.get(path)).status, 410);
  });

  it('lists a token that has not arrived yet', async () => {
    assert.equal((await customer.get(await linkOf('r-tokenless'))).status, 200);
    const receipt = await readForMessage(purchases.get('tokenless') ?? '');
    const values = receipt?.goods.filter(({ label }) => label === 'Token').map(({ value }) => value);
    assert.equal(values?.length, 1);
    assert.doesNotMatch(values.join(), /[0-9]/);
  });

  it('shows no sealed goods', async () => {
    await deliveredWith('exam', { token, units: '23.8' }, 'EDUCATION');
    const { status, body } = await customer.get(await linkOf('r-exam'));
    assert.equal(status, 200);
    assert.ok(!body.includes(inFours(token)));
    assert.doesNotMatch(body, /<ol|23\.8/);
  });

  it('withdraws the receipt with a full refund', async () => {
    await deliveredWith('refunded', { token });
    const path = await linkOf('r-refunded');
    const refund = {
      merchant: 'SHOP',
      reference: 'r-refunded',
      environment: 'live',
      amount: '98',
      reason: 'lost',
    };
    await test.admin.run('purchase.refund', refund);
    assert.equal((await customer.get(path)).status, 410);
    assert.deepEqual(refusedWith(await finance.run('receipt.link', { reference: 'r-refunded' })), [
      409,
      'no_receipt',
    ]);
  });
});

describe('a link', () => {
  it('does not find a link that was altered or is not a link', async () => {
    const path = await linkOf('r-meter');
    for (const [at, sign] of [
      [3, 'A'],
      [20, 'b'],
      [45, 'C'],
    ] as const) {
      const altered = path.slice(0, at) + (path[at] === sign ? 'z' : sign) + path.slice(at + 1);
      assert.equal((await customer.get(altered)).status, 404, altered);
    }
    for (const text of ['x', 'a'.repeat(52), encodeURIComponent('../../etc'), '%00'.repeat(9)]) {
      assert.equal((await customer.get(`/r/${text}`)).status, 404, text);
    }
    assert.equal((await test.browser('console').get(path)).headers['x-robots-tag'], undefined);
  });

  it('a link to a receipt expires', async () => {
    const path = await linkOf('r-meter', { days: 1 });
    assert.equal((await customer.get(path)).status, 200);
    const later = new Date(Date.now() + 25 * 3_600_000);
    const server = await test.another('portal', { clock: { ...systemClock, now: () => later } });
    assert.equal((await test.browser('portal', { server }).get(path)).status, 410);
    const other = await linkOf('r-meter', { days: 2 });
    assert.equal((await test.browser('portal', { server }).get(other)).status, 200);
    for (const days of [0, 366, 1.5]) {
      assert.equal((await finance.run('receipt.link', { reference: 'r-meter', days })).status, 400);
    }
  });

  it('revokes all links of a purchase, after which a new link works', async () => {
    const [first, second] = [await linkOf('r-meter'), await linkOf('r-meter', { days: 5 })];
    const other = await linkOf('r-key-change');
    assert.equal((await finance.run('receipt.revoke', { reference: 'r-meter' })).status, 200);
    for (const path of [first, second]) assert.equal((await customer.get(path)).status, 410);
    assert.equal((await customer.get(other)).status, 200);
    assert.equal((await customer.get(await linkOf('r-meter'))).status, 200);
  });

  it('refuses viewers and other merchants, and records each link in the audit log', async () => {
    for (const operation of ['receipt.link', 'receipt.revoke', 'receipt.send']) {
      const input = {
        reference: 'r-meter',
        ...(operation === 'receipt.send' && { channel: 'sms', to: '08031234567' }),
      };
      assert.equal((await viewer.run(operation, input)).status, 403, operation);
      const byId = { ...input, reference: meterId };
      for (const named of [input, byId]) {
        assert.deepEqual(refusedWith(await stranger.run(operation, named)), [404, 'no_purchase'], operation);
      }
    }
    await linkOf('r-meter');
    const [entry] = await database.query<{ action: string; subject: string; after: object }>(
      'select action, subject, after from audit_log order by id desc limit 1',
    );
    assert.deepEqual([entry?.action, entry?.subject], ['receipt.link', `purchase:${meterId}`]);
    assert.doesNotMatch(JSON.stringify(entry?.after), /\/r\//);
  });

  it('limits requests by address, and serves other addresses', async () => {
    const path = await linkOf('r-meter');
    const noisy = test.browser('portal', { address: '198.51.100.7' });
    const answers = await Promise.all(Array.from({ length: 400 }, () => noisy.get('/r/nothing')));
    const statuses = new Set(answers.map(({ status }) => status));
    assert.ok(statuses.has(429));
    assert.equal((await customer.get(path)).status, 200);
  });
});

type Delivery = { channel: string; hint: string; state: string; destination: string; tries: number };

async function deliveryOf(purchaseId: string): Promise<Delivery | undefined> {
  const rows = await database.query<Delivery>(
    'select channel, hint, state, destination, tries from deliveries where purchase_id = $1',
    [purchaseId],
  );
  return rows[0];
}

async function readForMessage(purchaseId: string) {
  const parts = {
    sql: database,
    secret: await services.pepper(),
    portalUrl: 'https://portal.shop.example/',
    clock: systemClock,
  };
  return await readDeliverableReceipt(parts, {
    merchantId: shop.merchantId,
    environment: 'live',
    purchaseId,
  });
}

describe('a receipt by message', () => {
  it('makes a receipt by message a due delivery with a sealed destination', async () => {
    const id = await deliveredWith('by-sms', { token, units: '23.8' });
    const sent = await finance.run('receipt.send', {
      reference: 'r-by-sms',
      channel: 'sms',
      to: '0803 123 4567',
    });
    assert.equal(sent.status, 400);
    const good = { reference: 'r-by-sms', channel: 'sms', to: '08031234567' };
    assert.deepEqual((await finance.run('receipt.send', good)).body.data.hint, '***567');
    const delivery = await deliveryOf(id);
    assert.deepEqual([delivery?.channel, delivery?.hint, delivery?.state], ['sms', '***567', 'due']);
    assert.doesNotMatch(delivery?.destination ?? '', /8031234567/);
    const shown = await finance.run('merchant_purchase.show', { reference: 'r-by-sms' });
    assert.deepEqual(shown.body.data.delivery.state, 'due');
  });

  it('has the tokens in full and a link that works', async () => {
    const receipt = await readForMessage(keyChangeId);
    assert.deepEqual(
      receipt?.goods.map(({ value }) => value),
      [inFours(kct1), inFours(kct2), inFours(token), '9999 8888 7777 6666 5555', '5 kWh'],
    );
    assert.ok(receipt.link.startsWith('https://portal.shop.example/r/'));
    assert.equal((await customer.get(pathOf(receipt.link))).status, 200);
    assert.notEqual(await readForMessage(purchases.get('delivered') ?? ''), undefined);
    assert.equal(await readForMessage(purchases.get('unknown') ?? ''), undefined);
  });

  it('never replaces gift cards that cannot be opened', async () => {
    const purchaseId = await deliveredWith('cards', {}, 'GIFTCARD');
    const cards = { reference: 'r-cards', channel: 'email', to: 'ada@example.com' };
    assert.deepEqual(refusedWith(await finance.run('receipt.send', cards)), [409, 'receipt_of_cards']);
    assert.equal(await readForMessage(purchaseId), undefined);
    assert.equal((await customer.get(await linkOf('r-cards'))).status, 200);
  });

  it('a newer receipt replaces the last one, within limits, and waits for one that is being sent', async () => {
    const id = await deliveredWith('often', { token });
    const good = { reference: 'r-often', channel: 'email', to: 'ada@example.com' };
    assert.equal((await finance.run('receipt.send', good)).status, 200);
    await database.query(
      `update deliveries set state = 'sending', due_at = now() + interval '1 minute', lease_id = gen_random_uuid()
       where purchase_id = $1`,
      [id],
    );
    assert.deepEqual(refusedWith(await finance.run('receipt.send', good)), [409, 'delivery_under_way']);
    // A sent message keeps the lease of its last try.
    await database.query(
      "update deliveries set state = 'sent', due_at = null, tries = 1 where purchase_id = $1",
      [id],
    );
    for (let sends = 1; sends < 5; sends += 1) {
      assert.equal(
        (await finance.run('receipt.send', { ...good, to: `ada${sends}@example.com` })).status,
        200,
      );
    }
    assert.equal((await deliveryOf(id))?.tries, 0);
    assert.deepEqual(refusedWith(await finance.run('receipt.send', good)), [409, 'receipt_sent_often']);
  });

  it('refuses a channel without a messenger, and a malformed destination', async () => {
    const named = { reference: 'r-meter' };
    const whatsapp = { ...named, channel: 'whatsapp', to: '08031234567' };
    assert.deepEqual(refusedWith(await finance.run('receipt.send', whatsapp)), [409, 'channel_missing']);
    for (const [channel, to] of [
      ['sms', 'ada@example.com'],
      ['email', '08031234567'],
      ['email', 'ada@example.com, eve@example.com'],
      ['sms', '234'],
    ] as const) {
      const sent = await finance.run('receipt.send', { ...named, channel, to });
      assert.deepEqual(refusedWith(sent), [400, 'destination_malformed'], to);
    }
  });
});

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('the shop', () => {
  it('shows the name and logo of the shop on receipts, set by the owner', async () => {
    const set = { name: 'Mama <b>Put</b> & Sons', logo: png.toString('base64') };
    assert.equal((await finance.run('shop.set', set)).status, 403);
    await owner.post('/api/step-up', { password: 'seven green lorries at dawn' });
    const done = await owner.run('shop.set', set);
    assert.equal(done.status, 200, JSON.stringify(done.body));
    assert.equal(done.body.data.logo_type, 'image/png');
    const { body } = await customer.get(await linkOf('r-meter'));
    assert.ok(body.includes(`data:image/png;base64,${set.logo}`));
    assert.ok(!body.includes('<b>Put'));
    assert.ok(body.includes('Sons'));
    // The logo stays when the name changes, until it is removed.
    await owner.run('shop.set', { name: 'Mama Put' });
    assert.match((await customer.get(await linkOf('r-meter'))).body, /data:image\/png/);
    await owner.run('shop.set', { name: 'Mama Put', remove_logo: true });
    assert.doesNotMatch((await customer.get(await linkOf('r-meter'))).body, /data:image/);
    assert.equal((await stranger.run('shop.show')).body.data.name, 'Other');
    assert.equal((await viewer.run('shop.show')).body.data.name, 'Mama Put');
  });

  it('refuses a logo that is not an image or is too large', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n');
    for (const bytes of [svg, pdf, Buffer.from('hello')]) {
      const refused = await owner.run('shop.set', { name: 'Shop', logo: bytes.toString('base64') });
      assert.deepEqual(refusedWith(refused), [400, 'logo_malformed']);
    }
    const large = Buffer.concat([png, Buffer.alloc(65_536)]).toString('base64');
    assert.equal((await owner.run('shop.set', { name: 'Shop', logo: large })).status, 400);
    assert.equal((await owner.run('shop.set', { name: ' ' })).status, 400);
  });
});
