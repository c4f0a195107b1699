/** The operations on bank funding, deposits and vouchers, as an interface runs them. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { operationNamed } from '../../../src/backoffice/operations/registry.ts';
import {
  type Operator,
  type RegisteredOperation,
  runOperation,
} from '../../../src/backoffice/operations/run-operation.ts';
import { newId } from '../../../src/core/ids.ts';
import type { MerchantRole } from '../../../src/core/operation.ts';
import { insertDeposit } from '../../../src/funding/deposit-store.ts';
import { listWallets } from '../../../src/wallet/wallet-store.ts';
import { awayFromMidnight } from '../../support/away-from-midnight.ts';
import { refusedAct } from '../../support/refusals.ts';
import { type Operating, operatorOf, startOperations } from './harness.ts';

await awayFromMidnight();
const nobody = '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10';
const finance = operatorOf('finance');
const viewer = operatorOf('viewer');

let shop: Operating;
let merchantId: number;

before(async () => {
  shop = await startOperations();
  ({ id: merchantId } = await shop.ask('merchant.create', { code: 'SHOP', name: 'Shop' }));
  const credit = { merchant: 'SHOP', amount: '10000', environment: 'live', memo: 'cash' };
  await shop.ask('wallet.credit', credit, finance);
  await shop.entries();
});
after(() => shop[Symbol.asyncDispose]());

async function posted(): Promise<string> {
  const { data } = await shop.ask('wallet.show', { merchant: 'SHOP' }, viewer);
  return data.find((row: { environment: string }) => row.environment === 'live').posted;
}

describe('totals of deposits', () => {
  it('totals all deposits, not only those of the page', async () => {
    await shop.database.query(
      `insert into deposits (id, provider, provider_reference, environment, currency, paid_to, gross, fee, paid_at)
       select gen_random_uuid(), 'monnify', 'many-' || n, 'live', 'NGN', 'nobody', n, 0, timestamptz '2026-03-04 12:00Z'
       from generate_series(1, 1015) as n`,
    );
    const chosen = { day: '2026-03-04', provider: 'monnify' };
    const [sum] = await shop.ask('deposit.total', chosen, viewer);
    assert.deepEqual([sum.deposits, sum.gross], [1015, '5156.20']);
    const listed = await shop.ask('deposit.list', { ...chosen, limit: 200 }, viewer);
    assert.equal(listed.data.length, 200);
    await shop.database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query("delete from deposits where provider_reference like 'many-%'");
    });
  });
});

describe('bank funding', () => {
  it('enables, shows and disables bank funding, and records the actor', async () => {
    const naira = { merchant: 'SHOP', currency: 'NGN' };
    const done = await shop.ask('funding.enable', { ...naira, environment: 'live' });
    assert.deepEqual(done.environments, [{ environment: 'live', changed: true }]);
    await addAccount('live', 'monnify', '6012345678');
    const shown = await shop.ask('funding.show', { merchant: 'shop' }, viewer);
    assert.deepEqual(shown.enabled, { test: [], live: ['NGN'] });
    assert.deepEqual(shown.bvn, { test: null, live: null });
    assert.deepEqual(
      shown.accounts.map((row: { account_number: string; document: boolean }) => [
        row.account_number,
        row.document,
      ]),
      [['6012345678', false]],
    );
    const own = await shop.ask('funding.account', {}, shopper());
    assert.deepEqual(own.accounts, [
      {
        environment: 'live',
        currency: 'NGN',
        status: 'active',
        fee: '100.00',
        account_number: '6012345678',
        account_name: 'Shop',
        bank_name: 'Bank',
        refusal: null,
        document_uploaded: false,
      },
    ]);
    await shop.ask('funding.disable', naira);
    assert.deepEqual((await shop.ask('funding.account', {}, shopper())).accounts, []);
    assert.deepEqual(await shop.entries(), [
      ['ada', 'funding.enable', 'merchant:SHOP'],
      ['ada', 'funding.disable', 'merchant:SHOP'],
    ]);
    // Test money has accounts in every currency; no known bank opens other live accounts.
    const dollars = { merchant: 'SHOP', currency: 'USD' };
    await shop.refuses('funding.enable', { ...dollars, environment: 'test' }, 'merchant_has_no_wallet');
    await shop.refuses('funding.enable', { ...dollars, environment: 'live' }, 'no_bank_for_currency');
    await shop.refuses('funding.enable', dollars, 'no_bank_for_currency');
    await shop.ask('wallet.open', { ...dollars, environment: 'test' });
    await shop.ask('funding.enable', { ...dollars, environment: 'test' });
    await shop.ask('funding.disable', { ...dollars, environment: 'test' });
    await shop.entries();
    await shop.refuses('funding.show', { merchant: 'NOBODY' }, 'no_merchant');
    await shop.refuses('funding.enable', { merchant: 'SHOP', currency: 'YEN' }, 'input_malformed');
    await shop.refuses('funding.enable', naira, 'role_lacking', finance);
  });

  it('shows, replaces and deletes documents for admins only, up to the largest', async () => {
    const at = { merchant: 'SHOP', environment: 'live' };
    await shop.refuses('funding.reveal_document', at, 'no_document');
    const jpeg = Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
      randomBytes(5 * 1_048_576 - 4),
    ]).toString('base64');
    const replaced = await shop.ask('funding.replace_document', { ...at, content: jpeg });
    assert.deepEqual([replaced.media_type, replaced.bytes], ['image/jpeg', 5 * 1_048_576]);
    const shown = await shop.ask('funding.reveal_document', at);
    assert.ok(shown.content === jpeg);
    for (const role of ['viewer', 'support', 'finance'] as const) {
      await shop.refuses('funding.reveal_document', at, 'role_lacking', operatorOf(role));
    }
    const words = Buffer.from('no picture').toString('base64');
    await shop.refuses('funding.replace_document', { ...at, content: words }, 'document_malformed');
    await shop.refuses('funding.replace_document', { ...at, content: 'no base 64' }, 'input_malformed');
    await shop.refuses('funding.replace_document', { ...at, content: `${jpeg}AAAA` }, 'input_malformed');
    assert.deepEqual(await shop.ask('funding.forget_documents', { days: 1 }), { forgotten: [] });
    const forgotten = await shop.ask('funding.forget_documents', { days: 0, merchant: 'SHOP' });
    assert.deepEqual(forgotten, { forgotten: [at] });
    await shop.refuses('funding.forget_documents', { days: -1 }, 'input_malformed');
    assert.deepEqual(await shop.entries(), [
      ['ada', 'funding.replace_document', 'merchant:SHOP'],
      ['ada', 'funding.reveal_document', 'merchant:SHOP'],
      ['ada', 'funding.forget_document', 'merchant:SHOP'],
    ]);
  });
});

describe('deposits', () => {
  const ids = Array.from({ length: 5 }, () => newId());

  before(async () => {
    await shop.database.transaction(async (tx) => {
      for (const [index, id] of ids.entries()) {
        await insertDeposit(tx, {
          id,
          provider: index === 4 ? 'paystack' : 'monnify',
          providerReference: `ref-${index}`,
          environment: 'live',
          currency: 'NGN',
          paidTo: '6000000000',
          merchantId: undefined,
          gross: 100_000n,
          fee: 0n,
          settled: index === 0 ? 99_000n : undefined,
          // Paid in a different order than they arrived in.
          paidAt: new Date(Date.parse('2026-11-21T12:00:00Z') - index * 1_000),
        });
      }
    });
  });

  async function listed(filter: object): Promise<string[]> {
    const found: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await shop.ask('deposit.list', { ...filter, limit: 2, cursor }, viewer);
      assert.ok(page.data.length <= 2);
      found.push(...page.data.map(({ id }: { id: string }) => id));
      ({ cursor } = page);
    } while (cursor !== null);
    return found;
  }

  it('lists deposits page by page, newest first, by any filter', async () => {
    const newest = ids.toReversed();
    assert.deepEqual(await listed({}), newest);
    assert.deepEqual(await listed({ suspense: true }), newest);
    assert.deepEqual(await listed({ provider: 'monnify' }), newest.slice(1));
    assert.deepEqual(await listed({ day: '2026-11-21' }), ids);
    assert.deepEqual(await listed({ day: '2026-11-20' }), []);
    assert.deepEqual(await listed({ merchant: 'SHOP' }), []);
  });

  it('adds up all deposits, never those of a page', async () => {
    const sums = await shop.ask('deposit.total', { day: '2026-11-21' }, viewer);
    const of = { environment: 'live', currency: 'NGN', fees: '0.00' };
    assert.deepEqual(sums, [
      { ...of, provider: 'monnify', deposits: 4, gross: '4000.00', settled: '3990.00' },
      { ...of, provider: 'paystack', deposits: 1, gross: '1000.00', settled: '1000.00' },
    ]);
    assert.deepEqual(await shop.ask('deposit.total', { merchant: 'SHOP' }), []);
  });

  it('assigns a deposit once, whatever the key', async () => {
    const assign = { deposit: ids[0] ?? '', merchant: 'shop', key: 'ticket-7' };
    const before = await posted();
    const done = await shop.ran('deposit.assign', assign, finance);
    assert.deepEqual(done.output, {
      deposit: ids[0],
      merchant: 'SHOP',
      environment: 'live',
      currency: 'NGN',
      gross: '1000.00',
      fee: '100.00',
      net: '900.00',
      posted: await posted(),
    });
    const again = await shop.ran('deposit.assign', assign, finance);
    assert.deepEqual(again, { output: done.output, repeated: true });
    await shop.refuses('deposit.assign', { ...assign, deposit: ids[1] }, 'key_used');
    await shop.refuses('deposit.assign', { ...assign, key: 'ticket-8' }, 'deposit_credited');
    assert.equal(Number(await posted()) - Number(before), 900);
    assert.deepEqual(await shop.entries(), [['ada', 'deposit.assign', `deposit:${ids[0]}`]]);
    const shown = await shop.ask('deposit.show', { deposit: ids[0] }, viewer);
    assert.deepEqual([shown.state, shown.merchant, shown.fee], ['assigned', 'SHOP', '100.00']);
    assert.deepEqual(await listed({ merchant: 'SHOP' }), [ids[0]]);
    const page = await shop.ask('deposit.credited', {}, shopper());
    const { paid_at: paidAt, credited_at: creditedAt, ...told } = page.data[0];
    assert.deepEqual(
      [page.data.length, told],
      [
        1,
        {
          id: ids[0],
          environment: 'live',
          currency: 'NGN',
          gross: '1000.00',
          fee: '100.00',
          net: '900.00',
          paid_to: '6000000000',
        },
      ],
    );
    assert.ok(paidAt < creditedAt);
    assert.equal((await shop.ask('deposit.credited', { day: '2026-11-21' }, shopper())).data.length, 1);
    for (const none of [{ day: '2026-11-20' }, { environment: 'test' }]) {
      assert.deepEqual((await shop.ask('deposit.credited', none, shopper())).data, []);
    }
    await shop.refuses('deposit.credited', { merchant: 'OTHER' }, 'no_merchant', shopper());
    await shop.refuses('deposit.credited', {}, 'role_lacking', shopper('SHOP', 'developer'));
  });

  it('refuses unknown deposits and malformed input', async () => {
    await shop.refuses('deposit.show', { deposit: nobody }, 'no_deposit');
    await shop.refuses('deposit.assign', { deposit: nobody, merchant: 'SHOP' }, 'no_deposit');
    await shop.refuses('deposit.assign', { deposit: ids[1], merchant: 'NOBODY' }, 'no_merchant');
    await shop.refuses('deposit.list', { merchant: 'NOBODY' }, 'no_merchant');
    for (const input of [{ day: '2026-02-30' }, { cursor: 'x' }, { limit: 201 }, { suspense: 'yes' }]) {
      await shop.refuses('deposit.list', input, 'input_malformed');
    }
    const one = { deposit: ids[1], merchant: 'SHOP' };
    await shop.refuses('deposit.assign', one, 'role_lacking', operatorOf('support'));
  });
});

describe('vouchers', () => {
  const issue = { merchant: 'SHOP', value: '500', count: 3, environment: 'live' };

  it('issues vouchers once for a key, returns their codes once, and stores no code', async () => {
    const before = Number(await posted());
    const { output, repeated } = await shop.ran('voucher.issue', { ...issue, key: 'order-1' }, finance);
    assert.equal(repeated, false);
    const issued = output as { issue: string; total: string; vouchers: { id: string; code: string }[] };
    assert.equal(issued.total, '1500.00');
    assert.ok(issued.vouchers.every(({ code }) => /^(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/.test(code)));
    const again = await shop.ran('voucher.issue', { ...issue, key: 'order-1' }, finance);
    const withoutCodes = issued.vouchers.map(({ id }) => ({ id, code: null }));
    assert.deepEqual(again, { output: { ...issued, vouchers: withoutCodes }, repeated: true });
    await shop.refuses('voucher.issue', { ...issue, count: 2, key: 'order-1' }, 'key_used');
    assert.equal(Number(await posted()), before - 1_500);
    const stored = await shop.database.query<{ row: string }>(
      'select operation_keys::text as row from operation_keys union all select audit_log::text from audit_log',
    );
    for (const { code } of issued.vouchers) assert.ok(stored.every(({ row }) => !row.includes(code)));
    assert.deepEqual(await shop.entries(), [['ada', 'voucher.issue', `voucher-issue:${issued.issue}`]]);
  });

  it('returns vouchers over the admin API by role', async () => {
    const { merchant: _, ...body } = issue;
    const path = '/merchants/SHOP/vouchers';
    const none = await shop.call('POST', path, { token: await shop.tokenFor('support'), body });
    assert.equal(none.status, 403);
    const made = await shop.call('POST', path, { token: await shop.tokenFor('finance'), body });
    assert.deepEqual([made.status, made.body.data.vouchers.length], [200, 3]);
    await shop.entries();
  });

  it('lists vouchers page by page, shows them, and cancels them once', async () => {
    const { issue: id, vouchers } = await shop.ask('voucher.issue', issue, finance);
    const all: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await shop.ask(
        'voucher.list',
        { merchant: 'SHOP', state: 'open', limit: 2, cursor },
        viewer,
      );
      all.push(...page.data.map((row: { id: string }) => row.id));
      ({ cursor } = page);
    } while (cursor !== null);
    assert.equal(all.length, 9);
    assert.deepEqual(all, all.toSorted().toReversed());
    const [first, second] = vouchers;
    const shown = await shop.ask('voucher.show', { voucher: first.id }, viewer);
    assert.deepEqual([shown.state, shown.issue, shown.orders], ['open', id, []]);
    assert.deepEqual(await shop.ask('voucher.show', { voucher: first.id }, shopper()), shown);
    await shop.refuses('voucher.show', { voucher: first.id }, 'no_voucher', shopper('THIRD'));
    await shop.refuses('voucher.cancel', { voucher: first.id }, 'role_lacking', shopper());
    const before = Number(await posted());
    const cancel = { voucher: first.id, key: 'lost-1' };
    const done = await shop.ran('voucher.cancel', cancel, finance);
    assert.deepEqual(await shop.ran('voucher.cancel', cancel, finance), { ...done, repeated: true });
    await shop.refuses('voucher.cancel', { ...cancel, key: 'lost-2' }, 'voucher_cancelled');
    await shop.refuses('voucher.cancel', { ...cancel, voucher: second.id }, 'key_used');
    const rest = await shop.ask('voucher.cancel_issue', { issue: id }, finance);
    assert.deepEqual([rest.cancelled, rest.value, rest.kept.length], [2, '1000.00', 1]);
    assert.equal(Number(await posted()), before + 1_500);
    const entries = (await shop.entries()).map(([, action]) => action);
    assert.deepEqual(entries, ['voucher.issue', 'voucher.cancel', 'voucher.cancel', 'voucher.cancel']);
  });

  it('refuses unknown or unpayable vouchers and malformed input', async () => {
    await shop.refuses('voucher.show', { voucher: nobody }, 'no_voucher');
    await shop.refuses('voucher.cancel', { voucher: nobody }, 'no_voucher');
    await shop.refuses('voucher.cancel_issue', { issue: nobody }, 'no_voucher_issue');
    await shop.refuses('voucher.list', { merchant: 'NOBODY' }, 'no_merchant');
    await shop.refuses('voucher.issue', { ...issue, value: '10000000' }, 'vouchers_above_balance');
    for (const wrong of [
      { count: 0 },
      { count: 1_001 },
      { value: '0' },
      { value: '-5' },
      { environment: 'x' },
    ]) {
      await shop.refuses('voucher.issue', { ...issue, ...wrong }, 'input_malformed');
    }
    await shop.refuses('voucher.list', { merchant: 'SHOP', state: 'lost' }, 'input_malformed');
    await shop.refuses('voucher.issue', issue, 'role_lacking', operatorOf('support'));
  });
});

describe('the statement of a wallet, as its merchant sees it', () => {
  it('shows the low-balance alert threshold', async () => {
    const set = { environment: 'live', threshold: '-20.5' };
    await shop.ask('wallet.set_alert', set, shopper());
    const alerts = await shop.ask('wallet.alerts', {}, shopper('SHOP', 'viewer'));
    assert.deepEqual(alerts.slice(0, 2), [
      { environment: 'live', currency: 'NGN', threshold: '-20.50', emails: [] },
      { environment: 'test', currency: 'NGN', threshold: null, emails: [] },
    ]);
    await shop.refuses('wallet.alerts', { merchant: 'THIRD' }, 'no_merchant', shopper());
    await shop.ask('wallet.set_alert', { environment: 'live' }, shopper());
    await shop.entries();
  });

  it('shows balances that add up, page by page, the reason of a correction, and no internal memo', async () => {
    const asked = { environment: 'live', limit: 2 };
    const lines: Record<string, string>[] = [];
    let cursor: string | null | undefined;
    let page: Record<string, string>;
    do {
      page = await shop.ask('wallet.entries', { ...asked, cursor }, shopper());
      lines.push(...(page.data as unknown as Record<string, string>[]));
      cursor = page.cursor;
    } while (cursor !== null);
    assert.ok(lines.some(({ type }) => type === 'correction') && lines.length > 2);
    for (const { type, reason, ...line } of lines) {
      assert.equal(reason !== null, type === 'correction');
      assert.ok(!('memo' in line) && !JSON.stringify(line).includes('cash'));
    }
    assert.ok(lines.some(({ reason }) => reason === 'cash'));
    const moved = lines.reduce((sum, { amount }) => sum + Number(amount), Number(page.opening_balance));
    assert.equal(moved, Number(page.closing_balance));
    const whole = await shop.ask('wallet.statement', { merchant: 'SHOP', environment: 'live' }, viewer);
    assert.ok(JSON.stringify(whole).includes('cash'));
    await shop.refuses('wallet.statement', asked, 'role_lacking', shopper());
    await shop.refuses('wallet.entries', { ...asked, merchant: 'OTHER' }, 'no_merchant', shopper());
    await shop.refuses('wallet.entries', asked, 'role_lacking', shopper('SHOP', 'developer'));
  });
});

describe('a key', () => {
  it('separates keys by merchant: the same key of another merchant is another operation', async () => {
    await shop.ask('merchant.create', { code: 'THIRD', name: 'Third' });
    const portal = { roles: ['finance'] };
    const keyed = { ...operationNamed('wallet.credit'), portal } as unknown as RegisteredOperation;
    const input = { amount: '5', environment: 'test', memo: 'cash', key: 'mine' };
    const run = async (operator: Operator, given: object = input) =>
      (await runOperation(shop.services, keyed, given, operator)).repeated;
    const byOperator = () => run(finance, { ...input, merchant: 'SHOP' });
    assert.deepEqual(
      [await run(shopper()), await run(shopper('THIRD')), await byOperator()],
      [false, false, false],
    );
    assert.deepEqual(
      [await run(shopper()), await run(shopper('THIRD')), await byOperator()],
      [true, true, true],
    );
    await assert.rejects(run(shopper(), { ...input, amount: '6' }), refusedAct('key_used'));
    await shop.entries();
  });
});

function shopper(code = 'SHOP', role: MerchantRole = 'finance'): Operator {
  const principal = 'user:0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69 (bola@shop.example)';
  return { name: 'bola', principal, edge: 'portal', roles: [], merchant: { code, roles: [role] } };
}

async function addAccount(environment: 'test' | 'live', provider: string, number: string): Promise<void> {
  const wallets = await listWallets(shop.database, merchantId);
  const wallet = wallets.find((row) => row.environment === environment);
  await shop.database.query(
    `insert into funding_accounts
       (merchant_id, environment, currency, wallet_id, provider, reference, status, account_number, account_name, bank_name)
     values ($1, $2, 'NGN', $3, $4, $5, 'active', $5, 'Shop', 'Bank')`,
    [merchantId, environment, wallet?.account_id, provider, number],
  );
}
