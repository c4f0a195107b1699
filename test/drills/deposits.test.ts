/**
 * Deposits: notices that are repeated, forged, altered, missing or for an unknown account; each
 * transfer is credited once.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { runOja } from '../cli/harness.ts';
import { assertAudited, eventually, openGatewayUnderTest, walletOf } from '../e2e/gateway-under-test.ts';
import { openShop, type Shop } from '../e2e/shop.ts';
import { payInto, spoilBank, startTestBank } from '../support/bank.ts';
import { isGate, itInProof } from '../support/budget.ts';
import { type Answer, startGateway } from '../support/gateway.ts';
import { houseBalances } from '../support/house-balances.ts';

const bank = await startTestBank();
after(() => bank[Symbol.asyncDispose]());
// Own gateway: its own bank calls it back.
const gateway = await openGatewayUnderTest({
  simulatorUrl: bank.url,
  settings: { PORT: String(bank.port) },
});
const oja = (...args: string[]): ReturnType<typeof runOja> =>
  runOja(
    { DATABASE_URL: gateway.databaseUrl, OJA_DATA_DIR: gateway.dataDir, OJA_SIMULATOR_URL: bank.url },
    args,
  );

const secrets = { monnify: 'simulator-monnify-secret', paystack: 'sk_test_simulator' } as const;
const signatures = { monnify: 'monnify-signature', paystack: 'x-paystack-signature' } as const;

let people = 0;

type Funded = Shop & { readonly account: string };

/** A merchant without money and with a funding account. */
async function funded(environment: 'live' | 'test' = 'live', gatewayUnderTest = gateway): Promise<Funded> {
  const shop = await openShop(gatewayUnderTest, { balance: 0n });
  people += 1;
  await gatewayUnderTest.database.query(
    'insert into funding_currencies (merchant_id, environment, currency) values ($1, $2, $3)',
    [shop.id, environment, 'NGN'],
  );
  const opened = await gatewayUnderTest.call('POST', '/v1/wallet/funding-account', {
    as: shop[environment],
    body: {
      bvn: String(33_000_000_000 + people),
      email: `shop${people}@example.com`,
      first_name: 'Bola',
      last_name: 'Ade',
      phone_number: '08031234567',
    },
  });
  assert.equal(opened.status, 200, opened.text);
  return { ...shop, account: opened.body.result.account_number };
}

async function balanceBecomes(shop: Shop, balance: string, as: 'live' | 'test' = 'live'): Promise<void> {
  await eventually(`${shop.code} has ${balance}`, async () =>
    (await walletOf(gateway, shop[as])).balance === balance ? true : undefined,
  );
}

function noticeOf(provider: 'monnify' | 'paystack', reference: string, more: object = {}): object {
  return provider === 'monnify'
    ? {
        eventType: 'SUCCESSFUL_TRANSACTION',
        eventData: {
          product: { type: 'RESERVED_ACCOUNT', reference: 'oja-1-ngn' },
          transactionReference: reference,
          paymentStatus: 'PAID',
          amountPaid: 1,
          ...more,
        },
      }
    : {
        event: 'charge.success',
        data: { reference, status: 'success', channel: 'dedicated_nuban', amount: 1, ...more },
      };
}

/** A notice as the bank would send it, signed with `key`. `sent` replaces the signed body. */
async function notify(
  provider: 'monnify' | 'paystack',
  body: object,
  { key = secrets[provider] as string, sent = JSON.stringify(body), signature = '' } = {},
): Promise<Answer> {
  const signed = createHmac('sha512', key).update(JSON.stringify(body)).digest('hex');
  return await gateway.call('POST', `/hooks/${provider}`, {
    as: 'nobody',
    body: sent,
    headers: { [signatures[provider]]: signature || signed },
  });
}

async function depositsOf(merchantId: number): Promise<number> {
  const rows = await gateway.database.query('select 1 from deposits where merchant_id = $1', [merchantId]);
  return rows.length;
}

