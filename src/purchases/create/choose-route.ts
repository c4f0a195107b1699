/**
 * Orders the providers of a priced purchase by their route's strategy, and returns the reason. It
 * uses figures in memory and runs no query. Without a strategy that chooses, the order is
 * unchanged.
 */
import { expectedCostOf, type GuardedSale } from '../../catalog/margins/guards.ts';
import { type Measure, successOf } from '../../catalog/measures/measure.ts';
import {
  type Candidate,
  expectFrom,
  isHardlyMeasured,
  rankProviders,
} from '../../catalog/measures/rank-providers.ts';
import { truthGrade, truthOf } from '../../catalog/measures/truth-grade.ts';
import { hashText, type Router } from '../../catalog/routes/require-route.ts';
import type { RouteFigures } from '../../catalog/routes/routes.ts';
import { kindsOf } from '../../core/products/registry.ts';
import type { PricedRequest } from '../engine/accept-purchase.ts';
import { saleOf } from '../engine/guarded-route.ts';
import type { RouteChoice } from '../state/purchase-details.ts';

/** `isFixed`: the provider has its own price for the plan. */
export function chooseRoute(
  { routes }: Pick<Router, 'routes'>,
  judged: PricedRequest,
  isFixed: boolean,
): PricedRequest {
  const { request, route } = judged;
  const { product, network, principal, reference } = request;
  const { environment, merchant } = principal;
  const kind = judged.details?.kind ?? kindsOf(product)[0];
  const { strategy } = routes.find(environment, product, network, kind);
  if (strategy === 'order') return judged;
  const figures = routes.figures(environment, product, network);
  const sale = saleOf({ ...judged, environment, product, network, faceValue: request.faceValue, isFixed });
  const listPrice = BigInt(judged.details?.cost ?? request.faceValue);
  const candidates = route.map((provider) => candidateOf(provider, figures, sale, listPrice));
  const ranked = rankProviders(strategy, candidates, hashText(`${merchant.id}/${reference}`));
  return {
    ...judged,
    route: ranked.map(({ provider }) => provider),
    choices: new Map(ranked.map((one) => [one.provider, { strategy, of: ranked.length, ...figuresOf(one) }])),
  };
}

type Weighed = Candidate & { readonly known: bigint | undefined; readonly measure: Measure | undefined };

/** A provider whose cost is unknown is expected to take its list price. */
function candidateOf(
  provider: string,
  { measures, costs }: RouteFigures,
  sale: GuardedSale,
  listPrice: bigint,
): Weighed {
  const measure = measures.get(provider);
  const known = expectedCostOf(costs, sale, provider)?.cost;
  return {
    provider,
    known,
    measure,
    cost: known ?? listPrice,
    truth: measure === undefined ? 1 : truthOf(measure),
    floatLeft: measure?.float_left ?? undefined,
    floatHours: measure?.float_hours ?? undefined,
    ...expectFrom(measure && { ...measure, meanSeconds: (measure.final_ms ?? 0) / 1_000 }),
  };
}

/** Returns the figures that the purchase stores. With too few answers, only the cost. */
function figuresOf(one: Weighed): Omit<RouteChoice, 'strategy' | 'of'> {
  const { known, measure } = one;
  const cost = known === undefined ? {} : { cost: String(known) };
  const success = measure && successOf(measure);
  if (measure === undefined || success === undefined || isHardlyMeasured(one)) return cost;
  return {
    ...cost,
    success: Math.round(1_000 * success) / 10,
    ...(measure.final_ms !== null && { seconds: Math.round(measure.final_ms / 1_000) }),
    grade: truthGrade(measure),
  };
}
