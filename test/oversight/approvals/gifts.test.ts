/**
 * Gifts by one person without approval: every operation that gives money counts, and all of a day
 * are added. The limit here is 1,000.00.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operationNamed, operations } from '../../../src/backoffice/operations/registry.ts';
import { type Operator, runOperation } from '../../../src/backoffice/operations/run-operation.ts';
import { newId } from '../../../src/core/ids.ts';
import { mayWait } from '../../../src/core/operation.ts';
import { insertDeposit } from '../../../src/funding/deposit-store.ts';
import type { About } from '../../../src/oversight/approvals/approval-answer.ts';
import { type Admin, startAdmin } from '../../backoffice/admin/harness.ts';
import { accept, answer, openBuyer, purchase, resolveWords } from '../../purchases/fixture.ts';
import { refusedAct } from '../../support/refusals.ts';

let admin: Admin;
let people = 0;

before(async () => {
  admin = await startAdmin();
});
after(() => admin[Symbol.asyncDispose]());

/** A user whom no one in this test made. */
function somebody(): Operator {
  people += 1;
  return {
    name: `person${people}`,
    principal: `token:x${people} (person${people})`,
    edge: 'admin',
    roles: ['admin'],
  };
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path
type Told = { readonly waits: boolean; readonly output: any; readonly about: About | null | undefined };

async function run(
  name: string,
  input: object,
  who: Operator,
  limit: bigint | null = 1_000_00n,
): Promise<Told> {
  const services = { ...admin.services, approvalLimits: { correction: limit ?? undefined } };
  const { approval, output } = await runOperation(services, operationNamed(name), input, who);
  return { waits: approval !== undefined, output, about: approval?.about };
}

async function openShop(): Promise<string> {
  const code = `SHOP${newId().slice(-8)}`.toUpperCase();
  await admin.run('merchant.create', { code, name: code });
  return code;
}

const credit = (merchant: string, amount: string, fields: object = {}) => ({
  merchant,
  amount,
  environment: 'live',
  currency: 'NGN',
  memo: 'a gift',
  ...fields,
});

/** A live purchase of 600.00 that succeeded, or is pending. */
async function buy(end: 'success' | 'unknown'): Promise<string> {
  const buyer = await openBuyer(admin.database, 1_000_000n);
  const item = purchase(buyer, 600_00n);
  await accept(admin.database, item);
  await resolveWords(admin.database, answer(buyer, item, end));
  return item.id;
}

/** In suspense. */
async function receive(gross: bigint): Promise<string> {
  const id = newId();
  await admin.database.transaction((tx) =>
    insertDeposit(tx, {
      id,
      provider: 'monnify',
      providerReference: id,
      environment: 'live',
      currency: 'NGN',
      paidTo: 'nobody',
      gross,
      settled: undefined,
      fee: 0n,
      paidAt: new Date(),
      merchantId: undefined,
    }),
  );
  return id;
}

const refundOfOne = async () => ({ reference: await buy('success'), reason: 'a test' });

type Act = readonly [operation: string, input: () => Promise<object>];

/** Each gives 600.00 or slightly less. */
const acts: Readonly<Record<string, Act>> = {
  'a correction': ['wallet.credit', async () => credit(await openShop(), '600')],
  'a lower floor': [
    'wallet.set_floor',
    async () => ({ merchant: await openShop(), floor: '-600', environment: 'live', currency: 'NGN' }),
  ],
  'a refund': ['purchase.refund', refundOfOne],
  'a provider refund': [
    'purchase.provider_refund',
    async () => ({ reference: await buy('success'), reason: 'a test' }),
  ],
  'a deposit that is assigned': [
    'deposit.assign',
    async () => ({ deposit: await receive(700_00n), merchant: await openShop() }),
  ],
  'a purchase that is settled as failed': [
    'purchase.settle',
    async () => ({ reference: await buy('unknown'), outcome: 'failed', evidence: 'a letter' }),
  ],
  vouchers: ['voucher.issue', async () => vouchersOf(await openRichShop(), '300')],
};

/** A shop whose wallet can pay. */
async function openRichShop(): Promise<string> {
  const merchant = await openShop();
  await run('wallet.credit', credit(merchant, '5000'), somebody(), null);
  return merchant;
}

const vouchersOf = (merchant: string, value: string) => ({ merchant, value, count: 2, environment: 'live' });

/** The costs of vtpass and nomba for the last sale of 100.00 airtime. */
async function tookOfAirtime(): Promise<void> {
  for (const [provider, cost] of [
    ['vtpass', 97_00n],
    ['nomba', 99_00n],
  ] as const) {
    await admin.database.query(
      `insert into known_costs (environment, product, network, provider, plan_code, currency, amount, cost, at)
       values ('live', 'airtime', 'MTN', $1, '', 'NGN', 10000, $2, now())
       on conflict (environment, product, network, provider, plan_code) do nothing`,
      [provider, cost],
    );
  }
}

const airtime = { environment: 'live', product: 'airtime' } as const;

/** Merchants pay 98.00 for 100.00: more than the cost at vtpass, and less than at nomba. */
async function sellAirtime(routes: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const who = somebody();
  for (const [network, providers] of Object.entries(routes)) {
    await run('route.set', { ...airtime, network, providers, force: true }, who, null);
  }
  await tookOfAirtime();
  const to = { merchant: await openShop(), product: 'airtime', network: 'MTN' };
  await run('merchant.set_discount', { ...to, discount: '2', force: true }, who, null);
}

/** Acts that may sell below cost: each waits by force, and a twin that sells at a gain does not. */
const belowCost: Readonly<
  Record<string, readonly [setUp: () => Promise<void>, waits: object, twin: object]>
> = {
  'route.set': [
    () => sellAirtime({ '*': ['vtpass'] }),
    { ...airtime, network: '*', providers: ['nomba'], force: true },
    { ...airtime, network: '*', providers: ['vtpass', 'nomba'], force: true },
  ],
  'route.remove': [
    () => sellAirtime({ '*': ['nomba'], MTN: ['vtpass'], GLO: ['vtpass'] }),
    { ...airtime, network: 'MTN', force: true },
    { ...airtime, network: 'GLO', force: true },
  ],
  'guard.set': [
    tookOfAirtime,
    { ...airtime, mode: 'stop', forget_costs: true },
    { ...airtime, mode: 'stop' },
  ],
};

describe('one person', () => {
  for (const [title, [operation, input]] of Object.entries(acts)) {
    it(`makes ${title} within the limit, and waits for amounts above it in a day`, async () => {
      const who = somebody();
      assert.equal((await run(operation, await input(), who)).waits, false);
      assert.equal((await run(operation, await input(), who)).waits, true);
      // The limit is a person's own.
      assert.equal((await run(operation, await input(), somebody())).waits, false);
      assert.equal((await run(operation, await input(), who, null)).waits, false);
    });
  }

  it('shows the subject and the amount of a waiting request', async () => {
    for (const [title, [operation, input]] of Object.entries(acts)) {
      const given = (await input()) as Readonly<Record<string, string>>;
      const { about } = await run(operation, given, somebody(), 0n);
      assert.ok(about, title);
      const { merchant, purchase, deposit, environment, amount, currency, naira } = about;
      assert.deepEqual([environment, currency, naira], ['live', 'NGN', amount], title);
      assert.ok(Number(amount) >= 500, `${title}: ${amount}`);
      assert.ok(merchant, title);
      if (given.merchant !== undefined) assert.equal(merchant.code, given.merchant, title);
      assert.equal(purchase?.id, given.reference, title);
      assert.equal(deposit?.id, given.deposit, title);
    }
  });

  it('limits all operations together, and does not count waiting ones', async () => {
    const who = somebody();
    assert.equal((await run('purchase.refund', await refundOfOne(), who)).waits, false);
    assert.equal((await run('wallet.credit', credit(await openShop(), '400.01'), who)).waits, true);
    assert.equal((await run('wallet.credit', credit(await openShop(), '400'), who)).waits, false);
    assert.equal((await run('wallet.credit', credit(await openShop(), '0.01'), who)).waits, true);
    // A day later it may give again.
    await admin.database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query("update gifts set at = at - interval '24 hours' where principal = $1", [who.principal]);
    });
    assert.equal((await run('wallet.credit', credit(await openShop(), '1000'), who)).waits, false);
  });

  it('limits concurrent operations as it does sequential ones', async () => {
    const who = somebody();
    const shop = await openShop();
    const all = await Promise.all(
      Array.from({ length: 5 }, () => run('wallet.credit', credit(shop, '400'), who)),
    );
    assert.equal(all.filter(({ waits }) => !waits).length, 2);
  });

  it('limits a person’s own token too', async () => {
    const who = somebody();
    const made = await run('token.create', { role: ['finance'], name: 'till' }, who);
    const token = { ...somebody(), principal: `token:${made.output.id} (till)` };
    assert.equal((await run('wallet.credit', credit(await openShop(), '600'), who)).waits, false);
    assert.equal((await run('wallet.credit', credit(await openShop(), '600'), token)).waits, true);
  });

  it('does not limit test money, a higher floor, or a success', async () => {
    const who = somebody();
    const test = { environment: 'test' };
    assert.equal((await run('wallet.credit', credit(await openShop(), '5000', test), who)).waits, false);
    const floor = { merchant: await openShop(), environment: 'live', currency: 'NGN' };
    await run('wallet.set_floor', { ...floor, floor: '-5000' }, who, null);
    assert.equal((await run('wallet.set_floor', { ...floor, floor: '0' }, who)).waits, false);
    const settled = { outcome: 'success', evidence: 'a letter', reference: await buy('unknown') };
    assert.equal((await run('purchase.settle', settled, who)).waits, false);
    assert.equal((await run('wallet.credit', credit(await openShop(), '1000'), who)).waits, false);
  });

  it('limits the value in naira, in any currency', async () => {
    const who = somebody();
    const shop = await openShop();
    await run('wallet.open', { merchant: shop, currency: 'USD', environment: 'live' }, who);
    const dollars = (amount: string) => credit(shop, amount, { currency: 'USD' });
    // Its value is unknown.
    const unknown = await run('wallet.credit', dollars('0.10'), who);
    assert.deepEqual([unknown.waits, unknown.about?.amount, unknown.about?.naira], [true, '0.10', null]);
    await run('fx.set', { currency: 'USD', rate: '1500' }, who, null);
    assert.equal((await run('wallet.credit', dollars('0.60'), who)).waits, false);
    const waits = await run('wallet.credit', dollars('0.60'), who);
    assert.deepEqual(
      [waits.waits, waits.about?.amount, waits.about?.currency, waits.about?.naira],
      [true, '0.60', 'USD', '900.00'],
    );
  });

  it('repeats an operation under its key, though by now it would be too much', async () => {
    const who = somebody();
    const order = credit(await openShop(), '600', { key: newId() });
    assert.equal((await run('wallet.credit', order, who)).waits, false);
    assert.equal((await run('wallet.credit', order, who)).waits, false);
  });
});

