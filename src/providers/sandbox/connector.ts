/**
 * The provider behind test credentials: in-process, without network and state. The products'
 * records say what it sells: airtime and data for any mobile number, where the test numbers
 * misbehave, and bills for the test customers only. Orders are filled with the placeholders of
 * `orders.ts`. The answer to a query depends only on the recipient and on when the reference was
 * made. So any process can answer it, before and after a crash.
 */
import { randomBytes } from 'node:crypto';
import { invariant } from '../../kernel/errors.ts';
import { parseMobileNumber } from '../../products/mobile-number.ts';
import { directProducts, isBillProduct, isOrderProduct } from '../../products/product.ts';
import { recordOf } from '../../products/registry.ts';
import type { TestNumber, TestScenario } from '../../products/test-rules.ts';
import type { Connector, ProviderAnswer, ProviderOrder } from '../provider.ts';
import { payTestBill, verifyTestCustomer } from './bills.ts';
import { answerOrder } from './orders.ts';

/** The recipients that misbehave, of each product. */
const scenarios: ReadonlyMap<string, ReadonlyMap<string, TestScenario>> = new Map(
  directProducts.map((product) => [product, new Map(recordOf(product).testNumbers.map(toScenario))]),
);

function toScenario({ number, scenario }: TestNumber): readonly [string, TestScenario] {
  const recipient = parseMobileNumber(number);
  invariant(recipient !== undefined, 'a test number is a mobile number');
  return [recipient, scenario];
}

function scenarioOf({ product, recipient }: ProviderOrder): TestScenario | undefined {
  return scenarios.get(product)?.get(recipient);
}

export type SandboxSettings = {
  readonly notFoundGraceMs: number;
  /** How long a lost call takes before it is given up. */
  readonly timeoutMs?: number;
  /** How long after its reference was made a pending order becomes final. */
  readonly settlesAfterMs?: number;
  /** Milliseconds since the epoch; a parameter so that tests repeat. */
  readonly now?: () => number;
};

const TIMEOUT_MS = 300;
// Less than the time to the first query (5 s after the attempt), so that a sync request gets the
// outcome from that query.
const SETTLES_AFTER_MS = 3_000;

export function createSandbox(settings: SandboxSettings): Connector {
  const timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
  const settlesAfterMs = settings.settlesAfterMs ?? SETTLES_AFTER_MS;
  const now = settings.now ?? Date.now;
  // Eight random bytes for the process and a count within it: unique without asking for randomness
  // on every vend.
  const origin = randomBytes(8).toString('hex');
  let minted = 0;

  return {
    notFoundGraceMs: settings.notFoundGraceMs,
    deadlineMs: timeoutMs,

    mintReference: (at) => {
      minted += 1;
      return `sbx-${at.getTime().toString(36)}-${origin}-${minted.toString(36)}`;
    },

    vend: async (order, options) => {
      if (isBillProduct(order.product)) return billed(order);
      if (isOrderProduct(order.product)) return answerOrder(order, false);
      switch (scenarioOf(order)) {
        case 'refused':
          return refused(order);
        case 'accepted, then delivered':
        case 'accepted, then refused':
          return accepted();
        case 'delivered, answer lost':
        case 'lost before delivery':
          await pause(timeoutMs, options?.signal);
          return unanswered(timeoutMs);
        default:
          return delivered(order);
      }
    },

    query: async (order) => {
      if (isBillProduct(order.product)) return billed(order);
      const settled = now() - mintedAt(order.reference) >= settlesAfterMs;
      if (isOrderProduct(order.product)) return answerOrder(order, settled);
      switch (scenarioOf(order)) {
        case 'refused':
          return refused(order);
        case 'accepted, then delivered':
          return settled ? delivered(order) : accepted();
        case 'accepted, then refused':
          return settled ? refused(order) : accepted();
        case 'lost before delivery':
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

/**
 * As many naira as the line's last four digits say, so that every process gives the same balance.
 */
function lineBalance(phone: string): bigint {
  return BigInt(phone.slice(-4)) * 100n;
}

function delivered(order: ProviderOrder): ProviderAnswer {
  return {
    kind: 'success',
    code: 'delivered',
    message: 'delivered by the sandbox',
    telcoMessage:
      recordOf(order.product)?.plans === 'data'
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
