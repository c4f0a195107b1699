/** The operations on merchants, their credentials and their wallets, as an interface runs them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { awayFromMidnight } from '../../support/away-from-midnight.ts';
import { type Operating, operatorOf, startOperations } from './harness.ts';

await awayFromMidnight();
let shop: Operating;

before(async () => {
  shop = await startOperations();
  await shop.ask('merchant.create', { code: 'SHOP', name: 'Mama Put Stores' });
  await shop.entries();
});
after(() => shop[Symbol.asyncDispose]());

test('shows a merchant with its settings, and records who changed them', async () => {
  const enabled = await shop.ask('merchant.enable_product', { merchant: 'shop', product: 'ESIM' });
  assert.deepEqual(enabled.environments, [
    { environment: 'test', changed: true },
    { environment: 'live', changed: true },
  ]);
  const live = { merchant: 'SHOP', environment: 'live' };
  const disabled = await shop.ask('merchant.disable_product', { ...live, product: 'data' });
  assert.deepEqual(disabled, {
    merchant: 'SHOP',
    product: 'data',
    enabled: false,
    environments: [{ environment: 'live', changed: true }],
  });
  const finance = operatorOf('finance');
  const discount = { merchant: 'SHOP', product: 'airtime', network: 'etisalat', discount: '2.5' };
  const discounted = await shop.ask('merchant.set_discount', discount, finance);
  assert.deepEqual([discounted.network, discounted.discount_before], ['9MOBILE', '0']);
  const floor = await shop.ask('wallet.set_floor', { merchant: 'SHOP', floor: '-500' }, finance);
  assert.deepEqual([floor.billing_mode, floor.available], ['postpaid', '500.00']);
  assert.equal(
    (await shop.ask('wallet.set_floor', { merchant: 'SHOP', floor: '0' })).billing_mode,
    'prepaid',
  );
  await shop.ask('wallet.open', { merchant: 'SHOP', currency: 'USD', environment: 'live' });
  assert.deepEqual(await shop.entries(), [
    ['ada', 'merchant.enable_product', 'merchant:SHOP'],
    ['ada', 'merchant.enable_product', 'merchant:SHOP'],
    ['ada', 'merchant.disable_product', 'merchant:SHOP'],
    ['ada', 'merchant.set_discount', 'merchant:SHOP'],
    ['ada', 'wallet.set_floor', 'merchant:SHOP'],
    ['ada', 'wallet.set_floor', 'merchant:SHOP'],
    ['ada', 'wallet.open', 'merchant:SHOP'],
  ]);
  const shown = await shop.ask('merchant.show', { merchant: 'shop' }, operatorOf('viewer'));
  assert.deepEqual(shown.products, { test: ['ESIM', 'airtime', 'data'], live: ['ESIM', 'airtime'] });
  assert.deepEqual(shown.discounts, [{ product: 'airtime', network: '9MOBILE', kind: '*', discount: '2.5' }]);
  assert.deepEqual(
    shown.wallets.map((row: { currency: string; environment: string }) => [row.environment, row.currency]),
    [
      ['live', 'NGN'],
      ['live', 'USD'],
      ['test', 'NGN'],
    ],
  );
});

test('pages short lists too, and refuses an unknown cursor', async () => {
  const first = await shop.ask('wallet.show', { merchant: 'SHOP', limit: 2 });
  assert.equal(first.data.length, 2);
  const rest = await shop.ask('wallet.show', { merchant: 'SHOP', limit: 2, cursor: first.cursor });
  assert.deepEqual([rest.data.length, rest.cursor], [1, null]);
  await shop.refuses('wallet.show', { merchant: 'SHOP', cursor: 'nowhere' }, 'no_such_cursor');
});

test('keeps the pages of a statement consistent while the wallet changes', async () => {
  await shop.ask('merchant.create', { code: 'BOOKS', name: 'Books' });
  const credit = (amount: string) =>
    shop.ask('wallet.credit', { merchant: 'BOOKS', amount, environment: 'live', memo: 'cash' });
  for (const amount of ['1', '2', '3']) await credit(amount);
  const first = await shop.ask('wallet.statement', { merchant: 'books', limit: 2 }, operatorOf('viewer'));
  await credit('4');
  const { cursor } = first;
  const rest = await shop.ask('wallet.statement', { merchant: 'BOOKS', limit: 2, cursor });
  assert.deepEqual([first.opening_balance, first.closing_balance], ['0.00', '6.00']);
  assert.deepEqual([rest.closing_balance, rest.cursor], ['6.00', null]);
  const lines = [...first.items, ...rest.items].map((item) => [item.type, item.amount, item.balance]);
  assert.deepEqual(lines, [
    ['correction', '1.00', '1.00'],
    ['correction', '2.00', '3.00'],
    ['correction', '3.00', '6.00'],
  ]);
  const other = { merchant: 'SHOP', cursor };
  await shop.refuses('wallet.statement', other, 'no_such_cursor');
  await shop.refuses('wallet.statement', { merchant: 'BOOKS', from: '2999-01-01' }, 'days_backwards');
  await shop.refuses('wallet.statement', { merchant: 'BOOKS', from: '2026-02-30' }, 'input_malformed');
  await shop.refuses('wallet.statement', { merchant: 'BOOKS', cursor: 'x.y' }, 'input_malformed');
  await shop.refuses('wallet.statement', { merchant: 'BOOKS', currency: 'USD' }, 'merchant_has_no_wallet');
  await shop.entries();
});

test('adds, lists and removes an MTN line', async () => {
  const line = { merchant: 'SHOP', phone: '08031234567' };
  const added = await shop.ask('merchant.add_mtn_line', { ...line, client_name: 'Mama Put' });
  assert.deepEqual([added.phone, added.environment], ['2348031234567', 'live']);
  await shop.refuses('merchant.add_mtn_line', { ...line, client_name: 'Again' }, 'line_exists');
  const listed = await shop.ask('merchant.list_mtn_lines', { merchant: 'SHOP' });
  assert.deepEqual(listed, {
    data: [{ phone: '2348031234567', client_name: 'Mama Put', balance: null, balance_at: null }],
    cursor: null,
  });
  await shop.ask('merchant.remove_mtn_line', line);
  await shop.refuses('merchant.remove_mtn_line', line, 'no_line');
  assert.deepEqual(await shop.entries(), [
    ['ada', 'merchant.add_mtn_line', 'merchant:SHOP'],
    ['ada', 'merchant.remove_mtn_line', 'merchant:SHOP'],
  ]);
});

test('issues, rotates and revokes a credential, and returns its secret once', async () => {
  await shop.ask('merchant.create', { code: 'KEYS', name: 'Keys' });
  const asked = { merchant: 'KEYS', environment: 'live', label: 'till 4', ip: ['10.0.0.0/8'], rate: 5 };
  const issued = await shop.ask('credential.issue', { ...asked, expires_in: '90d' });
  const lifeMs = Date.parse(issued.expires_at) - Date.parse(issued.created_at);
  assert.ok(Math.abs(lifeMs - 90 * 86_400_000) < 60_000, String(lifeMs));
  assert.equal(issued.rate_limit_per_s, 5);
  const rotated = await shop.ask('credential.rotate', { credential: issued.key, overlap: '0s' });
  assert.equal(rotated.replaces.key, issued.key);
  const end = { credential: rotated.key };
  assert.deepEqual(await shop.ask('credential.revoke', end), {
    key: rotated.key,
    state: 'revoked',
    changed: true,
  });
  assert.equal((await shop.ask('credential.revoke', end)).changed, false);
  await shop.refuses('credential.rotate', { credential: issued.key }, 'credential_ended');
  await shop.refuses('credential.revoke', { credential: 'oja_live_nothing' }, 'no_credential');
  const states: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await shop.ask(
      'credential.list',
      { merchant: 'KEYS', limit: 1, cursor },
      operatorOf('viewer'),
    );
    assert.ok(!JSON.stringify(page).includes(issued.secret) && page.data.length <= 1);
    states.push(...page.data.map((row: { state: string }) => row.state));
    ({ cursor } = page);
  } while (cursor !== null);
  assert.deepEqual(states, ['expired', 'revoked']);
  assert.equal((await shop.ask('merchant.show', { merchant: 'KEYS' })).credentials, 2);
  assert.deepEqual(await shop.entries(), [
    ['ada', 'merchant.create', 'merchant:KEYS'],
    ['ada', 'credential.issue', `credential:${issued.key}`],
    ['ada', 'credential.issue', `credential:${rotated.key}`],
    ['ada', 'credential.rotate', `credential:${issued.key}`],
    ['ada', 'credential.revoke', `credential:${rotated.key}`],
  ]);
});

test('refuses malformed input without a change', async () => {
  const live = { merchant: 'SHOP', environment: 'live' };
  for (const [name, input] of [
    ['merchant.enable_product', { merchant: 'SHOP', product: 'sms' }],
    ['merchant.enable_product', { ...live, environment: 'production', product: 'data' }],
    ['merchant.set_discount', { merchant: 'SHOP', product: 'data', network: 'MTN', discount: '100.01' }],
    ['merchant.set_discount', { merchant: 'SHOP', product: 'data', network: 'MTN', discount: '2.555' }],
    ['credential.issue', { ...live, expires_in: '0h' }],
    ['credential.issue', { ...live, expires_in: '3651d' }],
    ['credential.issue', { ...live, rate: -1 }],
    ['credential.issue', { ...live, label: 'x'.repeat(101) }],
    ['credential.issue', { ...live, allowed_ips: ['10.0.0.0/8'] }],
    ['credential.rotate', { credential: 'x', overlap: '-1h' }],
    ['wallet.set_floor', { merchant: 'SHOP', floor: '1e3' }],
    ['wallet.open', { merchant: 'SHOP', currency: 'XYZ' }],
    ['merchant.list_mtn_lines', { merchant: 'SHOP', limit: 201 }],
  ] as const) {
    await shop.refuses(name, input, 'input_malformed');
  }
  for (const name of ['merchant.show', 'wallet.show', 'credential.list', 'merchant.list_mtn_lines']) {
    await shop.refuses(name, { merchant: 'NOBODY' }, 'no_merchant');
  }
  const network = { merchant: 'SHOP', product: 'data', network: 'DSTV', discount: '1' };
  await shop.refuses('merchant.set_discount', network, 'no_such_network');
  await shop.refuses('credential.issue', { ...live, ip: ['10.0.0.1/8'] }, 'address_malformed');
  await shop.refuses('wallet.set_floor', { merchant: 'SHOP', floor: '1' }, 'floor_above_balance');
});

test('refuses operations without the role', async () => {
  const live = { merchant: 'SHOP', environment: 'live' };
  await shop.refuses('credential.issue', live, 'role_lacking', operatorOf('finance'));
  await shop.refuses(
    'wallet.set_floor',
    { merchant: 'SHOP', floor: '0' },
    'role_lacking',
    operatorOf('support'),
  );
  await shop.refuses(
    'wallet.open',
    { merchant: 'SHOP', currency: 'EUR' },
    'role_lacking',
    operatorOf('viewer'),
  );
});

test('sets spend caps of a credential, which agents require, and keeps them in a rotation', async () => {
  await shop.ask('merchant.create', { code: 'CAPS', name: 'Caps' });
  const asked = { merchant: 'CAPS', environment: 'live' };
  const issued = await shop.ask('credential.issue', { ...asked, per_day: '20000' });
  assert.deepEqual([issued.per_purchase, issued.per_day, issued.mcp_purchases], [null, '20000.00', 'none']);
  const { key: credential } = issued;
  const set = (caps: object) => shop.ask('credential.set_caps', { credential, ...caps });
  await shop.refuses('credential.set_caps', { credential, mcp_purchases: 'allowed' }, 'mcp_needs_caps');
  await shop.refuses('credential.issue', { ...asked, mcp_purchases: 'allowed' }, 'mcp_needs_caps');
  await shop.refuses('credential.set_caps', { credential, per_purchase: '20000.01' }, 'caps_crossed');
  await shop.refuses('credential.set_caps', { credential: 'oja_live_nothing' }, 'no_credential');
  for (const amount of ['0', '0.00', '-5', '1.005', 'much', '', '99999999999']) {
    await shop.refuses('credential.set_caps', { credential, per_purchase: amount }, 'input_malformed');
    await shop.refuses('credential.issue', { ...asked, per_day: amount }, 'input_malformed');
  }
  await shop.entries();
  const capped = await set({ per_purchase: '5000', mcp_purchases: 'allowed' });
  assert.deepEqual(
    [capped.per_purchase, capped.per_day, capped.mcp_purchases, capped.changed],
    ['5000.00', '20000.00', 'allowed', true],
  );
  assert.equal((await set({ per_purchase: '5000.00' })).changed, false);
  assert.deepEqual(await shop.entries(), [['ada', 'credential.set_caps', `credential:${credential}`]]);
  await shop.refuses('credential.set_caps', { credential, per_day: 'none' }, 'mcp_needs_caps');
  const rotated = await shop.ask('credential.rotate', { credential, overlap: '1h' });
  assert.deepEqual(
    [rotated.per_purchase, rotated.per_day, rotated.mcp_purchases],
    ['5000.00', '20000.00', 'allowed'],
  );
  const free = await set({ per_purchase: 'none', per_day: 'none', mcp_purchases: 'none' });
  assert.deepEqual([free.per_purchase, free.per_day, free.mcp_purchases], [null, null, 'none']);
});

test('lists merchants by a part of their code or name, in any letter case, page by page', async () => {
  await shop.ask('merchant.create', { code: 'NEXT-1', name: 'Iya Basira %' });
  await shop.ask('merchant.create', { code: 'NEXT-2', name: 'Basira and Daughters' });
  const codes = async (input: object) => {
    const { data, cursor } = await shop.ask('merchant.list', input);
    return [data.map(({ code }: { code: string }) => code), cursor];
  };
  assert.deepEqual(await codes({ find: 'BASIRA' }), [['NEXT-1', 'NEXT-2'], null]);
  assert.deepEqual(await codes({ find: ' ext-2 ' }), [['NEXT-2'], null]);
  assert.deepEqual(await codes({ find: '%' }), [['NEXT-1'], null]);
  assert.deepEqual(await codes({ find: 'iya.basira' }), [['NEXT-1'], null]);
  const { key } = await shop.ask('credential.issue', { merchant: 'NEXT-2', environment: 'test' });
  assert.deepEqual(await codes({ find: key.toUpperCase() }), [['NEXT-2'], null]);
  const [listed] = (await shop.ask('merchant.list', { find: 'NEXT-1' })).data;
  assert.deepEqual(
    listed.balances.map(({ environment, available }: Record<string, string>) => [environment, available]),
    [
      ['live', '0.00'],
      ['test', '0.00'],
    ],
  );
  assert.deepEqual(await codes({ find: 'nothing of this' }), [[], null]);
  const [first, cursor] = await codes({ find: 'basira', limit: 1 });
  assert.deepEqual(
    [first, await codes({ find: 'basira', limit: 1, cursor })],
    [['NEXT-1'], [['NEXT-2'], null]],
  );
});