describe('a price below cost', () => {
  for (const [operation, [setUp, below, twin]] of Object.entries(belowCost)) {
    it(`waits when ${operation} is forced below cost, and not otherwise`, async () => {
      await setUp();
      const who = somebody();
      assert.equal((await run(operation, below, who)).waits, true);
      assert.equal((await run(operation, twin, who)).waits, false);
      assert.equal((await run(operation, below, who, null)).waits, false);
    });
  }

  it('waits when a discount is forced below cost, and not otherwise', async () => {
    const who = somebody();
    const to = { merchant: await openShop(), product: 'airtime', network: 'MTN' };
    const set = (discount: string, force: boolean) =>
      run('merchant.set_discount', { ...to, discount, force }, who);
    await assert.rejects(set('100', false));
    assert.equal((await set('100', true)).waits, true);
    assert.equal((await set('3', true)).waits, false);
    assert.equal((await set('0', true)).waits, false);
  });

  it('waits when removing a kind’s discount makes a larger one apply, and not a smaller one', async () => {
    const who = somebody();
    await sellAirtime({ '*': ['vtpass'] });
    const to = { merchant: await openShop(), product: 'airtime', network: 'MTN' };
    const set = (more: object) => run('merchant.set_discount', { ...to, ...more, force: true }, who, null);
    const remove = () => run('merchant.remove_discount', { ...to, kind: 'vtu', force: true }, who);
    await set({ discount: '100' });
    await set({ kind: 'vtu', discount: '2' });
    assert.equal((await remove()).waits, true);
    await set({ discount: '1' });
    assert.equal((await remove()).waits, false);
  });

  it('waits when a price list is forced below cost: started, assigned, and left for a discount', async () => {
    const who = somebody();
    await sellAirtime({ '*': ['vtpass'] });
    const [merchant, list] = [await openShop(), `list-${newId()}`.slice(0, 40)];
    const alone = (operation: string, input: object) => run(operation, input, who, null);
    const waits = async (operation: string, input: object) => (await run(operation, input, who)).waits;
    const rules = (off: string) => `product,network,off\nairtime,MTN,${off}\n`;
    const start = (version: number) => ({ list, version, force: true });
    const assign = { list, merchants: [merchant], force: true };
    await alone('price_list.create', { list });
    for (const off of ['2 %', '100 %']) await alone('price_list.add_version', { list, rules: rules(off) });
    assert.equal(await waits('price_list.start', start(1)), false);
    const asked = await run('price_list.start', start(2), who);
    assert.deepEqual([asked.waits, asked.about?.price_list], [true, list]);
    assert.equal(await waits('price_list.assign', { ...assign, merchants: [await openShop()] }), false);
    await alone('price_list.start', start(2));
    assert.equal(await waits('price_list.assign', assign), true);
    await alone('merchant.set_discount', {
      merchant,
      product: 'airtime',
      network: 'MTN',
      discount: '99',
      force: true,
    });
    assert.equal(await waits('price_list.assign', { ...assign, merchants: [merchant] }), true);
    await alone('price_list.add_version', { list, rules: rules('1') });
    await alone('price_list.start', start(3));
    assert.equal(await waits('price_list.assign', assign), false);
    assert.equal(await waits('price_list.remove_merchants', { merchants: [merchant], force: true }), true);
  });

  it('requires approval for a forced lower rate, and none for a higher one', async () => {
    const who = somebody();
    await run('fx.set', { currency: 'USD', rate: '1500', force: true }, who, null);
    const set = (rate: string) => run('fx.set', { currency: 'USD', rate, force: true }, who);
    assert.equal((await set('15')).waits, true);
    assert.equal((await set('1450')).waits, false);
    assert.equal((await set('2000')).waits, false);
  });

  it('requires approval for a rate that falls in small steps', async () => {
    const who = somebody();
    const set = (rate: string, force = false) => run('fx.set', { currency: 'EUR', rate, force }, who);
    for (const rate of ['2400', '2200', '2000']) assert.equal((await set(rate)).waits, false);
    await assert.rejects(set('1900'), refusedAct('rate_change_large'));
    assert.equal((await set('1900', true)).waits, true);
    // A day later 2,000 is the rate to compare with.
    await admin.database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query("update fx_rates set at = at - interval '24 hours' where currency = 'EUR'");
    });
    assert.equal((await set('1900')).waits, false);
    await assert.rejects(set('1590'), refusedAct('rate_change_large'));
  });

  it('waits when a price falls steeply by force, and not when it rises', async () => {
    const who = somebody();
    const plan = {
      plan_code: 'MTN-901',
      id: 901,
      network: 'MTN',
      name: 'One',
      description: 'One',
      shortCode: '901',
      tarrifTypeId: '901',
      validity: '30 days',
      value: '1GB',
      group: 'Monthly',
      active: true,
      provider_codes: {},
    };
    const set = (price: string, fields: object = {}) =>
      run(
        'catalog.import',
        {
          content: JSON.stringify([{ ...plan, product: 'data', price, ...fields }]),
          product: 'data',
          apply: true,
          force: true,
        },
        who,
      );
    const added = await set('1000.00');
    assert.equal(added.waits, false, JSON.stringify(added.output));
    assert.equal(added.output.applied, true, JSON.stringify(added.output));
    assert.equal((await set('100.00')).waits, true);
    assert.equal((await set('900.00')).waits, false);
    assert.equal((await set('3000.00')).waits, false);
  });
});

