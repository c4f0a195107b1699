/** The calls to Acme. `mapping.ts` reads the answers. */
import { randomUUID } from 'node:crypto';
import { formatAmount } from '../../../../src/core/money.ts';
import { notQueried } from '../../../../src/providers/answers.ts';
import { openProviderUpstream } from '../../../../src/providers/http/provider-upstream.ts';
import type { Connector } from '../../../../src/providers/provider.ts';
import { readOrder } from './mapping.ts';
import type { AcmeSettings } from './settings.ts';

export function createAcme(settings: AcmeSettings): Connector {
  const { key, notFoundGraceMs, deadlineMs } = settings;
  const upstream = openProviderUpstream({ ...settings, provider: 'acme' });
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
