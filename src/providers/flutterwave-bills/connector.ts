/**
 * Flutterwave's bills: airtime, data, electricity and cable. `purchase.ts` has the requests,
 * `mapping.ts` the replies. Documentation: https://developer.flutterwave.com. A purchase is never
 * retried.
 *
 * The status of a bill is documented for Flutterwave's own `tx_ref`, so it is used once it is
 * known, and our reference before. The status may name no outcome. Then the history of the time
 * since the purchase is read, which names it.
 */
import { createScrubber, refuseUnsent, unverifiable } from '../answers.ts';
import type { CallOptions, CallResult } from '../http/call.ts';
import { connectorFrame, openProviderUpstream } from '../http/provider-upstream.ts';
import type { Connector, ProviderAnswer, ProviderOrder } from '../provider.ts';
import {
  answerToPayment,
  answerToStatus,
  answerToValidation,
  findInHistory,
  hasNextPage,
  readBalance,
  readPlans,
} from './mapping.ts';
import { toPurchase, toValidation } from './purchase.ts';
import type { FlutterwaveBillsSettings } from './settings.ts';

const DAY_MS = 24 * 3_600_000;
/** The maximum number of pages of the history that a query reads. */
const PAGES_MAX = 10;

export function createFlutterwaveBills(settings: FlutterwaveBillsSettings): Connector {
  const { secretKey, secretHash = '' } = settings;
  const now = settings.now ?? ((): Date => new Date());
  const upstream = openProviderUpstream({ ...settings, provider: 'flutterwave-bills' });
  const headers = { authorization: `Bearer ${secretKey}` };
  const scrub = createScrubber(() => [secretKey, secretHash]);

  const get = (operation: string, path: string, options?: CallOptions): Promise<CallResult> =>
    upstream.call({ operation, method: 'GET', path, headers }, options);

  /** Looks for a successful order in the history since the day before it was made. */
  const search = async (
    order: ProviderOrder,
    id: string,
    options?: CallOptions,
  ): Promise<ProviderAnswer | undefined> => {
    const at = now().getTime();
    const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
    const period = { from: day(at - (order.ageMs ?? 0) - DAY_MS), to: day(at + DAY_MS) };
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      const path = `/bills/history?${new URLSearchParams({ ...period, page: String(page) })}`;
      const result = await get('query', path, options);
      const found = findInHistory(order, id, result);
      if (found !== undefined) return found;
      if (!hasNextPage(page, result)) return undefined;
    }
    return undefined;
  };

  return {
    ...connectorFrame(upstream, settings),
    queriesByOwnId: true,

    purchase: async (order, options) => {
      const purchase = toPurchase(order, settings);
      if (!('body' in purchase)) return refuseUnsent('Flutterwave', order, purchase);
      const { path, body } = purchase;
      const request = { operation: 'purchase', method: 'POST', path, headers, body } as const;
      return scrub.answer(answerToPayment(order, await upstream.call(request, options)));
    },

    query: async (order, options) => {
      const id = order.providerId ?? order.reference;
      const result = await get('query', `/bills/${encodeURIComponent(id)}?verbose=1`, options);
      const answer = answerToStatus(order, id, result);
      const isOpen = answer.kind === 'accepted' || (answer.kind === 'unknown' && !answer.delivered);
      // Without a reply Flutterwave is not queried again.
      if (!isOpen || result.kind !== 'reply' || result.status >= 500) return scrub.answer(answer);
      const found = await search(order, answer.providerId ?? id, options);
      return scrub.answer(found ?? answer);
    },

    verifyCustomer: async (query, options) => {
      const path = toValidation(query);
      if (path === undefined) return unverifiable('Flutterwave', query);
      return scrub.customer(answerToValidation(await get('verify', path, options)));
    },

    balance: async (options) => readBalance(await get('balance', '/balances', options)),

    listCodes: ({ biller_code: list, item_code: plan }) => ({ list, plan }),
    /** `serviceId` is the code of a biller, `BIL108`. */
    listPlans: async (serviceId, options) =>
      readPlans(await get('list_plans', `/billers/${encodeURIComponent(serviceId)}/items`, options)),
  };
}
