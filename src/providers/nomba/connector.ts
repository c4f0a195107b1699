/**
 * Nomba: airtime, data, electricity, cable and betting. The calls; what they say and mean is in `purchase.ts` and
 * `mapping.ts`. Documentation: https://developer.nomba.com. Nothing here retries a purchase, with one exception: a call
 * whose token Nomba refused was not looked at, and goes out once more under the same reference with a new token.
 */
import { randomUUID } from 'node:crypto';
import { type CallResult, openUpstream, type Upstream, type UpstreamSettings } from '../call.ts';
import type { CustomerAnswer, CustomerQuery, Provider, ProviderAnswer, ProviderOrder } from '../provider.ts';
import { createScrubber } from '../scrub.ts';
import {
  answerToLookup,
  answerToQuery,
  answerToVend,
  isUnauthorised,
  type Result,
  readBalance,
  readPlans,
} from './mapping.ts';
import { createPace } from './pace.ts';
import { type Purchase, toLookup, toPurchase } from './purchase.ts';
import { createTokens } from './token.ts';

/** `baseUrl` comes without a version, as in `https://api.nomba.com`. */
export type NombaSettings = Omit<UpstreamSettings, 'provider'> & {
  /** The parent account, in every call. */
  readonly accountId: string;
  /** Pays instead of the parent account. */
  readonly subAccountId?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The version in the path of the calls that buy. Default `v1`. */
  readonly vendVersion?: 'v1' | 'v2';
  /** Who pays, as Nomba and the billers see it. */
  readonly payerName: string;
  /** Purchases a second of this process; Nomba allows 15 in all. 0 sets no limit. Default 15. */
  readonly purchasesPerSecond?: number;
  readonly notFoundGraceMs: number;
  readonly now?: () => Date;
};

type Request = Omit<Parameters<Upstream['call']>[0], 'headers'>;
type CallOptions = { readonly signal?: AbortSignal };

const TOKEN_DEADLINE_MS = 10_000;
const PURCHASES_PER_SECOND = 15;

export function createNomba(settings: NombaSettings): Provider & Pick<Upstream, 'breakerState'> {
  const { accountId, clientId, clientSecret, deadlineMs, payerName } = settings;
  const upstream = openUpstream({ ...settings, provider: 'nomba' });
  const tokenUpstream = openUpstream({
    provider: 'nomba',
    baseUrl: settings.baseUrl,
    connectionsMax: 1,
    deadlineMs: Math.min(deadlineMs, TOKEN_DEADLINE_MS),
    ...(settings.onCall && { onCall: settings.onCall }),
  });
  const now = settings.now ?? ((): Date => new Date());
  const tokens = createTokens({ upstream: tokenUpstream, accountId, clientId, clientSecret, now });
  const pace = createPace(settings.purchasesPerSecond ?? PURCHASES_PER_SECOND);
  const scrub = createScrubber(() => tokens.secrets());
  const version = settings.vendVersion ?? 'v1';
  const account = settings.subAccountId === undefined ? '' : `/${encodeURIComponent(settings.subAccountId)}`;

  const send = async (request: Request, signal: AbortSignal): Promise<Result> => {
    const access = await tokens.get(signal);
    if (access.kind === 'refused') return { kind: 'no_access', reason: access.reason };
    if (access.kind === 'unavailable') return { kind: 'not_sent', reason: access.reason };
    const sendWith = async (token: string): Promise<CallResult> => {
      // Half of the deadline is left for the call itself.
      if (request.operation === 'vend' && !(await pace.turn(deadlineMs / 2, signal))) {
        return { kind: 'not_sent', reason: 'too many purchases a second' };
      }
      const headers = { accountId, authorization: `Bearer ${token}` };
      return await upstream.call({ ...request, headers }, { signal });
    };
    const result = await sendWith(access.value);
    if (!isUnauthorised(result)) return result;
    const renewed = await tokens.replace(access.value, signal);
    if (renewed.kind === 'refused') return { kind: 'no_access', reason: renewed.reason };
    // Not executed: Nomba refused the token before it read the order.
    if (renewed.kind === 'unavailable') return { kind: 'not_sent', reason: renewed.reason };
    return await sendWith(renewed.value);
  };

  /** One deadline over all that a call takes: its token, its turn, itself, and once more after a refused token. */
  const call = async (request: Request, options?: CallOptions): Promise<Result> => {
    const deadline = AbortSignal.timeout(deadlineMs);
    const signal = options?.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
    const result = await send(request, signal);
    return deadline.aborted && (result.kind === 'lost' || result.kind === 'not_sent')
      ? { ...result, reason: `no answer within ${deadlineMs} ms` }
      : result;
  };

  const read = (operation: string, path: string, options?: CallOptions): Promise<Result> =>
    call({ operation, method: 'GET', path }, options);

  return {
    name: 'nomba',
    products: new Set(['airtime', 'data', 'ELECTRICITY', 'CABLE', 'BETTING']),
    notFoundGraceMs: settings.notFoundGraceMs,
    deadlineMs,
    mintReference: () => randomUUID(),

    vend: async (order, options) => {
      const purchase = toPurchase(order, payerName);
      if (!('body' in purchase)) return notAskedFor(order, purchase);
      const path = `/${version}${purchase.path}${account}`;
      const result = await call({ operation: 'vend', method: 'POST', path, body: purchase.body }, options);
      return scrub.answer(answerToVend(order, result));
    },

    query: async (order, options) => {
      const path = `/v1/transactions/accounts${account}/single?merchantTxRef=${encodeURIComponent(order.reference)}`;
      return scrub.answer(answerToQuery(order, await read('query', path, options)));
    },

    verifyCustomer: async (query, options) => {
      const lookup = toLookup(query);
      if (lookup === undefined) return unverifiable(query);
      return scrub.customer(answerToLookup(await read('verify', `/v1${lookup}`, options)));
    },

    balance: async (options) => readBalance(await read('balance', `/v1/accounts${account}/balance`, options)),

    /** `serviceId` is a mobile network as Nomba writes it, `mtn`. */
    listPlans: async (serviceId, options) =>
      readPlans(await read('list_plans', `/v1/bill/data-plan/${encodeURIComponent(serviceId)}`, options)),

    breakerState: () => upstream.breakerState(),

    [Symbol.asyncDispose]: async () => {
      await Promise.all([upstream[Symbol.asyncDispose](), tokenUpstream[Symbol.asyncDispose]()]);
    },
  };
}

/** Nobody was asked, and asking again would not help: final here, another provider may be able to serve it. */
function notAskedFor(order: ProviderOrder, { lacks }: Exclude<Purchase, { body: unknown }>): ProviderAnswer {
  const refused = { kind: 'failed', fault: 'provider' } as const;
  switch (lacks) {
    case 'code':
      return { ...refused, code: 'no_plan_code', message: withoutCode(order) };
    case 'phone':
      return { ...refused, code: 'no_phone', message: 'Nomba takes no betting order without a phone' };
    case 'whole naira':
      return { ...refused, code: 'fractional_amount', message: 'Nomba takes bills in whole naira only' };
  }
}

function unverifiable(query: CustomerQuery): CustomerAnswer {
  return { kind: 'unavailable', code: 'no_plan_code', message: withoutCode(query) };
}

function withoutCode({ product, network }: CustomerQuery): string {
  return `no Nomba plan code for this ${network} ${product}`;
}
