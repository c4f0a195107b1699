/**
 * The provider of test credentials. It runs in-process, without network and state, and plays the
 * scenarios of `src/core/products/test-stories.ts`. Airtime and data work for any mobile number,
 * bills for test customers only. Orders get the placeholders of `orders.ts`. An answer depends only
 * on the order and the age of the purchase, so every process answers alike, before and after a
 * crash.
 */
import { randomBytes } from 'node:crypto';
import { isBillProduct, isOrderProduct } from '../../core/products/product.ts';
import { recordOf } from '../../core/products/registry.ts';
import type { StoryPlay } from '../../core/products/test-stories.ts';
import type { Connector, Goods, ProviderAnswer, ProviderOrder } from '../provider.ts';
import { payTestBill, verifyTestCustomer } from './bills.ts';
import { orderGoods, playOf } from './orders.ts';

export type SandboxSettings = {
  readonly notFoundGraceMs: number;
  /** The time after which a lost call is abandoned. */
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 300;

export function createSandbox(settings: SandboxSettings): Connector {
  const timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
  // Random bytes for the process and a counter: unique without new randomness for every purchase.
  const origin = randomBytes(8).toString('hex');
  let minted = 0;

  return {
    notFoundGraceMs: settings.notFoundGraceMs,
    deadlineMs: timeoutMs,

    mintReference: (at) => {
      minted += 1;
      return `sbx-${at.getTime().toString(36)}-${origin}-${minted.toString(36)}`;
    },

    purchase: async (order, options) => {
      const play = playOf(order);
      switch (play.first) {
        case 'delivered':
          return delivered(order, play, 0);
        case 'refused':
          return refused(order);
        case 'short of money':
          return shortOfMoney();
        case 'accepted':
          return accepted();
        case 'silent':
          await pause(timeoutMs, options?.signal);
          return unanswered(timeoutMs);
        case 'down':
          return isDown(play, order.ageMs ?? 0) ? down() : delivered(order, play, 0);
      }
    },

    query: async (order) => {
      const play = playOf(order);
      // An order of unknown age ended long ago.
      const ageMs = order.ageMs ?? Number.POSITIVE_INFINITY;
      if (play.first === 'delivered') return delivered(order, play, ageMs);
      if (play.first === 'refused') return refused(order);
      if (play.first === 'short of money') return shortOfMoney();
      if (ageMs < 1_000 * (play.afterS ?? 0)) return play.first === 'down' ? unheard() : accepted();
      switch (play.end) {
        case 'refused':
          return refused(order);
        case 'unknown':
        case 'down':
          return unheard();
        default:
          return delivered(order, play, ageMs);
      }
    },

    verifyCustomer: async (query) => verifyTestCustomer(query),

    sellsKinds: new Set(['share_and_sell']),

    balance: async () => undefined,

    mtnBalances: async (phones) => new Map(phones.map((phone) => [phone, lineBalance(phone)])),

    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Returns the line's last four digits as naira, so that every process returns the same balance. */
function lineBalance(phone: string): bigint {
  return BigInt(phone.slice(-4)) * 100n;
}

function delivered(order: ProviderOrder, play: StoryPlay, ageMs: number): ProviderAnswer {
  const areThere = ageMs >= 1_000 * (play.goodsAfterS ?? 0);
  const said = {
    kind: 'success',
    code: 'delivered',
    message: 'delivered by the sandbox',
  } as const;
  if (isOrderProduct(order.product)) return { ...said, ...(areThere && { goods: orderGoods(order) }) };
  if (isBillProduct(order.product)) return billed(order, play, said, areThere);
  const telcoMessage =
    recordOf(order.product)?.plans === 'data'
      ? `Data plan activated for ${order.recipient}`
      : `${order.recipient} recharged successfully`;
  return { ...said, telcoMessage, cost: order.amount };
}

type Said = Pick<Extract<ProviderAnswer, { kind: 'success' }>, 'kind' | 'code' | 'message'>;

function billed(order: ProviderOrder, play: StoryPlay, said: Said, areThere: boolean): ProviderAnswer {
  const bill = payTestBill(order, play.brings);
  if (bill.kind === 'rejected') {
    return {
      kind: 'failed',
      code: 'not_a_test_customer',
      message: 'refused by the sandbox: not a test customer',
      telcoMessage: bill.reason,
      fault: 'order',
    };
  }
  const { customer_name: name } = bill.goods;
  const goods: Goods = areThere ? bill.goods : name === undefined ? {} : { customer_name: name };
  return { ...said, telcoMessage: bill.telcoMessage, cost: order.amount, goods };
}

function refused(order: ProviderOrder): ProviderAnswer {
  return {
    kind: 'failed',
    code: 'failed',
    message: 'refused by the sandbox, as its story requires',
    telcoMessage: isOrderProduct(order.product)
      ? 'The order could not be fulfilled'
      : `${order.recipient} could not be served, the network refused the request`,
    fault: 'order',
  };
}

function shortOfMoney(): ProviderAnswer {
  return {
    kind: 'failed',
    code: 'short_of_money',
    message: 'the sandbox plays a provider where our money is used up',
    fault: 'provider',
  };
}

function isDown({ end, afterS = 0 }: StoryPlay, ageMs: number): boolean {
  return end === 'down' || ageMs < 1_000 * afterS;
}

function down(): ProviderAnswer {
  return { kind: 'not_sent', code: 'down', message: 'the sandbox simulates a provider that is down' };
}

function unheard(): ProviderAnswer {
  return { kind: 'not_found', code: 'not_found', message: 'the sandbox never received this reference' };
}

function accepted(): ProviderAnswer {
  return { kind: 'accepted', code: 'pending', message: 'the sandbox is processing it' };
}

function unanswered(timeoutMs: number): ProviderAnswer {
  return { kind: 'unknown', code: 'timeout', message: `the sandbox gave no answer within ${timeoutMs} ms` };
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
