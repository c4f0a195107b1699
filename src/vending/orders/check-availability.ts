/**
 * Says whether a gift card can be had now: for merchants who ask, and before each order is
 * accepted. The catalog's own word comes first; where it sells the card, the first provider of the
 * route is asked. Buys nothing and stores nothing.
 */
import { LRUCache } from 'lru-cache';
import { chooseCardValue, type GiftCardPlan } from '../../catalog/gift-card-plan.ts';
import { ageBy, type Clock } from '../../kernel/clock.ts';
import { GatewayError } from '../../kernel/errors.ts';
import type { Principal } from '../../merchants/merchant.ts';
import { giftCard } from '../../products/gift-card.ts';
import type { AvailabilityAnswer, AvailabilityQuery, Fulfillment } from '../../providers/provider.ts';
import { type Router, requireRoute } from '../../routing/require-route.ts';
import type { VendingEvents } from '../path/vending-events.ts';

export type Availability = {
  readonly fulfillment: Fulfillment;
  /** The provider's own line for the merchant, where it has one. */
  readonly detail: string | undefined;
};

type CardQuery = {
  readonly principal: Principal;
  readonly plan: GiftCardPlan;
  readonly quantity: number;
  /** Of one card, where the plan is variable and the merchant names one. */
  readonly faceValue: bigint | undefined;
};

export type AvailabilityDependencies = Router & {
  readonly clock: Clock;
  readonly onAnswer?: VendingEvents['onAnswer'];
};

/** How long a provider is waited for, in milliseconds. */
const ASK_MS = 10_000;
/**
 * How long an answer is good for. Stock that runs out in this time fails the order, and nothing is
 * charged.
 */
const GOOD_FOR_MS = 5_000;
const REMEMBERED_MAX = 2_000;

export function isAvailable({ fulfillment }: Pick<Availability, 'fulfillment'>): boolean {
  return fulfillment === 'immediate' || fulfillment === 'standard';
}

/** The face value of one card. Throws GatewayError `face_value_out_of_range`. */
export function requireCardValue(plan: GiftCardPlan, sent: bigint | undefined): bigint {
  const value = chooseCardValue(plan, sent);
  if (value !== undefined) return value;
  const { minPrice: min = 0n, maxPrice: max = 0n, currency } = plan;
  throw new GatewayError({ code: 'face_value_out_of_range', min, max, currency });
}

/**
 * Throws GatewayError: `face_value_out_of_range`, `no_provider`, `availability_unknown`.
 */
export type CheckAvailability = (query: CardQuery) => Promise<Availability>;

export function createAvailabilityCheck(dependencies: AvailabilityDependencies): CheckAvailability {
  const remembered = new LRUCache<string, Promise<AvailabilityAnswer>>({
    max: REMEMBERED_MAX,
    ttl: GOOD_FOR_MS,
    ...ageBy(dependencies.clock),
  });
  return async ({ principal, plan, quantity, faceValue }) => {
    const unitPrice = requireCardValue(plan, faceValue);
    // Simulated purchases always succeed, but for the plans that are there to show the other
    // answers.
    if (principal.environment === 'test') return inCatalog(plan.testOnly ? plan.fulfillment : 'immediate');
    const route = requireRoute(dependencies, {
      principal,
      product: giftCard.name,
      network: giftCard.name,
      planCodes: plan.providerCodes,
    });
    if (!isAvailable(plan)) return inCatalog(plan.fulfillment);
    const provider = route[0] ?? '';
    const planCodes = plan.providerCodes[provider];
    const query: AvailabilityQuery = {
      product: giftCard.name,
      ...(planCodes && { planCodes }),
      item: { quantity, unitPrice, currency: plan.currency },
    };
    const key = `${provider}/${plan.planId}/${quantity}/${unitPrice}`;
    let answer = remembered.get(key);
    if (answer === undefined) {
      answer = ask(dependencies, provider, plan, query);
      remembered.set(key, answer);
    }
    const said = await answer;
    if (said.kind === 'known') return { fulfillment: said.fulfillment, detail: said.detail };
    // What nobody knew is asked again at once.
    if (remembered.peek(key) === answer) remembered.delete(key);
    throw new GatewayError({ code: 'availability_unknown' });
  };
}

function inCatalog(fulfillment: Fulfillment): Availability {
  return { fulfillment, detail: undefined };
}

async function ask(
  { providers, clock, onAnswer }: AvailabilityDependencies,
  name: string,
  plan: GiftCardPlan,
  query: AvailabilityQuery,
): Promise<AvailabilityAnswer> {
  const provider = providers.get(name);
  if (provider?.checkAvailability === undefined) {
    return { kind: 'known', ...inCatalog(plan.fulfillment) };
  }
  const startedAtMs = clock.elapsedMs();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ASK_MS);
  let answer: AvailabilityAnswer;
  try {
    answer = await provider.checkAvailability(query, { signal: limit.signal });
  } catch (error) {
    const message = error instanceof Error ? error.name : 'fault';
    answer = { kind: 'unavailable', code: 'connector_fault', message };
  } finally {
    clearTimeout(timer);
  }
  onAnswer?.({
    provider: name,
    operation: 'availability',
    kind: answer.kind,
    latencyMs: clock.elapsedMs() - startedAtMs,
  });
  return answer;
}
