/**
 * The contract of every provider of funding accounts, for each connector against the simulator:
 * after any failure, an unknown state is `unavailable`.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { flutterwave } from '../../src/funding/banks/flutterwave/index.ts';
import { simulatedFlutterwave } from '../../src/funding/banks/flutterwave/settings.ts';
import type { AccountOrder, FundingProvider } from '../../src/funding/banks/funding-provider.ts';
import { monnify } from '../../src/funding/banks/monnify/index.ts';
import { simulatedMonnify } from '../../src/funding/banks/monnify/settings.ts';
import { paystack } from '../../src/funding/banks/paystack/index.ts';
import { simulatedPaystack } from '../../src/funding/banks/paystack/settings.ts';
import { payvessel } from '../../src/funding/banks/payvessel/index.ts';
import { simulatedPayvessel } from '../../src/funding/banks/payvessel/settings.ts';
import { payInto, spoilBank, startTestBank } from '../support/bank.ts';
import { until } from '../support/until.ts';

const bank = await startTestBank({ OJA_SIMULATOR_ASSIGN_MS: '200' }, { silent: true });
// These banks keep no data in our database.
const host = { sql: { query: () => assert.fail('no SQL') } };
/** The banks, with the given number of milliseconds for each call. */
const open = (deadlineMs: number): Promise<readonly FundingProvider[]> =>
  Promise.all([
    monnify.configure({ ...simulatedMonnify(bank.url), deadlineMs }).open(host),
    paystack.configure({ ...simulatedPaystack(bank.url), deadlineMs }).open(host),
    flutterwave.configure({ ...simulatedFlutterwave(bank.url), deadlineMs }).open(host),
    payvessel.configure({ ...simulatedPayvessel(bank.url), deadlineMs }).open(host),
  ]);
const providers = await open(3_000);
/** The same banks, for calls that get no answer in time. */
const hasty = await open(300);
/** They find an account by our reference or the customer. The others open another one. */
const remembering: ReadonlySet<string> = new Set(['monnify', 'paystack']);
/** It documents no answer for a payment that it does not have. */
const silent: ReadonlySet<string> = new Set(['payvessel']);
after(async () => {
  for (const provider of [...providers, ...hasty]) await provider[Symbol.asyncDispose]();
  await bank[Symbol.asyncDispose]();
});

let people = 0;

function newOrder(): AccountOrder {
  people += 1;
  return {
    reference: `oja-${people}-ngn`,
    currency: 'NGN',
    identity: {
      email: `person${people}@example.com`,
      firstName: 'Ada',
      lastName: 'Obi',
      phone: '2348031234567',
      bvn: String(55_000_000_000 + people),
    },
  };
}

const troubles = [
  { fault: 'error_5xx' },
  { fault: 'error_5xx', delivered: true },
  { fault: 'broken_json', delivered: true },
  { fault: 'html_page' },
  { fault: 'odd_reply' },
  { fault: 'no_reply', delivered: true },
  { fault: 'cut_before' },
  { fault: 'timeout', delivered: true },
  { fault: 'rate_limited' },
  { fault: 'bare_refusal' },
  { fault: 'bare_refusal', delivered: true },
] as const;

for (const [index, provider] of providers.entries()) {
  describe(provider.name, () => {
    const opened = async (order: AccountOrder): Promise<{ number: string; providerId: string | undefined }> =>
      await until('the account is there', async () => {
        const answer = await provider.openAccount(order, true);
        return answer.kind === 'active'
          ? { number: answer.account.number, providerId: answer.account.providerId }
          : undefined;
      });

    it('opens an account, and under the same order the same one if the bank finds it', async () => {
      const order = newOrder();
      const first = await provider.openAccount(order, false);
      assert.ok(first.kind === 'active' || first.kind === 'pending', first.kind);
      const account = await opened(order);
      assert.match(account.number, /^\d{10}$/);
      if (remembering.has(provider.name)) {
        assert.deepEqual(await opened(order), account);
        assert.equal((await provider.lookUpAccount(order)).kind, 'active');
      }
      assert.notEqual((await opened(newOrder())).number, account.number);
      assert.equal((await provider.lookUpAccount(newOrder())).kind, 'pending');
    });

    for (const trouble of troubles) {
      const what = `${trouble.fault}${'delivered' in trouble ? ', delivered' : ''}`;
      const asked = (trouble.fault === 'timeout' && hasty[index]) || provider;
      it(`treats ${what} as unknown, and finds or opens an account afterwards`, async () => {
        const order = newOrder();
        await spoilBank(
          bank.url,
          { ...trouble, operation: 'account', times: 1 },
          { fault: 'error_5xx', operation: 'requery', times: 1 },
        );
        const answer = await asked.openAccount(order, false);
        assert.ok(answer.kind === 'unavailable' || answer.kind === 'pending', answer.kind);
        await spoilBank(bank.url);
        await opened(order);
      });

      it(`treats ${what} as an unknown payment, never as a payment or as none`, async () => {
        const { number } = await opened(newOrder());
        const { reference } = await payInto(bank.url, number, '5000');
        await spoilBank(bank.url, { ...trouble, operation: 'requery', times: 1 });
        assert.equal((await asked.findPayment(reference)).kind, 'unavailable');
        await spoilBank(bank.url);
      });
    }

    it('reads a payment back', async () => {
      const order = newOrder();
      const { number } = await opened(order);
      const { reference } = await payInto(bank.url, number, '5000.50');
      const answer = await provider.findPayment(reference);
      assert.ok(answer.kind === 'paid');
      const { payment } = answer;
      assert.equal(payment.amount, 500_050n);
      assert.equal(payment.currency, 'NGN');
      assert.equal(payment.reference, reference);
      assert.equal(payment.paidTo.value, payment.paidTo.kind === 'number' ? number : order.reference);
      assert.ok(payment.settled !== undefined && payment.settled < payment.amount);
      assert.ok(Math.abs(payment.paidAt.getTime() - Date.now()) < 60_000);
      const none = silent.has(provider.name) ? 'unavailable' : 'not_paid';
      for (const reference of ['nothing', '404']) {
        assert.equal((await provider.findPayment(reference)).kind, none);
      }
    });

    if (provider.listPayments === undefined) return;
    const { listPayments } = provider;

    it('lists a payment, or reports that it cannot', async () => {
      const order = newOrder();
      const { number, providerId } = await opened(order);
      const before = new Date(Date.now() - 1_000);
      const { reference } = await payInto(bank.url, number, '5000.50');
      await payInto(bank.url, (await opened(newOrder())).number, '300');
      const account = { reference: order.reference, number, providerId };
      assert.deepEqual(await listPayments(account, before), {
        kind: 'listed',
        references: [reference],
      });
      await spoilBank(bank.url, { fault: 'error_5xx', operation: 'requery', times: 1 });
      assert.equal((await listPayments(account, before)).kind, 'unavailable');
      await spoilBank(bank.url);
    });

    it('lists more payments than a page has', { timeout: 60_000 }, async () => {
      const order = newOrder();
      const { number, providerId } = await opened(order);
      const paid = await Promise.all(Array.from({ length: 205 }, () => payInto(bank.url, number, '200')));
      const account = { reference: order.reference, number, providerId };
      const list = await listPayments(account, new Date(Date.now() - 60_000));
      assert.ok(list.kind === 'listed');
      assert.deepEqual([...new Set(list.references)].sort(), paid.map(({ reference }) => reference).sort());
    });
  });
}
