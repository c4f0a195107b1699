/**
 * Passkeys, the merchants' portal, e-mails with links, and access that ends with a user or session.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operations, rolesOf } from '../../../src/backoffice/operations/registry.ts';
import type { Mail } from '../../../src/backoffice/users/compose-mail.ts';
import { deleteExpired } from '../../../src/backoffice/users/expired-store.ts';
import { sendUserMails } from '../../../src/backoffice/users/send-mails.ts';
import { mayWait } from '../../../src/core/operation.ts';
import { isPage } from '../../../src/core/operation-fields.ts';
import { type Browser, type ConsoleTest, codeOf, password, startConsole, tokenOf } from './harness.ts';
import { SoftwarePasskey } from './software-passkey.ts';

let test: ConsoleTest;
const origin = 'http://localhost:8082';

before(async () => {
  test = await startConsole();
  for (const code of ['SHOP', 'OTHER']) {
    await test.admin.run('merchant.create', { code, name: `${code} & Sons` });
  }
});
after(() => test[Symbol.asyncDispose]());

describe('a passkey', () => {
  async function register(browser: Browser, passkey: SoftwarePasskey, from?: string) {
    const { data } = (await browser.post('/api/second-factor/passkeys/begin')).body;
    const answer = passkey.register(data, from);
    return await browser.post('/api/second-factor/passkeys/confirm', { passkey: answer, label: 'My phone' });
  }

  async function signIn(browser: Browser, passkey: SoftwarePasskey, from?: string) {
    const { data } = (await browser.post('/api/sign-in/passkey/options')).body;
    return await browser.post('/api/sign-in/passkey', { passkey: passkey.answer(data, from) });
  }

  it('counts a passkey as both factors, once, only here, for a verified user', async () => {
    const own = await test.person('keys@shop.example', ['admin']);
    const passkey = new SoftwarePasskey(origin);
    const elsewhere = await register(own.browser, passkey, 'https://evil.example');
    assert.equal(elsewhere.status, 401);
    assert.equal((await register(own.browser, passkey)).status, 200);
    const { passkeys } = (await own.browser.get('/api/session')).body.data.second_factor;
    assert.deepEqual([passkeys.length, passkeys[0].label], [1, 'My phone']);

    const browser = test.browser();
    assert.equal((await signIn(browser, passkey)).body.data.next, 'done');
    assert.equal((await browser.get('/api/session')).status, 200);

    assert.equal((await signIn(test.browser(), passkey, 'https://evil.example')).status, 401);
    passkey.isVerified = false;
    assert.equal((await signIn(test.browser(), passkey)).status, 401);
    passkey.isVerified = true;
    assert.equal((await signIn(test.browser(), new SoftwarePasskey(origin))).status, 401);

    const { data } = (await browser.post('/api/sign-in/passkey/options')).body;
    const answer = { passkey: passkey.answer(data) };
    const twice = await Promise.all([
      test.browser().post('/api/sign-in/passkey', answer),
      test.browser().post('/api/sign-in/passkey', answer),
    ]);
    assert.deepEqual(twice.map(({ status }) => status).sort(), [200, 401]);
    // A copy of the device counts from where it was copied.
    passkey.counter = 1;
    assert.equal((await signIn(test.browser(), passkey)).status, 401);
    passkey.counter = 100;
    assert.equal((await signIn(test.browser(), passkey)).status, 200);
    // The portal does not know it.
    const { data: other } = (await test.browser('portal').post('/api/sign-in/passkey/options')).body;
    const atPortal = await test
      .browser('portal')
      .post('/api/sign-in/passkey', { passkey: passkey.answer(other) });
    assert.equal(atPortal.status, 401);
  });

  it('a passkey is the second factor of its user only, and steps a session up', async () => {
    const ada = await test.person('second@shop.example', ['admin']);
    const ben = await test.person('third@shop.example', ['admin']);
    const [adas, bens] = [new SoftwarePasskey(origin), new SoftwarePasskey(origin)];
    await register(ada.browser, adas);
    await register(ben.browser, bens);
    const browser = test.browser();
    await browser.post('/api/sign-in', { email: ada.email, password });
    const { data } = (await browser.post('/api/sign-in/passkey/options')).body;
    assert.deepEqual(
      data.allowCredentials.map(({ id }: { id: string }) => id),
      [adas.id],
    );
    assert.equal((await signIn(browser, bens)).status, 401);
    assert.equal((await signIn(browser, adas)).status, 200);

    await test.admin.database.query('update user_sessions set stepped_up_until = null');
    assert.equal(
      (await browser.run('credential.issue', { merchant: 'SHOP', environment: 'test' })).status,
      403,
    );
    const step = async (passkey: SoftwarePasskey) => {
      const { data: asked } = (await browser.post('/api/step-up/passkey/options')).body;
      return (await browser.post('/api/step-up', { passkey: passkey.answer(asked) })).status;
    };
    assert.equal(await step(bens), 401);
    assert.equal(await step(adas), 200);
    assert.equal(
      (await browser.run('credential.issue', { merchant: 'SHOP', environment: 'test' })).status,
      200,
    );
    const removed = await browser.post('/api/second-factor/passkeys/remove', { id: bens.id });
    assert.deepEqual([removed.status, removed.body.error.code], [404, 'no_passkey']);
    assert.equal((await browser.post('/api/second-factor/passkeys/remove', { id: adas.id })).status, 200);
    assert.equal((await signIn(test.browser(), adas)).status, 401);
  });
});

describe('the portal', () => {
  it('runs the operations of merchants’ users, and never for another merchant', async () => {
    const owner = await test.person('owner@shop.example', ['owner'], 'SHOP');
    const other = await test.person('owner@other.example', ['owner'], 'OTHER');
    await test.admin.run('wallet.credit', {
      merchant: 'OTHER',
      amount: '777.77',
      environment: 'test',
      memo: 'x',
    });
    const { data: session } = (await owner.browser.get('/api/session')).body;
    assert.deepEqual(
      [session.face, session.merchant, session.roles],
      ['portal', { code: 'SHOP', name: 'SHOP & Sons' }, ['owner']],
    );
    const foreign = await makeForeign();
    const before = await foreign.stored();
    const open = operations.filter(({ portal }) => portal !== undefined);
    assert.deepEqual(
      session.operations,
      open.map(({ name }) => name),
    );
    for (const operation of operations) {
      const { name, portal, input } = operation;
      // More calls than one address may send at a time.
      const browser = test.browser('portal');
      for (const [cookie, value] of owner.browser.cookies) browser.cookies.set(cookie, value);
      if (portal === undefined) {
        const refused = await browser.run(name, { merchant: 'SHOP' });
        assert.deepEqual([refused.status, refused.body.error.code], [403, 'role_lacking'], name);
        continue;
      }
      assert.ok('merchant' in input.properties, `${name} takes a merchant`);
      assert.ok(!mayWait(operation), name);
      const asked = inputFor(operation, foreign.named);
      const noText = [['OTHER'], { code: 'OTHER', toString: null }];
      for (const merchant of ['OTHER', 'other', 'NOBODY', ' OTHER', ...noText]) {
        const refused = await browser.run(name, { ...asked, merchant });
        assert.deepEqual([refused.status, refused.body.error.code], [404, 'no_merchant'], name);
      }
      if (operation.kind === 'question' && isPage(operation.output)) {
        const given = encodeURIComponent(JSON.stringify({ ...asked, merchant: 'OTHER' }));
        assert.equal((await browser.get(`/api/csv/${name}?input=${given}`)).status, 404, name);
      }
      const own = await browser.run(name, asked);
      const told = JSON.stringify(own.body);
      // A filter by another merchant's value returns an empty list.
      const isEmpty = own.status === 200 && Array.isArray(own.body.data) && own.body.data.length === 0;
      const namesForeign = Object.entries(asked).some(([field, value]) => foreign.named[field] === value);
      const isRight = own.status === 404 || isEmpty || (own.status === 200 && !namesForeign);
      assert.ok(isRight, `${name}: ${told}`);
      assert.ok(
        own.status === 404 || !/OTHER|other\.example|777\.77/.test(told),
        `${name} tells of another merchant: ${told}`,
      );
    }
    const [members] = await test.admin.database.query(
      'select u.roles, u.suspended_at, (select count(*)::integer from user_sessions s where s.user_id = u.id and s.ended_at is null) as sessions from users u where email = $1',
      [other.email],
    );
    assert.deepEqual(members, { roles: ['owner'], suspended_at: null, sessions: 1 });
    assert.deepEqual(await foreign.stored(), before, 'nothing of the other merchant has changed');
  });

  /**
   * Identifiers of the merchant OTHER, by the field that takes them, and all that is stored about
   * them.
   */
  async function makeForeign() {
    const { admin } = test;
    const merchant = 'OTHER';
    const issued = await admin.run('credential.issue', { merchant, environment: 'test', label: 'of OTHER' });
    const url = 'https://other.example/hooks';
    const endpoint = await admin.run('webhook.create', { merchant, environment: 'test', url });
    const sent = await admin.run('webhook.test', { endpoint: endpoint.id });
    const voucher = { merchant, environment: 'test', value: '5', count: 1 };
    const { vouchers } = await admin.run('voucher.issue', voucher);
    await admin.database.query(
      `insert into purchases (merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge,
         wallet_id, mode, route)
       select id, 'test', gen_random_uuid(), 'of-OTHER-1', 'airtime', 'MTN', '08031234567', '2348031234567', 500, 500, 0, 'sync', 'sandbox'
       from merchants
       where code = 'OTHER'`,
    );
    await admin.database.query(
      `insert into deposits (id, provider, provider_reference, environment, currency, paid_to, merchant_id, gross, fee, paid_at)
       select gen_random_uuid(), 'monnify', 'of-OTHER', 'test', 'NGN', 'OTHER', id, 77777, 0, now()
       from merchants
       where code = 'OTHER'`,
    );
    const [batch] = await admin.database.query<{ id: string }>(
      `insert into batches (merchant_id, id, environment, hash, name, credential_id, created_by, heads, row_count, duplicates,
         face_value, charge)
       select id, gen_random_uuid(), 'test', 'of-OTHER', 'of OTHER', '', '', '[]', 1, 0, 500, 500
       from merchants
       where code = 'OTHER'
       returning id`,
    );
    const recipient = await admin.run('recipient.add', {
      merchant,
      name: 'of OTHER',
      product: 'airtime',
      network: 'MTN',
      number: '08031234567',
    });
    const named: Readonly<Record<string, unknown>> = {
      recipient: recipient.id,
      batch: batch?.id,
      email: 'owner@other.example',
      credential: issued.key,
      endpoint: endpoint.id,
      delivery: sent.delivery,
      voucher: vouchers[0].id,
      reference: 'of-OTHER-1',
    };
    const stored = async () =>
      await Promise.all(
        [
          'credentials',
          'webhook_endpoints',
          'batches',
          'webhook_deliveries',
          'wallet_owners',
          'purchases',
          'receipts',
          'shops',
          'saved_recipients',
          'vouchers',
        ].map((table) =>
          admin.database.query(
            `select t.* from ${table} t join merchants m on m.id = t.merchant_id where m.code = 'OTHER'`,
          ),
        ),
      );
    return { named, stored };
  }

  const harmless: Readonly<Record<string, unknown>> = {
    environment: 'test',
    roles: ['viewer'],
    url: 'https://shop.example/hooks',
    since: '24h',
    reason: 'it is not ours',
    secret: 'is-not-known',
    number: '08000000101',
    csv: 'Phone,Network,Amount\n08000000101,MTN,100',
    channel: 'sms',
    to: '08031234567',
    name: 'Shop',
    product: 'airtime',
    network: 'MTN',
    amount: '100',
  };

  /**
   * Every required field. Fields that identify something identify an object of the other merchant.
   */
  function inputFor(
    { name, input }: (typeof operations)[number],
    foreign: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    if (name === 'team.invite') return { email: 'new@shop.example', roles: ['viewer'], link: true };
    if (name === 'funding.open') return { environment: 'test', email: 'ada@shop.example' };
    // One of csv and xlsx is needed.
    if (name === 'batch.create') return { credential: foreign.credential, csv: harmless.csv };
    if (name === 'wallet.set_alert') return { environment: 'test', threshold: '5' };
    const required = (input.required ?? []) as readonly string[];
    const fields = Object.keys(input.properties).filter(
      (field) => field !== 'merchant' && (required.includes(field) || field in foreign),
    );
    const given = fields.map((field) => {
      const fallback: unknown = Reflect.get(input.properties[field] ?? {}, 'default');
      const value = foreign[field] ?? fallback ?? harmless[field];
      assert.ok(
        value !== undefined,
        `${name} needs a value for ${field}: that of the other merchant, or any`,
      );
      return [field, value] as const;
    });
    return Object.fromEntries(given);
  }

  it('pays in play money with a test key of the merchant, and refuses any other key', async () => {
    const { browser } = await test.person('tries@shop.example', ['developer'], 'SHOP');
    const sent: unknown[] = [];
    const message = { headers: {}, body: '{}' };
    const told = {
      request: { method: 'POST', path: '/v1/test/deposits', ...message },
      answer: { status: 200, ...message, took_ms: 3 },
    };
    Object.assign(test.admin.services, {
      payInOverApi: async (deposit: unknown) => {
        sent.push(deposit);
        return told;
      },
    });
    const secret = 'is-not-known';
    const deposit = { secret, amount: '5000.00', reference: 'deposit-1' };
    const keyOf = async (merchant: string, environment: string): Promise<string> =>
      (await test.admin.run('credential.issue', { merchant, environment })).key;
    const credential = await keyOf('SHOP', 'test');
    for (const [key, status, code] of [
      [await keyOf('SHOP', 'live'), 409, 'credential_live'],
      [await keyOf('OTHER', 'test'), 404, 'no_credential'],
      ['oja_test_nobody', 404, 'no_credential'],
    ] as const) {
      const refused = await browser.run('deposit.try', { ...deposit, credential: key });
      assert.deepEqual([refused.status, refused.body.error.code], [status, code]);
    }
    const malformed = await browser.run('deposit.try', { ...deposit, credential, amount: '-5' });
    assert.deepEqual([malformed.status, malformed.body.error.field], [400, 'amount']);
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    const path = '/api/operations/deposit.try';
    assert.equal((await browser.post(path, { ...deposit, credential }, elsewhere)).status, 403);
    const viewer = await test.person('looks@shop.example', ['viewer', 'finance'], 'SHOP');
    const lacking = await viewer.browser.run('deposit.try', { ...deposit, credential });
    assert.deepEqual([lacking.status, lacking.body.error.code], [403, 'role_lacking']);
    assert.deepEqual(sent, []);
    const paid = await browser.run('deposit.try', { ...deposit, credential });
    assert.deepEqual([paid.status, paid.body.data], [200, told]);
    assert.deepEqual(sent, [{ ...deposit, credential, merchant: 'SHOP' }]);
    const { data: entries } = await test.admin.run('audit_log.list', { subject: `credential:${credential}` });
    assert.deepEqual([entries[0].action, entries[0].edge], ['deposit.try', 'portal']);
    assert.doesNotMatch(JSON.stringify(entries), new RegExp(secret));
  });

  it('accepts an identity document with a funding account, checked by its bytes', async () => {
    const { browser } = await test.person('pays@shop.example', ['finance'], 'SHOP');
    const documents: unknown[] = [];
    const { openFunding } = test.admin.services;
    Object.assign(test.admin.services, {
      openFunding: async (registrant: never, registration: { readonly document: unknown }) => {
        documents.push(registration.document);
        return { ...(await openFunding?.(registrant, registration as never)), documentUploaded: true };
      },
    });
    const asked = { environment: 'test', currency: 'NGN' };
    const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n');
    const open = async (document: unknown) => await browser.run('funding.open', { ...asked, document });
    for (const wrong of [
      Buffer.from('no picture').toString('base64'),
      Buffer.concat([pdf, Buffer.alloc(5 * 1_048_576)]).toString('base64'),
      '***',
      '',
      7,
    ]) {
      const { status, body } = await open(wrong);
      assert.deepEqual([status, body.error.field, body.error.fields.length], [400, 'document', 1]);
    }
    const document = pdf.toString('base64');
    const path = '/api/operations/funding.open';
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    assert.equal((await browser.post(path, { ...asked, document }, elsewhere)).status, 403);
    const other = await test.person('dev2@shop.example', ['developer'], 'SHOP');
    assert.equal((await other.browser.run('funding.open', { ...asked, document })).status, 403);
    await test.admin.database.query('update user_sessions set stepped_up_until = null');
    assert.equal((await open(document)).body.error.code, 'step_up_needed');
    assert.deepEqual(documents, []);
    await browser.post('/api/step-up', { password });
    const taken = await open(document);
    assert.deepEqual([taken.status, taken.body.data.document_uploaded], [200, true]);
    assert.deepEqual(documents, [{ mediaType: 'application/pdf', bytes: pdf }]);
    const [entry] = (await test.admin.run('audit_log.list', { subject: 'merchant:SHOP' })).data;
    assert.deepEqual([entry.action, entry.after.document], ['funding.open', 'application/pdf']);
    assert.ok(!JSON.stringify(entry).includes(document));
  });

  it('lets developers create, rotate, cap and revoke keys, but not choose their rate', async () => {
    const { browser } = await test.person('dev@shop.example', ['developer'], 'SHOP');
    const input = {
      environment: 'live',
      label: 'till 4',
      ip: ['203.0.113.7'],
      expires_in: '90d',
      per_purchase: '5000',
    };
    const refused = await browser.run('credential.issue', { ...input, rate: 0 });
    assert.deepEqual([refused.status, refused.body.error.code], [400, 'input_malformed']);
    const { fields, message } = refused.body.error;
    assert.deepEqual(
      fields.map(({ field }: { field: string }) => field),
      ['rate'],
    );
    // It contains the fields that the portal offers. The rate is not one of them.
    assert.match(message, /\bper_day\b/);
    assert.equal(message.match(/\brate\b/g)?.length, 1);
    const { body } = await browser.run('credential.issue', input);
    const { key, secret, allowed_ips: ips, rate_limit_per_s: rate, per_purchase: cap } = body.data;
    assert.deepEqual([ips, rate, cap], [['203.0.113.7/32'], null, '5000.00']);
    assert.match(secret, /^[\w-]{43}$/);
    const capped = await browser.run('credential.set_caps', { credential: key, per_purchase: 'none' });
    assert.deepEqual([capped.body.data.per_purchase, capped.body.data.changed], [null, true]);
    const rotated = (await browser.run('credential.rotate', { credential: key, overlap: '1h' })).body.data;
    assert.equal(rotated.replaces.key, key);
    const revoked = await browser.run('credential.revoke', { credential: rotated.key });
    assert.equal(revoked.body.data.state, 'revoked');
    const [entry] = (await test.admin.run('audit_log.list', { subject: `credential:${rotated.key}` })).data;
    assert.deepEqual([entry.action, entry.edge, entry.actor], ['credential.revoke', 'portal', 'dev']);
    await test.admin.database.query('update user_sessions set stepped_up_until = null');
    for (const [name, given] of [
      ['credential.issue', input],
      ['credential.rotate', { credential: key }],
      ['credential.set_caps', { credential: key, per_day: 'none' }],
      ['credential.revoke', { credential: key }],
      ['webhook.create', { environment: 'test', url: 'https://shop.example/hooks' }],
    ] as const) {
      assert.equal((await browser.run(name, given)).body.error.code, 'step_up_needed', name);
    }
    for (const role of ['viewer', 'finance']) {
      const own = await test.person(`no-${role}@shop.example`, [role], 'SHOP');
      assert.equal((await own.browser.run('credential.issue', input)).body.error.code, 'role_lacking', role);
    }
  });

  it('shows the payload of an event while it is stored, without goods', async () => {
    const { browser } = await test.person('payloads@shop.example', ['developer'], 'SHOP');
    const wanted = { environment: 'test', url: 'https://shop.example/payloads', include_goods: true };
    const endpoint = (await browser.run('webhook.create', wanted)).body.data.id;
    const [bought] = await test.admin.database.query<{ id: string }>(
      `insert into purchases (merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge,
         wallet_id, mode, route)
       select id, 'test', gen_random_uuid(), 'payload-1', 'airtime', 'MTN', '08031234567', '2348031234567', 500, 500, 0, 'sync', 'sandbox'
       from merchants
       where code = 'SHOP'
       returning id`,
    );
    const deliver = async (type: string, purchase: string | null) => {
      const [row] = await test.admin.database.query<{ id: string }>(
        `insert into webhook_deliveries (merchant_id, environment, id, endpoint_id, event_id, event_type, purchase_id, event_at, state,
           http_status, answer)
         select id, 'test', gen_random_uuid(), $1, gen_random_uuid(), $2, $3, now(), 'failed', 500, 'not today'
         from merchants
         where code = 'SHOP'
         returning id`,
        [endpoint, type, purchase],
      );
      return (await browser.run('webhook.show_delivery', { endpoint, delivery: row?.id })).body.data;
    };
    const ofPurchase = await deliver('transaction.overdue', bought?.id ?? null);
    assert.match(ofPurchase.payload, /"payload-1"/);
    assert.deepEqual(
      [ofPurchase.goods_left_out, ofPurchase.http_status, ofPurchase.answer],
      [true, 500, 'not today'],
    );
    assert.equal((await deliver('transaction.success', endpoint)).payload, null);
    assert.equal((await deliver('wallet.low', null)).payload, null);
  });

  it('lets developers create, change, test, replay, rotate and delete webhook endpoints', async () => {
    const { browser } = await test.person('hooks@shop.example', ['developer'], 'SHOP');
    const environment = 'live';
    for (const url of [
      'http://shop.example/hooks',
      'https://10.0.0.1/hooks',
      'https://shop.example:99/',
      'shop.example',
    ]) {
      const refused = await browser.run('webhook.create', { environment, url });
      const { code, field } = refused.body.error;
      assert.deepEqual([refused.status, code, field], [400, 'input_malformed', 'url'], url);
    }
    const events = ['order.success', 'transaction.success', 'order.success'];
    const made = await browser.run('webhook.create', {
      environment,
      url: 'https://shop.example/hooks',
      events,
    });
    const { id: endpoint, secret } = made.body.data;
    assert.match(secret, /^whsec_/);
    assert.deepEqual(made.body.data.events, ['transaction.success', 'order.success']);
    const changed = await browser.run('webhook.change', { endpoint, description: 'the shop', events: [] });
    assert.deepEqual([changed.body.data.description, changed.body.data.events], ['the shop', []]);
    const sent = (await browser.run('webhook.test', { endpoint })).body.data;
    const replayed = await browser.run('webhook.replay_delivery', { endpoint, delivery: sent.delivery });
    assert.equal(replayed.body.data.event_type, 'endpoint.test');
    const deliveries = (await browser.run('webhook.deliveries', { endpoint })).body.data;
    assert.deepEqual(
      deliveries.map(({ id }: { id: string }) => id),
      [sent.delivery],
    );
    const shown = await browser.run('webhook.show_delivery', { endpoint, delivery: sent.delivery });
    const { payload, headers, goods_left_out: isCut } = shown.body.data;
    const told = JSON.parse(payload);
    assert.deepEqual([told.id, told.type, isCut], [headers['webhook-id'], 'endpoint.test', false]);
    assert.ok(!JSON.stringify(shown.body).includes(secret));
    const elsewhere = { endpoint: sent.delivery, delivery: sent.delivery };
    assert.equal((await browser.run('webhook.show_delivery', elsewhere)).status, 404);
    const unknown = await browser.run('webhook.show_delivery', { endpoint, delivery: endpoint });
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'no_webhook_delivery']);
    const rotated = (await browser.run('webhook.rotate', { endpoint, overlap: '0s' })).body.data;
    assert.ok(rotated.secret !== secret && rotated.old_secret_ends_at === null);
    assert.equal((await browser.run('webhook.replay', { endpoint, since: '1h' })).body.data.replayed, 0);
    const disabled = await browser.run('webhook.disable', { endpoint, reason: 'we move house' });
    assert.equal(disabled.body.data.state, 'disabled');
    const refused = await browser.run('webhook.test', { endpoint });
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'webhook_endpoint_disabled']);
    assert.equal((await browser.run('webhook.enable', { endpoint })).body.data.state, 'enabled');
    assert.deepEqual((await browser.run('webhook.delete', { endpoint })).body.data, {
      id: endpoint,
      deleted: true,
    });
    assert.equal((await browser.run('webhook.show', { endpoint })).status, 404);
    const codes = [];
    for (let count = 0; count < 6; count += 1) {
      const url = `https://shop.example/${count}`;
      codes.push((await browser.run('webhook.create', { environment, url })).body.error?.code);
    }
    assert.deepEqual(codes, [...Array(5).fill(undefined), 'webhook_endpoints_full']);
  });

  it('separates roles, and the two listeners', async () => {
    const viewer = await test.person('viewer@shop.example', ['viewer'], 'SHOP');
    assert.equal((await viewer.browser.run('wallet.show')).status, 200);
    for (const operation of ['team.invite', 'team.reset', 'wallet.set_alert', 'team.list_sessions']) {
      assert.equal((await viewer.browser.run(operation, {})).status, 403, operation);
    }
    const admin = await test.person('boss@oja.example', ['admin']);
    const stranger = test.browser('portal');
    for (const [name, value] of admin.browser.cookies) stranger.cookies.set(name, value);
    stranger.cookies.set('__Host-oja_portal', admin.browser.cookies.get('__Host-oja_console') ?? '');
    assert.equal((await stranger.get('/api/session')).status, 401);
    const crossed = test.browser('console');
    crossed.cookies.set('__Host-oja_console', viewer.browser.cookies.get('__Host-oja_portal') ?? '');
    assert.equal((await crossed.get('/api/session')).status, 401);
    for (const [face, email] of [
      ['portal', admin.email],
      ['console', viewer.email],
    ] as const) {
      assert.equal((await test.browser(face).post('/api/sign-in', { email, password })).status, 401);
    }
  });

  it('lets one person work for two merchants, and choose between them', async () => {
    await test.person('both@shop.example', ['viewer'], 'SHOP');
    await test.person('both@shop.example', ['viewer'], 'OTHER');
    const browser = test.browser('portal');
    const given = { email: 'both@shop.example', password };
    assert.equal((await browser.post('/api/sign-in', given)).status, 401);
    assert.equal((await browser.post('/api/sign-in', { ...given, merchant: 'other' })).status, 200);
    assert.equal((await browser.get('/api/session')).body.data.merchant.code, 'OTHER');
  });

  it('requires a second factor from users who have one, although it is optional', async () => {
    const own = await test.person('factor@shop.example', ['finance'], 'SHOP');
    assert.equal((await own.browser.post('/api/second-factor/recovery-codes')).status, 401);
    const { secret } = (await own.browser.post('/api/second-factor/totp/begin')).body.data;
    const code = codeOf(secret, -1);
    assert.equal((await own.browser.post('/api/second-factor/totp/confirm', { code })).status, 200);
    const next = await test.browser('portal').post('/api/sign-in', { email: own.email, password });
    assert.equal(next.body.data.next, 'code');
    assert.equal((await own.browser.post('/api/second-factor/totp/remove')).status, 200);
    const without = await test.browser('portal').post('/api/sign-in', { email: own.email, password });
    assert.equal(without.body.data.next, 'done');
  });
});

