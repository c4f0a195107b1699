/** The calls to Depot. `mapping.ts` reads the replies. */
import type { BankConnector } from '../../../../src/funding/banks/funding-provider.ts';
import { type CallResult, openUpstream } from '../../../../src/providers/http/call.ts';
import { accountOf, accountRequest, noticeOf, paymentOf } from './mapping.ts';
import type { DepotSettings } from './settings.ts';

const CONNECTIONS_MAX = 8;

export function createDepot({ baseUrl, key, deadlineMs }: DepotSettings): BankConnector {
  const upstream = openUpstream({ provider: 'depot', baseUrl, connectionsMax: CONNECTIONS_MAX, deadlineMs });
  const headers = { 'x-key': key };
  const get = (path: string): Promise<CallResult> =>
    upstream.call({ operation: 'query', method: 'GET', path, headers });
  return {
    // Depot opens one account for a reference, however often it is requested.
    openAccount: async (order) => {
      const body = accountRequest(order);
      const request = { operation: 'account', method: 'POST', path: '/accounts', headers, body } as const;
      return accountOf(await upstream.call(request), order.reference);
    },
    lookUpAccount: async ({ reference }) => accountOf(await get(`/accounts/${reference}`), reference),
    findPayment: async (reference) =>
      paymentOf(await get(`/payments/${encodeURIComponent(reference)}`), reference),
    readNotice: (bytes, given) => noticeOf(bytes, given['x-signature'], key),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}
