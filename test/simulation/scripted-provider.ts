/** A provider as one simulated process calls it: each call and each answer is a separate step. */

import { newId } from '../../src/core/ids.ts';
import type { Provider, ProviderAnswer } from '../../src/providers/provider.ts';
import { products } from './products.ts';
import type { ProviderBook } from './provider-book.ts';
import type { SimulatedTime } from './simulated-time.ts';
import type { Steps } from './steps.ts';

/** The providers that report truthfully. */
export const providerNames = ['north', 'south'] as const;

const GRACE_MS = 60_000;

/** Names a purchase by its merchant and its merchant's reference. */
export function purchaseKey(merchantId: number, reference: string): string {
  return `${merchantId}/${reference}`;
}

type Outside = {
  readonly book: ProviderBook;
  readonly steps: Steps;
  readonly time: SimulatedTime;
  /** A provider calls the process back about an order. */
  readonly callBack: (provider: string, reference: string) => void;
};

export function scriptedProvider(
  name: string,
  process: string,
  { book, steps, time, callBack }: Outside,
): Provider {
  const travel = async <T>(
    what: string,
    arrive: () => T | undefined,
    reference: string | undefined,
  ): Promise<T> => {
    const { answer, afterMs } = await steps.wait('call', process, what, async () => ({
      answer: arrive(),
      afterMs: reference === undefined ? 0 : book.delayMs(reference),
    }));
    if (reference !== undefined && book.callsBack(reference)) callBack(name, reference);
    await steps.wait('call', process, `hears what ${name} says`, async () => undefined, { afterMs });
    if (answer === undefined) throw new Error('the answer cannot be read');
    return answer;
  };
  return {
    name,
    environment: 'live',
    products: new Set(products),
    sellsWithoutCodes: new Set(),
    wholeNairaOnly: new Set(),
    notFoundGraceMs: GRACE_MS,
    deadlineMs: 30_000,
    takesBack: true,
    mintReference: (_, { merchantId, reference }) => {
      const minted = `${name}-${newId()}`;
      book.name(minted, purchaseKey(merchantId, reference));
      return minted;
    },
    purchase: (order, options) => {
      const leftAtMs = time.elapsedMs;
      const arrive = (): ProviderAnswer | undefined =>
        time.elapsedMs - leftAtMs > (options?.sendWithinMs ?? Number.POSITIVE_INFINITY)
          ? { kind: 'not_sent', code: 'too_late', message: 'it could not leave in time' }
          : book.receive(name, order);
      return travel(`sends an order to ${name}`, arrive, order.reference);
    },
    query: ({ reference }) => travel(`asks ${name}`, () => book.answer(reference), reference),
    verifyCustomer: ({ recipient }) =>
      travel(`asks ${name} for a customer`, () => book.verify(recipient), undefined),
    balance: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
