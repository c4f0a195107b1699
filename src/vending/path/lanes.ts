/** The lanes of all providers of this process. They know nothing of each other. */
import { limits } from '../../kernel/limits.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Routes } from '../../routing/routes.ts';
import type { LiveGateway } from './gateway-store.ts';
import { Lane } from './lane.ts';
import type { SendingFence } from './sending-fence.ts';

export type { SendingFence };

export type Lanes = ReadonlyMap<string, Lane>;

export function openLanes(
  providers: ReadonlyMap<string, Provider>,
  routes: Pick<Routes, 'isPausedWhole'>,
  fence: Pick<SendingFence, 'isUp'>,
): Map<string, Lane> {
  return new Map([...providers].map(([name, provider]) => [name, openLane(provider, routes, fence)]));
}

/** What the provider says of itself is read each time: it changes with its credentials. */
export function openLane(
  provider: Provider,
  routes: Pick<Routes, 'isPausedWhole'>,
  fence: Pick<SendingFence, 'isUp'>,
): Lane {
  return new Lane({
    get capacity() {
      return provider.capacity;
    },
    state: () => provider.breakerState?.() ?? 'closed',
    placesMax: limits.workerInHandMax,
    untilReady: () => provider.untilReady?.(),
    isPaused: () => fence.isUp(provider.environment) || routes.isPausedWhole(provider.name),
    onShare: (processes) => provider.shareReads?.(processes),
  });
}

/**
 * Divides the providers among the processes that live, in one order for all of them. `ownId` is
 * that of this process.
 */
export function shareLanes(lanes: Lanes, gateways: readonly LiveGateway[], ownId: string): void {
  for (const [name, lane] of lanes) {
    const sharers = gateways.filter(({ providers }) => canCall(providers, name));
    const position = sharers.findIndex(({ id }) => id === ownId);
    lane.share(Math.max(1, sharers.length), Math.max(0, position));
  }
}

/** A process that does not say what it can call is taken to call all. */
export function canCall(providers: readonly string[], name: string): boolean {
  return providers.length === 0 || providers.includes(name);
}
