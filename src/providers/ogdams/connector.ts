/**
 * OGDAMS SIM hosting: airtime and data. `purchase.ts` has the requests, `mapping.ts` the replies. A
 * purchase is never retried.
 *
 * OGDAMS has no query, and its webhooks are not signed. An order without a final answer stays
 * pending until our balance or a person settles it: it is never failed because it cannot be found.
 */
import { mobileNetworks } from '../../core/products/network.ts';
import { createScrubber, refuseUnsent, unknown } from '../answers.ts';
import { connectorFrame, openProviderUpstream } from '../http/provider-upstream.ts';
import type { Connector } from '../provider.ts';
import { answerToPurchase, readBalance, readPlans } from './mapping.ts';
import { toPurchase } from './purchase.ts';
import type { OgdamsSettings } from './settings.ts';

export function createOgdams(settings: OgdamsSettings): Connector {
  const { secretKey, balanceField } = settings;
  const upstream = openProviderUpstream({ ...settings, provider: 'ogdams' });
  const scrub = createScrubber(() => [secretKey]);
  const headers = { authorization: `Bearer ${secretKey}` };

  return {
    ...connectorFrame(upstream, settings),

    purchase: async (order, options) => {
      const purchase = toPurchase(order);
      if (!('body' in purchase)) return refuseUnsent('OGDAMS', order, purchase);
      const { path, body } = purchase;
      const request = { operation: 'purchase', method: 'POST', path, headers, body } as const;
      return scrub.answer(answerToPurchase(await upstream.call(request, options)));
    },

    query: async () => ({
      ...unknown('no_query', 'OGDAMS cannot be queried: settle the purchase with evidence'),
      isUnqueryable: true,
    }),

    // The account has a main balance and one for each network, and the field names of the answer
    // are not known. So the operator names the field. Data may be paid from another balance.
    ...(balanceField === undefined ? { hasNoBalance: true } : { balanceProves: 'delivery' }),
    balance: async (options) => {
      if (balanceField === undefined) return undefined;
      const path = '/api/v1/get/balances';
      const request = { operation: 'balance', method: 'GET', path, headers } as const;
      return readBalance(await upstream.call(request, options), balanceField);
    },

    dataLists: new Map(mobileNetworks.map((network) => [network, network])),
    /** `serviceId` is a network in capitals, as in the list. */
    listPlans: async (serviceId, options) => {
      const path = '/api/v4/get/data/plans';
      const request = { operation: 'list_plans', method: 'GET', path, headers } as const;
      return readPlans(await upstream.call(request, options), serviceId);
    },
  };
}
