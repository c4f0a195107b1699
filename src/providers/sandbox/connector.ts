/**
 * The provider behind test credentials: in-process, no network, no state. Any mobile number is served at its face
 * value, except the five test numbers below, which misbehave; bills are paid for the test customers of `bills.ts` only, and orders
 * are filled with the placeholders of `orders.ts`.
 * What a query answers follows from the order alone (its recipient) and from when its reference was minted, so that
 * any process can answer it, before and after a crash.
 */
import { randomBytes } from 'node:crypto';
import type { Provider, ProviderAnswer, ProviderOrder } from '../provider.ts';
import { isBill, payTestBill, verifyTestCustomer } from './bills.ts';
import { answerOrder, isOrder } from './orders.ts';

/** The recipients that misbehave, as documented for merchants (test numbers). */
const FAILS = '2348000000001';
const PENDING_THEN_SUCCESS = '2348000000002';
const PENDING_THEN_FAILED = '2348000000003';
const LOST_AFTER_DELIVERY = '2348000000004';
const LOST_BEFORE_DELIVERY = '2348000000005';

export type SandboxSettings = {
  readonly notFoundGraceMs: number;
  /** How long a lost call hangs before it is given up. */
  readonly timeoutMs?: number;
  /** How long after its minting a pending order becomes final. */
  readonly settlesAfterMs?: number;
  /** Milliseconds since the epoch; a parameter so that tests repeat. */
  readonly now?: () => number;
};

const TIMEOUT_MS = 300;
// Under the first requery (5 s after the attempt): a synchronous caller sees the outcome at that one.
const SETTLES_AFTER_MS = 3_000;

export function createSandbox(settings: SandboxSettings): Provider {
  const timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
  const settlesAfterMs = settings.settlesAfterMs ?? SETTLES_AFTER_MS;
  const now = settings.now ?? Date.now;
  // Eight random bytes for the process and a count within it: unique without asking for randomness on every vend.
  const origin = randomBytes(8).toString('hex');
  let minted = 0;

  return {
    name: 'sandbox',
    products: new Set(['airtime', 'data', 'ELECTRICITY', 'CABLE', 'BETTING', 'GIFTCARD', 'ESIM']),
    notFoundGraceMs: settings.notFoundGraceMs,
    deadlineMs: timeoutMs,

    mintReference: (at) => {
      minted += 1;
      return `sbx-${at.getTime().toString(36)}-${origin}-${minted.toString(36)}`;
    },

    vend: async (order, options) => {
      if (isBill(order.product)) return billed(order);
      if (isOrder(order.product)) return answerOrder(order, false);
      switch (order.recipient) {
        case FAILS:
          return refused(order);
        case PENDING_THEN_SUCCESS:
        case PENDING_THEN_FAILED:
          return accepted();
        case LOST_AFTER_DELIVERY:
        case LOST_BEFORE_DELIVERY:
          await pause(timeoutMs, options?.signal);
          return unanswered(timeoutMs);
        default:
          return delivered(order);
      }
    },

    query: async (order) => {
      if (isBill(order.product)) return billed(order);
      const settled = now() - mintedAt(order.reference) >= settlesAfterMs;
      if (isOrder(order.product)) return answerOrder(order, settled);
      switch (order.recipient) {
        case FAILS:
          return refused(order);
        case PENDING_THEN_SUCCESS:
          return settled ? delivered(order) : accepted();
        case PENDING_THEN_FAILED:
          return settled ? refused(order) : accepted();
        case LOST_BEFORE_DELIVERY:
          return {
            kind: 'not_found',
            code: 'not_found',
            message: 'the sandbox never received this reference',
          };
        default:
          return delivered(order);
      }
    },

    verifyCustomer: async (query) => verifyTestCustomer(query),

    balance: async () => undefined,

    mtnBalances: async (phones) => new Map(phones.map((phone) => [phone, lineBalance(phone)])),

    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Of the line's last four digits so many naira: the same whenever and wherever it is asked. */
function lineBalance(phone: string): bigint {
  return BigInt(phone.slice(-4)) * 100n;
}

function delivered(order: ProviderOrder): ProviderAnswer {
  return {
    kind: 'success',
    code: 'delivered',
    message: 'delivered by the sandbox',
    telcoMessage:
      order.product === 'data'
        ? `Data plan activated for ${order.recipient}`
        : `${order.recipient} recharged successfully`,
    providerId: order.reference,
    cost: order.amount,
  };
}

function billed(order: ProviderOrder): ProviderAnswer {
  const bill = payTestBill(order);
  if (bill.kind === 'rejected') {
    return {
      kind: 'failed',
      code: 'not_a_test_customer',
      message: 'refused by the sandbox: not a test customer',
      telcoMessage: bill.reason,
      providerId: order.reference,
      fault: 'order',
    };
  }
  return {
    kind: 'success',
    code: 'delivered',
    message: 'delivered by the sandbox',
    telcoMessage: bill.telcoMessage,
    providerId: order.reference,
    cost: order.amount,
    goods: bill.goods,
  };
}

function refused(order: ProviderOrder): ProviderAnswer {
  return {
    kind: 'failed',
    code: 'failed',
    message: 'refused by the sandbox: test number',
    telcoMessage: `${order.recipient} could not be served, the network refused the request`,
    providerId: order.reference,
    fault: 'order',
  };
}

function accepted(): ProviderAnswer {
  return { kind: 'accepted', code: 'pending', message: 'the sandbox works on it' };
}

function unanswered(timeoutMs: number): ProviderAnswer {
  return { kind: 'unknown', code: 'timeout', message: `the sandbox gave no answer within ${timeoutMs} ms` };
}

/** Milliseconds since the epoch; 0, long ago, for a reference this connector did not mint. */
function mintedAt(reference: string): number {
  const time = Number.parseInt(reference.split('-')[1] ?? '', 36);
  return Number.isNaN(time) ? 0 : time;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const wake = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener('abort', wake);
  });
}
