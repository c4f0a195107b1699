/** The commands for merchants, credentials, wallets and routes, run as an operator runs them. */
import assert from 'node:assert/strict';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { version } from '../../src/app/version.ts';
import { createAuthenticator } from '../../src/merchants/authenticate.ts';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { operator, runOja, spawnOja, strangeKey } from './harness.ts';

test('creates, shows, changes and suspends a merchant, with audit entries', async () => {
  await using cli = await operator();
  const created = await cli.json('merchant', 'create', 'SHOP', 'Mama Put Stores', '--actor', 'ada');
  assert.equal(created.code, 'SHOP');
  await cli.json('merchant', 'discount', 'shop', 'airtime', 'mtn', '2.5 %');
  await cli.json('merchant', 'disable', 'SHOP', 'data', '--env', 'live');
  const suspended = await cli.json('merchant', 'suspend', 'SHOP');
  assert.deepEqual(suspended, { merchant: 'SHOP', state: 'suspended', changed: true });
  assert.equal((await cli.json('merchant', 'suspend', 'SHOP')).changed, false);
  const shown = await cli.json('merchant', 'show', 'Shop');
  assert.equal(shown.state, 'suspended');
  assert.deepEqual(shown.products, { test: ['airtime', 'data'], live: ['airtime'] });
  assert.deepEqual(shown.discounts, [{ product: 'airtime', network: 'MTN', kind: '*', discount: '2.5' }]);
  assert.equal(shown.wallets.length, 2);
  const list = await cli.oja('merchant', 'list');
  assert.match(list.out, /^ +1 +SHOP +Mama Put Stores +suspended +20\d\d-/m);
  const me = userInfo().username;
  assert.deepEqual(await cli.database.query('select actor, action, subject from audit_log order by id'), [
    { actor: 'ada', action: 'merchant.create', subject: 'merchant:SHOP' },
    { actor: me, action: 'merchant.set_discount', subject: 'merchant:SHOP' },
    { actor: me, action: 'merchant.disable_product', subject: 'merchant:SHOP' },
    { actor: me, action: 'merchant.suspend', subject: 'merchant:SHOP' },
  ]);
});

test('exits with 1, prints a code and stores nothing when refused', async () => {
  await using cli = await operator();
  await cli.json('merchant', 'create', 'SHOP', 'Shop');
  const before = await cli.database.query('select * from audit_log');
  const refusals: [args: string[], code: string][] = [
    [['merchant', 'create', 'shop', 'Again'], 'merchant_exists'],
    [['merchant', 'create', 'a b', 'Shop'], 'merchant_code_malformed'],
    [['merchant', 'show', 'NOBODY'], 'no_merchant'],
    [['merchant', 'discount', 'SHOP', 'data', 'DSTV', '1'], 'no_such_network'],
    [['credential', 'issue', 'SHOP', '--env', 'live', '--ip', '10.0.0.1/8'], 'address_malformed'],
    [['credential', 'list', 'NOBODY'], 'no_merchant'],
    [['credential', 'revoke', 'oja_live_nothing', '--yes'], 'no_credential'],
    [['wallet', 'credit', 'SHOP', '-1', '--env', 'live', '--memo', 'x'], 'wallet_cannot_give'],
    [
      ['wallet', 'credit', 'SHOP', '1', '--env', 'live', '--memo', 'x', '--currency', 'USD'],
      'merchant_has_no_wallet',
    ],
    [['route', 'set', 'live', 'airtime', 'MTN', 'nobody'], 'no_such_provider'],
    [['route', 'set', 'live', 'airtime', 'MTN', 'sandbox'], 'provider_of_other_environment'],
    [['route', 'set', 'test', 'airtime', 'MTN', 'vtpass'], 'provider_of_other_environment'],
    [['route', 'set', 'live', 'airtime', 'MTN', 'vtpass,vtpass'], 'provider_repeated'],
    [['purchase', 'show', 'nothing'], 'no_purchase'],
    [['alarm', 'acknowledge', '7'], 'no_alarm'],
    [['route', 'remove', 'test', 'airtime', '*'], 'confirmation_needed'],
    [['key', 'rotate'], 'confirmation_needed'],
  ];
  for (const [args, code] of refusals) {
    for (const ran of [await cli.oja(...args), await cli.oja(...args, '--json')]) {
      assert.deepEqual([ran.code, ran.refused, ran.out], [1, code, ''], args.join(' '));
    }
  }
  assert.deepEqual(await cli.database.query('select * from audit_log'), before);
});

