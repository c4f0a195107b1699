/**
 * Paystack's dedicated virtual accounts: an account is asked for, and is there some time later. It
 * is found by the customer's e-mail, since Paystack knows a customer by nothing else. What a second
 * request would do is not documented, so the customer is read first.
 */
import { type CallResult, openUpstream } from '../../upstream/call.ts';
import type { BankConnector, ListedAccount } from '../funding-provider.ts';
import { type ReadPage, readPages } from '../read-pages.ts';
import { readTransactions, toTransactionsQuery } from './list.ts';
import { assigned, assignRequest, customerAccount, noticeOf, pageOf, paymentOf } from './mapping.ts';
import type { PaystackSettings } from './settings.ts';

const CONNECTIONS_MAX = 8;
const PAGE_SIZE = 100;

export function createPaystack(settings: PaystackSettings): BankConnector {
  const { baseUrl, secretKey, deadlineMs } = settings;
  const upstream = openUpstream({
    provider: 'paystack',
    baseUrl,
    connectionsMax: CONNECTIONS_MAX,
    deadlineMs,
  });
  const headers = { authorization: `Bearer ${secretKey}` };
  const get = (path: string): Promise<CallResult> =>
    upstream.call({ operation: 'query', method: 'GET', path, headers });

  const lookUp = async (email: string): Promise<ReturnType<typeof customerAccount>> =>
    customerAccount(await get(`/customer/${encodeURIComponent(email)}`), email);

  const pageOfList = async (
    { number, providerId }: ListedAccount,
    since: Date,
    page: number,
  ): Promise<ReadPage> => {
    const query = new URLSearchParams({
      // Older documents have one spelling, the present one another: what it does not know, Paystack
      // passes over.
      ...(providerId !== undefined && { customer: providerId }),
      virtual_account_number: number,
      perPage: String(PAGE_SIZE),
      per_page: String(PAGE_SIZE),
      status: 'success',
      from: since.toISOString(),
      page: String(page + 1),
    });
    return pageOf(await get(`/transaction?${query}`), { number, providerId });
  };

  return {
    openAccount: async (order) => {
      const before = await lookUp(order.identity.email);
      if (before.kind !== 'none') return before;
      const body = assignRequest(order, settings.preferredBank);
      return assigned(
        await upstream.call({
          operation: 'account',
          method: 'POST',
          path: '/dedicated_account/assign',
          headers,
          body,
        }),
      );
    },
    lookUpAccount: async ({ identity }) => {
      const found = await lookUp(identity.email);
      return found.kind === 'none' ? { kind: 'pending' } : found;
    },
    findPayment: async (reference) =>
      paymentOf(await get(`/transaction/verify/${encodeURIComponent(reference)}`), reference),
    listPayments: (account, since) => readPages((page) => pageOfList(account, since, page), since),
    listTransactions: async (period, page) =>
      readTransactions(page, await get(`/transaction?${toTransactionsQuery(period, page)}`)),
    readNotice: (bytes, given) => noticeOf(bytes, given['x-paystack-signature'], secretKey),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}
