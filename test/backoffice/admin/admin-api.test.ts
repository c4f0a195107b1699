/** The admin API as the operator's users call it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operations } from '../../../src/backoffice/operations/registry.ts';
import { type Admin, startAdmin } from './harness.ts';

let admin: Admin;
let token: string;

before(async () => {
  admin = await startAdmin();
  token = await admin.tokenFor('admin', 'ada');
});
after(() => admin[Symbol.asyncDispose]());

describe('an operation over the admin API', () => {
  it('has the same effect, answer and audit entry as the command line', async () => {
    const created = await admin.call('POST', '/merchants', { token, body: { code: 'SHOP', name: 'Shop' } });
    assert.deepEqual([created.status, created.body.data.code], [200, 'SHOP']);
    const suspended = await admin.call('POST', '/merchants/shop/suspend', { token });
    assert.deepEqual(suspended.body, { data: { merchant: 'shop', state: 'suspended', changed: true } });
    const [entry] = await admin.database.query(
      "select actor, action, subject from audit_log where action = 'merchant.suspend' order by id",
    );
    assert.deepEqual(entry, { actor: 'ada', action: 'merchant.suspend', subject: 'merchant:SHOP' });
    const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
    const forgotten = await admin.call('POST', '/merchants/SHOP/resume', {
      token,
      body: '{}',
      headers: asForm,
    });
    assert.equal(forgotten.body.data.state, 'active');
    const bodiless = { 'content-type': 'application/json' };
    const again = await admin.call('POST', '/merchants/SHOP/suspend', { token, headers: bodiless });
    assert.equal(again.status, 200);
    const listed = await admin.call('GET', '/merchants?limit=1', { token });
    assert.deepEqual([listed.body.data.length, listed.body.cursor], [1, null]);
  });

  it('takes effect once for its idempotency key', async () => {
    await admin.run('merchant.create', { code: 'ONCE', name: 'Once' });
    const path = '/merchants/ONCE/wallet/corrections';
    const body = { amount: '2500', environment: 'live', memo: 'cash' };
    const headers = { 'idempotency-key': 'bank-1' };
    const first = await admin.call('POST', path, { token, body, headers });
    const [again, together] = await Promise.all([
      admin.call('POST', path, { token, body: { ...body, key: 'bank-1' } }),
      admin.call('POST', path, { token, body, headers }),
    ]);
    assert.equal(first.body.data.posted, '2500.00');
    for (const repeat of [again, together]) {
      assert.deepEqual(repeat.body, { ...first.body, repeated: true });
    }
    const other = await admin.call('POST', path, { token, body: { ...body, amount: '1' }, headers });
    assert.deepEqual([other.status, other.body.code, other.body.reason], [409, 409, 'key_used']);
  });
});

describe('a nested body', () => {
  /** An invitation with nested lists. The body itself counts as one of the levels. */
  const invite = (levels: number) => {
    const roles = `${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`;
    const body = `{"email":"ada@shop.example","roles":${roles}}`;
    return admin.call('POST', '/merchants/NESTED/team', { token, body });
  };

  it('refuses a nested body by field up to a limit, and as a whole beyond it', async () => {
    await admin.run('merchant.create', { code: 'NESTED', name: 'Nested' });
    const shallow = await invite(32);
    assert.deepEqual([shallow.status, shallow.body.errors[0].field], [400, 'roles']);
    for (const levels of [33, 2_000, 100_000]) {
      const { status, body } = await invite(levels);
      assert.deepEqual(
        [status, body.reason, body.errors],
        [400, 'body_malformed', undefined],
        `${levels} levels`,
      );
    }
  });
});

