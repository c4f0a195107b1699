/** Attacks on sign-in and on sessions that need more than one wrong request. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { until } from '../../support/until.ts';
import {
  type Browser,
  type ConsoleTest,
  codeOf,
  type Person,
  password,
  startConsole,
  tokenOf,
} from './harness.ts';

let test: ConsoleTest;

before(async () => {
  test = await startConsole();
  // One user must remain who can invite others.
  await test.person('chief@shop.example', ['admin']);
});
after(() => test[Symbol.asyncDispose]());

type Watched = { readonly status: number; text: string; isOver: boolean };

const wrong = 'certainly not the right one';

describe('the live stream', () => {
  let url: string;
  let server: ReturnType<typeof test.server>;

  before(async () => {
    server = test.server('console');
    await server.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api/live`;
  });

  const connections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );

  /** Its events so far, and whether it has ended. */
  const watch = async (browser: Browser): Promise<Watched> => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { headers: { cookie } });
    const seen: Watched = { status: answer.status, text: '', isOver: false };
    const reading = (async () => {
      for await (const chunk of answer.body ?? []) seen.text += Buffer.from(chunk).toString();
      seen.isOver = true;
    })();
    reading.catch(() => undefined);
    return seen;
  };

  it('ends the stream soon when its session ends, and no other stream', async () => {
    const ends: readonly ((email: string, browser: Browser) => Promise<unknown>)[] = [
      (_email, browser) => browser.post('/api/sign-out'),
      (email) => test.admin.run('user.set_roles', { email, roles: ['support'] }),
      (email) => test.admin.run('user.suspend', { email }),
      (email) => test.admin.run('session.end', { email }),
      (email) => test.admin.run('user.reset', { email, link: true }),
      (email) =>
        test.admin.database.query(
          `update user_sessions set expires_at = now()
           where user_id = (select id from users where email = $1)`,
          [email],
        ),
    ];
    const stays = await test.person('stays@shop.example', ['viewer']);
    const kept = await watch(stays.browser);
    // The session continues under another token.
    assert.equal((await stays.browser.post('/api/step-up', { password })).status, 200);
    const leaving: { own: Person; end: (typeof ends)[number]; seen: Watched }[] = [];
    for (const [index, end] of ends.entries()) {
      const own = await test.person(`leaves${index}@shop.example`, ['viewer']);
      leaving.push({ own, end, seen: await watch(own.browser) });
    }
    await until('each was told the counts', () =>
      [kept, ...leaving.map(({ seen }) => seen)].every(({ text }) => text.includes('event: counts')),
    );
    for (const { own, end } of leaving) await end(own.email, own.browser);
    await until('those that have ended are told so', () => leaving.every(({ seen }) => seen.isOver));
    for (const { seen } of leaving) assert.match(seen.text, /event: signed_out\ndata: \{\}\n\n$/);
    assert.deepEqual([kept.isOver, kept.text.includes('signed_out')], [false, false]);
    // No stream opens with the old token.
    for (const { own } of leaving) assert.equal((await watch(own.browser)).status, 401);
    const another = await watch(stays.browser);
    await until('whoever stays is told on', () => another.text.includes('event: counts'));
  });

  it('holds no slot for callers that disconnect before their session is found', async () => {
    const { browser } = await test.person('hasty@shop.example', ['viewer']);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    await test.admin.database.transaction(async (tx) => {
      await tx.query('lock table user_sessions in access exclusive mode');
      const hanging = new AbortController();
      const requests = Array.from({ length: 10 }, () =>
        fetch(url, { headers: { cookie }, signal: hanging.signal }).catch(() => undefined),
      );
      await until('they wait for their session', async () => (await connections()) >= 10);
      hanging.abort();
      await Promise.all(requests);
      await until('they have hung up', async () => (await connections()) < 10);
    });
    const first = await watch(browser);
    await until('somebody else is told', () => /event: (counts|full)/.test(first.text));
    assert.doesNotMatch(first.text, /event: full/);
  });

  it('refuses an eleventh stream of one person, whatever the session', async () => {
    const own = await test.person('many@shop.example', ['viewer']);
    const other = test.browser();
    await other.post('/api/sign-in', { email: own.email, password });
    await other.post('/api/sign-in/code', { code: own.code() });
    const watching = await Promise.all(
      Array.from({ length: 10 }, (_, tab) => watch(tab % 2 === 0 ? own.browser : other)),
    );
    const more = await watch(other);
    await until('it is told so', () => more.isOver);
    assert.match(more.text, /event: full/);
    for (const { text } of watching) assert.doesNotMatch(text, /event: full/);
  });

  it('refuses half-open sessions, and more than ten windows of one person', async () => {
    const own = await test.person('windows@shop.example', ['viewer']);
    const half = test.browser();
    await half.post('/api/sign-in', { email: own.email, password });
    assert.equal((await watch(half)).status, 401);
    const windows: Watched[] = [];
    for (let count = 0; count < 11; count += 1) windows.push(await watch(own.browser));
    await until('the eleventh is told that it is one too many', () => windows[10]?.isOver === true);
    assert.match(windows[10]?.text ?? '', /retry: 60000\nevent: full/);
    assert.equal(windows.filter(({ isOver }) => isOver).length, 1);
    await own.browser.post('/api/sign-out');
    await until('all of them end', () => windows.every(({ isOver }) => isOver));
  });
});

