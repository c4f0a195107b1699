/**
 * POST and GET /v1/wallet/funding-account: field by field, as JSON and as a form, once and in
 * races, and with a bank in trouble.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { runOja } from '../cli/harness.ts';
import { assertRefused, eventually, openGatewayUnderTest } from '../e2e/gateway-under-test.ts';
import { openShop, type Shop } from '../e2e/shop.ts';
import { spoilBank, startTestBank } from '../support/bank.ts';
import { assertAsDocumented } from '../support/contract.ts';
import type { Answer } from '../support/gateway.ts';

const bank = await startTestBank();
after(() => bank[Symbol.asyncDispose]());
// Own gateway: its own bank calls it back.
const gateway = await openGatewayUnderTest({ simulatorUrl: bank.url, settings: { PORT: String(bank.port) } });
const path = '/v1/wallet/funding-account';

let people = 0;

/** A valid registration of a new person. */
function person(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  people += 1;
  return {
    currency: 'NGN',
    bvn: String(22_000_000_000 + people),
    email: `ada${people}@example.com`,
    first_name: 'Ada',
    last_name: 'Obi',
    phone_number: '08031234567',
    ...fields,
  };
}

function without(body: Record<string, unknown>, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const pdf = Buffer.concat([
  Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n', 'latin1'),
  Buffer.alloc(2_000, 0x20),
]);
const jpeg = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
  Buffer.from('JFIF\0'),
  Buffer.alloc(500),
]);
const webp = Buffer.concat([Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\r\0\0\0', 'latin1'), Buffer.alloc(500)]);

type Upload = { readonly field?: string; readonly name?: string; readonly bytes: Buffer };

/** The same request as a form. */
async function postForm(
  shop: Shop,
  fields: Record<string, unknown>,
  uploads: readonly Upload[],
): Promise<Answer> {
  const form = new FormData();
  const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  for (const [name, text] of Object.entries(texts)) form.append(name, text);
  for (const { field = 'id_card', name = 'card.png', bytes } of uploads) {
    form.append(field, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), name);
  }
  const answer = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'x-merchant-key': shop.live.key, 'x-merchant-secret': shop.live.secret },
    body: form,
  });
  const { status } = answer;
  const [headers, text] = [Object.fromEntries(answer.headers), await answer.text()];
  await assertAsDocumented({
    method: 'POST',
    url: path,
    sent: undefined,
    form: texts,
    status,
    headers,
    text,
  });
  return { status, headers, text, body: JSON.parse(text) };
}

const post = (shop: Shop, body: unknown, as: 'live' | 'test' = 'live'): Promise<Answer> =>
  gateway.call('POST', path, { as: shop[as], body });
const get = (shop: Shop, query = '', as: 'live' | 'test' = 'live'): Promise<Answer> =>
  gateway.call('GET', `${path}${query}`, { as: shop[as] });

async function shopWithFunding(): Promise<Shop> {
  const shop = await openShop(gateway);
  await gateway.database.query(
    `insert into funding_currencies (merchant_id, environment, currency)
     select m.id, e.environment, 'NGN'
     from merchants m
     cross join (values ('live'), ('test')) as e(environment)
     where m.code = $1`,
    [shop.code],
  );
  return shop;
}

