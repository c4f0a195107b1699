/**
 * Monnify's reserved accounts: the account is there with the answer, and its payments are read back by Monnify's own
 * reference. `accountReference` is unique at Monnify and never minted twice, so a lost answer is asked for by it.
 */
import { type CallResult, openUpstream, type Upstream } from '../../upstream/call.ts';
import type { AccountAnswer, FundingProvider, PaymentList } from '../funding-provider.ts';
import {
  type AccountSettings,
  accountRequest,
  createdAccount,
  foundAccount,
  noticeOf,
  pageOf,
  paymentOf,
} from './mapping.ts';
import { createTokens } from './token.ts';

export type MonnifySettings = AccountSettings & {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly deadlineMs: number;
};

const CONNECTIONS_MAX = 8;
const PAGE_SIZE = 100;
const PAGES_MAX = 100;
const ACCOUNTS = '/api/v2/bank-transfer/reserved-accounts';
const TRANSACTIONS = '/api/v1/bank-transfer/reserved-accounts/transactions';

export function createMonnify(settings: MonnifySettings): FundingProvider {
  const { baseUrl, deadlineMs, secretKey } = settings;
  const upstream = openUpstream({
    provider: 'monnify',
    baseUrl,
    connectionsMax: CONNECTIONS_MAX,
    deadlineMs,
  });
  const call = createCaller(upstream, settings);

  const lookUp = async (reference: string): Promise<ReturnType<typeof foundAccount>> =>
    foundAccount(await call('GET', `${ACCOUNTS}/${encodeURIComponent(reference)}`), reference);

  const listPayments: FundingProvider['listPayments'] = async (
    { reference },
    since,
  ): Promise<PaymentList> => {
    const references: string[] = [];
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const query = new URLSearchParams({
        accountReference: reference,
        page: String(page),
        size: String(PAGE_SIZE),
      });
      const read = pageOf(await call('GET', `${TRANSACTIONS}?${query}`));
      if ('unavailable' in read) return { kind: 'unavailable', reason: read.unavailable };
      references.push(...read.references);
      // In which order they come is not documented: only a page that is all old, and not the first, ends it early.
      if (read.last || (page > 0 && read.newest !== undefined && read.newest < since)) break;
    }
    return { kind: 'listed', references };
  };

  return {
    name: 'monnify',
    environment: 'live',
    currencies: ['NGN'],
    keyedByEmail: false,
    openAccount: async (order, repeated) => {
      const { reference } = order;
      const before = repeated ? await lookUp(reference) : undefined;
      if (before !== undefined && before.kind !== 'none') return before;
      const created = createdAccount(
        await call('POST', ACCOUNTS, accountRequest(order, settings)),
        reference,
      );
      if (created.kind === 'active' || created.kind === 'pending') return created;
      // What was refused may be ours from an earlier call, and what was lost may have been done.
      const after = await lookUp(reference);
      return after.kind === 'active' || after.kind === 'pending' ? after : created;
    },
    lookUpAccount: async ({ reference }): Promise<AccountAnswer> => {
      const found = await lookUp(reference);
      return found.kind === 'none' ? { kind: 'pending' } : found;
    },
    findPayment: async (reference) =>
      paymentOf(await call('GET', `/api/v2/transactions/${encodeURIComponent(reference)}`), reference),
    listPayments,
    readNotice: (bytes, headers) => noticeOf(bytes, headers['monnify-signature'], secretKey),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

type Call = (
  method: 'GET' | 'POST',
  path: string,
  body?: Readonly<Record<string, unknown>>,
) => Promise<CallResult>;

/** With the token, and once more with a new one should it be refused: such a call was not executed. */
function createCaller(upstream: Upstream, { apiKey, secretKey }: MonnifySettings): Call {
  const tokens = createTokens(upstream, apiKey, secretKey);
  const send = async (...[method, path, body]: Parameters<Call>): Promise<[CallResult, string]> => {
    const token = await tokens.get();
    if (token === undefined) return [{ kind: 'not_sent', reason: 'no access token' }, ''];
    const headers = { authorization: `Bearer ${token}` };
    const operation = method === 'POST' ? 'account' : 'query';
    return [await upstream.call({ operation, method, path, headers, ...(body && { body }) }), token];
  };
  return async (...request) => {
    const [result, token] = await send(...request);
    if (result.kind !== 'reply' || result.status !== 401) return result;
    tokens.forget(token);
    return (await send(...request))[0];
  };
}
