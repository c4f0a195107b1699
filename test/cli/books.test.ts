/** The commands that read the books: audit and purchase show. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer, buy, delivered, makePurchases, openShop } from '../audit/fixture.ts';
import { changeWallet } from '../support/change-wallet.ts';
import { operator } from './harness.ts';

const cli = await operator();
after(() => cli[Symbol.asyncDispose]());
const shop = await openShop(cli.database);
const purchases = await makePurchases(cli.database, shop);

test('the audit of books in order exits 0 and names every check', async () => {
  const ran = await cli.oja('audit');
  assert.equal(ran.code, 0, ran.out + ran.err);
  const { ok, checks } = await cli.json('audit');
  assert.equal(ok, true);
  for (const { name } of checks) assert.match(ran.out, new RegExp(`^\\S+ +${name} `, 'm'));
  assert.ok(checks.every((check: { ok: boolean; count: number }) => check.ok && check.count === 0));
});

test('the audit of inconsistent books exits 1 and lists the differences', async () => {
  const { database } = cli;
  await changeWallet(database, shop.walletId, { posted: 5n });
  try {
    const ran = await cli.oja('audit');
    assert.equal(ran.code, 1);
    const [line] = /^ +wallet:1:live:NGN.*$/m.exec(ran.out) ?? [];
    assert.deepEqual(line?.trim().split(/ +/), ['wallet:1:live:NGN', '960805', '960800']);
    const json = await cli.oja('audit', '--json');
    assert.equal(json.code, 1);
    const { ok, checks } = JSON.parse(json.out).data;
    assert.equal(ok, false);
    const posted = checks.find((check: { name: string }) => check.name === 'wallet-posted');
    assert.deepEqual([posted.ok, posted.count], [false, 1]);
    assert.equal(checks.filter((check: { ok: boolean }) => !check.ok).length, 2);
    assert.deepEqual(posted.differences, [
      { account: 'wallet:1:live:NGN', posted: '960805', transfers: '960800' },
    ]);
  } finally {
    await changeWallet(database, shop.walletId, { posted: -5n });
  }
});

test('shows a delivered purchase from accept to its transfers, by reference and by id', async () => {
  const shown = await cli.json('purchase', 'show', 'r-delivered');
  assert.equal(shown.id, purchases.get('delivered'));
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
  const byId = await cli.oja('purchase', 'show', shown.id);
  assert.match(byId.out, /\bsuccess\b.*\bdelivered\b/);
  assert.match(byId.out, /\bsandbox\b.*\bsuccess\b.*\bx: said so/);
  assert.match(byId.out, /purchase cost\b.*\b97\.00\b.*\bwallet\b.*\bfloat sandbox$/m);
  assert.match(byId.out, /purchase margin\b.*\b1\.00\b.*\bwallet\b.*\brevenue$/m);
});

test('shows the next step of a purchase that is not final; one that could not pay was never sent', async () => {
  const next = async (name: string) => (await cli.json('purchase', 'show', `r-${name}`)).next;
  assert.deepEqual(await next('calling'), { what: 'in_hand', at: null });
  for (const [name, what] of [
    ['sending', 'send'],
    ['unknown', 'ask'],
  ] as const) {
    const step = await next(name);
    assert.deepEqual([step.what, /^20\d\d-\d\d-\d\dT/.test(step.at)], [what, true]);
  }
  assert.equal(await next('refused'), null);
  const insufficient = await cli.json('purchase', 'show', 'r-insufficient');
  assert.deepEqual(
    insufficient.timeline.map((event: { what: string }) => event.what),
    ['accepted', 'failed'],
  );
  assert.equal(insufficient.cost, null);
});

test('a bill whose customer was rejected was never sent, and shows the biller’s message', async () => {
  const rejected = await cli.oja('purchase', 'show', 'r-rejected');
  assert.match(rejected.out, /\bcustomer_rejected\b.*"no such meter"$/m);
  const shown = await cli.json('purchase', 'show', 'r-rejected');
  assert.deepEqual(
    [shown.status, shown.reason, shown.telco_message],
    ['failed', 'customer_rejected', 'no such meter'],
  );
  assert.deepEqual(
    shown.timeline.map((event: { what: string }) => event.what),
    ['accepted', 'failed'],
  );
});

test('shows owed goods with the alarm, and when they arrived', async () => {
  const owed = await cli.json('purchase', 'show', 'r-tokenless');
  const { arrived_at: arrivedAt, due_at: dueAt, queries } = owed.pending_fulfilments;
  assert.deepEqual([arrivedAt, /^20/.test(dueAt), queries], [null, true, 0]);
  assert.match(owed.timeline.find(isAlarm).detail, /^pending_fulfilments\b/);
  await buyWithLateToken('late-token');
  const { pending_fulfilments: late } = await cli.json('purchase', 'show', 'r-late-token');
  assert.match(late.arrived_at, /^20/);
  const came = await cli.oja('purchase', 'show', 'r-late-token');
  assert.match(came.out, / token, units$/m);
  // The key opens goods that belong to the customer.
  assert.doesNotMatch(came.out, /12345678901234567890/);
});

test('shows alarms about a purchase, and its flag, in its timeline', async () => {
  const id = await buy(cli.database, shop, 'late');
  await answer(cli.database, shop, id, 'unknown', { kind: 'wait', dueMs: 60_000, flag: true });
  const shown = await cli.json('purchase', 'show', 'r-late');
  assert.match(shown.pending.flagged_at, /^20/);
  assert.match(shown.timeline.find(isAlarm).detail, /^overdue\b/);
  const listed = (await cli.oja('alarm', 'list')).out;
  assert.match(listed, new RegExp(`overdue +SHOP +${id}`));
  assert.match(listed, new RegExp(`\\./oja purchase settle ${id} --success`));
});

test('shows a reference that several merchants used for the named one', async () => {
  const { database } = cli;
  await cli.json('merchant', 'create', 'OTHER', 'Other');
  await database.query(
    `insert into purchases (merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge,
       wallet_id, mode, route)
     select m.id, 'test', gen_random_uuid(), 'r-refused', 'data', 'GLO', '0805', '234805', 500, 500, 0, 'sync', 'sandbox'
     from merchants m
     where m.code = 'OTHER'`,
  );
  const several = await cli.oja('purchase', 'show', 'r-refused');
  assert.deepEqual([several.code, several.refused], [1, 'purchase_ambiguous']);
  for (const place of [/\bSHOP\b.*\blive\b/, /\bOTHER\b.*\btest\b/]) assert.match(several.err, place);
  assert.equal((await cli.json('purchase', 'show', 'r-refused', '--merchant', 'shop')).network, 'MTN');
  assert.equal((await cli.json('purchase', 'show', 'r-refused', '--env', 'test')).network, 'GLO');
  const none = await cli.oja('purchase', 'show', 'r-refused', '--merchant', 'OTHER', '--env', 'live');
  assert.equal(none.code, 1);
});

function isAlarm({ what }: { readonly what: string }): boolean {
  return what.startsWith('alarm');
}

/** A success whose token comes with a later answer. */
async function buyWithLateToken(name: string): Promise<void> {
  const id = await buy(cli.database, shop, name);
  const success = delivered(shop, 9_700n);
  await answer(cli.database, shop, id, 'success', { ...success, goodsDueMs: 600_000 });
  const goods = { token: '12345678901234567890', units: '23.8' };
  await answer(cli.database, shop, id, 'success', { ...success, goods });
}