describe('the audit log over the admin API', () => {
  it('names the token that acted, and is verified and exported in pages', async () => {
    await admin.call('POST', '/merchants', { token, body: { code: 'LOGGED', name: 'Logged' } });
    const query = 'subject=merchant%3ALOGGED&edge=admin';
    const [entry] = (await admin.call('GET', `/audit-log?${query}`, { token })).body.data;
    assert.deepEqual([entry.actor, entry.action], ['ada', 'merchant.create']);
    assert.match(entry.principal, /^token:\w+ \(ada\)$/);
    const principal = encodeURIComponent(entry.principal);
    const own = await admin.call('GET', `/audit-log?principal=${principal}&limit=1`, { token });
    assert.deepEqual([own.body.data[0].id, typeof own.body.cursor], [entry.id, 'string']);
    const { data: verified } = (await admin.call('GET', '/audit-log/verification', { token })).body;
    assert.deepEqual([verified.ok, verified.head.entry], [true, entry.id]);
    const kept = `entry=${verified.head.entry}&hash=${'0'.repeat(64)}`;
    const wrong = await admin.call('GET', `/audit-log/verification?${kept}`, { token });
    assert.deepEqual(wrong.body.data.broken, { entry: entry.id, how: 'changed' });
    const lines: string[] = [];
    let cursor = '';
    do {
      const page = (await admin.call('GET', `/audit-log/export?limit=2${cursor}`, { token })).body;
      lines.push(...page.data);
      cursor = page.cursor === null ? '' : `&cursor=${page.cursor}`;
    } while (cursor !== '');
    assert.equal(lines.length, Number(verified.entries));
    assert.equal(JSON.parse(lines.at(-1) ?? '').hash, verified.head.hash);
  });
});

describe('authentication of the admin API', () => {
  it('logs one line with caller, operation, address and reason', async () => {
    const lineOf = async (path: string, as: string | undefined, body: object) => {
      await admin.call('POST', path, { ...(as !== undefined && { token: as }), body });
      const { reqId, ms, route, ...rest } = admin.logged.at(-1) as Record<string, unknown>;
      return rest;
    };
    const ada = { actor: 'ada', address: '127.0.0.1' };
    const made = { method: 'POST', operation: 'merchant.create', ...ada };
    const { principal, ...done } = await lineOf('/merchants', token, { code: 'LINED', name: 'Logged' });
    assert.match(String(principal), /^token:\w+ \(ada\)$/);
    assert.deepEqual(done, { ...made, status: 200, reason: undefined });
    const taken = await lineOf('/merchants', token, { code: 'LINED', name: 'Logged' });
    assert.deepEqual(taken, { ...made, principal, status: 409, reason: 'merchant_exists' });
    const nobody = await lineOf('/merchants', 'oja_pat_wrong', { code: 'X', name: 'sekrit' });
    const unknown = { actor: undefined, principal: undefined, status: 401, reason: 'token_wrong' };
    assert.deepEqual(nobody, { ...made, ...unknown });
    assert.ok(!JSON.stringify(admin.logged).includes('sekrit'));
  });

  it('refuses a missing, wrong, expired or revoked token', async () => {
    const others = [
      undefined,
      'oja_pat_aaaaaaaa_x',
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    ];
    for (const other of others) {
      const answer = await admin.call('GET', '/merchants', other === undefined ? {} : { token: other });
      assert.deepEqual([answer.status, answer.headers['www-authenticate']], [401, 'Bearer']);
      assert.equal(answer.body.status, 'error');
    }
    const ben = await admin.run('token.create', { role: ['viewer'], name: 'ben' });
    assert.equal((await admin.call('GET', '/merchants', { token: ben.token })).status, 200);
    await admin.run('token.revoke', { id: ben.id });
    assert.equal((await admin.call('GET', '/merchants', { token: ben.token })).status, 401);
    const eve = await admin.run('token.create', { role: ['viewer'], name: 'eve' });
    await admin.database.query(
      "update access_tokens set expires_at = now() - interval '1 second' where id = $1",
      [eve.id],
    );
    assert.equal((await admin.call('GET', '/merchants', { token: eve.token })).status, 401);
  });
});

