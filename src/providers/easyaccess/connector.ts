/**
 * EasyAccess: airtime and data. `purchase.ts` has the requests, `mapping.ts` the replies. A
 * purchase is never retried.
 *
 * EasyAccess can be queried only by its own reference, which its answer to an order of data has. If
 * that answer is lost, and for all airtime, the order stays `unknown` until our balance or a person
 * settles it: it is never called failed because it cannot be found.
 */
import { createScrubber, refuseUnsent, unknown } from '../answers.ts';
import { connectorFrame, openProviderUpstream } from '../http/provider-upstream.ts';
import type { Connector, ProviderAnswer } from '../provider.ts';
import { answerToAirtime, answerToData, answerToQuery, readBalance, readPlans } from './mapping.ts';
import { toPurchase } from './purchase.ts';
import type { EasyAccessSettings } from './settings.ts';

export function createEasyAccess(settings: EasyAccessSettings): Connector {
  const { token } = settings;
  const upstream = openProviderUpstream({ ...settings, provider: 'easyaccess' });
  const scrub = createScrubber(() => [token]);
  const headersOf = {
    new: { authorization: `Bearer ${token}` },
    old: { AuthorizationToken: token },
  };

  return {
    ...connectorFrame(upstream, settings),
    queriesByOwnId: true,
    balanceProves: 'either',

    purchase: async (order, options) => {
      const purchase = toPurchase(order);
      if (!('body' in purchase)) return refuseUnsent('EasyAccess', order, purchase);
      const { api, path, body } = purchase;
      const result = await upstream.call(
        { operation: 'purchase', method: 'POST', path, headers: headersOf[api], body },
        options,
      );
      return scrub.answer(api === 'new' ? answerToData(order, result) : answerToAirtime(order, result));
    },

    query: async (order, options) => {
      const { product, providerId } = order;
      if (product !== 'data') return unqueryable('no_query', 'EasyAccess has no query of airtime');
      if (providerId === undefined) {
        return unqueryable('no_provider_id', 'EasyAccess cannot be queried without its own reference');
      }
      const result = await upstream.call(
        {
          operation: 'query',
          method: 'POST',
          path: '/live/v1/query-transactions',
          headers: headersOf.new,
          body: { reference: providerId },
        },
        options,
      );
      return scrub.answer(answerToQuery(order, result));
    },

    balance: async (options) => {
      const result = await upstream.call(
        { operation: 'balance', method: 'GET', path: '/wallet_balance.php', headers: headersOf.old },
        options,
      );
      return readBalance(result);
    },

    /** `serviceId` is EasyAccess's type of product. */
    listPlans: async (serviceId, options) => {
      const result = await upstream.call(
        {
          operation: 'list_plans',
          method: 'GET',
          path: `/live/v1/get-plans?product_type=${encodeURIComponent(serviceId)}`,
          headers: headersOf.new,
        },
        options,
      );
      return readPlans(result);
    },
  };
}

/** Answers for an order that only our balance or a person can settle. */
function unqueryable(code: string, message: string): ProviderAnswer {
  return { ...unknown(code, message), isUnqueryable: true };
}