describe('e-mails with links', () => {
  const sent: Mail[] = [];
  const send = (isTaken: boolean) =>
    sendUserMails({
      database: test.admin.database,
      addresses: { console: 'https://console.shop.example', portal: 'https://portal.shop.example' },
      send: async (mail) => {
        sent.push(mail);
        return isTaken;
      },
      rolesOf,
    });

  it('sends a link again until the mail server accepts it; the last link works', async () => {
    await test.admin.run('team.invite', { merchant: 'SHOP', email: 'mail@shop.example', roles: ['owner'] });
    assert.equal(await send(false), 1);
    assert.equal(await send(true), 0, 'it waits');
    await test.admin.database.query('update user_mails set due_at = now()');
    assert.equal(await send(true), 1);
    assert.deepEqual(await test.admin.database.query('select 1 from user_mails'), []);
    const [first, second] = sent;
    assert.match(first?.text ?? '', /https:\/\/portal\.shop\.example\/welcome#token=[\w-]{43}\n/);
    assert.match(second?.html ?? '', /SHOP &amp; Sons/);
    const look = async (mail: Mail | undefined) => {
      const token = tokenOf((mail?.text ?? '').split('\n')[2] ?? '');
      return (await test.browser('portal').post('/api/links/look', { token })).status;
    };
    assert.deepEqual([await look(first), await look(second)], [404, 200]);
    const stored = JSON.stringify(await test.admin.database.query('select * from user_links'));
    assert.ok(!stored.includes(tokenOf((second?.text ?? '').split('\n')[2] ?? '')));
  });

  it('sends password links to known users, one for each merchant, and to no one else', async () => {
    sent.length = 0;
    for (const email of ['both@shop.example', 'nobody@shop.example', 'not an address']) {
      const asked = await test.browser('portal').post('/api/forgotten', { email });
      assert.deepEqual([asked.status, asked.body], [200, { data: { asked: true } }]);
    }
    await send(true);
    assert.deepEqual(
      sent.map(({ to }) => to),
      ['both@shop.example', 'both@shop.example'],
    );
    const token = tokenOf((sent[0]?.text ?? '').split('\n')[2] ?? '');
    const next = 'eleven purple doors in spring';
    const accepted = await test.browser('portal').post('/api/links/accept', { token, password: next });
    assert.equal(accepted.status, 200);
    const statuses = [];
    for (let asked = 0; asked < 4; asked += 1) {
      statuses.push(
        (await test.browser('portal').post('/api/forgotten', { email: 'bomb@shop.example' })).status,
      );
    }
    assert.deepEqual(statuses, [200, 200, 200, 429], 'nobody is flooded');
  });
});

describe('lists as CSV', () => {
  it('exports of lists come page by page to authorized users, without formulas for a spreadsheet', async () => {
    const own = await test.person('sheets@oja.example', ['admin']);
    for (let count = 0; count < 201; count += 1) {
      const code = `M${String(count).padStart(4, '0')}`;
      await test.admin.run('merchant.create', { code, name: count === 7 ? '=cmd("a"),x' : code });
    }
    const csv = await own.browser.get('/api/csv/merchant.list?input={}');
    assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8');
    assert.equal(csv.headers['content-disposition'], 'attachment; filename="merchant.list.csv"');
    const lines = String(csv.body).split('\r\n');
    assert.equal(lines[0], 'id,code,name,state,created_at,balances');
    assert.equal(lines.length, 1 + 203 + 1);
    assert.ok(lines.some((line) => line.includes(`,"'=cmd(""a""),x",`)));
    for (const [path, status] of [
      ['/api/csv/merchant.show?input={"merchant":"SHOP"}', 404],
      ['/api/csv/nothing.list', 404],
      ['/api/csv/merchant.list?input=[', 400],
      ['/api/csv/merchant.list?input={"x":1}', 400],
    ] as const) {
      assert.equal((await own.browser.get(encodeURI(path))).status, status, path);
    }
    assert.equal((await test.browser().get('/api/csv/merchant.list')).status, 401);
    const owner = await test.person('sheets@shop.example', ['viewer'], 'SHOP');
    assert.equal((await owner.browser.get('/api/csv/merchant.list')).status, 403);
    assert.equal((await owner.browser.get('/api/csv/team.list?input={"merchant":"OTHER"}')).status, 404);
    const team = await owner.browser.get('/api/csv/team.list');
    assert.ok(/sheets@shop\.example/.test(team.body) && !/other\.example/.test(team.body));
  });
});

describe('the statement of a wallet', () => {
  it('streams changes to signed-in users until the process stops', async () => {
    const own = await test.person('live@oja.example', ['viewer']);
    const server = await test.another();
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    const cookie = [...own.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    assert.equal((await fetch(`${url}/api/live`)).status, 401);
    const answer = await fetch(`${url}/api/live`, { headers: { cookie } });
    assert.equal(answer.headers.get('content-type'), 'text/event-stream');
    let told = '';
    const decoder = new TextDecoder();
    const reader = answer.body?.getReader();
    assert.ok(reader);
    // An event may arrive in pieces.
    while (!/event: alarms\ndata: \{.*\}\n\n/.test(told)) {
      const { value, done } = await reader.read();
      assert.ok(!done, told);
      told += decoder.decode(value);
    }
    for (const kind of ['counts', 'providers', 'floats', 'alarms']) {
      assert.match(told, new RegExp(`id: \\d+\nevent: ${kind}\ndata: \\{.*\\}\n\n`), kind);
    }
    // A shutdown ends open streams and does not wait for them.
    await server.close();
    // Events from before the stop may still arrive.
    for (let isOver = false; !isOver; ) isOver = (await reader.read()).done;
  });
});

it('removes ended alarms and keeps open ones', async () => {
  const { database } = test.admin;
  const own = await test.person('stays@shop.example', ['viewer']);
  const count = async (table: string) => (await database.query(`select 1 from ${table}`)).length;
  await database.query(
    "insert into user_challenges values ('\\x00', 'sign_in', now() - interval '1 minute')",
  );
  const { user } = (await own.browser.get('/api/session')).body.data;
  await database.query(
    "update user_sessions set expires_at = now() - interval '31 days' where user_id <> $1",
    [user.id],
  );
  await database.query(
    "update user_links set expires_at = now() - interval '31 days' where used_at is not null",
  );
  await database.query("update sign_in_buckets set counted_at = now() - interval '2 days'");
  assert.ok((await deleteExpired(database)) > 4);
  assert.deepEqual([await count('user_sessions'), await count('sign_in_buckets')], [1, 0]);
  const expired = await database.query('select 1 from user_challenges where expires_at < now()');
  assert.deepEqual(expired, []);
  assert.equal((await own.browser.get('/api/session')).status, 200);
  assert.equal(await deleteExpired(database), 0);
});