describe('a registration', () => {
  it('opens an account, which later calls and lookups return', async () => {
    const shop = await shopWithFunding();
    assertRefused(await get(shop), 404);
    const body = person({ date_of_birth: '1990-02-28' });
    const opened = await post(shop, body);
    assert.equal(opened.status, 200, opened.text);
    const { account_number: number, ...rest } = opened.body.result;
    assert.equal(opened.body.state, 'ok');
    assert.match(number, /^60\d{8}$/);
    assert.deepEqual(rest, {
      account_name: 'Ada Obi',
      bank_name: 'Wema Bank',
      currency: 'NGN',
      status: 'active',
      id_document_uploaded: false,
      convenience_fee: '100.00',
    });
    assert.deepEqual((await post(shop, person())).body, opened.body);
    for (const sent of [
      {},
      undefined,
      '',
      { bvn: '12' },
      { bvn: 7, email: [] },
      { currency: 'ngn', bvn: '' },
    ]) {
      const later = await post(shop, sent);
      assert.deepEqual(later.body, opened.body, later.text);
    }
    for (const fields of [{}, { bvn: '12', date_of_birth: 'x' }]) {
      assert.deepEqual((await postForm(shop, fields, [])).body, opened.body);
    }
    assertRefused(await post(shop, '{'), 400);
    assertRefused(await post(shop, { currency: 'XYZ' }), 400, 'currency');
    assert.deepEqual((await get(shop)).body, opened.body);
    assert.deepEqual((await get(shop, '?currency=NGN')).body, opened.body);
  });

  it('gets an account at the sandbox bank with test credentials', async () => {
    const shop = await shopWithFunding();
    const opened = await post(shop, person(), 'test');
    assert.equal(opened.status, 200, opened.text);
    assert.equal(opened.body.result.bank_name, 'Oja Sandbox Bank');
    assertRefused(await get(shop), 404);
  });

  it('refuses a currency that is not enabled', async () => {
    const shop = await openShop(gateway);
    assertRefused(await post(shop, person()), 403);
    assertRefused(await get(shop), 403);
    const enabled = await shopWithFunding();
    assertRefused(await post(enabled, person({ currency: 'USD' })), 403);
    assertRefused(await get(enabled, '?currency=USD'), 403);
  });

  it('names every required field of a first registration', async () => {
    const shop = await shopWithFunding();
    for (const field of ['bvn', 'email', 'first_name', 'last_name', 'phone_number']) {
      assertRefused(await post(shop, without(person(), field)), 422, field);
    }
    const nothing = await post(shop, {});
    assert.deepEqual(nothing.body.errors.map((fault: { field: string }) => fault.field).sort(), [
      'bvn',
      'email',
      'first_name',
      'last_name',
      'phone_number',
    ]);
    assertRefused(await get(shop), 404);
  });

  const wrong: readonly (readonly [field: string, value: unknown])[] = [
    ['currency', 'XYZ'],
    ['bvn', '1234567890'],
    ['bvn', '123456789012'],
    ['bvn', 22_222_222_222],
    ['bvn', '2222222222a'],
    ['email', 'ada'],
    ['email', 'ada@example'],
    ['email', 'a b@example.com'],
    ['first_name', ' Ada'],
    ['first_name', 'A\u0000da'],
    ['first_name', 'x'.repeat(51)],
    ['last_name', 7],
    ['phone_number', '0803'],
    ['phone_number', '+0803123456'],
    ['date_of_birth', '1990-02-30'],
    ['date_of_birth', '17/04/1990'],
    ['date_of_birth', '1850-01-01'],
    ['date_of_birth', new Date().toISOString().slice(0, 10)],
    ['date_of_birth', '9999-01-01'],
    ['id_card', 'aGVsbG8='],
  ];
  for (const [field, value] of wrong) {
    it(`refuses ${field} ${JSON.stringify(value)?.slice(0, 30)}`, async () => {
      const shop = await shopWithFunding();
      assertRefused(await post(shop, person({ [field]: value })), 400, field);
      assertRefused(await get(shop), 404);
    });
  }

  it('treats an empty field as absent', async () => {
    const shop = await shopWithFunding();
    for (const field of ['bvn', 'email', 'first_name']) {
      assertRefused(await post(shop, person({ [field]: '' })), 422, field);
    }
    assert.equal((await post(shop, person({ currency: '', date_of_birth: '' }))).status, 200);
  });

  it('refuses a body that is not an object, not JSON or too large', async () => {
    const shop = await shopWithFunding();
    for (const body of ['[]', '"x"', '{', '', JSON.stringify({ email: 'x'.repeat(70_000) })]) {
      assertRefused(await post(shop, body), 400);
    }
    assertRefused(await get(shop, '?currency=XYZ'), 400, 'currency');
  });

  it('lets a merchant correct data that the bank refused', async () => {
    const shop = await shopWithFunding();
    const sent = person({ bvn: '00000000000' });
    const refused = await post(shop, sent);
    assertRefused(refused, 400, { reason: 'registration_refused' });
    // The bank's own text.
    assert.ok(refused.body.message.includes('Invalid BVN'));
    // The bank's message quotes the person, and another person whom it finds by the BVN.
    const stored = await gateway.database.query(
      'select a.* from funding_accounts a join merchants m on m.id = a.merchant_id where m.code = $1',
      [shop.code],
    );
    const kept = JSON.stringify([refused.body, stored], (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    for (const word of ['00000000000', String(sent.email), 'Ada', 'Obi', 'CHIDI', 'OKAFOR']) {
      assert.ok(!kept.includes(word), `${word} in ${kept}`);
    }
    assertRefused(await get(shop), 404);
    assert.equal((await post(shop, { bvn: '22999999999' })).body.result?.status, 'active');
  });

  it('refuses a BVN that has an account already, and notifies an operator', async () => {
    const [one, other] = [await shopWithFunding(), await shopWithFunding()];
    const body = person();
    assert.equal((await post(one, body)).status, 200);
    assertRefused(await post(other, { ...person(), bvn: body.bvn }), 400);
    const alarms = await gateway.database.query("select 1 from alarms where kind = 'funding_refused'");
    assert.equal(alarms.length, 1);
  });
});

describe('many registrations at once', () => {
  it('many registrations at once make one account', async () => {
    const shop = await shopWithFunding();
    await spoilBank(bank.url, { fault: 'slow', operation: 'account', delay_ms: 400, times: 1 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(shop, person())));
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
    assert.equal(new Set(answers.map((answer) => answer.body.result.account_number)).size, 1);
    const rows = await gateway.database.query(
      'select tries from funding_accounts a join merchants m on m.id = a.merchant_id where m.code = $1',
      [shop.code],
    );
    assert.deepEqual(rows, [{ tries: 1 }]);
  });
});

describe('a bank in trouble', () => {
  for (const [what, rule] of [
    ['that is down', { fault: 'error_5xx' }],
    ['that answers with a page', { fault: 'html_page' }],
    ['whose answer is lost after it opened the account', { fault: 'error_5xx', delivered: true }],
    ['that refuses too many calls', { fault: 'rate_limited' }],
  ] as const) {
    it(`answers ${what} with 502 at most, and opens the account later, once`, async () => {
      const shop = await shopWithFunding();
      // Every query, because the background also queries for other shops.
      const trouble = { operation: 'requery', fault: 'error_5xx' };
      await spoilBank(bank.url, { ...rule, operation: 'account', times: 1 }, trouble);
      const body = person();
      assertRefused(await post(shop, body), 502);
      const waiting = await get(shop);
      assert.equal(waiting.status, 200, waiting.text);
      assert.equal(waiting.body.result.status, 'pending');
      assert.equal(waiting.body.result.account_number, null);
      await spoilBank(bank.url);
      // A repeat of the same request continues where the first stopped, once the bank is available
      // again.
      const again = await eventually('the bank is called', async () => {
        const answer = await post(shop, body);
        return answer.status === 502 ? undefined : answer;
      });
      assert.equal(again.status, 200, again.text);
      assert.equal(again.body.result.status, 'active');
    });
  }

  it('queries the bank again in the background', async () => {
    const shop = await shopWithFunding();
    await spoilBank(
      bank.url,
      { fault: 'error_5xx', operation: 'account', times: 1 },
      { fault: 'error_5xx', operation: 'requery', times: 1 },
    );
    assertRefused(await post(shop, person()), 502);
    await eventually('the account is open', async () => {
      const answer = await get(shop);
      return answer.body.result?.status === 'active' ? true : undefined;
    });
  });
});

describe('an ID document', () => {
  for (const [kind, bytes] of [
    ['image/png', png],
    ['application/pdf', pdf],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
  ] as const) {
    it(`accepts a document of ${kind} under any name, and keeps it sealed`, async () => {
      const shop = await shopWithFunding();
      const opened = await postForm(shop, person(), [{ bytes, name: 'evil.exe' }]);
      assert.equal(opened.status, 200, opened.text);
      assert.equal(opened.body.result.id_document_uploaded, true);
      assert.equal((await get(shop)).body.result.id_document_uploaded, true);
      const [row] = await gateway.database.query<{ media_type: string; sealed: Buffer }>(
        `select media_type, sealed
         from funding_documents d
         join merchants m on m.id = d.merchant_id
         where m.code = $1`,
        [shop.code],
      );
      assert.equal(row?.media_type, kind);
      assert.ok(row.sealed.length > bytes.length && !row.sealed.includes(bytes.subarray(0, 20)));
    });
  }

  it('accepts a document later', async () => {
    const shop = await shopWithFunding();
    assert.equal((await post(shop, person())).body.result.id_document_uploaded, false);
    const later = await postForm(shop, {}, [{ bytes: pdf }]);
    assert.equal(later.body.result.id_document_uploaded, true);
  });

  it('stores a document that arrives while another request queries the bank', async () => {
    const shop = await shopWithFunding();
    await spoilBank(bank.url, { fault: 'slow', operation: 'account', delay_ms: 1_500, times: 1 });
    const body = person();
    const first = post(shop, body);
    await eventually('the bank is asked', async () => {
      const rows = await gateway.database.query(
        'select from funding_accounts a join merchants m on m.id = a.merchant_id where m.code = $1',
        [shop.code],
      );
      return rows.length === 1 ? true : undefined;
    });
    const answers = await Promise.all([first, postForm(shop, body, [{ bytes: png }])]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.equal((await get(shop)).body.result.id_document_uploaded, true);
  });

  it('keeps the first document, but still validates another one', async () => {
    const shop = await shopWithFunding();
    assert.equal((await postForm(shop, person(), [{ bytes: pdf }])).status, 200);
    const documents = (): Promise<unknown[]> =>
      gateway.database.query(
        `select d.xmin::text, d.media_type, d.sealed
         from funding_documents d
         join merchants m on m.id = d.merchant_id
         where m.code = $1`,
        [shop.code],
      );
    const stored = await documents();
    const again = await postForm(shop, {}, [{ bytes: png }]);
    assert.deepEqual([again.status, again.body.result?.id_document_uploaded], [200, true], again.text);
    assert.deepEqual(await documents(), stored);
    assertRefused(await postForm(shop, {}, [{ bytes: Buffer.from('no picture') }]), 400, 'id_card');
    const tooLarge = Buffer.concat([png, Buffer.alloc(5 * 1_048_576)]);
    assertRefused(await postForm(shop, {}, [{ bytes: tooLarge }]), 400, 'id_card');
  });

  it('refuses a document of another kind, empty, or under another field', async () => {
    const shop = await shopWithFunding();
    const html = Buffer.from('<!doctype html><script>alert(1)</script>');
    assertRefused(await postForm(shop, person(), [{ bytes: html }]), 400, 'id_card');
    assertRefused(await postForm(shop, person(), [{ bytes: Buffer.alloc(0) }]), 400, 'id_card');
    assertRefused(await postForm(shop, person(), [{ bytes: png, field: 'photo' }]), 400);
    assertRefused(await postForm(shop, person(), [{ bytes: png }, { bytes: png }]), 400, 'id_card');
    assertRefused(await get(shop), 404);
  });

  it('accepts 5 MB, and not one byte more', async () => {
    const limit = 5 * 1_048_576;
    const shop = await shopWithFunding();
    const tooLarge = Buffer.concat([png, Buffer.alloc(limit + 1 - png.length)]);
    assertRefused(await postForm(shop, person(), [{ bytes: tooLarge }]), 400, 'id_card');
    const whole = await postForm(shop, person(), [{ bytes: tooLarge.subarray(0, limit) }]);
    assert.equal(whole.status, 200, whole.text);
  });

  it('validates the document with the fields of its form', async () => {
    const shop = await shopWithFunding();
    assertRefused(await postForm(shop, without(person(), 'email'), [{ bytes: png }]), 422, 'email');
    assertRefused(await postForm(shop, person({ bvn: '12' }), [{ bytes: png }]), 400, 'bvn');
    assertRefused(await postForm(shop, person({ id_card: 'text' }), []), 400, 'id_card');
    assertRefused(await postForm(shop, person({ email: 'x'.repeat(5_000) }), []), 400, 'email');
  });

  it('refuses a truncated or malformed form', async () => {
    const shop = await shopWithFunding();
    const send = (type: string, body: string): Promise<Answer> =>
      gateway.call('POST', path, { as: shop.live, body, headers: { 'content-type': type } });
    const part = '--x\r\ncontent-disposition: form-data; name="email"\r\n\r\nada';
    assertRefused(await send('multipart/form-data; boundary=x', part), 400);
    assertRefused(await send('multipart/form-data', part), 400);
    const many = Array.from({ length: 40 }, (_, index) => part.replace('email', `f${index}`)).join('\r\n');
    assertRefused(await send('multipart/form-data; boundary=x', `${many}\r\n--x--\r\n`), 400);
  });

  it('lets no other route accept a form or a large body', async () => {
    const shop = await shopWithFunding();
    const answer = await gateway.call('POST', '/v1/transactions/airtime/sync', {
      as: shop.live,
      body: 'x'.repeat(100_000),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    assertRefused(answer, 400);
  });
});

describe('a request for an account without a key', () => {
  it('returns the same account at the portal, words every refusal, and stores no personal data', async () => {
    const shop = await shopWithFunding();
    const ask = async (...flags: readonly string[]) => {
      const settings = { DATABASE_URL: gateway.databaseUrl, OJA_DATA_DIR: gateway.dataDir };
      return await runOja(settings, ['funding', 'open', shop.code, '--env', 'test', '--json', ...flags]);
    };
    const missing = await ask('--first-name', 'Ada');
    assert.notEqual(missing.code, 0);
    assert.match(missing.err, /\bbvn\b/);
    const full = [
      ...['--first-name', 'Ada', '--last-name', 'Okoro-Hidden', '--email', 'hidden@example.com'],
      ...['--phone', '0803 123-4567', '--bvn', '22888888888'],
    ];
    for (const phone of ['-------', '0000000', '+12345', '01 234 5678', '+0803 123 4567']) {
      const nobody = await ask(...full, '--phone', phone);
      assert.notEqual(nobody.code, 0, phone);
      assert.match(nobody.err, /\bphone\b/, phone);
    }
    const young = await ask(...full, '--birthday', '2020-01-01');
    assert.notEqual(young.code, 0);
    const none = await ask(...full, '--currency', 'USD');
    assert.notEqual(none.code, 0);
    assert.match(none.err, /\bUSD\b/);
    const opened = await ask(...full);
    assert.equal(opened.code, 0, opened.err);
    const { data } = JSON.parse(opened.out);
    assert.equal(data.status, 'active');
    const again = JSON.parse((await ask()).out);
    assert.equal(again.data.account_number, data.account_number);
    const over = await gateway.call('GET', `${path}?currency=NGN`, { as: shop.test });
    assert.equal(over.body.result.account_number, data.account_number);
    const entries = await gateway.database.query(
      "select after from audit_log where action = 'funding.open' and subject = $1",
      [`merchant:${shop.code}`],
    );
    assert.equal(entries.length, 2);
    assert.doesNotMatch(JSON.stringify(entries), /Hidden|hidden@|22888888888/);
  });
});

describe('a person’s data', () => {
  it('personal data are nowhere in the log, and sealed in the database', async () => {
    const shop = await shopWithFunding();
    const body = person({
      bvn: '22777777777',
      email: 'secret.person@example.com',
      last_name: 'Okonkwo-Secret',
    });
    assert.equal((await postForm(shop, body, [{ bytes: png }])).status, 200);
    const [row] = await gateway.database.query<{ sealed: string; bvn_ending: string }>(
      `select sealed, bvn_ending
       from funding_identities i
       join merchants m on m.id = i.merchant_id
       where m.code = $1
       and i.environment = 'live'`,
      [shop.code],
    );
    assert.equal(row?.bvn_ending, '77');
    const said = row.sealed + gateway.output();
    for (const secret of ['22777777777', 'secret.person', 'Okonkwo-Secret'])
      assert.ok(!said.includes(secret));
  });
});
