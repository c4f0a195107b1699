/** E-mails about a low balance: who gets them, how often, and after a process died. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { rolesOf } from '../../../src/backoffice/operations/registry.ts';
import type { Mail } from '../../../src/backoffice/users/compose-mail.ts';
import { sendUserMails } from '../../../src/backoffice/users/send-mails.ts';
import { tellLowWallets } from '../../../src/wallet/wallet-alert-store.ts';
import { type ConsoleTest, type Person, startConsole } from '../console/harness.ts';

let test: ConsoleTest;
let owner: Person;
let ada: Person;
let viewer: Person;
let shops = 0;
let merchant = '';

before(async () => {
  test = await startConsole();
});
after(() => test[Symbol.asyncDispose]());

beforeEach(async () => {
  shops += 1;
  merchant = `SHOP-${shops}`;
  await test.admin.run('merchant.create', { code: merchant, name: `Shop ${shops} & Sons` });
  owner = await test.person(`owner${shops}@shop.example`, ['owner'], merchant);
  ada = await test.person(`ada${shops}@shop.example`, ['finance'], merchant);
  viewer = await test.person(`viewer${shops}@shop.example`, ['viewer'], merchant);
});

async function credit(amount: string, environment = 'live'): Promise<void> {
  await test.admin.run('wallet.credit', { merchant, amount, environment, memo: 'test' });
}

async function choose(emails: readonly string[], threshold = '500', environment = 'live') {
  const set = await ada.browser.run('wallet.set_alert', { threshold, environment, emails });
  assert.equal(set.status, 200, JSON.stringify(set.body));
  return set.body.data;
}

const send = (sent: Mail[], isTaken = true) =>
  sendUserMails({
    database: test.admin.database,
    addresses: { console: 'https://console.shop.example', portal: 'https://portal.shop.example/' },
    send: async (mail) => {
      sent.push(mail);
      return isTaken;
    },
    rolesOf,
  });

/** Sends queued mail until the queue is empty. */
async function mails(): Promise<Mail[]> {
  const sent: Mail[] = [];
  await test.admin.database.query('update user_mails set due_at = now() where due_at is not null');
  while ((await send(sent)) > 0);
  return sent;
}

const recipients = (sent: readonly Mail[]) => sent.map(({ to }) => to).sort();