/** Operations that have a test by name above. */
const priced = [
  'merchant.set_discount',
  'merchant.remove_discount',
  'price_list.start',
  'price_list.assign',
  'price_list.remove_merchants',
  'fx.set',
  'catalog.import',
];

describe('of all operations', () => {
  it('tests each operation that can give money away or sell below cost', () => {
    const tried = [...Object.values(acts).map(([name]) => name), ...Object.keys(belowCost), ...priced];
    const giving = operations.filter(({ kind, ...one }) => kind === 'act' && mayWait(one));
    assert.deepEqual(
      giving
        .filter(({ gives }) => gives !== undefined)
        .map(({ name }) => name)
        .toSorted(),
      tried.toSorted(),
    );
  });

  it('limits each operation that moves money, unless it only books what a provider or a merchant did', () => {
    const free = operations.filter((one) => one.movesMoney === true && !mayWait(one)).map(({ name }) => name);
    assert.deepEqual(free.toSorted(), [
      'float.charge',
      'float.top_up',
      'voucher.cancel',
      'voucher.cancel_issue',
    ]);
  });

  it('limits each operation that can be forced', () => {
    const forced = operations.filter(({ input }) => 'force' in input.properties).map(({ name }) => name);
    // The last two force credentials that the provider did not accept, and no price.
    const credentials = ['provider.set_credentials', 'provider.restore_credentials'];
    const tried = [...Object.keys(belowCost), ...priced, 'catalog.sync', ...credentials];
    assert.deepEqual(
      forced.filter((name) => !tried.includes(name)),
      [],
    );
  });
});

