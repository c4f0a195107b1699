/** Whether there is anything that can be sold: a route with a provider that takes purchases. */

import type { Routes } from '../../routing/routes.ts';
import type { LiveState } from '../../vending/health/provider-state.ts';
import { type Finding, type HealthCheck, ok } from './health-check.ts';

type SellingParts = {
  readonly profile: 'demo' | 'production';
  readonly routes: Pick<Routes, 'isPaused' | 'places'>;
  readonly providers: ReadonlyMap<string, unknown>;
  readonly findAway: (states: readonly LiveState[]) => ReadonlySet<string>;
};

/** In the production profile only what is sold for money counts. */
export function sellingCheck(parts: SellingParts): HealthCheck {
  return {
    name: 'providers',
    look: (database) => (database === undefined ? { state: 'unknown' } : judge(parts, database.providers)),
  };
}

function judge(
  { profile, routes, providers, findAway }: SellingParts,
  states: readonly LiveState[],
): Finding {
  const places = routes
    .places()
    .filter(({ environment }) => profile === 'demo' || environment === 'live')
    .map((place) => ({ ...place, providers: place.providers.filter((name) => providers.has(name)) }));
  const served = places.filter((place) => place.providers.length > 0);
  if (served.length === 0) {
    return { state: 'down', why: 'no route has a provider that is configured' };
  }
  const away = findAway(states);
  const selling = served.filter(({ product, network, providers: names }) =>
    names.some((name) => !away.has(name) && !routes.isPaused(name, product, network)),
  );
  if (selling.length === 0) {
    return { state: 'down', why: 'every provider of every route is paused or away' };
  }
  if (selling.length < served.length) {
    const dry = served.length - selling.length;
    return {
      state: 'degraded',
      why: `${dry} of ${served.length} routes have none that is not paused or away`,
    };
  }
  return away.size === 0 ? ok : { state: 'degraded', why: `${away.size} of ${providers.size} are away` };
}
