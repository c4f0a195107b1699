/**
 * How much this process may send to a provider now, according to its breaker, its limiter and its
 * share.
 */
import { limits } from '../../core/limits.ts';
import { newTurn, type Turn } from '../../providers/http/limiter.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Step } from './claim-store.ts';
import type { LiveGateway } from './gateway-store.ts';

type Called = Pick<Provider, 'breakerState' | 'limiters'>;

/** Whether calls may be sent at the moment. */
export function isOpen(provider: Called | undefined): boolean {
  return provider?.breakerState?.() !== 'open';
}

/** How long a new purchase of a merchant waits before it is sent, as far as is known. */
export function waitMsOf(provider: Called | undefined, merchantId: number): number {
  return provider?.limiters?.orders.waitMs(merchantId) ?? 0;
}

/** How many more purchases or queries the worker may claim from the queue. */
export function roomAt({ breakerState, limiters }: Called, step: Step): number {
  const room = limiters?.orders.room(step === 'send' ? 'queued' : 'query') ?? limits.workerInHandMax;
  const state = breakerState?.() ?? 'closed';
  return state === 'closed' ? room : state === 'half_open' ? Math.min(room, 1) : 0;
}

/**
 * A turn for an optional query when no other call waits. Undefined if the provider is unavailable,
 * or if no turn is free within `withinMs`. Release it with `endTurn`.
 */
export async function spareTurn(
  provider: Called,
  merchantId: number,
  withinMs: number,
): Promise<Turn | undefined> {
  if (!isOpen(provider)) return undefined;
  const turn = newTurn('spare', merchantId);
  const entry = (await provider.limiters?.orders.enter(turn, withinMs)) ?? 'in';
  return entry === 'in' ? turn : undefined;
}

/** For a turn whose call may not have been made. */
export function endTurn(turn: Turn): void {
  turn.limiter?.leave(turn);
}

/**
 * Divides the capacity of each account among the live processes, in the same order for all. `ownId`
 * is the id of this process.
 */
export function shareAccounts(
  providers: ReadonlyMap<string, Pick<Provider, 'limiters'>>,
  gateways: readonly LiveGateway[],
  ownId: string,
): void {
  for (const [name, { limiters }] of providers) {
    const sharers = gateways.filter((gateway) => canCall(gateway.providers, name));
    const position = Math.max(
      0,
      sharers.findIndex(({ id }) => id === ownId),
    );
    limiters?.orders.share(Math.max(1, sharers.length), position);
    limiters?.reads.share(Math.max(1, sharers.length), position);
  }
}

/** A process that does not list its providers is assumed to call all. */
export function canCall(providers: readonly string[], name: string): boolean {
  return providers.length === 0 || providers.includes(name);
}
