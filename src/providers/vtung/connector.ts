/**
 * VTU.ng, and eBills.africa with the same API: airtime, data, electricity, cable and betting.
 * `purchase.ts` has the requests, `mapping.ts` the replies, `token.ts` the calls. Documentation:
 * https://vtu.ng/api. A purchase is never retried.
 */
import { formatAmount } from '../../core/money.ts';
import { confirmRefusal, createScrubber, refusedWithoutCall } from '../answers.ts';
import type { CallOptions } from '../http/call.ts';
import type { SharedTokens } from '../http/shared-tokens.ts';
import type { TokenedResult } from '../http/tokened-client.ts';
import type { Connector, CustomerQuery, ProviderAnswer, ProviderOrder } from '../provider.ts';
import { mintUuid } from '../reference-mark.ts';
import { answerToVerification } from './customer.ts';
import { answerToPurchase, answerToQuery, readBalance, readPlans } from './mapping.ts';
import { CABLE_SERVICES, type Purchase, toPurchase, toVerification } from './purchase.ts';
import type { VtungSettings } from './settings.ts';
import { openClient } from './token.ts';

export function createVtung(settings: VtungSettings, tokens: SharedTokens | undefined): Connector {
  const client = openClient(settings, tokens);
  const scrub = createScrubber(() => client.secrets());

  const read = (operation: string, path: string, options?: CallOptions): Promise<TokenedResult> =>
    client.call({ operation, method: 'GET', path: `/api/v2${path}` }, options);

  return {
    limiters: client.limiters,
    notFoundGraceMs: settings.notFoundGraceMs,
    deadlineMs: settings.deadlineMs,
    // 36 characters of the 50 that VTU.ng allows.
    mintReference: (_now, purchase, bought) => mintUuid(purchase, bought),
    // A completed order can be refunded later.
    takesBack: true,
    confirmsRefusals: true,

    purchase: async (order, options) => {
      const purchase = toPurchase(order);
      if (!('body' in purchase)) return refusedUnsent(order, purchase);
      const path = `/api/v2${purchase.path}`;
      const request = { operation: 'purchase', method: 'POST', path, body: purchase.body } as const;
      return scrub.answer(answerToPurchase(order, await client.call(request, options)));
    },

    query: async (order, options) => {
      const body = { request_id: order.reference };
      const request = { operation: 'query', method: 'POST', path: '/api/v2/requery', body } as const;
      const answer = answerToQuery(order, await client.call(request, options));
      return scrub.answer(confirmRefusal(order, answer, settings.refusalGraceMs));
    },

    verifyCustomer: async (query, options) => {
      const body = toVerification(query);
      if (body === undefined) {
        return { kind: 'unavailable', code: 'no_plan_code', message: withoutCode(query) };
      }
      const request = { operation: 'verify', method: 'POST', path: '/api/v2/verify-customer', body } as const;
      return scrub.customer(answerToVerification(await client.call(request, options)));
    },

    balance: async (options) => readBalance(await read('balance', '/balance', options)),

    listPlans: async (serviceId, options) => {
      const kind = CABLE_SERVICES.has(serviceId) ? 'tv' : 'data';
      const query = new URLSearchParams({ service_id: serviceId });
      return readPlans(await read('list_plans', `/variations/${kind}?${query}`, options));
    },

    breakerState: () => client.breakerState(),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** Answers for an order that VTU.ng cannot serve. An amount that is not the amount due is final. */
function refusedUnsent(order: ProviderOrder, reason: Exclude<Purchase, { body: unknown }>): ProviderAnswer {
  if ('amountDue' in reason) {
    const message = `The amount due is ${formatAmount(reason.amountDue)}`;
    return { ...refusedWithoutCall('amount_due', message), telcoMessage: message, fault: 'order' };
  }
  return reason.lacks === 'code'
    ? refusedWithoutCall('no_plan_code', withoutCode(order))
    : refusedWithoutCall('fractional_amount', 'VTU.ng is sent whole naira only');
}

function withoutCode({ product, network }: CustomerQuery): string {
  return `no VTU.ng service or plan code for this ${network} ${product}`;
}