test('exits with 2 and names --help for a usage error', async () => {
  const misunderstood = [
    ['nonsense'],
    ['merchant'],
    ['merchant', 'create', 'SHOP'],
    ['merchant', 'create', 'SHOP', 'Shop', 'too much'],
    ['merchant', 'enable', 'SHOP', 'sms'],
    ['merchant', 'discount', 'SHOP', 'airtime', 'MTN', '2,5'],
    ['merchant', 'discount', 'SHOP', 'airtime', 'MTN', '100.5'],
    ['credential', 'issue', 'SHOP'],
    ['credential', 'issue', 'SHOP', '--env', 'live', '--per-day', '0'],
    ['credential', 'set-caps', 'oja_live_nothing', '--per-purchase', '-1'],
    ['credential', 'issue', 'SHOP', '--env', 'production'],
    ['credential', 'issue', 'SHOP', '--env', 'live', '--expires-in', 'tomorrow'],
    ['credential', 'issue', 'SHOP', '--env', 'live', '--expires-in', '0h'],
    ['credential', 'issue', 'SHOP', '--env', 'live', '--expires-in', '3651d'],
    ['wallet', 'credit', 'SHOP', '1,00', '--env', 'live', '--memo', 'x'],
    ['wallet', 'credit', 'SHOP', '0', '--env', 'live', '--memo', 'x'],
    ['wallet', 'credit', 'SHOP', '1', '--env', 'live'],
    ['alarm', 'acknowledge', 'x'],
    ['audit', '--fix'],
  ];
  // No query is made: there is no database.
  const settings = { DATABASE_URL: 'postgresql://nowhere.invalid/oja' };
  for (const [index, args] of misunderstood.entries()) {
    // The exit code of a process is the same.
    const ran = await (index === 0 ? spawnOja : runOja)(settings, args);
    assert.equal(ran.code, 2, `${args.join(' ')}\n${ran.err}`);
    assert.match(ran.err, /--help/, args.join(' '));
  }
  const help = await runOja({}, ['wallet', 'credit', '--help']);
  assert.equal(help.code, 0);
  assert.match(help.out, /^ {2}\.\/oja wallet credit SHOP 250000/m);
});

test('prints its version without a database', async () => {
  const settings = { DATABASE_URL: 'postgresql://nowhere.invalid/oja' };
  const said = await runOja(settings, ['--version']);
  assert.deepEqual([said.code, said.out, said.err], [0, `${version()}\n`, '']);
});

