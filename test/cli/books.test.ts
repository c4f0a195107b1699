/** The commands that look into the books: audit and vend show. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer, buy, delivered, makeVends, openShop } from '../audit/fixture.ts';
import { operator } from './harness.ts';

const cli = await operator();
after(() => cli[Symbol.asyncDispose]());
const shop = await openShop(cli.database);
const vends = await makeVends(cli.database, shop);

test('the audit of books in order exits 0 and names every check', async () => {
  const ran = await cli.oja('audit');
  assert.equal(ran.code, 0, ran.out + ran.err);
  assert.match(ran.out, /^ok +wallet-posted +What a wallet has posted/m);
  assert.match(ran.out, /\nAll \d\d checks hold\.\n$/);
  const { ok, checks } = await cli.json('audit');
  assert.equal(ok, true);
  assert.ok(checks.every((check: { ok: boolean; count: number }) => check.ok && check.count === 0));
});

test('the audit of books that are off exits 1 and lists the differences', async () => {
  const { database } = cli;
  await database.query('update wallets set posted = posted + 5 where account_id = $1', [shop.walletId]);
  try {
    const ran = await cli.oja('audit');
    assert.equal(ran.code, 1);
    assert.match(ran.out, /^FAIL +wallet-posted .*: 1 difference$/m);
    const [line] = /^ +wallet:1:live:NGN.*$/m.exec(ran.out) ?? [];
    assert.deepEqual(line?.trim().split(/ +/), ['wallet:1:live:NGN', '980405', '980400']);
    assert.match(ran.out, /\n2 of \d\d checks failed\. Amounts are in minor units \(kobo\)\.\n$/);
    const json = await cli.oja('audit', '--json');
    assert.equal(json.code, 1);
    const { ok, checks } = JSON.parse(json.out).data;
    assert.equal(ok, false);
    const posted = checks.find((check: { name: string }) => check.name === 'wallet-posted');
    assert.deepEqual(posted.differences, [
      { account: 'wallet:1:live:NGN', posted: '980405', transfers: '980400' },
    ]);
  } finally {
    await database.query('update wallets set posted = posted - 5 where account_id = $1', [shop.walletId]);
  }
});

test('the audit since the last one says what it went on from, or why it did not', async () => {
  const { database } = cli;
  await database.query('delete from audit_runs');
  const first = await cli.oja('audit', '--since-last');
  assert.equal(first.code, 0, first.out + first.err);
  assert.match(first.out, /^All of it, since no audit has ended without differences yet:\n\nok /);
  const second = await cli.oja('audit', '--since-last');
  assert.match(second.out, /^What is new since \d{4}-\d\d-\d\d [\d:]{8}, and what is open:\n\nok /);
  assert.match(second.out, /\nAll \d\d checks hold\.\n$/);
  const json = await cli.json('audit', '--since-last');
  assert.deepEqual([json.ok, json.kind, json.whole_because], [true, 'since_last', undefined]);
  assert.match(json.since, /\+01:00$/);
  await database.query('update wallets set posted = posted + 5 where account_id = $1', [shop.walletId]);
  try {
    const ran = await cli.oja('audit', '--since-last');
    assert.equal(ran.code, 1);
    assert.match(ran.out, /^What is new /);
    assert.match(ran.out, /^FAIL +wallet-posted .*: 1 difference$/m);
  } finally {
    await database.query('update wallets set posted = posted - 5 where account_id = $1', [shop.walletId]);
  }
  const again = await cli.json('audit', '--since-last');
  assert.deepEqual([again.ok, again.kind, again.whole_because], [true, 'whole', 'red']);
});

test('a delivered purchase is told from accepted to its transfers, by reference and by id', async () => {
  const shown = await cli.json('vend', 'show', 'r-delivered');
  assert.equal(shown.id, vends.get('delivered'));
  assert.deepEqual(
    [shown.status, shown.reason, shown.face_value, shown.charge, shown.cost],
    ['success', 'delivered', '100.00', '98.00', '97.00'],
  );
  assert.deepEqual(
    shown.timeline.map((event: { what: string }) => event.what),
    ['accepted', 'attempt 1', 'answer to 1', 'success', 'transfer', 'transfer'],
  );
  const times = shown.timeline.map((event: { at: string }) => event.at);
  assert.deepEqual(times, times.toSorted());
  assert.ok(times.every((at: string) => at.endsWith('+01:00')));
  const byId = await cli.oja('vend', 'show', shown.id);
  assert.match(byId.out, /^Status +success: delivered \(the provider delivered it\)$/m);
  assert.match(byId.out, /answer to 1 +sandbox says success \(code x: said so\), after 1 ms$/m);
  assert.match(byId.out, /transfer +vend_cost: 97\.00 from wallet:1:live:NGN to float:sandbox:live:NGN$/m);
  assert.match(byId.out, /transfer +vend_margin: 1\.00 from wallet:1:live:NGN to revenue:live:NGN$/m);
});

test('a purchase that is not final says what happens next; one that could not pay was never sent', async () => {
  const next = async (name: string) =>
    /^Next +(.*)$/m.exec((await cli.oja('vend', 'show', `r-${name}`)).out)?.[1]?.replace(/ \d\d:.*/, '');
  const day = '20\\d\\d-\\d\\d-\\d\\d';
  assert.equal(await next('calling'), 'in the hands of a gateway process');
  assert.match((await next('sending')) ?? '', new RegExp(`^to be sent to a provider, ${day}$`));
  assert.match((await next('unknown')) ?? '', new RegExp(`^to be asked about, ${day}$`));
  assert.equal(await next('refused'), undefined);
  const insufficient = await cli.json('vend', 'show', 'r-insufficient');
  assert.deepEqual(
    insufficient.timeline.map((event: { what: string }) => event.what),
    ['accepted', 'failed'],
  );
  assert.equal(insufficient.cost, null);
});

