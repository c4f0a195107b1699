/**
 * The independence of two people: neither created, invited, reset or gave a role to the other,
 * directly or through others.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Role } from '../../../src/core/operation.ts';
import { type Control, isOnePerson } from '../../../src/oversight/approvals/is-one-person.ts';
import {
  type ConsoleTest,
  codeOf,
  type Person,
  password,
  startConsole,
} from '../../backoffice/console/harness.ts';

let test: ConsoleTest;
let token: (role: Role, name: string) => Promise<string>;
let shops = 0;

before(async () => {
  test = await startConsole();
  token = test.admin.tokenFor;
});
after(() => test[Symbol.asyncDispose]());

const call = (path: string, as: string, body: object, method: 'POST' | 'PUT' = 'POST') =>
  test.admin.call(method, path, { token: as, body });

/** Asks for more than the limit of the harness, which is 1,000,000. */
async function ask(as: string | Person): Promise<string> {
  shops += 1;
  const merchant = `ASKED-${shops}`;
  await test.admin.run('merchant.create', { code: merchant, name: merchant });
  const order = { amount: '1500000', environment: 'live', currency: 'NGN', memo: 'much' };
  const asked =
    typeof as === 'string'
      ? await call(`/merchants/${merchant}/wallet/corrections`, as, { ...order, key: merchant })
      : await as.browser.run('wallet.credit', { merchant, ...order, key: merchant });
  assert.equal(asked.status, 202, JSON.stringify(asked.body));
  return asked.body.data.approval.id;
}

async function approve(approval: string, as: string | Person): Promise<unknown> {
  const done =
    typeof as === 'string'
      ? await call(`/approvals/${approval}/approve`, as, {})
      : await as.browser.run('approval.approve', { approval });
  return done.status === 200 ? 'approved' : (done.body.reason ?? done.body.error.code);
}

async function makeToken(as: string, role: Role, name: string): Promise<string> {
  const made = await call('/tokens', as, { role: [role], name });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body.data.token;
}

/** Opens a link that was shown, and signs in by the password that is chosen. */
async function takeOver(email: string, link: string): Promise<Person> {
  const browser = test.browser();
  const body = { token: new URL(link).hash.slice('#token='.length), password: 'a long enough one 77' };
  const accepted = await browser.post('/api/links/accept', body);
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
  if (accepted.body.data.next === 'enrol') {
    const begun = await browser.post('/api/second-factor/totp/begin');
    const code = codeOf(begun.body.data.secret, -1);
    assert.equal((await browser.post('/api/second-factor/totp/confirm', { code })).status, 200);
  }
  return { email, browser, face: 'console', seed: undefined, recoveryCodes: [], code: () => '' };
}

const same = 'approval_by_same_person';

