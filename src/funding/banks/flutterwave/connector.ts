/**
 * Flutterwave's permanent virtual accounts (v3). Our reference is the account's `tx_ref`, which
 * every payment into it repeats, and a payment's own key is its `id`.
 *
 * Flutterwave looks an account up by its own `order_ref` only. After a lost reply that reference is
 * unknown, so the account is requested again under the same `tx_ref`. This may open a second
 * account. It loses nothing: no one was given the number of the first one, and a payment into
 * either names our `tx_ref`.
 */
import { type CallResult, openUpstream } from '../../../providers/http/call.ts';
import type { BankConnector, ListedAccount } from '../funding-provider.ts';
import { type ReadPage, readPages } from '../read-pages.ts';
import { pageOf, readTransactions, toAccountQuery, toTransactionsQuery } from './list.ts';
import { accountRequest, createdAccount, noticeOf, paymentOf } from './mapping.ts';
import type { FlutterwaveSettings } from './settings.ts';

const CONNECTIONS_MAX = 8;

export function createFlutterwave(settings: FlutterwaveSettings): BankConnector {
  const { baseUrl, secretKey, secretHash, deadlineMs } = settings;
  const upstream = openUpstream({
    provider: 'flutterwave',
    baseUrl,
    connectionsMax: CONNECTIONS_MAX,
    deadlineMs,
  });
  const headers = { authorization: `Bearer ${secretKey}` };
  const get = (path: string): Promise<CallResult> =>
    upstream.call({ operation: 'query', method: 'GET', path, headers });

  const pageOfList = async (account: ListedAccount, since: Date, page: number): Promise<ReadPage> =>
    pageOf(page, await get(`/transactions?${toAccountQuery(account, since, page)}`), account);

  return {
    openAccount: async (order) =>
      createdAccount(
        await upstream.call({
          operation: 'account',
          method: 'POST',
          path: '/virtual-account-numbers',
          headers,
          body: accountRequest(order),
        }),
        order,
      ),
    // An account is open in the reply to its request, so none is ever pending.
    lookUpAccount: async () => ({ kind: 'pending' }),
    findPayment: async (reference) =>
      paymentOf(await get(`/transactions/${encodeURIComponent(reference)}/verify`), reference),
    listPayments: (account, since) => readPages((page) => pageOfList(account, since, page), since),
    listTransactions: async (period, page) =>
      readTransactions(page, await get(`/transactions?${toTransactionsQuery(period, page)}`)),
    readNotice: (bytes, given) => noticeOf(bytes, given, secretHash),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}