test('a credential works from its issue to its revocation, and a rotation hands over', async () => {
  await using cli = await operator();
  await cli.json('merchant', 'create', 'SHOP', 'Shop');
  await using authenticator = createAuthenticator({
    database: cli.database,
    pepper: cli.pepper,
  });
  await authenticator.ready;
  const state = async ({ key, secret }: { key: string; secret: string }, ip = '10.1.2.3') => {
    const answer = await authenticator.authenticate(key, secret, ip);
    return typeof answer === 'object' ? answer.environment : answer;
  };
  const issued = await cli.json(
    ...['credential', 'issue', 'SHOP', '--env', 'live', '--label', 'counter', '--rate', '5'],
    ...['--ip', '10.0.0.0/8', '192.0.2.1', '--expires-in', '1h'],
  );
  assert.match(issued.key, /^oja_live_/);
  assert.equal(await state(issued), 'live');
  assert.equal(await state(issued, '11.1.2.3'), 'forbidden');
  assert.deepEqual(issued.allowed_ips, ['10.0.0.0/8', '192.0.2.1/32']);
  assert.equal(Date.parse(issued.expires_at) - Date.parse(issued.created_at) > 3_590_000, true);

  const rotated = await cli.json('credential', 'rotate', issued.key, '--overlap', '0s');
  assert.equal(rotated.replaces.key, issued.key);
  assert.equal(rotated.label, 'counter');
  assert.ok(Math.abs(Date.parse(rotated.expires_at) - Date.parse(rotated.created_at) - 3_600_000) < 10_000);
  await settles(() => state(issued), 'unknown');
  assert.equal(await state(rotated), 'live');

  const unasked = await cli.oja('credential', 'revoke', rotated.key);
  assert.deepEqual([unasked.code, unasked.refused, unasked.out], [1, 'confirmation_needed', '']);
  assert.equal(await state(rotated), 'live');
  const revoked = await cli.json('credential', 'revoke', rotated.key, '--yes');
  assert.equal(revoked.changed, true);
  await settles(() => state(rotated), 'unknown');

  const listed = await cli.oja('credential', 'list', 'SHOP');
  assert.match(listed.out, new RegExp(`${issued.key} +expired +live +counter`));
  assert.match(listed.out, new RegExp(`${rotated.key} +revoked +live +counter`));
  assert.ok(!listed.out.includes(issued.secret));
  const shown = await cli.oja('credential', 'issue', 'SHOP', '--env', 'test');
  assert.match(shown.out, / oja_test_\S+\n[\s\S]* \S{43}\n/);
});

test('refuses to issue a credential with a key that differs from the gateway’s', async () => {
  await using cli = await operator();
  await cli.json('merchant', 'create', 'SHOP', 'Shop');
  const issue = ['credential', 'issue', 'SHOP', '--env', 'live'];
  const strange = await runOja({ ...cli.settings, OJA_ENCRYPTION_KEY: strangeKey() }, issue);
  assert.deepEqual([strange.code, strange.refused], [1, 'encryption_key_other']);
  const folder = join(tmpdir(), 'oja-not-there');
  const none = await runOja({ ...cli.settings, OJA_ENCRYPTION_KEY: '', OJA_DATA_DIR: folder }, issue);
  assert.deepEqual([none.code, none.refused], [1, 'encryption_key_missing']);
  assert.deepEqual(await cli.database.query('select 1 from credentials'), []);
});

test('books a correction with a key once, and refuses its key for another amount', async () => {
  await using cli = await operator();
  await cli.json('merchant', 'create', 'SHOP', 'Shop');
  const args = (amount: string, key: string, env = 'live') => [
    ...['wallet', 'credit', 'SHOP', amount, '--env', env, '--memo', 'cash', '--key', key],
  ];
  const first = await cli.json(...args('2500', 'bank-0042'));
  const repeats = await Promise.all([
    cli.oja(...args('2500', 'bank-0042'), '--json'),
    cli.oja(...args('2500', 'bank-0042'), '--json'),
  ]);
  for (const repeat of repeats) assert.deepEqual(JSON.parse(repeat.out), { data: first, repeated: true });
  const other = await cli.oja(...args('2501', 'bank-0042'));
  assert.equal(other.refused, 'key_used');
  assert.deepEqual((await cli.oja(...args('1', 'a b'), '--json')).fields, ['key']);
  assert.equal((await cli.oja(...args('5', 'bank-0042', 'test'))).code, 1);
  assert.equal((await cli.json(...args('1', 'bank-0043'))).posted, '2501.00');
  // Without the operator's own key, a key is created and shown first.
  const minted = await cli.oja('wallet', 'credit', 'SHOP', '3', '--env', 'live', '--memo', 'cash');
  const [, key = ''] = / --key (\S+)\)$/m.exec(minted.err) ?? [];
  const repeated = await cli.oja(...args('3', key), '--json');
  assert.equal(JSON.parse(repeated.out).repeated, true);
  const rows = await cli.database.query("select 1 from transfers where code = 'correction'");
  assert.equal(rows.length, 3);
});

