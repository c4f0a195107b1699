/** Sign-in at the console and the portal, and attempts of others. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeDemoLinks } from '../../../src/app/demo/seed-users.ts';
import { createSealer, newSealingKey } from '../../../src/core/sealing.ts';
import { rotateKeys } from '../../../src/operate/keys/operations/rotate-keys.ts';
import { isSamePerson } from '../../../src/oversight/approvals/is-one-person.ts';
import { refusedAct } from '../../support/refusals.ts';
import { type ConsoleTest, codeOf, password, startConsole, tokenOf } from './harness.ts';

let test: ConsoleTest;

before(async () => {
  test = await startConsole();
  await test.admin.run('merchant.create', { code: 'SHOP', name: '<script>alert(1)</script>' });
  await test.admin.run('merchant.create', { code: 'OTHER', name: 'Other' });
});
after(() => test[Symbol.asyncDispose]());

const signedOut = [401, 'signed_out'];

describe('an invitation', () => {
  it('accepts an invitation once with a valid password, and opens no session without a second factor', async () => {
    const { link } = await test.admin.run('user.invite', {
      email: 'Ada@Shop.example',
      roles: ['admin'],
      link: true,
    });
    assert.match(link, /^http:\/\/127\.0\.0\.1:8082\/welcome#token=[\w-]{43}$/);
    const token = tokenOf(link);
    const ada = test.browser();
    const looked = await ada.post('/api/links/look', { token });
    assert.deepEqual(
      [looked.body.data.purpose, looked.body.data.email, looked.body.data.merchant],
      ['invitation', 'ada@shop.example', null],
    );
    // At the other listener it is invalid.
    assert.equal((await test.browser('portal').post('/api/links/look', { token })).status, 404);
    const unfit: readonly [string, string][] = [
      ['short enough', 'short'],
      ['x'.repeat(129), 'long'],
      ['passwordpassword', 'common'],
      ['Correct Horse Battery Staple', 'common'],
      ['123456789012345678', 'common'],
      ['qwertyuiopasdfgh', 'common'],
      ['abcabcabcabcabcabc', 'common'],
      ['ada@shop.example1', 'personal'],
    ];
    for (const [wrong, reason] of unfit) {
      const answer = await ada.post('/api/links/accept', { token, password: wrong });
      const { error } = answer.body;
      assert.deepEqual([answer.status, error.code, error.reason], [400, 'password_unfit', reason], wrong);
    }
    const [first, second] = await Promise.all([
      ada.post('/api/links/accept', { token, password, name: 'Ada Obi' }),
      test.browser().post('/api/links/accept', { token, password: 'another quite long one' }),
    ]);
    assert.deepEqual([first.status, second.status].sort(), [200, 404]);
    const used = await test.browser().post('/api/links/accept', { token, password });
    assert.deepEqual([used.status, used.body.error.code], [404, 'link_over']);
  });

  it('an invitation expires by its time, and by a newer invitation', async () => {
    const invite = () =>
      test.admin.run('user.invite', { email: 'late@shop.example', roles: ['viewer'], link: true });
    const first = tokenOf((await invite()).link);
    const second = tokenOf((await invite()).link);
    assert.equal((await test.browser().post('/api/links/look', { token: first })).status, 404);
    assert.equal((await test.browser().post('/api/links/look', { token: second })).status, 200);
    await test.admin.database.query("update user_links set expires_at = now() - interval '1 second'");
    const late = await test.browser().post('/api/links/accept', { token: second, password });
    assert.equal(late.status, 404);
    const [user] = await test.admin.database.query(
      "select password from users where email = 'late@shop.example'",
    );
    assert.deepEqual(user, { password: null });
  });

  it('refuses an invitation for an existing user, and without a mail server unless the link is shared', async () => {
    const ben = await test.person('ben@shop.example', ['viewer']);
    const again = { email: ben.email, roles: ['admin'], link: true };
    await assert.rejects(test.admin.run('user.invite', again), refusedAct('user_exists'));
    await assert.rejects(
      test.admin.run('user.invite', { ...again, email: 'no mail' }),
      refusedAct('email_malformed'),
    );
  });
});

describe('a session that is half open', () => {
  it('permits nothing in a half-open session, and adds no second factor for a user who has one', async () => {
    const eve = await test.person('half@shop.example', ['admin']);
    const thief = test.browser();
    const half = await thief.post('/api/sign-in', { email: eve.email, password });
    assert.deepEqual(half.body.data, {
      next: 'code',
      factors: { totp: true, passkeys: 0, recovery_codes_left: 10 },
    });
    const session = await thief.get('/api/session');
    assert.deepEqual(
      [session.status, session.body.error.code, session.body.error.next],
      [401, 'second_factor_needed', 'code'],
    );
    const tries: readonly [string, unknown][] = [
      ['/api/operations/merchant.list', {}],
      ['/api/operations/user.invite', { email: 'x@y.example', roles: ['admin'] }],
      ['/api/second-factor/totp/begin', {}],
      ['/api/second-factor/totp/confirm', { code: '123456' }],
      ['/api/second-factor/totp/remove', {}],
      ['/api/second-factor/passkeys/begin', {}],
      ['/api/second-factor/passkeys/confirm', { passkey: { id: 'x' } }],
      ['/api/second-factor/recovery-codes', {}],
      ['/api/password', { password: 'another quite long one' }],
      ['/api/step-up', { password }],
      ['/api/sessions/end', {}],
    ];
    for (const [path, body] of tries) {
      const answer = await thief.post(path, body);
      assert.deepEqual([answer.status, answer.body.error.code], [401, 'second_factor_needed'], path);
    }
    assert.equal((await thief.get('/api/sessions')).status, 401);
    await test.admin.database.query(
      "update user_sessions set expires_at = now() - interval '1 second' where state = 'half'",
    );
    const late = await thief.post('/api/sign-in/code', { code: eve.code() });
    assert.deepEqual([late.status, late.body.error.code], signedOut);
  });

  it('gives an opened session a new token, so that a planted one is worthless', async () => {
    const zoe = await test.person('fixed@shop.example', ['viewer']);
    const victim = test.browser();
    await victim.post('/api/sign-in', { email: zoe.email, password });
    const planted = victim.copy();
    const opened = await victim.post('/api/sign-in/code', { code: zoe.code() });
    assert.deepEqual(opened.body.data, { next: 'done' });
    assert.equal((await victim.get('/api/session')).status, 200);
    assert.deepEqual((await planted.get('/api/session')).status, 401);
    // A token that a caller made up is invalid.
    const made = test.browser();
    made.cookies.set('__Host-oja_console', 'A'.repeat(43));
    assert.equal((await made.get('/api/session')).status, 401);
    assert.equal((await made.post('/api/sign-in', { email: zoe.email, password })).status, 200);
    assert.notEqual(made.cookies.get('__Host-oja_console'), 'A'.repeat(43));
  });
});

describe('a code', () => {
  it('accepts a code once, also by two processes at the same time, and no earlier code after it', async () => {
    const kemi = await test.person('codes@shop.example', ['viewer']);
    const other = await test.another();
    const sign = async (server = test.server('console')) => {
      const browser = test.browser('console', { server });
      await browser.post('/api/sign-in', { email: kemi.email, password });
      return browser;
    };
    const [one, two] = [await sign(), await sign(other)];
    const code = kemi.code();
    const answers = await Promise.all([
      one.post('/api/sign-in/code', { code }),
      two.post('/api/sign-in/code', { code }),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
    const again = await sign();
    assert.equal((await again.post('/api/sign-in/code', { code })).status, 401);
    assert.equal((await again.post('/api/sign-in/code', { code: kemi.code(-1) })).status, 401);
    assert.equal((await again.post('/api/sign-in/code', { code: kemi.code(2) })).status, 401);
    assert.equal((await again.post('/api/sign-in/code', { code: kemi.code(1) })).status, 200);
  });

  it('allows a few tries at a code only, even with the right password', async () => {
    const ojo = await test.person('guess@shop.example', ['viewer']);
    const thief = test.browser();
    await thief.post('/api/sign-in', { email: ojo.email, password });
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      const wrong = String((Number(ojo.code()) + 7_777 + guess) % 1_000_000).padStart(6, '0');
      statuses.push((await thief.post('/api/sign-in/code', { code: wrong })).status);
    }
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 401), 429]);
    const late = await thief.post('/api/sign-in/code', { code: ojo.code() });
    assert.equal(late.status, 429);
    assert.ok(Number(late.headers['retry-after']) > 100);
  });

  it('accepts each of the ten recovery codes once', async () => {
    const ada = await test.person('lost@shop.example', ['viewer']);
    assert.equal(new Set(ada.recoveryCodes).size, 10);
    const sign = async (recovery_code: string) => {
      const browser = test.browser();
      await browser.post('/api/sign-in', { email: ada.email, password });
      return (await browser.post('/api/sign-in/code', { recovery_code })).status;
    };
    const [code = ''] = ada.recoveryCodes;
    assert.equal(await sign(code.toUpperCase().replaceAll('-', ' ')), 200);
    assert.equal(await sign(code), 401);
    const stored = await test.admin.database.query('select hash from user_recovery_codes');
    assert.ok(!JSON.stringify(stored).includes(code));
    const renewed = await ada.browser.post('/api/second-factor/recovery-codes');
    assert.equal(renewed.body.data.recovery_codes.length, 10);
    assert.equal(await sign(ada.recoveryCodes[1] ?? ''), 401);
  });

  it('seals the seed of codes, which a key rotation reseals', async () => {
    const { database, services } = test.admin;
    const old = await services.sealer();
    const [before] = await database.query<{ secret: string }>('select secret from user_totps limit 1');
    assert.equal(before?.secret.split(':')[0], old.keyId);
    const fresh = newSealingKey();
    const sealer = createSealer(fresh);
    const both = {
      keyId: fresh.id,
      seal: sealer.seal,
      sealLarge: sealer.sealLarge,
      open: (place: string, sealed: string) => sealer.open(place, sealed) ?? old.open(place, sealed),
    };
    const rotated = await rotateKeys(database, both, 'test');
    const totps = rotated.find(({ table }) => table === 'user_totps');
    assert.ok((totps?.resealed ?? 0) > 0);
    assert.equal(totps?.unopened, 0);
    // Back again: the gateways of this test have the old key.
    await rotateKeys(
      database,
      { ...old, open: (place, sealed) => old.open(place, sealed) ?? sealer.open(place, sealed) },
      'test',
    );
  });
});

describe('a cookie that was stolen', () => {
  it('a stolen cookie is worthless after signing out, a new password, other roles, and a suspension', async () => {
    const ends: readonly [
      string,
      (email: string, own: Awaited<ReturnType<typeof test.person>>) => Promise<unknown>,
    ][] = [
      ['signing out', (_email, { browser }) => browser.post('/api/sign-out')],
      ['other roles', (email) => test.admin.run('user.set_roles', { email, roles: ['viewer'] })],
      ['a suspension', (email) => test.admin.run('user.suspend', { email })],
      ['a reset', (email) => test.admin.run('user.reset', { email, link: true })],
      ['an admin', (email) => test.admin.run('session.end', { email })],
    ];
    const other = await test.another();
    for (const [index, [what, end]] of ends.entries()) {
      const own = await test.person(`stolen${index}@shop.example`, ['finance']);
      const thief = own.browser.copy();
      const elsewhere = test.browser('console', { server: other });
      for (const [name, value] of own.browser.cookies) elsewhere.cookies.set(name, value);
      assert.equal((await thief.run('merchant.list')).status, 200, what);
      assert.equal((await elsewhere.run('merchant.list')).status, 200, what);
      await end(own.email, own);
      for (const browser of [thief, elsewhere]) {
        const refused = await browser.run('merchant.list');
        assert.deepEqual([refused.status, refused.body.error.code], signedOut, what);
      }
    }
  });

  it('makes a stolen cookie worthless once its owner, who stays signed in, sets a new password', async () => {
    const own = await test.person('changed@shop.example', ['viewer']);
    const elsewhere = test.browser();
    await elsewhere.post('/api/sign-in', { email: own.email, password });
    await elsewhere.post('/api/sign-in/code', { code: own.code() });
    assert.equal((await own.browser.get('/api/sessions')).body.data.length, 2);
    const next = 'eleven purple doors in spring';
    assert.equal((await own.browser.post('/api/password', { password: next })).status, 200);
    assert.equal((await elsewhere.get('/api/session')).status, 401);
    assert.equal((await own.browser.get('/api/session')).status, 200);
    assert.equal((await test.browser().post('/api/sign-in', { email: own.email, password })).status, 401);
    const fresh = await test.browser().post('/api/sign-in', { email: own.email, password: next });
    assert.equal(fresh.status, 200);
  });

  it('keeps the last twenty sessions of a user, and those of others', async () => {
    const own = await test.person('everywhere@shop.example', ['viewer']);
    const other = await test.person('elsewhere@shop.example', ['viewer']);
    await test.admin.database.query(
      `insert into user_sessions (id, user_id, token_hash, state, opened_by, address, agent, expires_at, seen_at)
       select gen_random_uuid(), user_id, sha256(n::text::bytea), 'open', 'code', '', '', now() + interval '1 hour',
         now() - interval '1 minute'
       from (select id as user_id from users where email = $1) as own
       cross join generate_series(1, 19) as n`,
      [own.email],
    );
    const count = async () => (await own.browser.get('/api/sessions')).body.data.length;
    assert.equal(await count(), 20);
    const more = test.browser();
    await more.post('/api/sign-in', { email: own.email, password });
    assert.equal(await count(), 20, 'half of a sign-in ends none');
    await more.post('/api/sign-in/code', { code: own.code() });
    assert.equal(await count(), 20);
    assert.equal((await more.get('/api/session')).status, 200);
    assert.equal((await own.browser.get('/api/session')).status, 200, 'it was used just now');
    assert.equal((await other.browser.get('/api/session')).status, 200);
  });

  it('limits how often an open session changes the password, and no other user', async () => {
    const own = await test.person('restless@shop.example', ['viewer']);
    const other = await test.person('calm@shop.example', ['viewer']);
    const change = async ({ browser }: typeof own, n: number) =>
      (await browser.post('/api/password', { password: `purple doors in spring ${n}` })).status;
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) statuses.push(await change(own, n));
    assert.equal(statuses[0], 200);
    assert.equal(statuses.at(-1), 429);
    assert.equal(await change(other, 0), 200);
  });

  it('a session ends after half an hour without use, and after twelve hours', async () => {
    for (const [column, age] of [
      ['seen_at', "now() - interval '31 minutes'"],
      ['expires_at', "now() - interval '1 second'"],
    ]) {
      const own = await test.person(`old-${column?.slice(0, 4)}@shop.example`, ['viewer']);
      const { user } = (await own.browser.get('/api/session')).body.data;
      await test.admin.database.query(`update user_sessions set ${column} = ${age} where user_id = $1`, [
        user.id,
      ]);
      assert.equal((await own.browser.get('/api/session')).status, 401);
    }
  });

  it('a stolen cookie cannot run sensitive operations without the password', async () => {
    const own = await test.person('steps@shop.example', ['admin']);
    await test.admin.database.query('update user_sessions set stepped_up_until = now()');
    const thief = own.browser.copy();
    const credit = { merchant: 'SHOP', amount: '5', environment: 'live', memo: 'x', key: 'steal-1' };
    for (const [operation, input] of [
      ['wallet.credit', credit],
      ['credential.issue', { merchant: 'SHOP', environment: 'live' }],
      ['user.invite', { email: 'thief@x.example', roles: ['admin'], link: true }],
      ['user.set_roles', { email: own.email, roles: ['admin'] }],
    ] as const) {
      const refused = await thief.run(operation, input);
      assert.deepEqual([refused.status, refused.body.error.code], [403, 'step_up_needed'], operation);
    }
    const person = { phone: '08031234567', reason: 'x' };
    for (const [operation, input] of [
      ['merchant.suspend', { merchant: 'SHOP' }],
      ['route.set', { environment: 'live', product: 'airtime', network: '*', providers: ['vtpass'] }],
      ['catalog.import', { content: '[]', apply: true }],
      ['provider.resume', { provider: 'vtpass' }],
      ['person.export', person],
      ['funding.reveal_document', { merchant: 'SHOP', currency: 'NGN', reason: 'x' }],
      ['restore.open', {}],
      ['audit_log.export', {}],
    ] as const) {
      const refused = await thief.run(operation, input);
      assert.deepEqual([refused.status, refused.body.error.code], [403, 'step_up_needed'], operation);
    }
    for (const name of ['audit_log.export', 'audit_log.list', 'purchase.list', 'user.list']) {
      const refused = await thief.get(`/api/csv/${name}?input={}`);
      assert.deepEqual([refused.status, refused.body.error.code], [403, 'step_up_needed'], name);
    }
    // Operations that change nothing, or only stop, query or retry, require no step-up.
    assert.equal((await thief.get('/api/csv/merchant.list?input={}')).status, 200);
    assert.equal((await thief.run('purchase.list', {})).status, 200);
    for (const [operation, input] of [
      ['purchase.query', { reference: 'nothing' }],
      ['alarm.acknowledge', { alarm: '1' }],
      ['approval.reject', { approval: '0198c5a4-0000-7000-8000-000000000000', reason: 'x' }],
    ] as const) {
      const ran = await thief.run(operation, input);
      assert.notEqual(ran.body.error?.code, 'step_up_needed', operation);
    }
    for (const path of ['totp/begin', 'passkeys/begin', 'recovery-codes']) {
      assert.equal((await thief.post(`/api/second-factor/${path}`)).status, 403, path);
    }
    assert.equal((await thief.post('/api/password', { password: 'another quite long one' })).status, 403);
    assert.equal((await thief.post('/api/step-up', { password: 'a wrong one, not right' })).status, 401);
    assert.equal((await own.browser.post('/api/step-up', { password })).status, 200);
    // The session has another token from then on.
    assert.equal((await thief.get('/api/session')).status, 401);
    assert.equal((await own.browser.run('wallet.credit', credit)).status, 200);
    const entries = await test.admin.database.query<{ after: { session: string }; edge: string }>(
      "select after, edge from audit_log where action = 'wallet.credit' order by id desc limit 1",
    );
    const session = (await own.browser.get('/api/session')).body.data.session.id;
    assert.deepEqual([entries[0]?.edge, entries[0]?.after.session], ['console', session]);
  });
});

describe('password guessing', () => {
  it('a guesser does not learn which users exist: the same answer after the same work', async () => {
    const { email } = await test.person('known@shop.example', ['viewer']);
    await test.admin.run('user.invite', { email: 'fresh@shop.example', roles: ['viewer'], link: true });
    const gone = await test.person('gone@shop.example', ['viewer']);
    await test.admin.run('user.suspend', { email: gone.email });
    const wrong = 'certainly not the right one';
    const answers = [];
    for (const given of [
      { email, password: wrong },
      { email: 'nobody@shop.example', password: wrong },
      { email: 'fresh@shop.example', password: wrong },
      { email: gone.email, password },
    ]) {
      const began = process.cpuUsage();
      const { status, body } = await test.browser().post('/api/sign-in', given);
      const { user, system } = process.cpuUsage(began);
      answers.push({ status, body });
      // One argon2 hash takes about 30 ms of a core. A request without it takes a few.
      assert.ok(user + system > 12_000, `${given.email} took ${user + system} µs`);
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.equal(answers[0]?.status, 401);
    const forgotten = [];
    for (const one of [email, 'nobody@shop.example', gone.email]) {
      forgotten.push(await test.browser().post('/api/forgotten', { email: one }));
    }
    for (const { status, body } of forgotten)
      assert.deepEqual([status, body], [200, { data: { asked: true } }]);
    const mails = await test.admin.database.query('select email, user_id from user_mails order by email');
    assert.deepEqual(mails.length, 3, 'the same is stored for each');
  });

  it('slows guesses down by account, without locking out the owner or others', async () => {
    const owner = await test.person('guessed@shop.example', ['viewer']);
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) {
      const { status } = await test
        .browser()
        .post('/api/sign-in', { email: owner.email, password: `guess ${guess}` });
      statuses.push(status);
    }
    assert.deepEqual(statuses.slice(9), [401, 429, 429]);
    // Right or wrong: from an unknown browser it must wait.
    const stranger = await test.browser().post('/api/sign-in', { email: owner.email, password });
    assert.equal(stranger.status, 429);
    assert.ok(Number(stranger.headers['retry-after']) >= 1);
    // An address where the owner signed in before has its own limit of tries.
    const known = owner.browser.copy();
    known.cookies.delete('__Host-oja_console');
    assert.equal((await known.post('/api/sign-in', { email: owner.email, password })).status, 200);
    const forged = test.browser();
    forged.cookies.set('__Host-oja_console_known', `${'A'.repeat(22)}.${'B'.repeat(43)}`);
    assert.equal((await forged.post('/api/sign-in', { email: owner.email, password })).status, 429);
    const unknown: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      const given = { email: 'never@shop.example', password: `guess ${guess}` };
      unknown.push((await test.browser().post('/api/sign-in', given)).status);
    }
    assert.equal(unknown.at(-1), 429, 'an account that is not known counts like one that is');
  });

  it('slows guesses down by address across accounts, without storing anything', async () => {
    const address = '203.0.113.9';
    const count = async () => (await test.admin.database.query('select 1 from sign_in_buckets')).length;
    const statuses: number[] = [];
    let stored = 0;
    for (let guess = 0; guess < 33; guess += 1) {
      const browser = test.browser('console', { address });
      const given = { email: `user${guess}@shop.example`, password: 'wrong' };
      statuses.push((await browser.post('/api/sign-in', given)).status);
      if (guess === 31) stored = await count();
    }
    assert.deepEqual([statuses[29], statuses.at(-1)], [401, 429]);
    assert.equal(await count(), stored);
    const links = await test.browser('console', { address }).post('/api/links/look', { token: 'x' });
    assert.equal(links.status, 429);
  });
});

describe('a page of another site', () => {
  it('lets a page of another site send nothing for a user', async () => {
    const own = await test.person('csrf@shop.example', ['admin']);
    const forged: readonly Readonly<Record<string, string>>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': '', origin: 'http://localhost:8082' },
    ];
    for (const headers of forged) {
      const refused = await own.browser.post('/api/operations/merchant.list', {}, headers);
      assert.deepEqual([refused.status, refused.body.error.code], [403, 'other_origin']);
      assert.equal((await own.browser.post('/api/sign-out', {}, headers)).status, 403);
    }
    // A browser that sends no fetch metadata sends its origin.
    const bare = (origin: string | undefined) =>
      test.server('console').inject({
        method: 'POST',
        url: '/api/operations/merchant.list',
        headers: {
          host: 'localhost:8082',
          'content-type': 'application/json',
          cookie: [...own.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(origin !== undefined && { origin }),
        },
        payload: '{}',
      });
    for (const origin of [
      undefined,
      'null',
      'http://evil.example',
      'http://localhost:8083',
      'http://localhost',
    ]) {
      assert.equal((await bare(origin)).statusCode, 403, String(origin));
    }
    assert.equal((await bare('http://localhost:8082')).statusCode, 200);
    const form = { 'content-type': 'text/plain' };
    assert.equal((await own.browser.post('/api/operations/merchant.list', '{}', form)).status, 415);
    assert.equal((await own.browser.get('/api/session')).status, 200);
  });

  it('does not let another site frame the page, run scripts in it or redirect users', async () => {
    const own = await test.person('frames@shop.example', ['admin']);
    const page = await own.browser.get('/purchases?next=//evil.example&token=x');
    const policy = String(page.headers['content-security-policy']);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /script-src 'self' 'nonce-[\w-]{22}'/);
    assert.ok(!/unsafe|\*|https?:/.test(policy), policy);
    assert.equal(page.headers['x-frame-options'], 'DENY');
    const another = await own.browser.get('/');
    assert.notEqual(another.headers['content-security-policy'], policy, 'a nonce is used once');
    // Merchants' texts are JSON that no browser renders as a page.
    const listed = await own.browser.run('merchant.list');
    assert.equal(
      listed.body.data.find(({ code }: { code: string }) => code === 'SHOP').name,
      '<script>alert(1)</script>',
    );
    assert.match(String(listed.headers['content-type']), /^application\/json/);
    assert.equal(listed.headers['x-content-type-options'], 'nosniff');
    assert.match(String(listed.headers['content-security-policy']), /default-src 'none'/);
    for (const path of [
      '/?next=https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/%2f%2fevil.example',
      '/<script>alert(1)</script>',
    ]) {
      const answer = await own.browser.get(path);
      assert.equal(answer.headers.location, undefined, path);
      assert.ok(answer.status < 300 || answer.status >= 400, path);
      assert.ok(!String(answer.body).includes('<script>alert'), path);
    }
    const cookie = String(
      (await test.browser().post('/api/sign-in', { email: own.email, password })).headers['set-cookie'],
    );
    for (const word of ['__Host-', 'Secure', 'HttpOnly', 'SameSite=Strict', 'Path=/']) {
      assert.ok(cookie.includes(word), word);
    }
    assert.ok(!cookie.includes('Domain'));
  });

  it('refuses another host name', async () => {
    const renamed = await test
      .server('console')
      .inject({ url: '/api/session', headers: { host: 'evil.example' } });
    assert.equal(renamed.statusCode, 421);
  });
});

describe('the input of callers', () => {
  it('reports malformed input as a fault of the caller, and does not log it', async () => {
    const own = await test.person('nonsense@shop.example', ['viewer']);
    const bodies = [
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '1',
      '{"email":[],"password":{}}',
      '{"__proto__":{"x":1}}',
      `{"token":"${'x'.repeat(70_000)}"}`,
    ];
    const paths = [
      '/api/sign-in',
      '/api/sign-in/code',
      '/api/sign-in/passkey',
      '/api/sign-in/link',
      '/api/links/look',
      '/api/links/accept',
      '/api/forgotten',
      '/api/step-up',
      '/api/operations/merchant.list',
      '/api/operations/none',
      '/api/operations/__proto__',
      '/api/second-factor/passkeys/confirm',
    ];
    for (const path of paths) {
      for (const body of bodies) {
        const { status } = await own.browser.copy().post(path, body);
        assert.ok(status < 500, `${path} ${body.slice(0, 30)} gave ${status}`);
      }
    }
    for (const path of [
      '/api/none',
      '/api/operations/merchant.list',
      '/assets/../server.ts',
      '/assets/%2e%2e%2fserver.ts',
      '/assets/app-1a2b3c.ts',
      '/../../console/harness.ts',
      '/index.html.ts',
    ]) {
      const answer = await own.browser.get(path);
      assert.ok(
        answer.status === 404 || String(answer.headers['content-type']).startsWith('text/html'),
        path,
      );
      assert.ok(!String(answer.body).includes('import '), path);
    }
    const logged = JSON.stringify(test.logged);
    for (const secret of [password, own.seed ?? '', ...own.browser.cookies.values(), ...own.recoveryCodes]) {
      assert.ok(!logged.includes(secret));
    }
    assert.match(logged, /user:[0-9a-f-]{36} \(nonsense@shop\.example\)/);
  });
});

describe('the built application', () => {
  it('the built application is one page with its own nonce, and files that browsers cache', async () => {
    const browser = test.browser();
    const page = await browser.get('/merchants/SHOP');
    const [, nonce] = /'nonce-([\w-]+)'/.exec(String(page.headers['content-security-policy'])) ?? [];
    assert.equal(page.status, 200);
    assert.equal(page.headers['cache-control'], 'no-store');
    assert.equal(String(page.body).split(`nonce="${nonce}"`).length, 3);
    assert.ok(!String(page.body).includes('__OJA_NONCE__'));
    const file = await browser.get('/assets/app-1a2b3c.js');
    assert.deepEqual(
      [file.headers['content-type'], file.headers['cache-control']],
      ['text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    );
    const zipped = await test.server('portal').inject({
      url: '/assets/app-1a2b3c.js',
      headers: { host: 'localhost:8083', 'accept-encoding': 'gzip' },
    });
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    assert.equal((await browser.get('/assets/none.js')).status, 404);
  });
});

describe('people', () => {
  it('distinguishes people by id, never by name, where two are required', () => {
    const id = '0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69';
    const other = '0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a70';
    assert.ok(isSamePerson(`user:${id} (ada@a.example)`, `user:${id} (new@a.example)`));
    assert.ok(!isSamePerson(`user:${id} (ada@a.example)`, `user:${other} (ada@a.example)`));
    assert.ok(isSamePerson(`user:${id} (ada@a.example)`, 'token:oja_pat_1 (Ada)'));
    assert.ok(isSamePerson('token:oja_pat_1 (ADA@a.example)', `user:${id} (ada@a.example)`));
    assert.ok(!isSamePerson(`user:${id} (ada@a.example)`, 'user:root'));
  });

  it('requires two people for large corrections: one person’s second session or token does not count', async () => {
    const maker = await test.person('maker@shop.example', ['finance']);
    const checker = await test.person('checker@shop.example', ['finance']);
    const order = { merchant: 'SHOP', environment: 'live', currency: 'NGN', memo: 'a large one' };
    const small = await maker.browser.run('wallet.credit', { ...order, amount: '1000000', key: 'small' });
    assert.equal(small.status, 200);
    const asked = await maker.browser.run('wallet.credit', { ...order, amount: '-2000000', key: 'large' });
    assert.equal(asked.status, 409, 'what would be refused anyway is refused at once');
    const large = await maker.browser.run('wallet.credit', { ...order, amount: '1000000.01', key: 'large' });
    assert.equal(large.status, 202, JSON.stringify(large.body));
    const approval = large.body.data.approval.id;
    const again = test.browser();
    await again.post('/api/sign-in', { email: maker.email, password });
    await again.post('/api/sign-in/code', { code: maker.code() });
    for (const browser of [maker.browser, again]) {
      const own = await browser.run('approval.approve', { approval });
      assert.deepEqual([own.status, own.body.error.code], [403, 'approval_by_same_person']);
    }
    const token = await test.admin.tokenFor('finance', maker.email);
    assert.equal((await test.admin.call('POST', `/approvals/${approval}/approve`, { token })).status, 403);
    const done = await checker.browser.run('approval.approve', { approval });
    assert.deepEqual([done.status, done.body.data.state], [200, 'approved']);
    const [entry] = await test.admin.database.query<{
      principal: string;
      after: { approved_principal: string };
    }>("select principal, after from audit_log where action = 'wallet.credit' order by id desc limit 1");
    assert.match(entry?.principal ?? '', /maker@shop\.example/);
    assert.match(entry?.after.approved_principal ?? '', /checker@shop\.example/);
  });

  it('keeps one admin, and restores users with the roles they had', async () => {
    const admins = (await test.admin.run('user.list', { limit: 200 })).data.filter(
      (user: { roles: string[]; state: string }) =>
        user.roles.includes('admin') && user.state !== 'suspended',
    );
    for (const { email } of admins.slice(1)) await test.admin.run('user.suspend', { email });
    const { email } = admins[0];
    await assert.rejects(test.admin.run('user.suspend', { email }), refusedAct('last_chief'));
    await assert.rejects(
      test.admin.run('user.set_roles', { email, roles: ['viewer'] }),
      refusedAct('last_chief'),
    );
    for (const { email: one } of admins.slice(1)) await test.admin.run('user.resume', { email: one });
  });

  it('keeps an invitation until the user signs in, also with the link that the demo prints', async () => {
    const { console: link = '' } = await makeDemoLinks(test.admin.database, 'SHOP', {
      console: 'http://localhost:8082',
    });
    await test.admin.run('user.invite', { email: 'never@oja.example', roles: ['viewer'], link: true });
    const stateOf = async (email: string): Promise<unknown[]> => {
      const { data } = await test.admin.run('user.list', { limit: 200 });
      const user = data.find((one: { readonly email: string }) => one.email === email);
      return [user.state, user.signed_in_at !== null];
    };
    assert.deepEqual(await stateOf('ada@oja.example'), ['invited', false]);
    const server = await test.another('console', { environment: 'demo' });
    const browser = test.browser('console', { server });
    assert.equal((await browser.post('/api/sign-in/link', { token: tokenOf(link) })).status, 200);
    assert.deepEqual(await stateOf('ada@oja.example'), ['active', true]);
    assert.deepEqual(await stateOf('never@oja.example'), ['invited', false]);
    await test.admin.run('user.suspend', { email: 'ada@oja.example' });
    assert.deepEqual(await stateOf('ada@oja.example'), ['suspended', true]);
  });

  it('a reset removes the second factors of a user who lost the phone, who enrols another', async () => {
    const own = await test.person('phone@shop.example', ['viewer']);
    const kept = tokenOf((await test.admin.run('user.reset', { email: own.email, link: true })).link);
    const next = 'nine yellow boats upstream';
    const half = await test.browser().post('/api/links/accept', { token: kept, password: next });
    assert.equal(half.body.data.next, 'code', 'a reset alone takes no second factor away');
    const given = { email: own.email, link: true, second_factors: true };
    const earlier = tokenOf((await test.admin.run('user.reset', { ...given, second_factors: false })).link);
    const token = tokenOf((await test.admin.run('user.reset', given)).link);
    const browser = test.browser();
    const old = await browser.post('/api/sign-in', { email: own.email, password: next });
    assert.deepEqual([old.status, old.body.error.code], [401, 'sign_in_refused'], 'its password is no proof');
    const over = await browser.post('/api/links/accept', { token: earlier, password: next });
    assert.equal(over.body.error.code, 'link_over', 'only the last link counts');
    const { data: users } = await test.admin.run('user.list', { limit: 200 });
    const { state } = users.find((one: { readonly email: string }) => one.email === own.email);
    assert.equal(state, 'active');
    const again = test.admin.run('user.invite', { email: own.email, roles: ['admin'], link: true });
    await assert.rejects(again, refusedAct('user_exists'));
    const accepted = await browser.post('/api/links/accept', { token, password: next });
    assert.equal(accepted.body.data.next, 'enrol');
    const { secret } = (await browser.post('/api/second-factor/totp/begin')).body.data;
    const before = [...browser.cookies.values()];
    const done = await browser.post('/api/second-factor/totp/confirm', { code: codeOf(secret) });
    assert.equal(done.body.data.recovery_codes.length, 10);
    assert.notDeepEqual([...browser.cookies.values()], before);
    assert.equal((await browser.get('/api/session')).status, 200);
    const last = await browser.post('/api/second-factor/totp/remove');
    assert.deepEqual([last.status, last.body.error.code], [409, 'second_factor_last']);
  });
});
