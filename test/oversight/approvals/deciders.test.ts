/**
 * Information about a waiting operation: who may approve it, the count for each person, and an
 * e-mail to those who may.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operationNamed, operations, rolesOf } from '../../../src/backoffice/operations/registry.ts';
import { runOperation } from '../../../src/backoffice/operations/run-operation.ts';
import type { Mail } from '../../../src/backoffice/users/compose-mail.ts';
import { sendUserMails } from '../../../src/backoffice/users/send-mails.ts';
import { mayWait } from '../../../src/core/operation.ts';
import { titleOf } from '../../../src/oversight/approvals/approval-answer.ts';
import { systemUser } from '../../backoffice/admin/harness.ts';
import { type ConsoleTest, type Person, startConsole } from '../../backoffice/console/harness.ts';

let test: ConsoleTest;
let asker: Person;
let second: Person;
let invited: Person;
let support: Person;
let viewer: Person;
let shops = 0;

before(async () => {
  test = await startConsole();
  asker = await test.person('asker@one.example', ['admin']);
  second = await test.person('second@one.example', ['finance']);
  support = await test.person('support@one.example', ['support']);
  viewer = await test.person('viewer@one.example', ['viewer']);
  invited = await test.person('invited@one.example', ['finance']);
  // A user who sets another's roles counts as that person.
  const set = await asker.browser.run('user.set_roles', {
    email: invited.email,
    roles: ['finance', 'support'],
  });
  assert.equal(set.status, 200, JSON.stringify(set.body));
  const away = await test.person('away@one.example', ['finance']);
  await test.admin.run('user.suspend', { email: away.email });
});
after(() => test[Symbol.asyncDispose]());

async function newShop(): Promise<string> {
  shops += 1;
  const code = `SHOP-${shops}`;
  await test.admin.run('merchant.create', { code, name: `Shop ${shops} & Sons` });
  return code;
}

/** Asks for more than the limit of the harness, which is 1,000,000. */
async function ask(as: Person = asker, fields: object = {}): Promise<string> {
  const order = { merchant: await newShop(), amount: '1500000', environment: 'live', currency: 'NGN' };
  const asked = await as.browser.run('wallet.credit', { ...order, memo: 'much', ...fields });
  assert.equal(asked.status, 202, JSON.stringify(asked.body));
  return asked.body.data.approval.id;
}

async function show(approval: string, as: Person) {
  return (await as.browser.run('approval.show', { approval })).body.data;
}

/** The sessions of those whose roles were changed have ended. */
const signedIn = () => [asker, second, support, viewer];

async function mails(isTaken = true): Promise<Mail[]> {
  const sent: Mail[] = [];
  await test.admin.database.query('update user_mails set due_at = now() where due_at is not null');
  // A run sends a few.
  for (let taken = -1; taken !== sent.length; ) {
    taken = sent.length;
    await sendUserMails({
      database: test.admin.database,
      addresses: { console: 'https://console.shop.example/', portal: 'https://portal.shop.example' },
      send: async (mail) => {
        sent.push(mail);
        return isTaken;
      },
      rolesOf,
    });
  }
  return sent;
}

