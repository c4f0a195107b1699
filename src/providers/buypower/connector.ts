/**
 * BuyPower: electricity and cable. `purchase.ts` has the requests, `mapping.ts` the replies. A
 * purchase is never retried.
 *
 * A refusal that requests a retry has the code of a failure. It fails the order only when two
 * answers agree, once the purchase is old enough. Until then it is unknown.
 */
import { createScrubber, refuseUnsent, unverifiable } from '../answers.ts';
import type { CallOptions } from '../http/call.ts';
import { connectorFrame, openProviderUpstream } from '../http/provider-upstream.ts';
import type { Connector, ProviderAnswer, ProviderOrder } from '../provider.ts';
import {
  answerToCheck,
  answerToQuery,
  answerToVend,
  isRefusedOnce,
  readBalance,
  readPlans,
  refusedTwice,
} from './mapping.ts';
import { toCheck, toPurchase, toQuery } from './purchase.ts';
import type { BuypowerSettings } from './settings.ts';

export function createBuypower(settings: BuypowerSettings): Connector {
  const { token, refusalGraceMs = 0 } = settings;
  const upstream = openProviderUpstream({ ...settings, provider: 'buypower' });
  const headers = { authorization: `Bearer ${token}` };
  const scrub = createScrubber(() => [token]);

  const find = async (order: ProviderOrder, options?: CallOptions): Promise<ProviderAnswer> => {
    const path = toQuery(order.reference, settings.queryPath);
    const request = { operation: 'query', method: 'GET', path, headers } as const;
    return answerToQuery(order, await upstream.call(request, options));
  };

  return {
    ...connectorFrame(upstream, settings),
    ...(settings.contactPhone === undefined && { needsPhone: new Set(['ELECTRICITY', 'CABLE']) }),

    purchase: async (order, options) => {
      const purchase = toPurchase(order, settings);
      if (!('body' in purchase)) return refuseUnsent('BuyPower', order, purchase);
      // Every known client sends `strict=0`: an order in progress is answered at once.
      const path = '/vend?strict=0';
      const request = { operation: 'purchase', method: 'POST', path, headers, body: purchase.body } as const;
      return scrub.answer(answerToVend(order, await upstream.call(request, options)));
    },

    query: async (order, options) => {
      const found = await find(order, options);
      if (!isRefusedOnce(found) || (order.sentMs ?? 0) < refusalGraceMs) return scrub.answer(found);
      const again = await find(order, options);
      const isSame = isRefusedOnce(again) && again.code === found.code;
      return scrub.answer(isSame ? refusedTwice(again) : again);
    },

    verifyCustomer: async (query, options) => {
      const path = toCheck(query);
      if (path === undefined) return unverifiable('BuyPower', query);
      const request = { operation: 'verify', method: 'GET', path, headers } as const;
      return scrub.customer(answerToCheck(query, await upstream.call(request, options)));
    },

    balance: async (options) => {
      const request = { operation: 'balance', method: 'GET', path: '/wallet/balance', headers } as const;
      return readBalance(await upstream.call(request, options));
    },

    listCodes: ({ disco: list, tariff_class: plan }) => ({ list, plan }),
    /** `serviceId` is a cable network as BuyPower writes it, `DSTV`. */
    listPlans: async (serviceId, options) => {
      const path = `/tariff/?${new URLSearchParams({ vertical: 'TV', provider: serviceId })}`;
      const request = { operation: 'list_plans', method: 'GET', path, headers } as const;
      return readPlans(await upstream.call(request, options));
    },
  };
}
