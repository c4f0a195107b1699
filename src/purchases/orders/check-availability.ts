/**
 * Checks whether a gift card is available, for merchants and before each order is accepted. The
 * catalog is checked first. If it sells the card, the first provider of the route is queried. Buys
 * and stores nothing. The query contains only the plan, so one query at a time serves every
 * merchant, and its answer is reused for a while. The face value is checked here.
 */
import { LRUCache } from 'lru-cache';
import { chooseCardValue, type GiftCardPlan } from '../../catalog/gift-card-plan.ts';
import { type Router, requireRoute } from '../../catalog/routes/require-route.ts';
import { ageBy, type Clock } from '../../core/clock.ts';
import { GatewayError, invariant } from '../../core/errors.ts';
import { formatAmount } from '../../core/money.ts';
import { giftCard } from '../../core/products/gift-card.ts';
import { findStory } from '../../core/products/test-stories.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { Turn } from '../../providers/http/limiter.ts';
import type {
  AvailabilityAnswer,
  AvailabilityQuery,
  CardValues,
  Fulfillment,
} from '../../providers/provider.ts';
import { type Asker, lookUp } from '../engine/lookups.ts';
import type { PurchaseEvents } from '../engine/purchase-events.ts';

export type Availability = {
  readonly fulfillment: Fulfillment;
  /** The provider's message for the merchant, if it has one. */
  readonly detail: string | undefined;
};

type CardQuery = {
  readonly principal: Principal;
  readonly plan: GiftCardPlan;
  /** The value of one card, if the plan is variable and the merchant names one. */
  readonly faceValue: bigint | undefined;
  /** An order waits for the answer. */
  readonly isPurchase?: boolean;
  /** The route of the order. Absent: the current one. */
  readonly route?: readonly string[];
  /** For a test order: the scenario that it plays. */
  readonly story?: string | undefined;
};

export type AvailabilityDependencies = Router & {
  readonly clock: Clock;
  readonly onAnswer?: PurchaseEvents['onAnswer'];
};

/** How long it waits for a provider, in milliseconds. */
const ASK_MS = 10_000;
/**
 * How long an answer is reused. If the stock runs out meanwhile, the order fails and nothing is
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
 * Throws GatewayError: `face_value_out_of_range`, `no_provider`, `availability_unknown`,
 * `provider_look_ups_full`.
 */
export type CheckAvailability = (query: CardQuery) => Promise<Availability>;

export function createAvailabilityCheck(dependencies: AvailabilityDependencies): CheckAvailability {
  const askShared = shareQuestions(dependencies);
  return async ({ principal, plan, faceValue, isPurchase = false, route: ordered, story }) => {
    const unitPrice = requireCardValue(plan, faceValue);
    const route =
      ordered ??
      requireRoute(dependencies, {
        principal,
        product: giftCard.name,
        network: giftCard.name,
        planCodes: plan.providerCodes,
      });
    // Simulated purchases always succeed, except for the plans that show the other answers.
    if (principal.environment === 'test') return inSandbox(plan, story);
    if (!isAvailable(plan)) return inCatalog(plan.fulfillment);
    const provider = route[0] ?? '';
    if (dependencies.providers.get(provider)?.checkAvailability === undefined) {
      return inCatalog(plan.fulfillment);
    }
    const planCodes = plan.providerCodes[provider];
    const query = { product: giftCard.name, ...(planCodes && { planCodes }) };
    const said = await askShared(provider, query, { merchantId: principal.merchant.id, isPurchase });
    if (said.kind === 'unavailable') throw new GatewayError({ code: 'availability_unknown' });
    if (said.sells !== undefined && !sellsAt(said.sells, unitPrice, plan.currency)) {
      const detail = `This card is not sold at ${plan.currency} ${formatAmount(unitPrice)}`;
      return { fulfillment: 'out_of_stock', detail };
    }
    return { fulfillment: said.fulfillment, detail: said.detail };
  };
}

type AskShared = (provider: string, query: AvailabilityQuery, asker: Asker) => Promise<AvailabilityAnswer>;

/** Runs one query at a time for each plan, and none while its answer is valid. */
function shareQuestions(dependencies: AvailabilityDependencies): AskShared {
  const { providers, clock } = dependencies;
  const remembered = new LRUCache<string, Promise<AvailabilityAnswer>>({
    max: REMEMBERED_MAX,
    ttl: GOOD_FOR_MS,
    ...ageBy(clock),
  });
  const underWay = new Map<string, Promise<AvailabilityAnswer>>();
  const askOnce = (
    name: string,
    query: AvailabilityQuery,
    key: string,
    turn: Turn,
  ): Promise<AvailabilityAnswer> => {
    const answer = ask(dependencies, name, query, turn).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    remembered.set(key, answer);
    // An unknown answer is queried again at once.
    void answer.then(({ kind }) => {
      if (kind === 'unavailable' && remembered.peek(key) === answer) remembered.delete(key);
    });
    return answer;
  };
  return async (provider, query, asker) => {
    const codes = Object.entries(query.planCodes ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const key = `${provider}/${JSON.stringify(codes)}`;
    const known = () => underWay.get(key) ?? remembered.get(key);
    // Each order waits for its own turn, so no order waits for that of another merchant.
    return await (known() ??
      lookUp(
        providers.get(provider),
        asker,
        ASK_MS,
        (turn) => known() ?? askOnce(provider, query, key, turn),
      ));
  };
}

function sellsAt(sells: CardValues, value: bigint, currency: string): boolean {
  if (sells.currency !== currency) return false;
  return 'values' in sells ? sells.values.includes(value) : value >= sells.min && value <= sells.max;
}

/** Throws GatewayError `availability_unknown` if the scenario requires it. */
function inSandbox(plan: GiftCardPlan, story: string | undefined): Availability {
  const stock = story === undefined ? undefined : findStory(story, giftCard.name)?.play.stock;
  if (stock === 'unavailable') throw new GatewayError({ code: 'availability_unknown' });
  return inCatalog(stock ?? (plan.testOnly ? plan.fulfillment : 'immediate'));
}

function inCatalog(fulfillment: Fulfillment): Availability {
  return { fulfillment, detail: undefined };
}

async function ask(
  { providers, clock, onAnswer }: AvailabilityDependencies,
  name: string,
  query: AvailabilityQuery,
  turn: Turn,
): Promise<AvailabilityAnswer> {
  const provider = providers.get(name);
  const startedAtMs = clock.elapsedMs();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ASK_MS);
  let answer: AvailabilityAnswer | undefined;
  try {
    answer = await provider?.checkAvailability?.(query, { signal: limit.signal, turn });
  } catch (error) {
    const message = error instanceof Error ? error.name : 'fault';
    answer = { kind: 'unavailable', code: 'connector_fault', message };
  } finally {
    clearTimeout(timer);
  }
  invariant(answer !== undefined, 'a queried provider can report availability');
  onAnswer?.({
    provider: name,
    operation: 'availability',
    kind: answer.kind,
    latencyMs: clock.elapsedMs() - startedAtMs,
  });
  return answer;
}
