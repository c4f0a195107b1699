/**
 * eSIM Access: travel eSIMs. What is ordered and what became of it is in `mapping.ts`, the list of
 * packages in `catalog.ts`, how it is called in `client.ts`.
 *
 * eSIM Access takes a transaction id once, so the same order sent twice would be one order. Still
 * an order is posted only once: a second copy could be the first to arrive, after the money was
 * given back. In doubt the order is looked for.
 */

import { createScrubber, refusedWithoutCall } from '../answers.ts';
import type { CallOptions } from '../http/call.ts';
import type { Body } from '../http/reply-fields.ts';
import type { Connector, ProviderAnswer, ProviderOrder } from '../provider.ts';
import { mintUuid } from '../reference-mark.ts';
import { balanceRequest, listRequest, readBalance, readPackages } from './catalog.ts';
import { openClient } from './client.ts';
import { readPeriodListing, toPeriodListing } from './list.ts';
import {
  answerToOrderQuestion,
  answerToPurchase,
  answerToQuery,
  far,
  near,
  readListing,
  toListing,
  toOrder,
  toOrderQuestion,
  toReference,
  type Window,
} from './mapping.ts';
import type { EsimAccessSettings } from './settings.ts';

const READ_DEADLINE_MS = 30_000;
const PAGES_MAX = 25;

export function createEsimAccess(settings: EsimAccessSettings): Connector {
  const client = openClient(settings);
  const scrub = createScrubber(() => [settings.secretKey, settings.accessCode]);

  /** With a deadline for all calls that the answer takes. */
  const reading = (options?: CallOptions): CallOptions => {
    const deadline = AbortSignal.timeout(Math.min(settings.deadlineMs, READ_DEADLINE_MS));
    return {
      ...options,
      signal: options?.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]),
    };
  };

  /** Undefined where the number of the order is not known. */
  const askByNumber = async (
    order: ProviderOrder,
    options: CallOptions,
  ): Promise<ProviderAnswer | undefined> => {
    const request = toOrderQuestion(order);
    if (request === undefined) return undefined;
    const page = readListing(await client.call(request, options));
    return page.kind === 'answer' ? page.answer : answerToOrderQuestion(order, page.entries);
  };

  /**
   * Reads the list page by page to its end: only a complete list shows that an order is not in it.
   */
  const readList = async (
    order: ProviderOrder,
    window: Window,
    options: CallOptions,
  ): Promise<ProviderAnswer> => {
    const entries: Body[] = [];
    for (let number = 1; number <= PAGES_MAX; number += 1) {
      const request = toListing(order, window, number);
      if (request === undefined) {
        return { kind: 'unknown', code: 'foreign_reference', message: 'the reference is none of ours' };
      }
      const page = readListing(await client.call(request, options));
      if (page.kind === 'answer') return page.answer;
      entries.push(...page.entries);
      if (page.entries.length === 0 || entries.length >= page.total) {
        return answerToQuery(order, entries, page.total);
      }
    }
    return { kind: 'unknown', code: 'long_list', message: 'the list of eSIMs has no end' };
  };

  /** As a rule an order is found nearby. That there is none takes the long list. */
  const lookUp = async (order: ProviderOrder, options: CallOptions): Promise<ProviderAnswer> => {
    const nearby = await readList(order, near, options);
    return nearby.kind === 'not_found' ? await readList(order, far, options) : nearby;
  };

  return {
    limiters: client.limiters,
    notFoundGraceMs: settings.notFoundGraceMs,
    deadlineMs: settings.deadlineMs,
    mintReference: (now, purchase, bought) => toReference(now, mintUuid(purchase, bought)),

    purchase: async (order, options) => {
      const request = toOrder(order);
      if (request === undefined) return refusedUnsent(order);
      return scrub.answer(answerToPurchase(order, await client.call(request, options)));
    },

    queriesByOwnId: true,

    query: async (order, given) => {
      const options = reading(given);
      return scrub.answer((await askByNumber(order, options)) ?? (await lookUp(order, options)));
    },

    listCatalog: async (product, options) =>
      product === 'ESIM' ? readPackages(await client.call(listRequest, reading(options))) : [],

    listOrders: async (period, page, options) => {
      const request = toPeriodListing(period, page);
      const result = await client.call(request, reading(options));
      return readPeriodListing(period, page, readListing(result));
    },

    balance: async (options) => readBalance(await client.call(balanceRequest, reading(options))),

    breakerState: () => client.breakerState(),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

function refusedUnsent({ product, item }: ProviderOrder): ProviderAnswer {
  return product === 'ESIM' && item?.quantity !== 1
    ? refusedWithoutCall('no_item', 'the order names no eSIM, or several')
    : refusedWithoutCall('no_plan_code', `no eSIM Access package for this ${product}`);
}
