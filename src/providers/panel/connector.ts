/**
 * A panel of virtual top-ups. Panels differ in paths, fields, ids and words, which the mapping of
 * the account states. `request.ts` has the requests, `reply.ts` the replies, `records.ts` the
 * look-up. A purchase is never retried.
 */
import type { PlanKind } from '../../core/products/plan-kind.ts';
import { createScrubber, notQueried, refusedWithoutCall, unknown } from '../answers.ts';
import type { CallOptions } from '../http/call.ts';
import { openProviderUpstream } from '../http/provider-upstream.ts';
import type { Body } from '../http/reply-fields.ts';
import type { Connector, CustomerAnswer, ProviderAnswer, ProviderOrder } from '../provider.ts';
import { mintUuid } from '../reference-mark.ts';
import type { PanelMapping, PanelOrder, PanelProduct, PanelRequest, PanelTrust } from './mapping-schema.ts';
import { readBalance, readCustomer, readPlans } from './reads.ts';
import { endsBefore, findRecord, rowsOf, windowOf } from './records.ts';
import { answerToPurchase, answerToQuery, readRecord, statusesOf, unreadable } from './reply.ts';
import { type Filled, fillRequest, orderOf, orderValues, valuesOf } from './request.ts';
import type { PanelSettings } from './settings.ts';

/** Lists of plans have thousands of rows. */
const RESPONSE_BYTES_MAX = 16 * 1024 * 1024;
/** How long an order like an ended one waits, besides the difference of clocks. */
const QUIET_MS = 60_000;