/** Due notices from the bank. Those of the sweep do not count, because it always has some. */
async function openNotices(): Promise<number> {
  const rows = await gateway.database.query(
    "select 1 from bank_notices where due_at is not null and source = 'notice'",
  );
  return rows.length;
}

describe('a transfer', () => {
  it('credits a transfer less 100 naira, as three transfers', async () => {
    const shop = await funded();
    const { reference } = await payInto(bank.url, shop.account, '5000.50');
    await balanceBecomes(shop, '4900.50');
    const rows = await gateway.database.query(
      `select t.code, d.code as debit, c.code as credit, t.amount
       from transfers t
       join accounts d on d.id = t.debit_account_id
       join accounts c on c.id = t.credit_account_id
       join deposits p on p.id = t.subject_id
       where p.provider_reference = $1
       order by t.id`,
      [reference],
    );
    assert.deepEqual(rows, [
      {
        code: 'deposit_gross',
        debit: 'bank:monnify:live:NGN',
        credit: 'suspense:live:NGN',
        amount: 500_050n,
      },
      { code: 'deposit_fee', debit: 'suspense:live:NGN', credit: 'deposit-fees:live:NGN', amount: 10_000n },
      {
        code: 'deposit_net',
        debit: 'suspense:live:NGN',
        credit: `wallet:${shop.id}:live:NGN`,
        amount: 490_050n,
      },
    ]);
  });

  it('takes a transfer smaller than the fee as fee, and nothing from the wallet', async () => {
    const shop = await funded();
    await payInto(bank.url, shop.account, '99.99');
    await payInto(bank.url, shop.account, '100');
    await payInto(bank.url, shop.account, '100.01');
    await eventually('all came in', async () => ((await depositsOf(shop.id)) === 3 ? true : undefined));
    assert.equal((await walletOf(gateway, shop.live)).balance, '0.01');
  });

  it('finds a transfer without a notice in the list of payments', async () => {
    const shop = await funded();
    await payInto(bank.url, shop.account, '700', { notices: 0 });
    await balanceBecomes(shop, '600.00');
  });

  it('waits for a transfer while the bank cannot be queried', async () => {
    const shop = await funded();
    await spoilBank(
      bank.url,
      { fault: 'error_5xx', operation: 'requery', times: 1 },
      { fault: 'slow', operation: 'requery', delay_ms: 300, times: 1 },
    );
    await payInto(bank.url, shop.account, '800');
    await balanceBecomes(shop, '700.00');
    await spoilBank(bank.url);
  });

  it('keeps a transfer to an unknown account in suspense until an operator assigns it', async () => {
    const shop = await funded();
    const { reference } = await payInto(bank.url, '6000000000', '2500', { provider: 'monnify' });
    const [row] = await eventually('it came in', async () => {
      const rows = await gateway.database.query<{ id: string; merchant_id: number | null }>(
        'select id, merchant_id from deposits where provider_reference = $1',
        [reference],
      );
      return rows.length > 0 ? rows : undefined;
    });
    assert.equal(row?.merchant_id, null);
    assert.equal(await suspense(), 250_000n);
    const alarms = await gateway.database.query("select 1 from alarms where kind = 'deposit_suspense'");
    assert.equal(alarms.length, 1);
    await assertAudited(gateway.database);

    const listed = JSON.parse((await oja('deposit', 'list', '--suspense', '--json')).out).data;
    assert.deepEqual(
      listed.map((deposit: { id: string; gross: string }) => [deposit.id, deposit.gross]),
      [[row.id, '2500.00']],
    );
    assert.equal((await oja('deposit', 'assign', row.id, 'NOBODY', '--yes')).code, 1);
    const assigned = await oja('deposit', 'assign', row.id, shop.code, '--yes');
    assert.equal(assigned.code, 0, assigned.err);
    assert.equal((await walletOf(gateway, shop.live)).balance, '2400.00');
    const again = await oja('deposit', 'assign', row.id, shop.code, '--yes');
    assert.equal(again.code, 1);
    assert.equal((await walletOf(gateway, shop.live)).balance, '2400.00');
    assert.equal(await suspense(), 0n);
    assert.match((await oja('deposit', 'show', row.id)).out, /\bassigned\b/);
  });
});

