/**
 * A gateway in memory, for tests of programs that use the client. It stores purchases, plays the
 * scenarios of the sandbox's test numbers, and loses or refuses answers on request. It validates
 * input less strictly than the gateway, and answers unsupported requests with 404.
 */

import { NotFinalError } from '../errors.ts';
import type { Fetch, OjaOptions } from '../options.ts';
import { newReference } from '../reference.ts';
import type { WebhookEvent } from '../webhooks.ts';
import { type FakePurchase, statusAnswer } from './books.ts';
import { answerRequest, type FakeState, refusal } from './routes.ts';
import { type SignedWebhook, signWebhook } from './sign.ts';

export type { FakePurchase } from './books.ts';
export { type SignedWebhook, signWebhook } from './sign.ts';

export type FakeOptions = {
  /** Naira, such as `1000.00`; default `1000000.00`. */
  readonly balance?: string;
};

export type FakeGateway = {
  /** For `new Oja(…)`: a client that talks to the fake. */
  readonly options: OjaOptions;
  readonly fetch: Fetch;
  /** Stored purchases, oldest first. */
  purchases(): readonly FakePurchase[];
  /** Naira. */
  balance(): string;
  /** Makes all pending purchases final, or one of them. Missing goods arrive. */
  settle(reference?: string): void;
  /** The next request is executed, and its answer is lost. */
  loseNextAnswer(): void;
  /** The next request does not arrive. */
  loseNextRequest(): void;
  /** The next request is refused. */
  refuseNext(status: 429 | 500 | 503, retryAfterS?: number): void;
  /** The signed webhook of a final purchase. */
  webhook(reference: string, secret: string): Promise<SignedWebhook>;
};

type Fault =
  | { readonly kind: 'lose_answer' | 'lose_request' }
  | { readonly kind: 'refuse'; status: 429 | 500 | 503; retryAfterS: number };

const refusedBy = { 429: 'rate_limited', 500: 'unexpected_error', 503: 'requests_full' } as const;

export function createFakeGateway({ balance = '1000000.00' }: FakeOptions = {}): FakeGateway {
  const state: FakeState = { purchases: new Map(), kobo: Math.round(Number(balance) * 100) };
  const faults: Fault[] = [];
  const fetch: Fetch = async (url, init) => {
    init.signal?.throwIfAborted();
    const fault = faults.shift();
    if (fault?.kind === 'lose_request') throw new TypeError('fetch failed');
    if (fault?.kind === 'refuse') {
      const { status, retryAfterS } = fault;
      return refusal(status, refusedBy[status], 'The fake was told to refuse this', { retryAfterS });
    }
    const answer = answerRequest(state, new URL(url), init);
    if (fault?.kind === 'lose_answer' || answer === 'lost') throw new TypeError('fetch failed');
    return answer;
  };
  return {
    options: {
      key: 'oja_test_fake',
      secret: 'fake-secret',
      merchant: 'FAKE',
      baseUrl: 'https://fake.invalid',
      fetch,
    },
    fetch,
    purchases: () => [...state.purchases.values()],
    balance: () => (state.kobo / 100).toFixed(2),
    settle: (reference) => {
      for (const purchase of state.purchases.values()) {
        if (reference === undefined || purchase.reference === reference) settle(state, purchase);
      }
    },
    loseNextAnswer: () => void faults.push({ kind: 'lose_answer' }),
    loseNextRequest: () => void faults.push({ kind: 'lose_request' }),
    refuseNext: (status, retryAfterS = 0) => void faults.push({ kind: 'refuse', status, retryAfterS }),
    webhook: async (reference, secret) => await signWebhook(eventOf(state, reference), secret),
  };
}

function settle(state: FakeState, purchase: FakePurchase): void {
  purchase.hasGoods = true;
  if (purchase.outcome !== 'pending') return;
  purchase.outcome = purchase.story.last;
  if (purchase.outcome === 'failed') state.kobo += Math.round(Number(purchase.amount) * 100);
}

function eventOf({ purchases }: FakeState, reference: string): WebhookEvent {
  const purchase = purchases.get(reference);
  if (purchase === undefined) throw new Error(`the fake has no purchase ${reference}`);
  if (purchase.outcome === 'pending') {
    throw new NotFinalError(`${reference} is pending: settle() makes it final`, { reference });
  }
  const kind = purchase.product === 'GIFTCARD' || purchase.product === 'ESIM' ? 'order' : 'transaction';
  return {
    id: `evt_${newReference().replaceAll('-', '')}`,
    type: `${kind}.${purchase.outcome}`,
    created_at: new Date().toISOString(),
    data: statusAnswer(purchase),
  };
}