describe('vouchers that were approved', () => {
  it('shows the codes of approved vouchers to the approver, and stores none', async () => {
    const merchant = await openRichShop();
    const services = { ...admin.services, approvalLimits: { correction: 1_000_00n } };
    const issue = operationNamed('voucher.issue');
    const { approval } = await runOperation(services, issue, vouchersOf(merchant, '600'), somebody());
    const approved = await run('approval.approve', { approval: approval?.id }, somebody());
    const codes: unknown[] = approved.output.output.vouchers.map(({ code }: { code: unknown }) => code);
    assert.equal(codes.length, 2);
    assert.ok(codes.every((code) => typeof code === 'string'));
    const shown = await run('approval.show', { approval: approval?.id }, somebody());
    assert.equal(shown.output.state, 'approved');
    assert.deepEqual(
      shown.output.output.vouchers.map(({ code }: { code: unknown }) => code),
      [null, null],
    );
    const [stored] = await admin.database.query<{ text: string }>(
      "select (select string_agg(d::text, '') from approval_decisions d) || (select string_agg(l::text, '') from audit_log l) as text",
    );
    for (const code of codes) assert.ok(!stored?.text.includes(String(code)));
  });
});

describe('a catalog that follows a provider', () => {
  it('refuses a forced large price cut while corrections are limited', async () => {
    const who = somebody();
    const record = {
      plan_code: 'MTN-902',
      id: 902,
      network: 'MTN',
      name: 'One',
      description: 'One',
      shortCode: '902',
      tarrifTypeId: '902',
      validity: '30 days',
      value: '1GB',
      group: 'Monthly',
      active: true,
      provider_codes: { vtpass: { service_id: 'mtn-data', variation_code: 'mtn-902' } },
      product: 'data',
      price: '1000.00',
    };
    const file = { content: JSON.stringify([record]), product: 'data', apply: true, force: true };
    await run('catalog.import', file, who, null);
    const listing = (price: bigint) => ({
      name: 'vtpass',
      listPlans: async () => [{ code: 'mtn-902', name: 'One', price, fixed: true }],
    });
    const sync = async (price: bigint, limit: bigint | undefined, force: boolean) => {
      const services = {
        ...admin.services,
        approvalLimits: { correction: limit },
        openProviders: async () => ({
          providers: new Map([['vtpass', listing(price)]]) as never,
          [Symbol.asyncDispose]: async () => undefined,
        }),
      };
      const input = { provider: 'vtpass', apply: true, force };
      return await runOperation(services, operationNamed('catalog.sync'), input, who);
    };
    await assert.rejects(sync(100_00n, 1_000_00n, true), refusedAct('second_person_needed'));
    await sync(950_00n, 1_000_00n, true);
    await sync(100_00n, undefined, true);
  });
});
