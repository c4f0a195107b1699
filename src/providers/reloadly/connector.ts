/**
 * Reloadly: gift cards. `mapping.ts` has orders and their answers, `cards.ts` the cards,
 * `catalog.ts` the catalog, `client.ts` the calls. Documentation:
 * https://docs.reloadly.com/gift-cards.
 *
 * An order is posted once. Reloadly refuses a known identifier, but accepts two orders that arrive
 * together. An order without a clear answer is searched by its identifier. Another call reads the
 * cards once the order is SUCCESSFUL.
 */

import { confirmRefusal, createScrubber, decideRefusal, refusedWithoutCall } from '../answers.ts';
import { type CallOptions, WAIT_MS } from '../http/call.ts';
import { connectorFrame } from '../http/provider-upstream.ts';
import type { TokenedResult } from '../http/tokened-client.ts';
import type { Connector, ProviderAnswer, ProviderListing, ProviderOrder } from '../provider.ts';
import { toCardsRequest, withCards } from './cards.ts';
import {
  balanceRequest,
  readAvailability,
  readBalance,
  readPage,
  toPageRequest,
  toProductRequest,
} from './catalog.ts';
import { openClient, type Request } from './client.ts';
import { readReport, toReport } from './list.ts';
import {
  answerToPurchase,
  answerToQuery,
  productIdOf,
  toOrder,
  toSearch,
  uncodedRefusal,
} from './mapping.ts';
import type { ReloadlySettings } from './settings.ts';

const READ_DEADLINE_MS = 30_000;
const PAGES_MAX = 500;

export function createReloadly(settings: ReloadlySettings): Connector {
  const client = openClient(settings);
  const { refusalGraceMs = 0 } = settings;
  const scrub = createScrubber(() => client.secrets());

  // The deadline starts when the call is sent, so the wait before it is added.
  const endWithin = (ms: number, signal: AbortSignal | undefined): AbortSignal => {
    const end = AbortSignal.timeout((settings.waitMs ?? WAIT_MS) + ms);
    return signal === undefined ? end : AbortSignal.any([end, signal]);
  };

  const read = (request: Request, options?: CallOptions): Promise<TokenedResult> => {
    const signal = endWithin(Math.min(settings.deadlineMs, READ_DEADLINE_MS), options?.signal);
    return client.call(request, { ...options, signal });
  };

  /** Looks the order up when it was refused without a code, which proves nothing. */
  const checked = async (
    order: ProviderOrder,
    result: TokenedResult,
    signal: AbortSignal,
  ): Promise<ProviderAnswer> => {
    const refused = uncodedRefusal(result);
    if (refused === undefined) return answerToPurchase(order, result);
    const found = answerToQuery(order, await read(toSearch(order), { signal }));
    return decideRefusal(refused, found, refusalGraceMs);
  };

  const complete = async (
    order: ProviderOrder,
    answer: ProviderAnswer,
    signal: AbortSignal | undefined,
  ): Promise<ProviderAnswer> => {
    if (answer.kind !== 'success' || answer.providerId === undefined) return answer;
    const cards = await read(toCardsRequest(answer.providerId), signal && { signal });
    return withCards(answer, order, cards);
  };

  return {
    ...connectorFrame(client, settings),
    // A single letter case, because Reloadly ignores the case of identifiers.

    purchase: async (order, options) => {
      const request = toOrder(order, settings.businessName);
      if (request === undefined) return refusedUnsent(order);
      // The order and its cards share one deadline.
      const signal = endWithin(settings.deadlineMs, options?.signal);
      const answer = await checked(order, await client.call(request, { ...options, signal }), signal);
      return scrub.answer(await complete(order, answer, signal));
    },

    query: async (order, options) => {
      const found = answerToQuery(order, await read(toSearch(order), options));
      const answer = confirmRefusal(order, found, refusalGraceMs);
      return scrub.answer(await complete(order, answer, options?.signal));
    },

    confirmsRefusals: true,

    checkAvailability: async (query, options) => {
      const productId = productIdOf(query.planCodes);
      if (productId === undefined) {
        return { kind: 'unavailable', code: 'no_plan_code', message: 'no Reloadly product id for this card' };
      }
      return readAvailability(query, await read(toProductRequest(productId), options));
    },

    listCatalog: async (product, options) => {
      if (product !== 'GIFTCARD') return [];
      const listings: ProviderListing[] = [];
      for (let number = 1; number <= PAGES_MAX; number += 1) {
        const page = readPage(await read(toPageRequest(number), options));
        if (page === undefined) return undefined;
        listings.push(...page.listings);
        if (page.isLast) return listings;
      }
      return undefined;
    },

    listOrders: async (period, page, options) =>
      readReport(page, await read(toReport(period, page), options)),

    balance: async (options) => readBalance(await read(balanceRequest, options)),
  };
}

function refusedUnsent({ product, item }: ProviderOrder): ProviderAnswer {
  return product === 'GIFTCARD' && item === undefined
    ? refusedWithoutCall('no_item', 'the order names no card')
    : refusedWithoutCall('no_plan_code', `no Reloadly product id for this ${product}`);
}
