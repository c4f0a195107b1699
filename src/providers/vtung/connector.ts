/**
 * VTU.ng, and eBills.africa with the same API: airtime, data, electricity, cable and betting.
 * `purchase.ts` has the requests, `mapping.ts` the replies, `token.ts` the calls. Documentation:
 * https://vtu.ng/api. A purchase is never retried.
 */
import { mobileNetworks } from '../../core/products/network.ts';
import { confirmRefusal, createScrubber, refuseUnsent, unverifiable } from '../answers.ts';
import type { CallOptions } from '../http/call.ts';
import { connectorFrame } from '../http/provider-upstream.ts';
import type { SharedTokens } from '../http/shared-tokens.ts';
import type { TokenedResult } from '../http/tokened-client.ts';
import type { Connector } from '../provider.ts';
import { answerToVerification } from './customer.ts';
import { answerToPurchase, answerToQuery, readBalance, readPlans } from './mapping.ts';
import { CABLE_SERVICES, toPurchase, toVerification } from './purchase.ts';
import type { VtungSettings } from './settings.ts';
import { openClient } from './token.ts';

const dataLists = new Map(mobileNetworks.map((network) => [network.toLowerCase(), network]));

export function createVtung(settings: VtungSettings, tokens: SharedTokens | undefined): Connector {
  const client = openClient(settings, tokens);
  const scrub = createScrubber(() => client.secrets());

  const read = (operation: string, path: string, options?: CallOptions): Promise<TokenedResult> =>
    client.call({ operation, method: 'GET', path: `/api/v2${path}` }, options);

  return {
    ...connectorFrame(client, settings),
    // 36 of the 50 characters that VTU.ng allows. A completed order can be refunded later.
    takesBack: true,
    confirmsRefusals: true,

    purchase: async (order, options) => {
      const purchase = toPurchase(order);
      if (!('body' in purchase)) return refuseUnsent('VTU.ng', order, purchase);
      const path = `/api/v2${purchase.path}`;
      const request = { operation: 'purchase', method: 'POST', path, body: purchase.body } as const;
      return scrub.answer(answerToPurchase(order, await client.call(request, options)));
    },

    query: async (order, options) => {
      const body = { request_id: order.reference };
      const request = { operation: 'query', method: 'POST', path: '/api/v2/requery', body } as const;
      const answer = answerToQuery(order, await client.call(request, options));
      return scrub.answer(confirmRefusal(order, answer, settings.refusalGraceMs ?? 0));
    },

    verifyCustomer: async (query, options) => {
      const body = toVerification(query);
      if (body === undefined) return unverifiable('VTU.ng', query);
      const request = { operation: 'verify', method: 'POST', path: '/api/v2/verify-customer', body } as const;
      return scrub.customer(answerToVerification(await client.call(request, options)));
    },

    balance: async (options) => readBalance(await read('balance', '/balance', options)),

    dataLists,
    listPlans: async (serviceId, options) => {
      const kind = CABLE_SERVICES.has(serviceId) ? 'tv' : 'data';
      const query = new URLSearchParams({ service_id: serviceId });
      return readPlans(await read('list_plans', `/variations/${kind}?${query}`, options));
    },
  };
}
