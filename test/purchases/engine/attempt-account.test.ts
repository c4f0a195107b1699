/** An attempt is sent to the account it was stored for, and only that one decides about it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '../../../src/core/clock.ts';
import { noFailpoints } from '../../../src/core/failpoints.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Provider, ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import {
  type Attempter,
  attemptPurchase,
  queryAttempt,
} from '../../../src/purchases/engine/attempt-purchase.ts';
import { insertAttempts } from '../../../src/purchases/engine/claim-store.ts';
import type { ResolveItem } from '../../../src/purchases/engine/resolve-store.ts';
import { findSentAttempt } from '../../../src/purchases/engine/sent-attempt-store.ts';
import type { PurchaseInHand } from '../../../src/purchases/state/purchase-in-hand.ts';
import { decidePurchase } from '../../../src/purchases/state/purchase-policy.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { noAlike } from '../../support/no-alike.ts';
import { noBalances } from '../../support/no-balances.ts';
import { noGuards } from '../../support/no-guards.ts';
import { noRestoreLock } from '../../support/no-restore-lock.ts';
import { accept, answer, assertAudited, openBuyer, purchase, resolveWords } from '../fixture.ts';

const words = { code: 'c', message: 'm' };
const notFound: ProviderAnswer = { kind: 'not_found', ...words };

type Asked = { readonly sent: ProviderOrder[]; readonly queried: ProviderOrder[] };

function attempterOf(
  account: string | undefined,
  answer: ProviderAnswer,
  findAccount: () => Promise<string | undefined>,
  habits: Pick<Provider, 'queriesByOwnId' | 'confirmsRefusals'> = {
    queriesByOwnId: true,
    confirmsRefusals: true,
  },
): { attempter: Attempter; asked: Asked } {
  const asked: Asked = { sent: [], queried: [] };
  const provider: Provider = {
    name: 'played',
    account,
    environment: 'live',
    products: new Set(['AIRTIME']),
    sellsWithoutCodes: new Set(),
    wholeNairaOnly: new Set(),
    notFoundGraceMs: 60_000,
    deadlineMs: 1_000,
    ...habits,
    mintReference: () => 'r',
    purchase: async (order) => {
      asked.sent.push(order);
      return { kind: 'success', ...words };
    },
    query: async (order) => {
      asked.queried.push(order);
      return answer;
    },
    balance: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  const attempter: Attempter = {
    routes: { isPaused: () => false },
    providers: new Map([['played', provider]]),
    guards: noGuards,
    restoreLock: noRestoreLock,
    unsentMs: { async: 60_000, sync: 60_000, order: 60_000 },
    alike: noAlike,
    balances: noBalances,
    findSentAttempt: async () => ({
      account: await findAccount(),
      answer: { ...words, code: 'refused_1', providerId: 'own-1', ageMs: 1 },
    }),
    clock: systemClock,
    failpoints: noFailpoints,
    onAnswer: () => undefined,
  };
  return { attempter, asked };
}

function purchaseOf(account?: string): PurchaseInHand {
  return {
    merchantId: 1,
    environment: 'live',
    purchaseId: 'v',
    walletId: 1n,
    product: 'AIRTIME',
    network: 'MTN',
    recipient: '2348031234567',
    faceValue: 10n,
    charge: 10n,
    mode: 'sync',
    route: ['played'],
    refused: [],
    details: undefined,
    attempts: 1,
    queries: 5,
    notFound: 2,
    flagged: false,
    evidence: 'none',
    final: false,
    ageMs: 0,
    attempt: { provider: 'played', account, reference: 'r', ageMs: 0 },
    takenAtMs: systemClock.elapsedMs(),
  };
}

async function ask(present: string | undefined, sentTo: string | undefined, answer = notFound) {
  const { attempter, asked } = attempterOf(present, answer, async () => sentTo);
  const timed = await queryAttempt(attempter, purchaseOf());
  return { answer: timed.answer, question: asked.queried[0] };
}

const database = await openFileDatabase();

describe('an attempt', () => {
  it('stores the account of an attempt, by a request and by the worker, or none', async () => {
    const buyer = await openBuyer(database, 1_000n);
    for (const account of ['1f2e3d4c', undefined]) {
      const item = purchase(buyer, 10n);
      assert.ok(item.attempt);
      await accept(database, { ...item, attempt: { ...item.attempt, account } });
      const { merchantId, id: purchaseId } = item;
      const key = { merchantId, purchaseId, attempts: 1, final: false };
      assert.deepEqual(await findSentAttempt(database, key), { account, answer: undefined });
      const [row] = await database.query('select reason from attempts where purchase_id = $1', [purchaseId]);
      assert.deepEqual(row, { reason: 'first of the route' });
    }
    await assertAudited(database);
    const attempt = { merchantId: buyer.merchantId, number: 1, provider: 'sandbox', reason: 'test' };
    for (const account of ['1f2e3d4c', undefined]) {
      const purchaseId = newId();
      await database.transaction((tx) =>
        insertAttempts(tx, [{ ...attempt, purchaseId, account, reference: `p-${purchaseId}` }]),
      );
      const key = { merchantId: buyer.merchantId, purchaseId, attempts: 1, final: false };
      assert.deepEqual(await findSentAttempt(database, key), { account, answer: undefined });
    }
  });
});

describe('the provider’s own id of an order', () => {
  it('is that of the record that decided, once the purchase is final', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = purchase(buyer, 10n);
    await accept(database, item);
    const said = (kind: 'unknown' | 'accepted' | 'success', providerId: string | undefined): ResolveItem => {
      const { answer: plain, ...rest } = answer(buyer, item, kind);
      const source = kind === 'unknown' ? 'purchase' : 'query';
      return { ...rest, source, answer: { ...plain, providerId } };
    };
    const idOf = async (final: boolean): Promise<string | undefined> => {
      const key = { merchantId: buyer.merchantId, purchaseId: item.id, attempts: 1, final };
      return (await findSentAttempt(database, key)).answer?.providerId;
    };
    await resolveWords(database, said('unknown', undefined));
    await resolveWords(database, said('accepted', '17'));
    // Until then a second record like it must be seen, so it is looked up in the list.
    assert.equal(await idOf(false), undefined);
    await resolveWords(database, said('success', '17'));
    assert.equal(await idOf(true), '17');
  });

  it('is that of its own answer, whatever a query said', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = purchase(buyer, 10n);
    await accept(database, item);
    for (const [kind, source, providerId] of [
      ['accepted', 'purchase', '18'],
      ['success', 'query', '19'],
    ] as const) {
      const { answer: plain, ...rest } = answer(buyer, item, kind);
      await resolveWords(database, { ...rest, source, answer: { ...plain, providerId } });
    }
    for (const final of [false, true]) {
      const key = { merchantId: buyer.merchantId, purchaseId: item.id, attempts: 1, final };
      assert.equal((await findSentAttempt(database, key)).answer?.providerId, '18');
    }
  });
});

describe('an order', () => {
  it('sends an order to the account of its attempt', async () => {
    for (const account of ['one', undefined]) {
      const { attempter, asked } = attempterOf(account, notFound, async () => account);
      assert.equal((await attemptPurchase(attempter, purchaseOf(account))).answer.kind, 'success');
      assert.equal(asked.sent.length, 1);
    }
  });

  it('sends nothing if its provider meanwhile has another account', async () => {
    const { attempter, asked } = attempterOf('two', notFound, async () => 'one');
    const { answer } = await attemptPurchase(attempter, purchaseOf('one'));
    assert.deepEqual([answer.kind, answer.code], ['not_sent', 'account_changed']);
    assert.deepEqual(asked.sent, []);
  });
});

describe('a question', () => {
  it('decides by an answer of the order’s account, or of any if it is unknown', async () => {
    for (const [present, sentTo] of [
      ['one', 'one'],
      ['one', undefined],
      [undefined, 'one'],
    ] as const) {
      const { answer, question } = await ask(present, sentTo);
      assert.deepEqual(answer, notFound);
      assert.equal(question?.providerId, 'own-1');
      assert.ok(question.refusal);
    }
  });

  it('sends the reference for queries, also if the provider names no account', async () => {
    const questionTo = async (habits: Pick<Provider, 'queriesByOwnId' | 'confirmsRefusals'>) => {
      const { attempter, asked } = attempterOf(undefined, notFound, async () => undefined, habits);
      await queryAttempt(attempter, purchaseOf());
      const [question] = asked.queried;
      return [question?.providerId, question?.refusal?.code];
    };
    assert.deepEqual(await questionTo({ queriesByOwnId: true }), ['own-1', undefined]);
    assert.deepEqual(await questionTo({ confirmsRefusals: true }), [undefined, 'refused_1']);
    assert.deepEqual(await questionTo({}), [undefined, undefined]);
  });

  it('an answer of another account decides nothing except a success', async () => {
    const failed: ProviderAnswer = { kind: 'failed', fault: 'order', ...words };
    for (const said of [notFound, failed]) {
      const { answer, question } = await ask('two', 'one', said);
      assert.deepEqual([answer.kind, answer.code], ['unknown', 'other_account']);
      assert.equal(question?.providerId, undefined);
      assert.equal(question?.refusal, undefined);
    }
    const success: ProviderAnswer = { kind: 'success', ...words };
    assert.deepEqual((await ask('two', 'one', success)).answer, success);
  });

  it('does not query if the database does not know the account', async () => {
    const { attempter, asked } = attempterOf('one', notFound, () => Promise.reject(new Error('away')));
    const { answer } = await queryAttempt(attempter, purchaseOf());
    assert.deepEqual([answer.kind, answer.code], ['unknown', 'account_unread']);
    assert.deepEqual(asked.queried, []);
  });
});

describe('an answer of another account', () => {
  const patience = { notFoundGraceMs: 1_000, fulfilmentMs: 1_000, unsentMs: 1_000 };
  const progress = {
    attempts: 1,
    queries: 9,
    notFound: 2,
    attemptAgeMs: 10_000_000,
    ageMs: 10_000_000,
    flagged: false,
    evidence: 'none',
    final: false,
    route: ['played'],
    provider: 'played',
    refused: [],
  } as const;

  it('an answer of another account leaves the purchase pending and flags it once', () => {
    const other: ProviderAnswer = { kind: 'unknown', otherAccount: true, ...words };
    assert.deepEqual(decidePurchase(other, false, progress, patience), {
      effect: 'wait',
      dueMs: 600_000,
      flag: true,
    });
    const again = decidePurchase(other, false, { ...progress, flagged: true }, patience);
    assert.equal(again.effect === 'wait' && again.flag, false);
    assert.equal(decidePurchase(notFound, false, progress, patience).effect, 'fail');
  });
});
