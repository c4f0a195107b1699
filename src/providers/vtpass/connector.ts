/**
 * VTpass: airtime, data, electricity, cable and education. `purchase.ts` has the requests,
 * `mapping.ts` the replies. Documentation: https://www.vtpass.com/documentation. A purchase is
 * never retried.
 */
import { createScrubber, refuseUnsent, unverifiable } from '../answers.ts';
import { connectorFrame, openProviderUpstream } from '../http/provider-upstream.ts';
import type { Connector, ProviderAnswer } from '../provider.ts';
import { type Bought, type Marked, mintDigits } from '../reference-mark.ts';
import { answerToVerification } from './customer.ts';
import { answerToPay, answerToQuery, readBalance, readPlans } from './mapping.ts';
import { phonedBills, toPurchase, toVerification } from './purchase.ts';
import type { VtpassSettings } from './settings.ts';

export function createVtpass(settings: VtpassSettings): Connector {
  const { apiKey, publicKey, secretKey } = settings;
  const now = settings.now ?? ((): Date => new Date());
  const upstream = openProviderUpstream({ ...settings, provider: 'vtpass' });
  const reading = { 'api-key': apiKey, 'public-key': publicKey };
  const buying = { 'api-key': apiKey, 'secret-key': secretKey };
  const scrub = createScrubber(() => [apiKey, publicKey, secretKey]);

  return {
    ...connectorFrame(upstream, settings),
    mintReference,
    takesBack: true,
    ...(settings.contactPhone === undefined && { needsPhone: phonedBills }),

    purchase: async (order, options) => {
      const purchase = toPurchase(order, settings.contactPhone);
      if (!('body' in purchase)) return refuseUnsent('VTpass', order, purchase);
      const at = now();
      if (lagosMinute(at).slice(0, 8) !== order.reference.slice(0, 8)) return outOfDate();
      // An order that waits for a connection must not be sent on the next day.
      const sendWithinMs = Math.min(options?.sendWithinMs ?? Number.POSITIVE_INFINITY, dayLeftMs(at));
      const result = await upstream.call(
        { operation: 'purchase', method: 'POST', path: '/pay', headers: buying, body: purchase.body },
        { ...options, sendWithinMs },
      );
      return scrub.answer(answerToPay(order, result));
    },

    query: async (order, options) => {
      const body = { request_id: order.reference };
      const result = await upstream.call(
        { operation: 'query', method: 'POST', path: '/requery', headers: buying, body },
        options,
      );
      return scrub.answer(answerToQuery(order, result));
    },

    verifyCustomer: async (query, options) => {
      const body = toVerification(query);
      if (body === undefined) return unverifiable('VTpass', query);
      const result = await upstream.call(
        { operation: 'verify', method: 'POST', path: '/merchant-verify', headers: buying, body },
        options,
      );
      return scrub.customer(answerToVerification(query, result));
    },

    balance: async (options) => {
      const result = await upstream.call(
        { operation: 'balance', method: 'GET', path: '/balance', headers: reading },
        options,
      );
      return readBalance(result);
    },

    dataLists,
    listPlans: async (serviceId, options) => {
      const path = `/service-variations?serviceID=${encodeURIComponent(serviceId)}`;
      const result = await upstream.call(
        { operation: 'list_plans', method: 'GET', path, headers: reading },
        options,
      );
      return readPlans(result);
    },
  };
}

const dataLists = new Map([
  ['mtn-data', 'MTN'],
  ['glo-data', 'GLO'],
  ['airtel-data', 'AIRTEL'],
  ['etisalat-data', '9MOBILE'],
] as const);

/** Makes the minute in Lagos and 24 base-36 digits: 36 characters, the longest known to work. */
function mintReference(at: Date, purchase: Marked, bought: Bought): string {
  return lagosMinute(at) + mintDigits(purchase, bought);
}

const LAGOS_OFFSET_MS = 60 * 60 * 1000; // UTC+1 the year round
const DAY_MS = 24 * 60 * 60 * 1000;

/** Formats a time as `YYYYMMDDHHmm` in Africa/Lagos. */
function lagosMinute(at: Date): string {
  return new Date(at.getTime() + LAGOS_OFFSET_MS).toISOString().replace(/\D/g, '').slice(0, 12);
}

/** Returns the milliseconds until midnight in Lagos. */
function dayLeftMs(at: Date): number {
  return DAY_MS - ((at.getTime() + LAGOS_OFFSET_MS) % DAY_MS);
}

/**
 * Answers for an id of another day. VTpass accepts ids of the current day only, so an id that was
 * not sent before midnight must be replaced.
 */
function outOfDate(): ProviderAnswer {
  return { kind: 'not_sent', code: 'stale_reference', message: 'the request id is of another day' };
}
