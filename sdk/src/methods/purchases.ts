/**
 * Purchases of any product: bills, lists, verification of customers, and the status of a purchase.
 */
import { call } from '../call.ts';
import { mayPass, NotFinalError, OjaError, RateLimitError, UnavailableError } from '../errors.ts';
import {
  type ListAnswer,
  type Operations,
  operations,
  type StatusAnswer,
  type TransactionBody,
  type VerifyAnswer,
  type VerifyBody,
} from '../generated/api.ts';
import type { CallOptions, Settings } from '../options.ts';
import { type Paged, paged } from '../pages.ts';
import { longestRetryAfterMs, sleep } from '../retry.ts';
import { buyPurchase, type PurchaseAnswer, type WithDefaults } from './purchase-kinds.ts';

export type PurchaseInput = WithDefaults<TransactionBody>;
export type VerifyInput = Omit<VerifyBody, 'merchant'> & { merchant?: string };
export type PurchaseRow = ListAnswer['result']['items'][number];

export type WaitOptions = {
  /** How long to wait in total; default ten minutes. The last query may take a second longer. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

export type PurchaseMethods = {
  /** Bills are answered with their outcome; airtime and data at once, as pending. */
  create(input: PurchaseInput, options?: CallOptions): Promise<PurchaseAnswer>;
  /** Newest first. */
  list(
    query?: Operations['listTransactions']['query'],
    options?: CallOptions,
  ): Paged<ListAnswer, PurchaseRow>;
  /** The customer of a meter, a smartcard or an account. Costs nothing. */
  verify(input: VerifyInput, options?: CallOptions): Promise<VerifyAnswer>;
  /** The state of a purchase or an order. */
  status(reference: string, options?: CallOptions): Promise<StatusAnswer>;
  /**
   * Queries until the purchase has succeeded or failed, also while the gateway is unavailable.
   * Throws `NotFinalError` if that takes too long.
   */
  waitUntilFinal(reference: string, options?: WaitOptions): Promise<StatusAnswer>;
};

export function purchaseMethods(settings: Settings): PurchaseMethods {
  const status: PurchaseMethods['status'] = (reference, options) =>
    call(
      settings,
      'look_up',
      { ...operations.getTransactionStatus, query: { request_ref: reference } },
      options,
    );
  return {
    create: (input, options) => buyPurchase(settings, 'createTransaction', input, options),
    list: (query = {}, options) =>
      paged({
        read: (cursor) => call(settings, 'look_up', pageOf(query, cursor), options),
        items: ({ result }: ListAnswer) => result.items,
        next: ({ result }) => result.page_info.next_cursor,
      }),
    verify: (input, options) => {
      const body = { ...input, merchant: input.merchant ?? settings.merchant };
      return call(settings, 'look_up', { ...operations.verifyCustomer, body }, options);
    },
    status,
    waitUntilFinal: (reference, options = {}) => waitUntilFinal(settings, status, reference, options),
  };
}

/** A page that is requested by a cursor has no number. */
function pageOf(
  { page, ...query }: NonNullable<Operations['listTransactions']['query']>,
  cursor: string | undefined,
): { method: string; path: string; query: Record<string, string | number | undefined> } {
  const place = cursor === undefined ? { page } : { cursor };
  return { ...operations.listTransactions, query: { ...query, ...place } };
}

const firstWaitMs = 500;
const longestWaitMs = 15_000;
const lastQuestionMs = 1_000;

async function waitUntilFinal(
  settings: Settings,
  status: PurchaseMethods['status'],
  reference: string,
  { timeoutMs = 10 * 60_000, signal }: WaitOptions,
): Promise<StatusAnswer> {
  const end = Date.now() + timeoutMs;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * 1.5)) {
    const leftMs = Math.max(lastQuestionMs, Math.ceil(end - Date.now()));
    const options = {
      timeoutMs: Math.min(settings.timeoutMs, leftMs),
      maxRetries: 0,
      ...(signal && { signal }),
    };
    const answer = await status(reference, options).catch((error: unknown) => {
      if (mayPass(error)) return error;
      throw error;
    });
    if (!(answer instanceof OjaError) && answer.state !== 'pending') return answer;
    const left = end - Date.now();
    if (left <= 0) {
      const cause = answer instanceof OjaError ? answer : undefined;
      const message = `The purchase was not final within ${timeoutMs} ms: ask again later`;
      throw new NotFinalError(message, { reference, cause });
    }
    const pauseMs = Math.max(waitMs * (0.75 + Math.random() / 2), askedToWait(answer));
    await sleep(Math.min(left, pauseMs), signal);
  }
}

/** Queries even if the given wait is very long, because the gateway may return earlier. */
function askedToWait(answer: StatusAnswer | OjaError): number {
  const isTold = answer instanceof RateLimitError || answer instanceof UnavailableError;
  const retryAfterMs = (isTold ? answer.retryAfterMs : undefined) ?? 0;
  return retryAfterMs > longestRetryAfterMs ? 0 : retryAfterMs;
}