describe('an act that waits', () => {
  it('has a title that is not the name of its operation', () => {
    const waiting = operations.filter(mayWait).map(({ name }) => name as string);
    assert.ok(waiting.length > 5);
    assert.deepEqual(
      waiting.filter((name) => titleOf(name) === name),
      [],
    );
  });

  it('shows the merchant, the amount and both people, and who may approve it', async () => {
    const approval = await ask();
    const shown = await show(approval, viewer);
    const { merchant, purchase, deposit, environment, amount, currency, naira } = shown.about;
    assert.deepEqual(merchant, { code: `SHOP-${shops}`, name: `Shop ${shops} & Sons` });
    assert.deepEqual([purchase, deposit, environment], [null, null, 'live']);
    assert.deepEqual([amount, currency, naira], ['1500000.00', 'NGN', '1500000.00']);
    assert.deepEqual([shown.asker.email, shown.asker.roles], [asker.email, ['admin']]);
    assert.equal(shown.decider, null);
    const deciders = shown.deciders.map(({ email }: { email: string }) => email);
    assert.deepEqual(deciders, [second.email]);
    await second.browser.run('approval.approve', { approval });
    const over = await show(approval, viewer);
    assert.deepEqual([over.decider.email, over.decider.roles], [second.email, ['finance']]);
    assert.deepEqual(over.deciders, []);
  });

  it('shows its whole input, and lists it without long files', async () => {
    const short = await ask();
    const memo = 'a reason';
    await test.admin.database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query(
        "update approvals set input = input || jsonb_build_object('content', $2::text) where id = $1",
        [short, Array.from({ length: 2_000 }, (_, line) => `line ${line * 7_919}`).join(memo)],
      );
    });
    const other = await ask();
    const listed = (await viewer.browser.run('approval.list', {})).body.data;
    const inputOf = (id: string) => listed.find((one: { id: string }) => one.id === id).input;
    assert.deepEqual(inputOf(short), {});
    assert.equal(inputOf(other).amount, '1500000');
    assert.ok((await show(short, viewer)).input.content.length > 4_096);
  });

  it('tells each person whether they may approve it, as the server decides', async () => {
    const approval = await ask();
    const told = [];
    for (const person of signedIn()) {
      const { may_decide: may, refusal } = await show(approval, person);
      told.push([person.email, may, refusal]);
      const listed = await person.browser.run('approval.list', { state: 'waiting' });
      const row = listed.body.data.find((one: { id: string }) => one.id === approval);
      assert.deepEqual([row.may_decide, row.refusal], [may, refusal], person.email);
      if (may) continue;
      const refused = await person.browser.run('approval.approve', { approval });
      assert.deepEqual([refused.status, refused.body.error.code], [403, refusal], person.email);
    }
    assert.deepEqual(told, [
      [asker.email, false, 'approval_by_same_person'],
      [second.email, true, null],
      [support.email, false, 'role_lacking'],
      [viewer.email, false, 'role_lacking'],
    ]);
    assert.equal((await second.browser.run('approval.approve', { approval })).status, 200);
    assert.equal((await show(approval, second)).refusal, 'approval_over');
  });

  it('counts requests for those who may approve them, and for no others', async () => {
    const count = async (person: Person) =>
      (await person.browser.run('approval.count', {})).body.data as { waiting: number; for_you: number };
    const forEach = async () => await Promise.all(signedIn().map(async (one) => (await count(one)).for_you));
    const before = await forEach();
    const { waiting } = await count(viewer);
    const approval = await ask();
    const [ofAsker, ofSecond, ofSupport, ofViewer] = before as [number, number, number, number];
    assert.deepEqual(await forEach(), [ofAsker, ofSecond + 1, ofSupport, ofViewer]);
    assert.equal((await count(viewer)).waiting, waiting + 1);
    await asker.browser.run('approval.reject', { approval, reason: 'a mistake' });
    assert.deepEqual(await forEach(), before);
  });
});

describe('an e-mail about an act that waits', () => {
  it('sends an e-mail to those who may approve, with a link, once', async () => {
    await mails();
    const key = crypto.randomUUID();
    const order = { amount: '2500000', key };
    const approval = await ask(asker, order);
    const merchant = `SHOP-${shops}`;
    const same = { merchant, environment: 'live', currency: 'NGN', memo: 'much', ...order };
    const again = await asker.browser.run('wallet.credit', same);
    assert.deepEqual([again.status, again.body.data.approval.id], [202, approval]);
    const [refused, ...others] = await mails(false);
    assert.deepEqual([refused?.to, others], [second.email, []]);
    // The mail server accepts the same e-mail at the next try, and the queue is then empty.
    const [taken, ...more] = await mails();
    assert.deepEqual([taken?.id, taken?.to, more], [refused?.id, second.email, []]);
    assert.deepEqual(await mails(), []);
    const { text = '', html = '', subject = '' } = taken ?? {};
    for (const part of [text, html]) {
      assert.ok(part.includes(`https://console.shop.example/approvals/${approval}`), part);
      assert.ok(part.includes('2,500,000.00'), part);
      assert.ok(!/oja /.test(part), 'it has no shell command');
    }
    assert.ok(text.includes(merchant) && text.includes('asker@one.example'));
    assert.ok(html.includes('&amp; Sons') && !html.includes('& Sons'));
    assert.ok(subject.includes('2,500,000.00'));
  });

  it('sends no e-mail after the decision or the loss of the role', async () => {
    await mails();
    const approval = await ask();
    await asker.browser.run('approval.reject', { approval, reason: 'a mistake' });
    assert.deepEqual(await mails(), []);
    await ask();
    await test.admin.run('user.set_roles', { email: second.email, roles: ['viewer'] });
    assert.deepEqual(await mails(), []);
    await test.admin.run('user.set_roles', { email: second.email, roles: ['finance'] });
  });

  it('stores no e-mail without a mail server', async () => {
    await mails();
    const { services } = test.admin;
    const without = { ...services, signIn: { ...services.signIn, hasMail: false } };
    const order = { merchant: await newShop(), amount: '1500000', environment: 'live', currency: 'NGN' };
    const { approval } = await runOperation(
      without,
      operationNamed('wallet.credit'),
      { ...order, memo: 'much' },
      systemUser,
    );
    assert.equal(approval?.state, 'waiting');
    assert.deepEqual(await test.admin.database.query('select 1 from user_mails'), []);
  });
});
