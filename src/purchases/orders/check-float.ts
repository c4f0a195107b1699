/**
 * Checks before a live order is stored whether our float at a provider of its route covers it.
 * Otherwise the provider would refuse the order, and the order would fail. Buys and stores nothing.
 * One query at a time goes to each provider, and its answer is reused for a while. If the provider
 * cannot answer, or our account is in another currency, the order continues.
 */
import { LRUCache } from 'lru-cache';
import { ageBy, type Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Money } from '../../core/money.ts';
import type { Provider } from '../../providers/provider.ts';
import type { PricedRequest } from '../engine/accept-purchase.ts';

type Providers = ReadonlyMap<string, Pick<Provider, 'environment' | 'balance'>>;

/** How long it waits for a provider, in milliseconds. */
const ASK_MS = 3_000;
const GOOD_FOR_MS = 5_000;
const REMEMBERED_MAX = 100;

/** Throws GatewayError `order_not_served`. */
export type CheckFloat = (judged: Pick<PricedRequest, 'route' | 'details'>) => Promise<void>;

export function createFloatCheck(providers: Providers, clock: Pick<Clock, 'elapsedMs'>): CheckFloat {
  const remembered = new LRUCache<string, Promise<Money | undefined>>({
    max: REMEMBERED_MAX,
    ttl: GOOD_FOR_MS,
    ...ageBy(clock),
  });
  const floatOf = (name: string): Promise<Money | undefined> => {
    const present = remembered.get(name);
    if (present !== undefined) return present;
    const asked = ask(providers, name);
    remembered.set(name, asked);
    return asked;
  };
  return async ({ route, details }) => {
    for (const name of route) {
      // Simulated purchases cost nothing.
      if (providers.get(name)?.environment === 'test') return;
      if (!isShort(await floatOf(name), details)) return;
    }
    throw new GatewayError({ code: 'order_not_served' });
  };
}

/** Never rejects. */
async function ask(providers: Providers, name: string): Promise<Money | undefined> {
  try {
    return await providers.get(name)?.balance({ signal: AbortSignal.timeout(ASK_MS) });
  } catch {
    return undefined;
  }
}

/** The part of the estimate that is certainly charged, because providers give discounts. */
const SURELY_PERCENT = 75n;

function isShort(float: Money | undefined, details: PricedRequest['details']): boolean {
  if (float === undefined || details?.item === undefined) return false;
  const { quantity, unitPrice, currency } = details.item;
  if (float.currency === currency) return isBelow(float.amount, BigInt(unitPrice) * BigInt(quantity));
  return float.currency === 'NGN' && isBelow(float.amount, BigInt(details.cost ?? 0));
}

function isBelow(amount: bigint, estimate: bigint): boolean {
  return amount * 100n < estimate * SURELY_PERCENT;
}
