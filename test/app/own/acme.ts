/**
 * A provider that Oja does not come with: all of it is in this file, as its owner would write it.
 * It sells airtime.
 */
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { formatAmount } from '../../../src/core/money.ts';
import type { SettingsReader } from '../../../src/core/settings-reader.ts';
import { notQueried, notSent } from '../../../src/providers/answers.ts';
import type { CallResult } from '../../../src/providers/http/call.ts';
import { openProviderUpstream } from '../../../src/providers/http/provider-upstream.ts';
import { isBody, word } from '../../../src/providers/http/reply-fields.ts';
import type { Connector, ProviderAnswer } from '../../../src/providers/provider.ts';
import { type Callback, defineProvider } from '../../../src/providers/provider-definition.ts';

type AcmeSettings = {
  readonly baseUrl: string;
  readonly key: string;
  readonly notFoundGraceMs: number;
};

export const acme = defineProvider({
  name: 'acme',
  products: ['airtime'],
  readSettings: (read, { notFoundGraceMs }) => {
    const settings = readAccount(read);
    return settings && { ...settings, notFoundGraceMs };
  },
  settings: { OJA_ACME_URL: 'account', OJA_ACME_KEY: 'secret' },
  connect: createAcme,
  readCallbacks:
    ({ key }) =>
    (callback) =>
      readCallback(callback, key),
});

function readAccount(read: SettingsReader): Omit<AcmeSettings, 'notFoundGraceMs'> | undefined {
  const baseUrl = read.url('OJA_ACME_URL', ['http:', 'https:']);
  const what = 'of your Acme account, as OJA_ACME_URL is given';
  if (!read.account(['OJA_ACME_KEY'], what, baseUrl !== undefined)) return undefined;
  return { baseUrl: baseUrl ?? 'https://acme.example', key: read.text('OJA_ACME_KEY', '') };
}

function createAcme({ baseUrl, key, notFoundGraceMs }: AcmeSettings): Connector {
  const deadlineMs = 30_000;
  const upstream = openProviderUpstream({ provider: 'acme', baseUrl, connectionsMax: 4, deadlineMs });
  const headers = { 'x-key': key };
  return {
    notFoundGraceMs,
    deadlineMs,
    mintReference: () => randomUUID(),
    purchase: async ({ reference, network, recipient, amount }, options) => {
      const body = { id: reference, network, phone: recipient, naira: formatAmount(amount) };
      const request = { operation: 'purchase', method: 'POST', path: '/orders', headers, body } as const;
      return readOrder(await upstream.call(request, options), amount);
    },
    query: async ({ reference, amount }, options) => {
      const path = `/orders/${reference}`;
      const request = { operation: 'query', method: 'GET', path, headers } as const;
      const result = await upstream.call(request, options);
      return result.kind === 'not_sent' ? notQueried(result) : readOrder(result, amount);
    },
    balance: async () => undefined,
    limiters: upstream.limiters,
    breakerState: () => upstream.breakerState(),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

function readOrder(result: CallResult, amount: bigint): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  if (result.kind === 'lost') return { kind: 'unknown', code: 'no_answer', message: result.reason };
  const code = word(isBody(result.body) ? result.body.state : undefined) ?? `http_${result.status}`;
  const evidence = { code, message: `HTTP ${result.status}` };
  switch (code) {
    case 'done':
      return { ...evidence, kind: 'success', cost: amount, telcoMessage: 'Acme delivered' };
    case 'working':
      return { ...evidence, kind: 'accepted' };
    case 'refused':
      return { ...evidence, kind: 'failed', fault: 'order', telcoMessage: 'Acme refused' };
    case 'never_heard':
      return { ...evidence, kind: 'not_found' };
    default:
      return { ...evidence, kind: 'unknown' };
  }
}

function readCallback({ body, headers }: Callback, key: string): { reference: string } | undefined {
  const given = Buffer.from(String(headers['x-key']));
  const expected = Buffer.from(key);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const reference = isBody(body) ? word(body.id) : undefined;
  return reference === undefined ? undefined : { reference };
}
