/**
 * ClubKonnect: airtime, data, electricity, cable, betting and education PINs. `purchase.ts` has the
 * requests, `mapping.ts` the replies.
 *
 * Every call is a GET whose query string has the account and its key, and a GET that buys is
 * treated like a POST: it is sent once, and its redirects are never followed. The key is removed
 * from answers, and log lines, metrics and traces contain no paths.
 */
import { randomBytes } from 'node:crypto';
import { refuseUnsent, unverifiable } from '../answers.ts';
import type { CallOptions, CallResult } from '../http/call.ts';
import { connectorFrame, openProviderUpstream } from '../http/provider-upstream.ts';
import { createSecretRemover } from '../http/remove-secrets.ts';
import type { Connector } from '../provider.ts';
import { answerToVerification } from './customer.ts';
import { answerToPurchase, answerToQuery, readBalance, readPlans } from './mapping.ts';
import { type Call, type Fields, phonedBills, toPurchase, toQuery, toVerification } from './purchase.ts';
import type { ClubkonnectSettings } from './settings.ts';

export function createClubkonnect(settings: ClubkonnectSettings): Connector {
  const { userId, apiKey, contactPhone } = settings;
  const upstream = openProviderUpstream({ ...settings, provider: 'clubkonnect' });
  // A user id of digits only may be a number in a reply. Our id is compared and never shown.
  const names = /[a-z]/i.test(userId) ? [userId] : [];
  const withoutKeys = createSecretRemover([apiKey, ...names], 'requestid');
  const account = { UserID: userId, APIKey: apiKey };

  const get = async (
    operation: string,
    path: string,
    fields: Fields,
    options: CallOptions | undefined,
  ): Promise<CallResult> => {
    const query = new URLSearchParams(fields);
    const request = { operation, method: 'GET', path: `/${path}.asp?${query}`, headers: {} } as const;
    return withoutKeys(await upstream.call(request, options));
  };
  const ask = (
    operation: string,
    { path, fields }: Call,
    options: CallOptions | undefined,
  ): Promise<CallResult> => get(operation, path, { ...account, ...fields }, options);

  return {
    ...connectorFrame(upstream, settings),
    mintReference,
    // Credits come back to the wallet later, and without a notice that can be trusted.
    takesBack: true,
    queriesByOwnId: true,
    ...(contactPhone === undefined && { needsPhone: phonedBills }),

    purchase: async (order, options) => {
      const purchase = toPurchase(order, contactPhone);
      if ('lacks' in purchase) return refuseUnsent('ClubKonnect', order, purchase);
      return answerToPurchase(order, await ask('purchase', purchase, options));
    },

    query: async (order, options) => answerToQuery(order, await ask('query', toQuery(order), options)),

    verifyCustomer: async (query, options) => {
      const call = toVerification(query);
      if (call === undefined) return unverifiable('ClubKonnect', query);
      return answerToVerification(await ask('verify', call, options));
    },

    balance: async (options) =>
      readBalance(await ask('balance', { path: 'APIWalletBalanceV1', fields: {} }, options)),

    dataLists,
    /** `serviceId` is a mobile network as ClubKonnect's list names it. The list takes no key. */
    listPlans: async (serviceId, options) =>
      readPlans(serviceId, await get('list_plans', 'APIDatabundlePlansV2', { UserID: userId }, options)),
  };
}

/** The networks as the list of data plans names them. */
const dataLists = new Map([
  ['MTN', 'MTN'],
  ['Glo', 'GLO'],
  ['Airtel', 'AIRTEL'],
  ['m_9mobile', '9MOBILE'],
] as const);

const REFERENCE_BYTES = 12;
const REFERENCE_LENGTH = 20;

/**
 * Makes an id of 20 base-36 digits, the longest that ClubKonnect is known to accept, with 96 random
 * bits. It has no room for a mark of the purchase.
 */
function mintReference(): string {
  return BigInt(`0x${randomBytes(REFERENCE_BYTES).toString('hex')}`)
    .toString(36)
    .padStart(REFERENCE_LENGTH, '0');
}
