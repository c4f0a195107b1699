/**
 * Nomba: airtime, data, electricity, cable and betting. `purchase.ts` has the requests,
 * `mapping.ts` the replies, `token.ts` the calls. Documentation: https://developer.nomba.com.
 *
 * A refusal is looked up before it counts, because Nomba does not document that refusals come
 * before execution.
 */

import { confirmRefusal, createScrubber, decideRefusal, refuseUnsent, unverifiable } from '../answers.ts';
import type { CallOptions } from '../http/call.ts';
import { connectorFrame } from '../http/provider-upstream.ts';
import type { TokenedResult } from '../http/tokened-client.ts';
import type { Connector, ProviderAnswer, ProviderOrder } from '../provider.ts';
import { readTransactions, toListQuery } from './list.ts';
import {
  answerToLookup,
  answerToPurchase,
  answerToQuery,
  needsConfirmation,
  readBalance,
  readPlans,
} from './mapping.ts';
import { toLookup, toPurchase } from './purchase.ts';
import type { NombaSettings } from './settings.ts';
import { openClient } from './token.ts';

/** The time limit of the look-up after a refusal. */
const LOOK_UP_MS = 5_000;

export function createNomba(settings: NombaSettings): Connector {
  const client = openClient(settings);
  const scrub = createScrubber(() => client.secrets());
  const { refusalGraceMs = 0 } = settings;
  const account = settings.subAccountId === undefined ? '' : `/${encodeURIComponent(settings.subAccountId)}`;

  const read = (operation: string, path: string, options?: CallOptions): Promise<TokenedResult> =>
    client.call({ operation, method: 'GET', path: `/v1${path}` }, options);

  const find = async (order: ProviderOrder, options?: CallOptions): Promise<ProviderAnswer> => {
    const path = `/transactions/accounts${account}/single?${new URLSearchParams({ merchantTxRef: order.reference })}`;
    return answerToQuery(order, await read('query', path, options));
  };

  /** Looks the order up when its refusal proves nothing. */
  const checked = async (order: ProviderOrder, answer: ProviderAnswer): Promise<ProviderAnswer> => {
    if (!needsConfirmation(answer)) return answer;
    const found = await find(order, { signal: AbortSignal.timeout(LOOK_UP_MS) });
    return decideRefusal(answer, found, refusalGraceMs);
  };

  return {
    ...connectorFrame(client, settings),

    purchase: async (order, options) => {
      const purchase = toPurchase(order, settings.businessName);
      if (!('body' in purchase)) return refuseUnsent('Nomba', order, purchase);
      const path = `/v1${purchase.path}${account}`;
      const request = { operation: 'purchase', method: 'POST', path, body: purchase.body } as const;
      return scrub.answer(await checked(order, answerToPurchase(order, await client.call(request, options))));
    },

    query: async (order, options) =>
      scrub.answer(confirmRefusal(order, await find(order, options), refusalGraceMs)),
    confirmsRefusals: true,

    verifyCustomer: async (query, options) => {
      const lookup = toLookup(query);
      if (lookup === undefined) return unverifiable('Nomba', query);
      return scrub.customer(answerToLookup(await read('verify', lookup, options)));
    },

    balance: async (options) => readBalance(await read('balance', `/accounts${account}/balance`, options)),

    /** `serviceId` is a mobile network as Nomba writes it, `mtn`. */
    listPlans: async (serviceId, options) =>
      readPlans(await read('list_plans', `/bill/data-plan/${encodeURIComponent(serviceId)}`, options)),

    listOrders: async (period, page, options) => {
      const path = `/v1/transactions/accounts${account}?${toListQuery(period, page)}`;
      const request = { operation: 'list', method: 'POST', path, body: {} } as const;
      return readTransactions(await client.call(request, options));
    },
  };
}