describe('a request of an admin is not approved', () => {
  it('refuses a token that the admin made, before or after, and a token of that token', async () => {
    const ada = await token('admin', 'ada');
    const earlier = await makeToken(ada, 'finance', 'eve');
    const approval = await ask(ada);
    const later = await makeToken(ada, 'admin', 'bob');
    const further = await makeToken(later, 'finance', 'carol');
    for (const made of [earlier, later, further]) assert.equal(await approve(approval, made), same);
    assert.equal(await approve(approval, await token('finance', 'dan')), 'approved');
  });

  it('refuses the request’s author, and another token of the author', async () => {
    const boss = await token('admin', 'boss');
    const asker = await makeToken(boss, 'finance', 'clerk');
    const approval = await ask(asker);
    assert.equal(await approve(approval, boss), same);
    assert.equal(await approve(approval, await makeToken(boss, 'finance', 'other')), same);
    assert.equal(await approve(approval, await token('finance', 'dan')), 'approved');
  });

  it('refuses a person whom the admin invited, reset or gave a role, directly or through others', async () => {
    const ada = await test.person('ada@one.example', ['admin']);
    const bob = await test.person('bob@one.example', ['admin']);
    const viewer = await test.person('vic@one.example', ['viewer']);
    const approval = await ask(ada);
    const invited = await ada.browser.run('user.invite', {
      email: 'ina@one.example',
      roles: ['admin'],
      link: true,
    });
    const ina = await takeOver('ina@one.example', invited.body.data.link);
    assert.equal(await approve(approval, ina), same);
    const others = await ina.browser.run('user.invite', {
      email: 'ian@one.example',
      roles: ['finance'],
      link: true,
    });
    const ian = await takeOver('ian@one.example', others.body.data.link);
    assert.equal(await approve(approval, ian), same);
    assert.equal(
      (await ada.browser.run('user.set_roles', { email: viewer.email, roles: ['finance'] })).status,
      200,
    );
    const again = test.browser();
    const signedIn = await again.post('/api/sign-in', { email: viewer.email, password: password });
    if (signedIn.body.data.next === 'code') await again.post('/api/sign-in/code', { code: viewer.code() });
    else {
      const begun = await again.post('/api/second-factor/totp/begin');
      await again.post('/api/second-factor/totp/confirm', { code: codeOf(begun.body.data.secret, -1) });
    }
    assert.equal(await approve(approval, { ...viewer, browser: again }), same);
    // Whom the machine's user invited before is independent.
    assert.equal(await approve(approval, bob), 'approved');
    const second = await ask(ada);
    const reset = await ada.browser.run('user.reset', {
      email: bob.email,
      second_factors: true,
      link: true,
    });
    const taken = await takeOver(bob.email, reset.body.data.link);
    assert.equal(await approve(second, taken), same);
    // A user who took over an account cannot approve its requests either.
    assert.equal(await approve(await ask(taken), ada), same);
  });

  it('accepts the machine’s user after a token was made', async () => {
    const asked = await test.admin.run('merchant.create', { code: 'ROOTS', name: 'Roots' });
    assert.ok(asked);
    const before = await token('finance', 'early');
    const order = { amount: '1500000', environment: 'live', currency: 'NGN', memo: 'much', key: 'roots' };
    await test.admin.run('wallet.credit', { merchant: 'ROOTS', ...order });
    const { data } = await test.admin.run('approval.list', {});
    const { id } = data.find((row: { asked_principal: string }) => row.asked_principal === 'user:root');
    assert.equal(await approve(id, await token('finance', 'late')), same);
    assert.equal(await approve(id, before), 'approved');
  });
});

describe('two principals', () => {
  const user = (digit: string) => `user:${digit.repeat(8)}-0000-7000-8000-000000000000 (${digit}@x.example)`;
  const [ada, bob, carol, dan] = ['a', 'b', 'c', 'd'].map(user) as [string, string, string, string];
  const early = new Date('2026-01-01T00:00:00Z');
  const asked = new Date('2026-02-01T00:00:00Z');
  const late = new Date('2026-03-01T00:00:00Z');
  const control = (by: string, over: string, at = early): Control => ({ by, over, at });

  const cases: readonly (readonly [string, readonly Control[], string, string, boolean])[] = [
    ['without anything between them are two', [], ada, bob, false],
    ['are one, over any number of steps', [control(ada, carol), control(carol, bob)], ada, bob, true],
    ['are one the other way round', [control(ada, carol), control(carol, bob)], bob, ada, true],
    ['are one in a circle', [control(ada, bob), control(bob, ada)], ada, bob, true],
    ['that one person invited long ago are two', [control(carol, ada), control(carol, bob)], ada, bob, false],
    [
      'are one where somebody who invited the first took hold of the second since',
      [control(carol, ada), control(carol, bob, late)],
      ada,
      bob,
      true,
    ],
    ['stay two where a third was invited', [control(ada, carol), control(bob, dan)], ada, bob, false],
    ['stay two by the same name alone', [control(ada, 'token:x1 (b)')], ada, bob, false],
    [
      'that are two tokens of one person are one',
      [control(ada, 'token:x1 (one)'), control(ada, 'token:x2 (two)')],
      'token:x1 (one)',
      'token:x2 (two)',
      true,
    ],
    [
      'that are two tokens of the machine are two',
      [control('user:root', 'token:x1 (one)'), control('user:root', 'token:x2 (two)')],
      'token:x1 (one)',
      'token:x2 (two)',
      false,
    ],
  ];
  for (const [title, controls, one, other, is] of cases) {
    it(title, () => assert.equal(isOnePerson(one, other, controls, asked), is));
  }
});