test('corrects a wallet in both directions, and shows it', async () => {
  await using cli = await operator();
  await cli.json('merchant', 'create', 'SHOP', 'Shop');
  const credit = (amount: string) =>
    cli.json('wallet', 'credit', 'SHOP', amount, '--env', 'live', '--memo', 'cash', '--actor', 'ada');
  assert.equal((await credit('2500.50')).posted, '2500.50');
  const taken = await credit('-500.50');
  assert.deepEqual([taken.amount, taken.posted_before, taken.posted], ['-500.50', '2500.50', '2000.00']);
  const shown = await cli.oja('wallet', 'show', 'SHOP');
  assert.match(shown.out, /^live +NGN +2000\.00 +0\.00 +0\.00 +2000\.00$/m);
  assert.match(shown.out, /^test +NGN +0\.00 +0\.00 +0\.00 +0\.00$/m);
});

test('sets routes, announces them to running gateways, and removes them', async () => {
  await using cli = await operator();
  const told: string[] = [];
  const up = Promise.withResolvers<void>();
  await using _listener = cli.database.listen('oja_changes', {
    onNotice: (payload) => told.push(payload),
    onUp: () => up.resolve(),
    onDown: () => undefined,
  });
  await up.promise;
  const set = await cli.json('route', 'set', 'live', 'airtime', 'etisalat', 'vtpass');
  assert.deepEqual([set.network, set.providers, set.providers_before], ['9MOBILE', ['vtpass'], []]);
  await cli.json('route', 'set', 'live', 'data', '*', 'vtpass');
  const listed = await cli.oja('route', 'list');
  const [titles = '', ...lines] = listed.out.trimEnd().split('\n');
  assert.match(titles, /^ENVIRONMENT +PRODUCT +NETWORK +KIND +PROVIDERS +STRATEGY +VERSION$/);
  assert.match(lines[0] ?? '', /^live +airtime +9MOBILE +\* +vtpass +order +\S+$/);
  assert.equal(lines.length, 10);
  const removed = await cli.json('route', 'remove', 'live', 'airtime', '9mobile', '--yes');
  assert.deepEqual(removed.providers_before, ['vtpass']);
  assert.equal((await cli.json('route', 'list')).length, 9);
  await settles(() => Promise.resolve(told.length), 3);
  assert.deepEqual(told, ['routes', 'routes', 'routes']);
});

test('lists alarms until they are acknowledged', async () => {
  await using cli = await operator();
  await cli.database.query("insert into alarms (kind, message) values ('overdue', 'no word for a day')");
  assert.match((await cli.oja('alarm', 'list')).out, /^ 1 +20\S+ \S+ +overdue +no word for a day$/m);
  assert.equal((await cli.json('alarm', 'acknowledge', '1')).changed, true);
  assert.equal((await cli.json('alarm', 'acknowledge', '1')).changed, false);
  assert.deepEqual(await cli.json('alarm', 'list'), []);
  assert.equal((await cli.json('alarm', 'list', '--all')).length, 1);
  const entries = await cli.database.query('select action, subject from audit_log');
  assert.deepEqual(entries, [{ action: 'alarm.acknowledge', subject: 'alarm:1' }]);
});

test('exits with 1 and a code for a missing, unavailable or empty database and a bad setting', async () => {
  await using empty = await createTestDatabase({ empty: true });
  const folder = join(tmpdir(), 'oja-not-there');
  const cases: [settings: Record<string, string>, code: string][] = [
    [{ OJA_DATA_DIR: folder }, 'no_database'],
    [{ DATABASE_URL: 'postgresql://x@127.0.0.1:1/oja' }, 'database_away'],
    [{ DATABASE_URL: empty.connectionString }, 'database_not_set_up'],
    [{ PORT: 'x' }, 'settings_malformed'],
  ];
  for (const [settings, code] of cases) {
    const ran = await runOja(settings, ['merchant', 'list']);
    assert.deepEqual([ran.code, ran.refused], [1, code], ran.err);
    assert.doesNotMatch(ran.err, / at .*\.ts:/);
  }
});

/** Notifications take a moment: repeats until the answer is the expected one. */
async function settles<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  await until(`it is ${expected}`, async () => (await ask()) === expected);
}
