/**
 * A bank with one funding account for the merchant. It receives payments, sends notices and lists
 * them. It first answers as its scripts say, and later truthfully.
 */
import type { FundingProvider, PaymentAnswer } from '../../src/funding/banks/funding-provider.ts';
import type { Seeded } from '../support/seeded.ts';
import type { SimulatedTime } from './simulated-time.ts';
import type { Steps } from './steps.ts';

export const bankName = 'harbour';

const hesitations = ['silence', 'not paid yet'] as const;

type Hesitation = (typeof hesitations)[number];

export type BankScript = {
  /** The answers about a payment before the true one. */
  readonly hesitations: readonly Hesitation[];
  /** Whether the bank's list includes it. */
  readonly isListed: boolean;
  /** How long answers about it take to arrive. */
  readonly answersAfterS: number;
};

/** `slow`: the share of payments whose answers take seconds. */
export function drawBankScript(seeded: Seeded, slow: number): BankScript {
  const count = seeded.happens(0.4) ? seeded.whole(1, 2) : 0;
  return {
    hesitations: Array.from({ length: count }, () => seeded.pick(hesitations)),
    isListed: seeded.happens(0.7),
    answersAfterS: seeded.happens(slow) ? seeded.pick([2, 10, 28]) : 0,
  };
}

export type BookedPayment = {
  readonly reference: string;
  /** The number of the account that it was paid to. */
  readonly account: string;
  /** In kobo. */
  readonly amount: bigint;
  readonly paidAtMs: number;
  readonly script: BankScript;
  questions: number;
};

/** The bank's own book. */
export class BankBook {
  /** False: the bank answers truthfully at once, and lists everything. */
  faults = true;
  readonly #time: SimulatedTime;
  readonly #payments = new Map<string, BookedPayment>();

  constructor(time: SimulatedTime) {
    this.#time = time;
  }

  /** For an account. */
  paymentsOf(account: string): BookedPayment[] {
    return [...this.#payments.values()].filter((payment) => payment.account === account);
  }

  /** A customer pays in, once per reference. */
  pay(reference: string, account: string, amount: bigint, script: BankScript): void {
    if (this.#payments.has(reference)) return;
    const paidAtMs = this.#time.nowMs;
    this.#payments.set(reference, { reference, account, amount, paidAtMs, script, questions: 0 });
  }

  answer(reference: string): PaymentAnswer {
    const payment = this.#payments.get(reference);
    if (payment === undefined) return { kind: 'not_paid', reason: 'there is no such payment' };
    const hesitation = this.faults ? payment.script.hesitations[payment.questions] : undefined;
    payment.questions += 1;
    if (hesitation === 'silence') return { kind: 'unavailable', reason: 'no answer came' };
    if (hesitation === 'not paid yet') return { kind: 'not_paid', reason: 'it is under way' };
    const { account, amount, paidAtMs } = payment;
    return {
      kind: 'paid',
      payment: {
        reference,
        amount,
        currency: 'NGN',
        paidAt: new Date(paidAtMs),
        paidTo: { kind: 'number', value: account },
      },
    };
  }

  /** How long an answer about a payment takes to arrive. */
  delayMs(reference: string): number {
    return this.faults ? 1_000 * (this.#payments.get(reference)?.script.answersAfterS ?? 0) : 0;
  }

  list(account: string): string[] {
    return this.paymentsOf(account)
      .filter(({ script }) => script.isListed || !this.faults)
      .map(({ reference }) => reference);
  }
}

/** The bank as one process calls it. A notice is the reference itself, signed by one word. */
export function scriptedBank(
  process: string,
  { bank, steps }: { readonly bank: BankBook; readonly steps: Steps },
): FundingProvider {
  const travel = async <T>(what: string, arrive: () => T, afterMs = 0): Promise<T> => {
    const answer = await steps.wait('call', process, what, async () => arrive());
    await steps.wait('call', process, `hears what ${bankName} says`, async () => undefined, { afterMs });
    return answer;
  };
  return {
    name: bankName,
    environment: 'live',
    currencies: ['NGN'],
    keyedByEmail: false,
    openAccount: async () => ({ kind: 'pending' }),
    lookUpAccount: async () => ({ kind: 'pending' }),
    findPayment: (reference) =>
      travel(`asks ${bankName} for a payment`, () => bank.answer(reference), bank.delayMs(reference)),
    listPayments: (account) =>
      travel(`asks ${bankName} for its payments`, () => ({
        kind: 'listed',
        references: bank.list(account.number),
      })),
    readNotice: (bytes, { signature }) =>
      signature === 'genuine' ? { kind: 'payment', reference: Buffer.from(bytes).toString() } : undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
