/** Each operation that shows a secret stores it sealed or hashed, and never logs it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operations } from '../../../src/backoffice/operations/registry.ts';
import { findInDatabase } from '../../support/whole-database.ts';
import { type Admin, startAdmin } from '../admin/harness.ts';

let admin: Admin;
before(async () => {
  admin = await startAdmin();
  await admin.run('merchant.create', { code: 'SHOP', name: 'Shop' });
  await admin.run('wallet.credit', { ...shop, amount: '5000', memo: 'a test' });
});
after(() => admin[Symbol.asyncDispose]());

const shop = { merchant: 'SHOP', environment: 'test' } as const;

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path
type Output = any;

const invited = async (name: string): Promise<string> => {
  const email = `${name.replace('.', '-')}@shop.example`;
  if (name.startsWith('user.')) await admin.run('user.invite', { email, roles: ['viewer'], link: true });
  else await admin.run('team.invite', { merchant: 'SHOP', email, roles: ['viewer'], link: true });
  return email;
};

/** The part of a link that is secret. */
const inLink = ({ link }: Output): string[] => [String(link).split(/[/#=]/).at(-1) ?? ''];

type Case = readonly [input: () => Promise<object>, secrets: (output: Output) => string[]];

const cases: Readonly<Record<string, Case>> = {
  'credential.issue': [async () => shop, ({ secret }) => [secret]],
  'credential.rotate': [
    async () => ({ credential: (await admin.run('credential.issue', shop)).key }),
    ({ secret }) => [secret],
  ],
  'webhook.create': [async () => ({ ...shop, url: 'https://shop.example/a' }), ({ secret }) => [secret]],
  'webhook.rotate': [
    async () => ({
      endpoint: (await admin.run('webhook.create', { ...shop, url: 'https://shop.example/b' })).id,
    }),
    ({ secret }) => [secret],
  ],
  'voucher.issue': [
    async () => ({ ...shop, value: '5', count: 2 }),
    ({ vouchers }) =>
      vouchers.flatMap(({ code }: { code: string }) => [code, code.replaceAll(/[^0-9A-Za-z]/g, '')]),
  ],
  'token.create': [
    async () => ({ role: ['viewer'], name: 'till' }),
    ({ token }) => [token, String(token).slice(-24)],
  ],
  'user.invite': [async () => ({ email: 'ada@shop.example', roles: ['viewer'], link: true }), inLink],
  'user.reset': [async () => ({ email: await invited('user.reset'), link: true }), inLink],
  'team.invite': [
    async () => ({ merchant: 'SHOP', email: 'bola@shop.example', roles: ['viewer'], link: true }),
    inLink,
  ],
  'team.reset': [async () => ({ merchant: 'SHOP', email: await invited('team.reset'), link: true }), inLink],
};

/**
 * These show secrets that a purchase or another operation stored. `test/proof/secrets.test.ts`
 * covers them.
 */
const shownAgain = [
  'purchase.reveal_goods',
  'merchant_purchase.reveal',
  // `test/oversight/approvals/gifts.test.ts`
  'approval.approve',
];

describe('an operation that shows a secret', () => {
  it('is tested here', () => {
    const showing = operations.filter(({ showsSecret }) => showsSecret === true).map(({ name }) => name);
    assert.deepEqual(showing.sort(), [...Object.keys(cases), ...shownAgain].sort());
  });

  for (const [name, [input, secretsOf]] of Object.entries(cases)) {
    it(`leaves its secret nowhere in clear: ${name}`, async () => {
      const secrets = secretsOf(await admin.run(name, await input()));
      assert.ok(secrets.length > 0 && secrets.every((secret) => secret.length >= 12), String(secrets));
      assert.deepEqual(await findInDatabase(admin.database, secrets), []);
      const logged = JSON.stringify(admin.logged);
      assert.ok(secrets.every((secret) => !logged.includes(secret)));
    });
  }

  it('would be noticed', async () => {
    assert.notDeepEqual(await findInDatabase(admin.database, ['ada@shop.example']), []);
  });
});