async function suspense(): Promise<bigint> {
  return (await houseBalances(gateway.database))['suspense:live:NGN'] ?? 0n;
}

describe('a notice', () => {
  it('refuses a forged or altered notice, and stores nothing', async () => {
    const shop = await funded();
    await payInto(bank.url, shop.account, '5000', { notices: 0 });
    const body = noticeOf('monnify', 'MNFY|forged');
    const before = await openNotices();
    const text = JSON.stringify(body);
    const attempts = [
      await notify('monnify', body, { key: 'another-secret' }),
      await notify('monnify', body, { key: '' }),
      await notify('monnify', body, { signature: 'ab'.repeat(64) }),
      await notify('monnify', body, { signature: 'x' }),
      await notify('monnify', body, { sent: text.replace('forged', 'altered') }),
      await notify('monnify', body, { sent: `${text} ` }),
      await notify('paystack', noticeOf('paystack', 'forged'), { key: secrets.monnify }),
      await gateway.call('POST', '/hooks/monnify', { as: 'nobody', body: text }),
    ];
    assert.deepEqual([...new Set(attempts.map((answer) => answer.status))], [401]);
    // A notice of an earlier test may have been processed meanwhile.
    assert.ok((await openNotices()) <= before);
    const known = await gateway.database.query(
      'select 1 from bank_notices where reference like any ($1::text[])',
      [['%forged%', '%altered%']],
    );
    assert.deepEqual(known, []);
    // The transfer itself exists, and is found.
    await balanceBecomes(shop, '4900.00');
  });

  it('credits the amount that the bank reports when queried, not the one in a signed notice', async () => {
    const shop = await funded();
    const { reference } = await payInto(bank.url, shop.account, '1000', { notices: 0 });
    const lie = noticeOf('monnify', reference, {
      amountPaid: 9_000_000,
      product: { type: 'RESERVED_ACCOUNT', reference: 'oja-1-ngn' },
    });
    assert.equal((await notify('monnify', lie)).status, 200);
    await balanceBecomes(shop, '900.00');
  });

  it('credits nothing for a transfer that the bank does not know', async () => {
    const before = await gateway.database.query('select 1 from deposits');
    assert.equal((await notify('monnify', noticeOf('monnify', 'MNFY|99|nothing'))).status, 200);
    await eventually('it was looked at', async () => {
      const rows = await gateway.database.query(
        "select 1 from bank_notices where reference = 'MNFY|99|nothing' and tries > 0 and outcome is null",
      );
      return rows.length > 0 ? true : undefined;
    });
    assert.equal((await gateway.database.query('select 1 from deposits')).length, before.length);
  });

  it('ignores a notice of another kind; a hook of an unknown bank is not found', async () => {
    assert.equal((await notify('monnify', { eventType: 'SETTLEMENT', eventData: {} })).status, 200);
    assert.equal((await notify('paystack', { event: 'transfer.success', data: {} })).status, 200);
    const nobody = await gateway.call('POST', '/hooks/sandbox', { as: 'nobody', body: '{}' });
    assert.equal(nobody.status, 404);
  });
});

/** The proof sends 1,000 notices of 200 transfers. */
const transferCount = isGate ? 40 : 200;

