/**
 * Nomba: airtime, data, electricity, cable and betting. What is sent is in `purchase.ts`, what
 * comes back in `mapping.ts`, how it is called in `client.ts`. Documentation:
 * https://developer.nomba.com.
 */
import { randomUUID } from 'node:crypto';
import { readsAtOnce } from '../../upstream/call-in-lanes.ts';
import type { CallOptions, TokenedResult } from '../../upstream/tokened-client.ts';
import type { Connector, CustomerAnswer, CustomerQuery, ProviderAnswer, ProviderOrder } from '../provider.ts';
import { createScrubber } from '../scrub.ts';
import { openClient } from './client.ts';
import { answerToLookup, answerToQuery, answerToVend, readBalance, readPlans } from './mapping.ts';
import { type Purchase, toLookup, toPurchase } from './purchase.ts';
import type { NombaSettings } from './settings.ts';

export function createNomba(settings: NombaSettings): Connector {
  const client = openClient(settings);
  const scrub = createScrubber(() => client.secrets());
  const version = settings.vendVersion;
  const account = settings.subAccountId === undefined ? '' : `/${encodeURIComponent(settings.subAccountId)}`;

  const read = (operation: string, path: string, options?: CallOptions): Promise<TokenedResult> =>
    client.call({ operation, method: 'GET', path: `/v1${path}` }, options);

  return {
    capacity: {
      callsAtOnce: settings.connectionsMax,
      readsAtOnce: readsAtOnce(settings.connectionsMax),
      perSecond: settings.purchasesPerSecond,
      pacesQuestions: false,
    },
    notFoundGraceMs: settings.notFoundGraceMs,
    deadlineMs: settings.deadlineMs,
    mintReference: () => randomUUID(),

    vend: async (order, options) => {
      const purchase = toPurchase(order, settings.payerName);
      if (!('body' in purchase)) return refusedUnsent(order, purchase);
      const path = `/${version}${purchase.path}${account}`;
      const request = { operation: 'vend', method: 'POST', path, body: purchase.body } as const;
      return scrub.answer(answerToVend(order, await client.call(request, options)));
    },

    query: async (order, options) => {
      const path = `/transactions/accounts${account}/single?${new URLSearchParams({ merchantTxRef: order.reference })}`;
      return scrub.answer(answerToQuery(order, await read('query', path, options)));
    },

    verifyCustomer: async (query, options) => {
      const lookup = toLookup(query);
      if (lookup === undefined) return unverifiable(query);
      return scrub.customer(answerToLookup(await read('verify', lookup, options)));
    },

    balance: async (options) => readBalance(await read('balance', `/accounts${account}/balance`, options)),

    /** `serviceId` is a mobile network as Nomba writes it, `mtn`. */
    listPlans: async (serviceId, options) =>
      readPlans(await read('list_plans', `/bill/data-plan/${encodeURIComponent(serviceId)}`, options)),

    breakerState: () => client.breakerState(),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/**
 * The provider was not called, and calling it would not help. The order is final here, but another
 * provider may serve it.
 */
function refusedUnsent(
  order: ProviderOrder,
  { lacks }: Exclude<Purchase, { body: unknown }>,
): ProviderAnswer {
  const refused = { kind: 'failed', fault: 'provider' } as const;
  switch (lacks) {
    case 'code':
      return { ...refused, code: 'no_plan_code', message: withoutCode(order) };
    case 'phone':
      return { ...refused, code: 'no_phone', message: 'Nomba takes no betting order without a phone' };
    case 'whole naira':
      return { ...refused, code: 'fractional_amount', message: 'Nomba takes bills in whole naira only' };
  }
}

function unverifiable(query: CustomerQuery): CustomerAnswer {
  return { kind: 'unavailable', code: 'no_plan_code', message: withoutCode(query) };
}

function withoutCode({ product, network }: CustomerQuery): string {
  return `no Nomba plan code for this ${network} ${product}`;
}