export function createPanel(settings: PanelSettings): Connector {
  const { mapping, key, timeScale, trustSuccess: isTrusted } = settings;
  const now = settings.now ?? ((): Date => new Date());
  const upstream = openProviderUpstream({
    ...settings,
    provider: 'panel',
    responseBytesMax: RESPONSE_BYTES_MAX,
  });
  const scrub = createScrubber(() => [key, encodeURIComponent(key)]);
  const belief = { mapping, isTrusted, timeScale };
  const fill = (
    operation: string,
    request: PanelRequest,
    values: Parameters<typeof fillRequest>[4],
  ): Filled => fillRequest(mapping, key, operation, request, values);

  const queryById = async (
    order: ProviderOrder,
    request: PanelRequest,
    options?: CallOptions,
  ): Promise<ProviderAnswer> => {
    const filled = fill('query', request, orderValues(mapping, order));
    if ('lacks' in filled) return withoutLookup(mapping, order);
    return answerToQuery(belief, order, await upstream.call(filled.request, options));
  };

  const queryByList = async (
    order: ProviderOrder,
    how: PanelOrder,
    options?: CallOptions,
  ): Promise<ProviderAnswer> => {
    const list = how.lookup?.list;
    if (list === undefined) return withoutLookup(mapping, order);
    const window = windowOf(list, now().getTime() - (order.sentMs ?? 0));
    const rows: Body[] = [];
    for (let page = 1; page <= list.pages; page += 1) {
      const filled = fill('query', list.request, { ...orderValues(mapping, order), page: String(page) });
      if ('lacks' in filled) return withoutLookup(mapping, order);
      const result = await upstream.call(filled.request, options);
      if (result.kind === 'not_sent') return notQueried(result);
      const more = result.kind === 'reply' && result.status < 300 ? rowsOf(list, result.body) : undefined;
      // Past the last page some panels answer 404. What was read before counts.
      if (more === undefined && rows.length === 0) {
        return unreadable(result) ?? unknown(`http_${result.status}`, 'the panel returned no list');
      }
      if (more === undefined) break;
      rows.push(...more);
      if (endsBefore(list, more, window)) break;
    }
    const found = findRecord(list, how, mapping.reply.id, order, rows, window);
    if (found.kind !== 'record') return found;
    return readRecord(belief, order, found.record, {
      status: 200,
      statuses: how.lookup?.statuses ?? statusesOf(mapping, order),
    });
  };

  const asyncOnly = asyncOnlyOf(settings);
  const sellsKinds = soldKinds(mapping);
  return {
    limiters: upstream.limiters,
    notFoundGraceMs: settings.notFoundGraceMs,
    deadlineMs: settings.deadlineMs,
    mintReference: (_at, purchase, bought) => mintUuid(purchase, bought),
    queriesByOwnId: true,
    ...(mapping.is_reversed_later && { takesBack: true }),
    ...(usesBalance(mapping) && { balanceProves: 'either' }),
    // Also where the panel returns our reference: the mapping can be changed while orders wait.
    oneAlike: { quietMs: quietMsOf(mapping) * timeScale },
    ...(asyncOnly.size > 0 && { asyncOnly }),
    sellsKinds,

    purchase: async (order, options) => {
      const how = orderOf(mapping, order.product);
      if (how === undefined) return refusedWithoutCall('not_sold', `the mapping has no ${order.product}`);
      if (order.planKind === 'share_and_sell' && !sellsKinds.has(order.planKind)) {
        return refusedWithoutCall('not_sold', 'the mapping sells no share and sell');
      }
      const filled = fill('purchase', how.request, orderValues(mapping, order));
      if ('lacks' in filled) {
        return refusedWithoutCall(
          'no_value',
          `the mapping or the plan gives no ${filled.lacks} for ${order.network}`,
        );
      }
      return scrub.answer(answerToPurchase(belief, order, await upstream.call(filled.request, options)));
    },

    query: async (order, options) => {
      const how = orderOf(mapping, order.product);
      if (how === undefined) return withoutLookup(mapping, order);
      const byId = order.providerId === undefined ? undefined : how.lookup?.by_id;
      return scrub.answer(
        byId === undefined ? await queryByList(order, how, options) : await queryById(order, byId, options),
      );
    },

    verifyCustomer: async (query, options): Promise<CustomerAnswer> => {
      const verify = orderOf(mapping, query.product)?.verify;
      if (verify === undefined) return unverifiable(`the mapping verifies no ${query.product}`);
      const filled = fill('verify', verify.request, valuesOf(mapping, query));
      if ('lacks' in filled) return unverifiable(`the mapping gives no ${filled.lacks} for ${query.network}`);
      return scrub.customer(readCustomer(verify, await upstream.call(filled.request, options)));
    },

    balance: async (options) => {
      const filled = fill('balance', mapping.balance.request, {});
      return 'lacks' in filled
        ? undefined
        : readBalance(mapping, await upstream.call(filled.request, options));
    },

    ...(mapping.plans !== undefined && {
      listPlans: async (serviceId: string, options?: CallOptions) => {
        if (mapping.plans === undefined) return undefined;
        const filled = fill('list_plans', mapping.plans.request, {});
        if ('lacks' in filled) return undefined;
        return readPlans(mapping, serviceId, await upstream.call(filled.request, options));
      },
    }),

    breakerState: () => upstream.breakerState(),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

/** Returns the products whose success is not final at once, unless the operator allows them. */
function asyncOnlyOf({ mapping, trustSuccess, allowSync }: PanelSettings): ReadonlySet<string> {
  if (trustSuccess || allowSync) return new Set();
  return new Set(
    Object.keys(mapping.orders).filter((product) => {
      return trustOf(mapping, product as PanelProduct).success === 'provisional';
    }),
  );
}

/** Returns the kinds of airtime besides `vtu`. One that the request does not state is not sold. */
function soldKinds({ orders, airtime_kinds: kinds }: PanelMapping): ReadonlySet<PlanKind> {
  const isStated = JSON.stringify(orders.airtime?.request ?? {}).includes('{airtime_kind}');
  return new Set(isStated && kinds?.share_and_sell !== undefined ? ['share_and_sell'] : []);
}

/** Records of two alike orders must never fit in one window. */
function quietMsOf({ orders, reply }: PanelMapping): number {
  if (reply.reference !== undefined) return 0;
  const skews = Object.keys(orders).map(
    (product) => orders[product as PanelProduct]?.lookup?.list?.skew_s ?? 0,
  );
  return QUIET_MS + 2_000 * Math.max(0, ...skews);
}

/** Our balance may decide an order, unless the panel is known to debit what it did not deliver. */
function withoutLookup(mapping: PanelMapping, { product }: ProviderOrder): ProviderAnswer {
  const { success, confirm_by: confirms } = trustOf(mapping, product as PanelProduct);
  const isBelieved = success === 'final' || confirms.includes('balance');
  return {
    ...unknown('no_look_up', 'the panel cannot be queried about the order'),
    ...(isBelieved && { isUnqueryable: true }),
  };
}

/** Whether the balance may decide or confirm an order of the panel. */
function usesBalance(mapping: PanelMapping): boolean {
  return Object.entries(mapping.orders).some(([product, { lookup }]) => {
    const { success, confirm_by: confirms } = trustOf(mapping, product as PanelProduct);
    // Without a list an order whose answer was lost cannot be queried.
    return success === 'final' ? lookup?.list === undefined : confirms.includes('balance');
  });
}

function trustOf({ orders, trust }: PanelMapping, product: PanelProduct): PanelTrust {
  return orders[product]?.trust ?? trust;
}

function unverifiable(message: string): CustomerAnswer {
  return { kind: 'unavailable', code: 'not_verified', message };
}
