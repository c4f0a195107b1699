/** The lanes of all providers of this process. They know nothing of each other. */
import { limits } from '../../kernel/limits.ts';
import type { Provider } from '../../providers/provider.ts';
import { Lane } from './lane.ts';

export type Lanes = ReadonlyMap<string, Lane>;

export function openLanes(providers: ReadonlyMap<string, Provider>): Lanes {
  return new Map(
    [...providers].map(([name, { capacity, breakerState, shareReads }]) => [
      name,
      new Lane({
        capacity,
        state: breakerState ?? (() => 'closed'),
        placesMax: limits.workerInHandMax,
        ...(shareReads && { onShare: shareReads }),
      }),
    ]),
  );
}

/**
 * Divides the providers among the processes that live, each given by the providers it can call. One
 * that does not say is taken to call them all.
 */
export function shareLanes(lanes: Lanes, gateways: readonly (readonly string[])[]): void {
  for (const [name, lane] of lanes) {
    const sharers = gateways.filter((providers) => providers.length === 0 || providers.includes(name));
    lane.share(Math.max(1, sharers.length));
  }
}
