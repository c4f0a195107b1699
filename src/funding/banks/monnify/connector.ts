/**
 * Monnify's reserved accounts. The reply has the account, and payments are read back by Monnify's
 * reference. Our `accountReference` is unique, so after a lost reply the account is looked up by
 * it.
 */
import { type HeldToken, type NoAccess, TOKEN_LIFE_MIN_MS } from '../../../providers/http/access-tokens.ts';
import type { CallResult, Upstream } from '../../../providers/http/call.ts';
import { isBody } from '../../../providers/http/reply-fields.ts';
import { openTokenedClient, type TokenedResult } from '../../../providers/http/tokened-client.ts';
import type { AccountAnswer, BankConnector } from '../funding-provider.ts';
import { type ReadPage, readPages } from '../read-pages.ts';
import { pageOf, readTransactions, toTransactionsQuery } from './list.ts';
import { accountRequest, createdAccount, foundAccount, noticeOf, paymentOf } from './mapping.ts';
import type { MonnifySettings } from './settings.ts';

const CONNECTIONS_MAX = 8;
const PAGE_SIZE = 100;
const ACCOUNTS = '/api/v2/bank-transfer/reserved-accounts';
const TRANSACTIONS = '/api/v1/bank-transfer/reserved-accounts/transactions';

export function createMonnify(settings: MonnifySettings): BankConnector {
  const { baseUrl, deadlineMs, secretKey } = settings;
  const client = openTokenedClient({
    provider: 'monnify',
    baseUrl,
    connectionsMax: CONNECTIONS_MAX,
    deadlineMs,
    renew: (upstream) => issueToken(upstream, settings, new Date()),
    isTokenRefused,
  });
  const get = (path: string): Promise<TokenedResult> =>
    client.call({ operation: 'query', method: 'GET', path });

  const lookUp = async (reference: string): Promise<ReturnType<typeof foundAccount>> =>
    foundAccount(await get(`${ACCOUNTS}/${encodeURIComponent(reference)}`), reference);

  const pageOfList = async (reference: string, page: number): Promise<ReadPage> => {
    const query = new URLSearchParams({
      accountReference: reference,
      page: String(page),
      size: String(PAGE_SIZE),
    });
    return pageOf(page, await get(`${TRANSACTIONS}?${query}`));
  };

  return {
    openAccount: async (order, repeated) => {
      const { reference } = order;
      const before = repeated ? await lookUp(reference) : undefined;
      if (before !== undefined && before.kind !== 'none') return before;
      const created = createdAccount(
        await client.call({
          operation: 'account',
          method: 'POST',
          path: ACCOUNTS,
          body: accountRequest(order, settings),
        }),
        reference,
      );
      if (created.kind === 'active' || created.kind === 'pending') return created;
      // A refused account may exist from an earlier call, and a lost call may have opened it.
      const after = await lookUp(reference);
      return after.kind === 'active' || after.kind === 'pending' ? after : created;
    },
    lookUpAccount: async ({ reference }): Promise<AccountAnswer> => {
      const found = await lookUp(reference);
      return found.kind === 'none' ? { kind: 'pending' } : found;
    },
    findPayment: async (reference) =>
      paymentOf(await get(`/api/v2/transactions/${encodeURIComponent(reference)}`), reference),
    listPayments: ({ reference }, since) => readPages((page) => pageOfList(reference, page), since),
    listTransactions: async (period, page) =>
      readTransactions(page, await get(`/api/v1/transactions/search?${toTransactionsQuery(period, page)}`)),
    readNotice: (bytes, headers) => noticeOf(bytes, headers['monnify-signature'], secretKey),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** Tells whether Monnify refused the token, and so did not execute the call. */
function isTokenRefused(result: CallResult): boolean {
  return result.kind === 'reply' && result.status === 401;
}

/** The keys of the developer page of Monnify's dashboard. */
type Keys = { readonly apiKey: string; readonly secretKey: string };

/** Requests an access token. */
async function issueToken(
  upstream: Upstream,
  { apiKey, secretKey }: Keys,
  now: Date,
): Promise<HeldToken | NoAccess> {
  const basic = Buffer.from(`${apiKey}:${secretKey}`).toString('base64');
  const issued = await upstream.call({
    operation: 'token',
    method: 'POST',
    path: '/api/v1/auth/login',
    headers: { authorization: `Basic ${basic}` },
    body: {},
  });
  return readToken(issued, now.getTime()) ?? noToken(issued);
}

function readToken(result: CallResult, nowMs: number): HeldToken | undefined {
  const body = result.kind === 'reply' && isBody(result.body) ? result.body.responseBody : undefined;
  if (!isBody(body) || typeof body.accessToken !== 'string' || body.accessToken === '') return undefined;
  const lifeMs = typeof body.expiresIn === 'number' ? body.expiresIn * 1_000 : 0;
  return { value: body.accessToken, expiresAtMs: nowMs + Math.max(lifeMs, TOKEN_LIFE_MIN_MS) };
}

function noToken(result: CallResult): NoAccess {
  if (result.kind !== 'reply') return { kind: 'unavailable', reason: `no token: ${result.reason}` };
  return result.status === 401
    ? { kind: 'refused', reason: 'our credentials were refused' }
    : { kind: 'unavailable', reason: `no token: HTTP ${result.status}` };
}