describe('guesses from many addresses', () => {
  it('counts one IPv6 network as one address, whatever address a caller claims', async () => {
    const tries = async (address: (guess: number) => string) => {
      const statuses: number[] = [];
      for (let guess = 0; guess < 31; guess += 1) {
        const browser = test.browser('console', { address: address(guess) });
        const said = { 'x-forwarded-for': `203.0.113.${guess}` };
        statuses.push((await browser.post('/api/links/look', { token: `guess ${guess}` }, said)).status);
      }
      return statuses;
    };
    const within = await tries((guess) => `2001:db8:5:6:${guess}::1`);
    assert.deepEqual([within[29], within[30]], [404, 429]);
    const apart = await tries((guess) => `2001:db8:7:${guess}::1`);
    assert.deepEqual(new Set(apart), new Set([404]));
    const forwarded = await tries(() => '198.51.100.77');
    assert.equal(forwarded[30], 429);
    const mapped = test.browser('console', { address: '::ffff:198.51.100.77' });
    assert.equal((await mapped.post('/api/links/look', { token: 'x' })).status, 429);
  });

  it('limits password attempts with a stolen cookie, without locking out its owner elsewhere', async () => {
    const own = await test.person('step-guess@shop.example', ['admin']);
    const thief = own.browser.copy();
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      statuses.push((await thief.post('/api/step-up', { password: `${wrong} ${guess}` })).status);
    }
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 401), 429]);
    assert.equal((await thief.post('/api/step-up', { password })).status, 429);
    const again = test.browser();
    assert.equal((await again.post('/api/sign-in', { email: own.email, password })).status, 200);
  });

  it('limits tries at a code, across all half-open sessions', async () => {
    const own = await test.person('many-halves@shop.example', ['viewer']);
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      const browser = test.browser();
      await browser.post('/api/sign-in', { email: own.email, password });
      const given = guess % 2 === 0 ? { code: '000000' } : { recovery_code: `aaaa-bbbb-cccc-${guess}` };
      statuses.push((await browser.post('/api/sign-in/code', given)).status);
    }
    assert.equal(statuses.at(-1), 429);
  });
});

