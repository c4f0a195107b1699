/**
 * Paystack's dedicated virtual accounts: an account is asked for, and is there some time later. It
 * is found by the customer's e-mail, since Paystack knows a customer by nothing else. What a second
 * request would do is not documented, so the customer is read first.
 */
import { type CallResult, openUpstream } from '../../upstream/call.ts';
import type { BankConnector, PaymentList } from '../funding-provider.ts';
import { assigned, assignRequest, customerAccount, noticeOf, pageOf, paymentOf } from './mapping.ts';
import type { PaystackSettings } from './settings.ts';

const CONNECTIONS_MAX = 8;
const PAGE_SIZE = 100;
const PAGES_MAX = 100;

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

  const listPayments: BankConnector['listPayments'] = async ({ providerId }, since): Promise<PaymentList> => {
    if (providerId === undefined) return { kind: 'unavailable', reason: 'the customer has no id' };
    const references: string[] = [];
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      const query = new URLSearchParams({
        customer: providerId,
        status: 'success',
        from: since.toISOString(),
        perPage: String(PAGE_SIZE),
        page: String(page),
      });
      const read = pageOf(await get(`/transaction?${query}`), PAGE_SIZE);
      if ('unavailable' in read) return { kind: 'unavailable', reason: read.unavailable };
      references.push(...read.references);
      if (read.last) break;
    }
    return { kind: 'listed', references };
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
    listPayments,
    readNotice: (bytes, given) => noticeOf(bytes, given['x-paystack-signature'], secretKey),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}