describe('notices of many transfers, repeated and in any order', () => {
  it('credits each transfer once', async () => {
    const shops = [await funded(), await funded(), await funded()];
    const paid: { readonly shop: Funded; readonly kobo: bigint; readonly reference: string }[] = [];
    for (let index = 0; index < transferCount; index += 1) {
      const shop = shops[index % shops.length];
      assert.ok(shop);
      const naira = 101 + index;
      const { reference } = await payInto(bank.url, shop.account, String(naira), { notices: 0 });
      paid.push({ shop, kobo: BigInt(naira) * 100n, reference });
    }
    const notices = Array.from({ length: 5 }, () => paid)
      .flat()
      .map((one) => ({ ...one, at: Math.random() }))
      .sort((one, other) => one.at - other.at);
    const forged = noticeOf('monnify', 'MNFY|never');
    await Promise.all(
      Array.from({ length: 20 }, async (_, lane) => {
        for (let index = lane; index < notices.length; index += 20) {
          const reference = notices[index]?.reference ?? '';
          const answer = await notify('monnify', noticeOf('monnify', reference, { amountPaid: index }));
          assert.equal(answer.status, 200);
          if (index % 10 === 0) {
            assert.equal((await notify('monnify', forged, { key: 'guessed' })).status, 401);
          }
        }
      }),
    );
    for (const shop of shops) {
      const mine = paid.filter((one) => one.shop === shop);
      const sum = mine.reduce((total, { kobo }) => total + kobo - 10_000n, 0n);
      await balanceBecomes(shop, `${sum / 100n}.00`);
      assert.equal(await depositsOf(shop.id), mine.length);
    }
    // The notice again, after everything is settled.
    for (const { reference } of paid.slice(0, 20)) {
      assert.equal((await notify('monnify', noticeOf('monnify', reference))).status, 200);
    }
    const known = await gateway.database.query<{ count: number }>(
      "select count(*)::integer as count from bank_notices where reference = any($1) and outcome = 'deposited'",
      [paid.map(({ reference }) => reference)],
    );
    assert.deepEqual(known, [{ count: transferCount }]);
    await assertAudited(gateway.database);
  });
});

describe('Paystack', () => {
  itInProof('Paystack opens accounts late, and accepts transfers as Monnify does', async () => {
    await using own = await startTestBank({ OJA_SIMULATOR_ASSIGN_MS: '1500' });
    await using gatewayUnderTest = await startGateway({
      simulatorUrl: own.url,
      settings: { PORT: String(own.port), OJA_FUNDING_PROVIDER: 'paystack' },
    });
    const shop = await openShop(gatewayUnderTest, { balance: 0n });
    await gatewayUnderTest.database.query(
      "insert into funding_currencies (merchant_id, environment, currency) values ($1, 'live', 'NGN')",
      [shop.id],
    );
    const register = (who: Shop, bvn: string, email: string): Promise<Answer> =>
      gatewayUnderTest.call('POST', '/v1/wallet/funding-account', {
        as: who.live,
        body: { bvn, email, first_name: 'Bola', last_name: 'Ade', phone_number: '08031234567' },
      });
    const opened = await register(shop, '44000000001', 'Bola@example.com');
    assert.equal(opened.status, 200, opened.text);
    assert.equal(opened.body.result.status, 'pending');
    assert.equal(opened.body.result.account_number, null);
    const accountOf = (who: Shop): Promise<Answer> =>
      gatewayUnderTest.call('GET', '/v1/wallet/funding-account', { as: who.live });
    const account = await eventually('the account is there', async () => {
      const { result } = (await accountOf(shop)).body;
      return result.status === 'active' ? (result.account_number as string) : undefined;
    });
    await payInto(own.url, account, '3000');
    await payInto(own.url, account, '1000', { notices: 0 });
    await eventually('both are credited', async () =>
      (await walletOf(gatewayUnderTest, shop.live)).balance === '3800.00' ? true : undefined,
    );

    const other = await openShop(gatewayUnderTest, { balance: 0n });
    await gatewayUnderTest.database.query(
      "insert into funding_currencies (merchant_id, environment, currency) values ($1, 'live', 'NGN')",
      [other.id],
    );
    const taken = await register(other, '44000000002', 'bola@EXAMPLE.com');
    assert.equal(taken.status, 400, taken.text);
    assert.equal((await register(other, '00000000000', 'other@example.com')).body.result.status, 'pending');
    await eventually('the bank refused', async () =>
      (await accountOf(other)).status === 404 ? true : undefined,
    );
    await assertAudited(gatewayUnderTest.database);
  });
});