describe('a token that somebody planted', () => {
  it('a planted token is worthless after enrolment, and half a session opens no other', async () => {
    const { link } = await test.admin.run('user.invite', {
      email: 'planted@shop.example',
      roles: ['admin'],
      link: true,
    });
    const victim = test.browser();
    await victim.post('/api/links/accept', { token: tokenOf(link), password });
    const planted = victim.copy();
    const { secret } = (await victim.post('/api/second-factor/totp/begin')).body.data;
    const done = await victim.post('/api/second-factor/totp/confirm', { code: codeOf(secret) });
    assert.equal(done.status, 200);
    assert.deepEqual((await planted.get('/api/session')).body.error.code, 'signed_out');
    // The attacker's own session in the victim's browser stays the attacker's.
    const eve = await test.person('eve@shop.example', ['viewer']);
    const shared = eve.browser.copy();
    const half = await shared.post('/api/sign-in', { email: 'planted@shop.example', password });
    assert.equal(half.body.data.next, 'code');
    assert.equal((await shared.get('/api/session')).body.error.code, 'second_factor_needed');
    assert.equal((await eve.browser.get('/api/session')).body.data.user.email, eve.email);
    // A code of one user does not complete the half-open session of the other.
    assert.equal((await shared.post('/api/sign-in/code', { code: eve.code() })).status, 401);
    assert.equal((await shared.post('/api/sign-in/code', { code: codeOf(secret, 1) })).status, 200);
    assert.equal((await eve.browser.get('/api/session')).body.data.user.email, eve.email);
  });
});

describe('every answer', () => {
  it('sends headers against frames, caches and content sniffing', async () => {
    const own = await test.person('headers@shop.example', ['admin']);
    const answers = [
      await own.browser.get('/'),
      await own.browser.get('/purchases/x'),
      await own.browser.get('/assets/none.js'),
      await own.browser.get('/api/session'),
      await test.browser().get('/api/session'),
      await own.browser.get('/api/none'),
      await own.browser.get('/api/csv/merchant.list'),
      await own.browser.run('merchant.list'),
      await own.browser.post('/api/sign-in', '{'),
      await own.browser.post('/api/sign-out', {}, { 'sec-fetch-site': 'cross-site' }),
    ];
    for (const { headers, status } of answers) {
      const of = `an answer of ${status}`;
      assert.equal(headers['x-frame-options'], 'DENY', of);
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, of);
      assert.match(String(headers['content-security-policy']), /default-src 'none'/, of);
      assert.equal(headers['x-content-type-options'], 'nosniff', of);
      assert.equal(headers['cache-control'], 'no-store', of);
      assert.equal(headers['referrer-policy'], 'no-referrer', of);
      assert.equal(headers['access-control-allow-origin'], undefined, of);
    }
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 404, 200, 401, 404, 200, 200, 400, 403],
    );
  });

  it('keeps one complete second factor when several enrolments begin at once', async () => {
    const own = await test.person('twice@shop.example', ['admin']);
    await test.admin.database.query('update user_sessions set stepped_up_until = now() + $1::interval', [
      '1 hour',
    ]);
    for (let turn = 0; turn < 5; turn += 1) {
      const begun = await Promise.all(
        Array.from({ length: 8 }, () => own.browser.post('/api/second-factor/totp/begin', {})),
      );
      assert.deepEqual([...new Set(begun.map(({ status }) => status))], [200]);
    }
  });

  it('refuses a body or an input that is nested too deeply', async () => {
    const own = await test.person('nested@shop.example', ['admin']);
    const deep = `{"code":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const { status, body } = await own.browser.post('/api/operations/merchant.create', deep);
    assert.deepEqual([status, body.error.code], [400, 'body_malformed']);
    const input = encodeURIComponent(`{"query":${'['.repeat(1_000)}${']'.repeat(1_000)}}`);
    const file = await own.browser.get(`/api/csv/merchant.list?input=${input}`);
    assert.deepEqual([file.status, file.body.error.code], [400, 'request_malformed']);
  });

  it('changes nothing on methods that a link or an image of another site can use', async () => {
    const own = await test.person('methods@shop.example', ['admin']);
    const cookie = [...own.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const url of ['/api/sign-out', '/api/operations/merchant.create?code=EVIL', '/api/sessions/end']) {
      for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
        const headers = { host: 'localhost:8082', cookie, 'x-http-method-override': 'POST' };
        const { statusCode } = await test.server('console').inject({ method, url, headers });
        assert.equal(statusCode, 404, `${method} ${url}`);
      }
    }
    assert.equal((await own.browser.get('/api/session')).status, 200);
  });
});
