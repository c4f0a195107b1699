/**
 * Payvessel's static virtual accounts. A request has no reference of ours, and an account is looked
 * up by its number only. After a lost reply the number is unknown, so the account is requested
 * again. This may open a second account. It loses nothing: no one was given the number of the first
 * one, and a payment into an unknown number is kept in suspense.
 *
 * Payvessel documents no list of payments, so there is nothing to sweep.
 */
import { openUpstream } from '../../../providers/http/call.ts';
import type { BankConnector } from '../funding-provider.ts';
import { accountRequest, createdAccount, noticeOf, paymentOf } from './mapping.ts';
import type { PayvesselSettings } from './settings.ts';

const CONNECTIONS_MAX = 8;

export function createPayvessel(settings: PayvesselSettings): BankConnector {
  const { baseUrl, apiKey, apiSecret, deadlineMs } = settings;
  const upstream = openUpstream({
    provider: 'payvessel',
    baseUrl,
    connectionsMax: CONNECTIONS_MAX,
    deadlineMs,
  });
  const headers = { 'api-key': apiKey, 'api-secret': apiSecret };
  const signingKey = apiSecret.replace(/^Bearer /, '');

  return {
    openAccount: async (order) =>
      createdAccount(
        await upstream.call({
          operation: 'account',
          method: 'POST',
          path: '/pms/api/external/request/customerReservedAccount/',
          headers,
          body: accountRequest(order, settings),
        }),
      ),
    // An account is open in the reply to its request, so none is ever pending.
    lookUpAccount: async () => ({ kind: 'pending' }),
    findPayment: async (reference) => {
      const path = `/pms/transactions/${encodeURIComponent(reference)}/confirm/`;
      return paymentOf(await upstream.call({ operation: 'query', method: 'GET', path, headers }), reference);
    },
    readNotice: (bytes, given) => noticeOf(bytes, given, signingKey),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}