describe('the e-mail about a low balance', () => {
  it('is sent to the chosen users once for each fall', async () => {
    await credit('500');
    const set = await choose([ada.email.toUpperCase(), owner.email]);
    assert.deepEqual(set.emails, [ada.email, owner.email]);
    await tellLowWallets(test.admin.database);
    assert.deepEqual(await mails(), [], 'the balance is not below');
    await credit('-80.50');
    // Two processes.
    await Promise.all([tellLowWallets(test.admin.database), tellLowWallets(test.admin.database)]);
    const sent = await mails();
    assert.deepEqual(recipients(sent), [ada.email, owner.email]);
    for (const { subject, text, html } of sent) {
      assert.match(subject, /419\.50.*live/);
      for (const body of [text, html]) {
        assert.match(body, /419\.50/);
        assert.match(body, /500\.00/);
        assert.match(body, /https:\/\/portal\.shop\.example\/balance/);
      }
      assert.match(html, /&amp; Sons/);
    }
    await credit('-1');
    await tellLowWallets(test.admin.database);
    assert.deepEqual(await mails(), [], 'it was below before');
    await credit('1000');
    await tellLowWallets(test.admin.database);
    assert.deepEqual(await mails(), [], 'it is above');
    await credit('-1000');
    await tellLowWallets(test.admin.database);
    assert.deepEqual(recipients(await mails()), [ada.email, owner.email]);
  });

  it('is not sent to users who were not chosen, were suspended, or watch the other environment', async () => {
    await choose([ada.email, owner.email], '500', 'test');
    await test.admin.run('team.suspend', { merchant, email: owner.email });
    await credit('100');
    await tellLowWallets(test.admin.database);
    const sent = await mails();
    assert.deepEqual(recipients(sent), [ada.email]);
    assert.match(sent[0]?.subject ?? '', /test/);
  });

  it('is dropped when the balance rose, or the person was removed, before it was sent', async () => {
    await choose([ada.email, owner.email]);
    await tellLowWallets(test.admin.database);
    await choose([owner.email]);
    assert.deepEqual(recipients(await mails()), [owner.email]);
    await choose([ada.email], '600');
    await tellLowWallets(test.admin.database);
    await credit('1000');
    assert.deepEqual(await mails(), []);
  });

  it('is sent by another process after the one that booked it died, and is queued only once meanwhile', async () => {
    await choose([ada.email]);
    // It dies here: the e-mail is stored and not sent.
    await tellLowWallets(test.admin.database);
    // The mail server is unavailable until after the next fall.
    const refused: Mail[] = [];
    await send(refused, false);
    assert.deepEqual(recipients(refused), [ada.email]);
    await credit('1000');
    await tellLowWallets(test.admin.database);
    await credit('-900');
    await tellLowWallets(test.admin.database);
    const sent = await mails();
    assert.deepEqual(recipients(sent), [ada.email]);
    assert.equal(sent[0]?.id, refused[0]?.id, 'mail programs recognize it');
  });

  it('is sent at most twice if a process died after the mail server accepted it', async () => {
    await choose([ada.email]);
    await tellLowWallets(test.admin.database);
    const sent: Mail[] = [];
    const dying = sendUserMails({
      database: test.admin.database,
      addresses: { console: '', portal: '' },
      send: (mail) => {
        sent.push(mail);
        return new Promise<never>(() => {});
      },
      rolesOf,
    });
    dying.catch(() => {});
    while (sent.length === 0) await new Promise((wake) => setTimeout(wake, 10));
    assert.equal(await send([]), 0, 'its lease is kept while it lives');
    assert.deepEqual(recipients([...sent, ...(await mails()), ...(await mails())]), [ada.email, ada.email]);
  });
});

describe('the choice of people', () => {
  it('refuses strangers, users of other merchants and suspended users, without a change', async () => {
    const other = await test.person(`other${shops}@other.example`, ['owner'], await newOther());
    await choose([ada.email]);
    await test.admin.run('team.suspend', { merchant, email: viewer.email });
    for (const email of ['nobody@shop.example', other.email, viewer.email]) {
      const refused = await ada.browser.run('wallet.set_alert', {
        threshold: '9',
        emails: [owner.email, email],
      });
      assert.deepEqual([refused.status, refused.body.error.code], [404, 'no_user'], email);
    }
    const live = await shown();
    assert.deepEqual([live.threshold, live.emails], ['500.00', [ada.email]]);
  });

  it('is kept when only the threshold changes, and ends with the alert', async () => {
    await choose([ada.email, owner.email]);
    await ada.browser.run('wallet.set_alert', { threshold: '700' });
    assert.deepEqual((await shown()).emails, [ada.email, owner.email]);
    await ada.browser.run('wallet.set_alert', { threshold: '700', emails: [] });
    assert.deepEqual((await shown()).emails, []);
    await choose([ada.email]);
    await ada.browser.run('wallet.set_alert', {});
    const none = await shown();
    assert.deepEqual([none.threshold, none.emails], [null, []]);
    const refused = await viewer.browser.run('wallet.set_alert', { threshold: '700', emails: [ada.email] });
    assert.equal(refused.status, 403);
  });

  async function shown() {
    const { body } = await owner.browser.run('wallet.alerts');
    return body.data.find(
      ({ environment, currency }: { environment: string; currency: string }) =>
        environment === 'live' && currency === 'NGN',
    );
  }

  async function newOther(): Promise<string> {
    await test.admin.run('merchant.create', { code: `OTHER-${shops}`, name: 'Other' });
    return `OTHER-${shops}`;
  }
});