describe('a transfer that test credentials play', () => {
  const play = (shop: Shop, body: object, as: 'test' | 'live' = 'test'): Promise<Answer> =>
    gateway.call('POST', '/v1/test/deposits', { as: shop[as], body });

  it('credits a test transfer at once, less the fee, without an operator, and reports it', async () => {
    const shop = await openShop(gateway, { balance: 0n });
    const answer = await play(shop, { amount: '5000.00' });
    assert.equal(answer.status, 200, answer.text);
    const { data } = answer.body;
    assert.deepEqual(
      [data.state, data.currency, data.amount, data.fee, data.credited],
      ['credited', 'NGN', '5000.00', '100.00', '4900.00'],
    );
    await balanceBecomes(shop, '4900.00', 'test');
    assert.equal((await walletOf(gateway, shop.live)).balance, '0.00');
    const told = await eventually('the feed tells of it', async () => {
      const { body } = await gateway.call('GET', '/v1/events?types=deposit.credited', { as: shop.test });
      return body.data[0]?.data;
    });
    assert.equal(told.credited, '4900.00', JSON.stringify(told));
    // It did not enable funding.
    const account = await gateway.call('GET', '/v1/wallet/funding-account', { as: shop.test });
    assert.equal(account.status, 403);
  });

  it('credits the account that the merchant registered for', async () => {
    const shop = await funded('test');
    const { body } = await play(shop, { amount: '200.00' });
    assert.equal(body.data.account_number, shop.account);
    await balanceBecomes(shop, '100.00', 'test');
  });

  it('credits a test transfer once under one reference, also concurrently, and refuses another', async () => {
    const shop = await openShop(gateway, { balance: 0n });
    const body = { amount: '1000.00', reference: 'transfer-1' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => play(shop, body)));
    for (const answer of answers) assert.equal(answer.body.data?.state, 'credited', answer.text);
    assert.equal(new Set(answers.map((answer) => answer.body.data.deposit_id)).size, 1);
    await balanceBecomes(shop, '900.00', 'test');
    const other = await play(shop, { ...body, amount: '1000.01' });
    assert.equal(other.status, 422);
    assert.equal(other.body.errors[0].field, 'reference');
    // References are each merchant's own.
    const neighbour = await openShop(gateway, { balance: 0n });
    assert.equal((await play(neighbour, { ...body, amount: '300.00' })).body.data.credited, '200.00');
    await balanceBecomes(shop, '900.00', 'test');
  });

  it('refuses a test transfer with live credentials, to a missing wallet, and of an invalid amount', async () => {
    const shop = await openShop(gateway, { balance: 0n });
    assert.equal((await play(shop, { amount: '5000.00' }, 'live')).status, 403);
    assert.equal((await play(shop, { amount: '5.00', currency: 'USD' })).status, 404);
    for (const body of [
      { amount: '0' },
      { amount: '-5.00' },
      { amount: '1.001' },
      { amount: 5 },
      { amount: '1e3' },
    ]) {
      const answer = await play(shop, body);
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.body.errors[0].field, 'amount');
    }
    assert.equal((await play(shop, {})).status, 422);
    const long = await play(shop, { amount: '5.00', reference: 'x'.repeat(61) });
    assert.deepEqual([long.status, long.body.errors[0].field], [400, 'reference']);
    assert.deepEqual((await walletOf(gateway, shop.test)).balance, '0.00');
    assert.deepEqual((await walletOf(gateway, shop.live)).balance, '0.00');
  });
});
