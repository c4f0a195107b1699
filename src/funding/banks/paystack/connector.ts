/**
 * Paystack's dedicated virtual accounts. A requested account exists some time later, and is found
 * by the customer's e-mail, which is Paystack's only key of a customer. The effect of a second
 * request is not documented, so the customer is looked up first.
 */
import { type CallResult, openUpstream } from '../../../providers/http/call.ts';
import type { BankConnector, ListedAccount } from '../funding-provider.ts';
import { type ReadPage, readPages } from '../read-pages.ts';
import { pageOf, readTransactions, toAccountQuery, toTransactionsQuery } from './list.ts';
import { assigned, assignRequest, customerAccount, noticeOf, paymentOf } from './mapping.ts';
import type { PaystackSettings } from './settings.ts';

const CONNECTIONS_MAX = 8;

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
    account: ListedAccount,
    since: Date,
    page: number,
    cursor: string | undefined,
  ): Promise<ReadPage> =>
    pageOf(await get(`/transaction?${toAccountQuery(account, since, page, cursor)}`), account);

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
    listPayments: (account, since) =>
      readPages((page, cursor) => pageOfList(account, since, page, cursor), since),
    listTransactions: async (period, page) =>
      readTransactions(page, await get(`/transaction?${toTransactionsQuery(period, page)}`)),
    readNotice: (bytes, given) => noticeOf(bytes, given['x-paystack-signature'], secretKey),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}
