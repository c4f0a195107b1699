/**
 * The effect of each fault on a call: whether the order is executed, its outcome, and the caller's
 * answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from './books.ts';
import type { Fault } from './faults.ts';
import { json, type Reply } from './http.ts';

/** Whether the order is accepted and recorded despite this fault. */
export function executes(fault: Fault): boolean {
  switch (fault.fault) {
    case 'cut_before':
    case 'no_access':
    case 'float_out':
    case 'biller_down':
    case 'unauthorized':
    case 'rate_limited':
      return false;
    case 'error_5xx':
    case 'system_error':
    case 'broken_json':
    case 'html_page':
    case 'odd_reply':
    case 'no_reply':
    case 'bare_refusal':
    case 'timeout':
      return fault.delivered;
    default:
      return true;
  }
}

/** Waits for the fault's time, without keeping the process of a closed simulator alive. */
export async function holdBack(fault: Pick<Fault, 'delayMs' | 'released'> | undefined): Promise<void> {
  await fault?.released;
  if (fault !== undefined && fault.delayMs > 0) await sleep(fault.delayMs, undefined, { ref: false });
}

type Fate = Pick<Order, 'status' | 'finalAt' | 'settles' | 'visibleAt' | 'goodsAt'>;

/** The state of an order that is accepted at `now`. */
export function fateOf(fault: Fault | undefined, now: Date): Fate {
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  switch (fault?.fault) {
    case 'refused':
      return { status: 'failed', finalAt: now };
    case 'pending_then_success':
      return { status: 'pending', settles: { at: after(fault.settleMs), to: 'delivered', callbacks: 1 } };
    case 'duplicate_callback':
      return { status: 'pending', settles: { at: after(fault.settleMs), to: 'delivered', callbacks: 2 } };
    case 'pending_then_failed':
      return { status: 'pending', settles: { at: after(fault.settleMs), to: 'failed', callbacks: 1 } };
    case 'reversed_later':
      return {
        status: 'delivered',
        finalAt: now,
        settles: { at: after(fault.settleMs), to: 'failed', callbacks: 0 },
      };
    // Not delivered, and reported as delivered until it settles.
    case 'false_success':
      return {
        status: 'failed',
        finalAt: now,
        settles: { at: after(fault.settleMs), to: 'failed', callbacks: 0 },
      };
    case 'late_visible':
      return { status: 'delivered', finalAt: now, visibleAt: after(fault.lateVisibleMs) };
    case 'pending_fulfilments':
      return { status: 'delivered', finalAt: now, goodsAt: after(fault.fulfilmentMs) };
    default:
      return { status: 'delivered', finalAt: now };
  }
}

/** A provider's own form of an error. */
export type Words = {
  /** An answer outside its documents. */
  readonly odd: unknown;
  readonly noAccess: Reply;
  readonly floatOut: Reply;
  readonly billerDown: Reply;
  readonly unauthorized: Reply;
  readonly rateLimited: Reply;
  /** HTTP 5xx in the provider's format; absent if it has none. */
  readonly systemError?: Reply;
  /** A well-formed answer about another order. */
  readonly stranger: (proper: unknown) => unknown;
  /** The answer to an error of any kind, executed or not. Default: HTTP 400 without a code. */
  readonly bareRefusal?: Reply;
  /** A well-formed answer with another amount. Default: an answer without an amount. */
  readonly otherAmount?: (proper: unknown) => unknown;
};

const BARE_REFUSAL = json({ message: 'Request failed.' }, 400);

const HTML =
  '<!doctype html><html><head><title>Just a moment</title></head><body>We will be back.</body></html>';

const plainError = json({ message: 'Server Error' }, 500);

/** The reply that the caller gets instead of `proper`. */
export function spoil(fault: Fault, proper: Reply, words: Words, timeoutMs: number): Reply {
  switch (fault.fault) {
    case 'cut_before':
    case 'cut_after':
    case 'late_visible':
      return { kind: 'cut' };
    case 'timeout':
      return { kind: 'cut', afterMs: timeoutMs };
    case 'error_5xx':
      return plainError;
    case 'system_error':
      return words.systemError ?? plainError;
    case 'broken_json': {
      const text = JSON.stringify(bodyOf(proper));
      return { kind: 'text', status: 200, type: 'application/json', text: text.slice(0, text.length / 2) };
    }
    case 'html_page':
      return { kind: 'text', status: 200, type: 'text/html', text: HTML };
    case 'odd_reply':
      return json(words.odd);
    case 'no_reply':
      return { kind: 'text', status: 200, type: 'application/json', text: '' };
    case 'no_access':
      return words.noAccess;
    case 'float_out':
      return words.floatOut;
    case 'biller_down':
      return words.billerDown;
    case 'unauthorized':
      return words.unauthorized;
    case 'rate_limited':
      return words.rateLimited;
    case 'bare_refusal':
      return words.bareRefusal ?? BARE_REFUSAL;
    case 'other_amount':
      return words.otherAmount === undefined ? proper : json(words.otherAmount(bodyOf(proper)));
    case 'stranger_record':
      return json(words.stranger(bodyOf(proper)));
    default:
      return proper;
  }
}

function bodyOf(reply: Reply): unknown {
  return reply.kind === 'json' ? reply.body : {};
}
