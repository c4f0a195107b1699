/**
 * Says before a live order is stored whether a provider of its route can pay for it: whether our
 * money there is enough. One that cannot would refuse the order, and the order would be a failed
 * one. Buys nothing and stores nothing.
 *
 * A provider is asked one question at a time, whose answer is good for everybody for a while. Where
 * it cannot tell, or our account there is in another currency, the order goes on.
 */
import { LRUCache } from 'lru-cache';
import { ageBy, type Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Money } from '../../core/money.ts';
import type { Provider } from '../../providers/provider.ts';
import type { PricedRequest } from '../engine/accept-purchase.ts';

type Providers = ReadonlyMap<string, Pick<Provider, 'environment' | 'balance'>>;

/** How long a provider is waited for, in milliseconds. */
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
      // Simulated purchases are paid for by nobody.
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

/** Of what the estimate says, so much is surely taken: providers give discounts. */
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
