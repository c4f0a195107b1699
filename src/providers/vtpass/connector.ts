/**
 * VTpass: airtime and data. The calls; what they say and mean is in `mapping.ts`. Documentation:
 * https://www.vtpass.com/documentation. Nothing here retries a purchase.
 */
import { randomBytes } from 'node:crypto';
import { openUpstream, type Upstream, type UpstreamSettings } from '../call.ts';
import type { Provider, ProviderAnswer } from '../provider.ts';
import { answerToPay, answerToQuery, payBody, readBalance, readPlans } from './mapping.ts';

/** `baseUrl` comes with its path, as in `https://vtpass.com/api`. */
export type VtpassSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly apiKey: string;
  /** For calls that read. */
  readonly publicKey: string;
  /** For calls that buy and requery. */
  readonly secretKey: string;
  readonly notFoundGraceMs: number;
  readonly now?: () => Date;
};

export function createVtpass(settings: VtpassSettings): Provider & Pick<Upstream, 'breakerState'> {
  const { apiKey, publicKey, secretKey } = settings;
  const now = settings.now ?? ((): Date => new Date());
  const upstream = openUpstream({ ...settings, provider: 'vtpass' });
  const reading = { 'api-key': apiKey, 'public-key': publicKey };
  const buying = { 'api-key': apiKey, 'secret-key': secretKey };
  const scrub = scrubber([apiKey, publicKey, secretKey]);

  return {
    name: 'vtpass',
    products: new Set(['airtime', 'data']),
    notFoundGraceMs: settings.notFoundGraceMs,
    deadlineMs: settings.deadlineMs,
    mintReference,

    vend: async (order, options) => {
      const body = payBody(order);
      if (body === undefined) return withoutCode(order.product, order.network);
      if (lagosMinute(now()).slice(0, 8) !== order.reference.slice(0, 8)) return outOfDate();
      const result = await upstream.call(
        { operation: 'vend', method: 'POST', path: '/pay', headers: buying, body },
        options,
      );
      return scrub(answerToPay(order.reference, result));
    },

    query: async (order, options) => {
      const body = { request_id: order.reference };
      const result = await upstream.call(
        { operation: 'query', method: 'POST', path: '/requery', headers: buying, body },
        options,
      );
      return scrub(answerToQuery(order.reference, result));
    },

    balance: async (options) => {
      const result = await upstream.call(
        { operation: 'balance', method: 'GET', path: '/balance', headers: reading },
        options,
      );
      return readBalance(result);
    },

    listPlans: async (serviceId, options) => {
      const path = `/service-variations?serviceID=${encodeURIComponent(serviceId)}`;
      const result = await upstream.call(
        { operation: 'list_plans', method: 'GET', path, headers: reading },
        options,
      );
      return readPlans(result);
    },

    breakerState: () => upstream.breakerState(),

    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

const RANDOM_DIGITS = 24;

/** The minute in Lagos, then 24 random base-36 digits (124 bits): 36 characters, the longest VTpass is known to take. */
function mintReference(at: Date): string {
  let random = '';
  for (const byte of randomBytes(RANDOM_DIGITS)) random += (byte % 36).toString(36);
  return lagosMinute(at) + random;
}

const LAGOS_OFFSET_MS = 60 * 60 * 1000; // UTC+1 the year round

/** `YYYYMMDDHHmm` in Africa/Lagos. */
function lagosMinute(at: Date): string {
  return new Date(at.getTime() + LAGOS_OFFSET_MS).toISOString().replace(/\D/g, '').slice(0, 12);
}

/** VTpass takes only ids of the present day. One minted before midnight and not sent by then must be minted anew. */
function outOfDate(): ProviderAnswer {
  return { kind: 'not_sent', code: 'stale_reference', message: 'the request id is of another day' };
}

/** Nobody was asked, and asking again would not help: final here, another provider may have a code for it. */
function withoutCode(product: string, network: string): ProviderAnswer {
  const message = `no VTpass service or plan code for this ${network} ${product}`;
  return { kind: 'failed', code: 'no_plan_code', message, fault: 'provider' };
}

/** Takes our keys out of what is stored and shown, should an upstream ever quote them back. */
function scrubber(secrets: readonly string[]): (answer: ProviderAnswer) => ProviderAnswer {
  const present = secrets.filter((secret) => secret !== '');
  const scrub = (text: string): string =>
    present.reduce((clean, secret) => clean.replaceAll(secret, '[key]'), text);
  return (answer) => {
    const { telcoMessage } = answer;
    return {
      ...answer,
      message: scrub(answer.message),
      ...(telcoMessage === undefined ? {} : { telcoMessage: scrub(telcoMessage) }),
    };
  };
}