describe('malformed requests', () => {
  it('refuses an unknown cursor for every list', async () => {
    const known: Readonly<Record<string, string>> = {
      merchant: 'SHOP',
      provider: 'sandbox',
      party: 'vtpass',
    };
    const given: Readonly<Record<string, string>> = {
      from: '2026-11-21',
      to: '2026-11-21',
      at: '2026-11-21',
      day: '2026-11-21',
      person: '08031234567',
    };
    await admin.call('POST', '/merchants', { token, body: { code: 'SHOP', name: 'Shop' } });
    const lists = operations.filter(
      ({ route, input }) => route.startsWith('GET ') && 'cursor' in input.properties,
    );
    assert.ok(lists.length > 30);
    for (const { name, route, input } of lists) {
      const path = route.slice(4).replaceAll(/\{(\w+)\}/g, (_, field: string) => known[field] ?? 'nobody');
      const needed = ((input.required ?? []) as readonly string[]).filter(
        (field) => given[field] !== undefined,
      );
      const query = needed.map((field) => `${field}=${given[field]}&`).join('');
      for (const cursor of [
        '100',
        'AAAA',
        'bm9uZQ',
        '%00',
        '%F0%9F%92%A5',
        '9'.repeat(30),
        "'",
        'W10',
        'e30',
        'W251bGxd',
        `${'-'.repeat(36)}%2Fx`,
        '%5B%22%5Cu0000%22%5D',
      ]) {
        const { status, body } = await admin.call('GET', `${path}?${query}cursor=${cursor}`, { token });
        assert.ok(
          [200, 400, 404, 409].includes(status),
          `${name} ${cursor}: ${status} ${JSON.stringify(body)}`,
        );
      }
    }
  });

  it('refuses a cursor with a part that no row has', async () => {
    await admin.call('POST', '/merchants', { token, body: { code: 'PARTS', name: 'Parts' } });
    const id = '-'.repeat(36);
    const days = 'from=2026-11-21&to=2026-11-21&environment=live';
    const moved = (day: string, account: string) =>
      encodeURIComponent(JSON.stringify({ at: 'movement', after: [day, 'x', account, '0'] }));
    for (const [method, path, cursor] of [
      ['GET', '/merchants/PARTS/recipients?', encodeURIComponent(`${id}/Ada`)],
      ['GET', `/report?${days}&by=network&`, encodeURIComponent(JSON.stringify(['\0', 'NGN']))],
      ['GET', `/books/export?${days}&`, moved('someday', '0')],
      ['GET', `/books/export?${days}&`, moved('2026-02-30', '0')],
      ['GET', `/books/export?${days}&`, moved('2026-11-21', '9'.repeat(30))],
      ['GET', '/guards?', 'nowhere%2Fairtime%2FMTN'],
      ['POST', '/reconciliations', { party: 'vtpass', cursor: `${id}/0` }],
      ['POST', '/persons/export', { person: 'ada@example.com', cursor: `found.-1.live.${id}` }],
    ] as const) {
      const answer = await (method === 'GET'
        ? admin.call('GET', `${path}cursor=${cursor}`, { token })
        : admin.call('POST', path, { token, body: cursor }));
      const what = `${path} ${JSON.stringify(cursor)}`;
      assert.deepEqual([answer.status, answer.body.reason], [400, 'no_such_cursor'], what);
    }
  });

  const refusals: readonly [
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body: unknown,
    status: number,
    reason: string,
    field?: string,
  ][] = [
    ['POST', '/merchants', { code: 'X1' }, 400, 'input_malformed', 'name'],
    ['POST', '/merchants', { code: 'X1', name: 'X', nmae: 'Y' }, 400, 'input_malformed', 'nmae'],
    ['POST', '/merchants', { code: 1, name: 'X' }, 400, 'input_malformed', 'code'],
    ['POST', '/merchants', [], 400, 'input_malformed', 'input'],
    ['POST', '/merchants', '{"code":', 400, 'body_malformed'],
    ['POST', '/merchants', { code: 'a b', name: 'X' }, 400, 'merchant_code_malformed'],
    ['POST', '/merchants/NOBODY/suspend', {}, 404, 'no_merchant'],
    ['POST', '/merchants/SHOP/suspend', { merchant: 'OTHER' }, 400, 'input_malformed', 'merchant'],
    ['GET', '/merchants?limit=0', undefined, 400, 'input_malformed', 'limit'],
    ['GET', '/merchants?limit=1&limit=2', undefined, 400, 'input_malformed', 'limit'],
    ['GET', '/nothing', undefined, 404, 'path_unknown'],
    ['PUT', '/merchants', undefined, 405, 'method_not_allowed'],
  ];
  for (const [method, path, body, status, reason, field] of refusals) {
    it(`${method} ${path} ${JSON.stringify(body) ?? ''} is ${status}`, async () => {
      const count = async () => (await admin.database.query('select 1 from audit_log')).length;
      const entries = await count();
      const answer = await admin.call(method, path, { token, body });
      assert.deepEqual([answer.status, answer.body.reason], [status, reason]);
      assert.deepEqual(
        (answer.body.errors ?? []).map((fault: { field: string }) => fault.field),
        field === undefined ? [] : [field],
      );
      assert.equal(await count(), entries);
    });
  }
});