test('a bill whose customer was rejected was never sent, and the words of the biller are there', async () => {
  const rejected = await cli.oja('vend', 'show', 'r-rejected');
  assert.match(rejected.out, /^Status +failed: customer_rejected/m);
  assert.match(
    rejected.out,
    /failed +customer_rejected: the biller does not accept this customer, in the words of the network or biller "no such meter"$/m,
  );
  assert.doesNotMatch(rejected.out, /attempt|transfer/);
  assert.equal((await cli.json('vend', 'show', 'r-rejected')).telco_message, 'no such meter');
});

test('goods that are owed are said to be, with the alarm; once they came, when', async () => {
  const owed = await cli.oja('vend', 'show', 'r-tokenless');
  assert.match(owed.out, /^Late goods +owed by the provider; asked for 0 times, next 20/m);
  assert.match(owed.out, /alarm \d+ +late_goods: delivered, says the provider, and has not said what/);
  await buyWithLateToken('late-token');
  const came = await cli.oja('vend', 'show', 'r-late-token');
  assert.match(came.out, /^Late goods +came 20/m);
  assert.match(came.out, /late goods +brought token, units$/m);
  // What it opens belongs to the customer.
  assert.doesNotMatch(came.out, /12345678901234567890/);
});

test('an alarm about a purchase is in its timeline, and a flag is said', async () => {
  const id = await buy(cli.database, shop, 'late');
  await answer(cli.database, shop, id, 'unknown', { kind: 'wait', dueMs: 60_000, flag: true });
  const shown = await cli.oja('vend', 'show', 'r-late');
  assert.match(shown.out, /^Status +pending, flagged for you since 20/m);
  assert.match(
    shown.out,
    /alarm \d+ +overdue: no final word from the provider; the hold stays\. Ask its support, then: \.\/oja vend settle [0-9a-f-]{36} --success --evidence "…" \(or --failed\)$/m,
  );
  assert.match((await cli.oja('alarm', 'list')).out, new RegExp(`overdue +SHOP +${id}`));
});

test('a reference that several merchants used is shown for the one that is named', async () => {
  const { database } = cli;
  await cli.json('merchant', 'create', 'OTHER', 'Other');
  await database.query(
    `insert into vends (merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge,
       wallet_id, mode, route, credential_id)
     select m.id, 'test', gen_random_uuid(), 'r-refused', 'data', 'GLO', '0805', '234805', 500, 500, 0, 'sync', 'sandbox', ''
     from merchants m
     where m.code = 'OTHER'`,
  );
  const several = await cli.oja('vend', 'show', 'r-refused');
  assert.equal(several.code, 1);
  assert.match(
    several.err,
    /used more than once; say which:\n {2}--merchant SHOP --env live\n {2}--merchant OTHER --env test\n/,
  );
  assert.equal((await cli.json('vend', 'show', 'r-refused', '--merchant', 'shop')).network, 'MTN');
  assert.equal((await cli.json('vend', 'show', 'r-refused', '--env', 'test')).network, 'GLO');
  const none = await cli.oja('vend', 'show', 'r-refused', '--merchant', 'OTHER', '--env', 'live');
  assert.equal(none.code, 1);
});

/** A success whose token comes with a later answer. */
async function buyWithLateToken(name: string): Promise<void> {
  const id = await buy(cli.database, shop, name);
  const success = delivered(shop, 9_700n);
  await answer(cli.database, shop, id, 'success', { ...success, goodsDueMs: 600_000 });
  const goods = { token: '12345678901234567890', units: '23.8' };
  await answer(cli.database, shop, id, 'success', { ...success, goods });
}
