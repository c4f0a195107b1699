/**
 * eSIM Access: travel eSIMs. `mapping.ts` has orders and their answers, `catalog.ts` the list of
 * packages, `client.ts` the calls.
 *
 * eSIM Access accepts a transaction id once, so a repeated order would be one order. Still an order
 * is posted only once: a second copy could arrive first, after the refund. An order whose answer
 * was lost is looked up.
 */

import { createScrubber, refusedWithoutCall } from '../answers.ts';
import type { CallOptions } from '../http/call.ts';
import { connectorFrame } from '../http/provider-upstream.ts';
import type { Body } from '../http/reply-fields.ts';
import type { Connector, ProviderAnswer, ProviderOrder } from '../provider.ts';
import { mintUuid } from '../reference-mark.ts';
import { balanceRequest, listRequest, readBalance, readPackages } from './catalog.ts';
import { openClient } from './client.ts';
import { readPeriodListing, toPeriodListing } from './list.ts';
import {
  answerToOrderQuery,
  answerToPurchase,
  answerToQuery,
  far,
  near,
  readListing,
  toListing,
  toOrder,
  toOrderQuery,
  toReference,
  type Window,
} from './mapping.ts';
import type { EsimAccessSettings } from './settings.ts';

const READ_DEADLINE_MS = 30_000;
const PAGES_MAX = 25;

export function createEsimAccess(settings: EsimAccessSettings): Connector {
  const client = openClient(settings);
  const scrub = createScrubber(() => [settings.secretKey, settings.accessCode]);

  /** Adds a deadline for all calls of one answer. */
  const reading = (options?: CallOptions): CallOptions => {
    const deadline = AbortSignal.timeout(Math.min(settings.deadlineMs, READ_DEADLINE_MS));
    return {
      ...options,
      signal: options?.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]),
    };
  };

  /** Queries by the order number. Undefined when the number is not known. */
  const queryByNumber = async (
    order: ProviderOrder,
    options: CallOptions,
  ): Promise<ProviderAnswer | undefined> => {
    const request = toOrderQuery(order);
    if (request === undefined) return undefined;
    const page = readListing(await client.call(request, options));
    return page.kind === 'answer' ? page.answer : answerToOrderQuery(order, page.entries);
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
        return { kind: 'unknown', code: 'foreign_reference', message: 'the reference is not in our form' };
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

  /** Looks the order up near its time first. Only the long list shows that there is no order. */
  const lookUp = async (order: ProviderOrder, options: CallOptions): Promise<ProviderAnswer> => {
    const nearby = await readList(order, near, options);
    return nearby.kind === 'not_found' ? await readList(order, far, options) : nearby;
  };

  return {
    ...connectorFrame(client, settings),
    mintReference: (now, purchase, bought) => toReference(now, mintUuid(purchase, bought)),

    purchase: async (order, options) => {
      const request = toOrder(order);
      if (request === undefined) return refusedUnsent(order);
      return scrub.answer(answerToPurchase(order, await client.call(request, options)));
    },

    queriesByOwnId: true,

    query: async (order, given) => {
      const options = reading(given);
      return scrub.answer((await queryByNumber(order, options)) ?? (await lookUp(order, options)));
    },

    listCatalog: async (product, options) =>
      product === 'ESIM' ? readPackages(await client.call(listRequest, reading(options))) : [],

    listOrders: async (period, page, options) => {
      const request = toPeriodListing(period, page);
      const result = await client.call(request, reading(options));
      return readPeriodListing(period, page, readListing(result));
    },

    balance: async (options) => readBalance(await client.call(balanceRequest, reading(options))),
  };
}

function refusedUnsent({ product, item }: ProviderOrder): ProviderAnswer {
  return product === 'ESIM' && item?.quantity !== 1
    ? refusedWithoutCall('no_item', 'the order names no eSIM, or several')
    : refusedWithoutCall('no_plan_code', `no eSIM Access package for this ${product}`);
}
