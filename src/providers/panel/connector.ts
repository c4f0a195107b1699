/**
 * A panel of virtual top-ups. Panels differ in paths, fields, ids and words, which the mapping of
 * the account states. `request.ts` has the requests, `reply.ts` the replies, `records.ts` the
 * look-up. A purchase is never retried.
 */
import type { PlanKind } from '../../core/products/plan-kind.ts';
import { notQueried, refusedWithoutCall, unknown } from '../answers.ts';
import type { CallOptions, CallResult, UpstreamRequest } from '../http/call.ts';
import { connectorFrame, openProviderUpstream, type ProviderUpstream } from '../http/provider-upstream.ts';
import { createSecretRemover } from '../http/remove-secrets.ts';
import type { Body } from '../http/reply-fields.ts';
import type { Connector, CustomerAnswer, ProviderAnswer, ProviderOrder } from '../provider.ts';
import type { Period } from '../statements/statement-line.ts';
import { listsOf, placeOfPage, readOrders } from './list.ts';
import type { PanelMapping, PanelOrder, PanelProduct, PanelRequest, PanelTrust } from './mapping-schema.ts';
import { dataListsOf, readBalance, readCustomer, readPlans } from './reads.ts';
import { endsBefore, findRecord, likenessOf, type PanelList, rowsOf, windowOf } from './records.ts';
import { answerToPurchase, answerToQuery, readRecord, statusesOf, unreadable } from './reply.ts';
import { type Filled, fillRequest, orderOf, orderValues, valuesOf } from './request.ts';
import type { PanelSettings } from './settings.ts';
import { type PageReader, SharedWalks } from './shared-walks.ts';

/** Lists of plans have thousands of rows. */
const RESPONSE_BYTES_MAX = 16 * 1024 * 1024;
/**
 * How late an order leaves after its attempt was stored, at most. Panels refuse repeats for as
 * long.
 */
const QUIET_MS = 60_000;

export function createPanel(
  settings: PanelSettings,
  upstream: ProviderUpstream = openUpstreamOf(settings),
): Connector {
  const { mapping, key, login = '', timeScale, provisional } = settings;
  const now = settings.now ?? ((): Date => new Date());
  const loginCode = Buffer.from(login).toString('base64');
  const withoutKeys = createSecretRemover([key, login, loginCode]);
  const walks = new SharedWalks({ timeScale, nowMs: () => now().getTime() });
  const belief = { mapping, isTrusted: provisional === 'final', timeScale };
  const call = async (request: UpstreamRequest, options?: CallOptions): Promise<CallResult> =>
    withoutKeys(await upstream.call(request, options));
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
    return answerToQuery(belief, order, await call(filled.request, options));
  };

  const queryByList = async (
    order: ProviderOrder,
    how: PanelOrder,
    options?: CallOptions,
  ): Promise<ProviderAnswer> => {
    const list = how.lookup?.list;
    if (list === undefined) return withoutLookup(mapping, order);
    const first = fill('query', list.request, { ...orderValues(mapping, order), page: '1' });
    if ('lacks' in first) return withoutLookup(mapping, order);
    const sentAtMs = now().getTime() - (order.sentMs ?? 0);
    const key = JSON.stringify([first.request.path, first.request.body]);
    return await walks.run(key, { reference: order.reference, sentAtMs }, (read, sinceMs) =>
      // A record counts as read when the oldest page was.
      findInList({ ...order, sentMs: sinceMs - sentAtMs }, how, { list, sentAtMs }, read, options),
    );
  };

  const findInList = async (
    order: ProviderOrder,
    how: PanelOrder,
    { list, sentAtMs }: { readonly list: PanelList; readonly sentAtMs: number },
    read: PageReader,
    options?: CallOptions,
  ): Promise<ProviderAnswer> => {
    const window = windowOf(list, sentAtMs);
    const rows: Body[] = [];
    for (let page = 1; page <= list.pages; page += 1) {
      const filled = fill('query', list.request, { ...orderValues(mapping, order), page: String(page) });
      if ('lacks' in filled) return withoutLookup(mapping, order);
      const result = await read(page, () => call(filled.request, options));
      if (result.kind === 'not_sent') return notQueried(result);
      const more = result.kind === 'reply' && result.status < 300 ? rowsOf(list, result.body) : undefined;
      // Past the last page some panels answer 404. After any other error a second record of the
      // order may exist unread.
      if (more === undefined && page > 1 && result.status === 404) break;
      if (more === undefined) {
        return unreadable(result) ?? unknown(`http_${result.status}`, 'the panel returned no list');
      }
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
  const listed = listsOf(mapping);
  return {
    ...connectorFrame(upstream, settings),
    queriesByOwnId: true,
    ...(mapping.is_reversed_later && { takesBack: true }),
    ...(usesBalance(mapping) && { balanceProves: 'either' }),
    // Also if the panel returns our reference: the mapping can be changed while orders wait.
    oneAlike: {
      place: placeOf(settings.baseUrl),
      quietMs: quietMsOf(mapping) * timeScale,
      recordMs: recordMsOf(mapping) * timeScale,
      likenessOf,
    },
    ...(asyncOnly.size > 0 && { asyncOnly }),
    sellsKinds,

    purchase: async (order, options) => {
      const how = orderOf(mapping, order.product);
      if (how === undefined)
        return refusedWithoutCall('not_sold', `the mapping does not have ${order.product}`);
      if (order.planKind === 'share_and_sell' && !sellsKinds.has(order.planKind)) {
        return refusedWithoutCall('not_sold', 'the mapping sells no share and sell');
      }
      const filled = fill('purchase', how.request, orderValues(mapping, order));
      if ('lacks' in filled) {
        return refusedWithoutCall(
          'no_value',
          `the mapping or the plan lacks ${filled.lacks} for ${order.network}`,
        );
      }
      return answerToPurchase(belief, order, await call(filled.request, options));
    },

    query: async (order, options) => {
      const how = orderOf(mapping, order.product);
      if (how === undefined) return withoutLookup(mapping, order);
      const byId = order.providerId === undefined ? undefined : how.lookup?.by_id;
      return byId === undefined
        ? await queryByList(order, how, options)
        : await queryById(order, byId, options);
    },

    verifyCustomer: async (query, options): Promise<CustomerAnswer> => {
      const verify = orderOf(mapping, query.product)?.verify;
      if (verify === undefined) return unverifiable(`the mapping cannot verify ${query.product}`);
      const filled = fill('verify', verify.request, valuesOf(mapping, query));
      if ('lacks' in filled) return unverifiable(`the mapping lacks ${filled.lacks} for ${query.network}`);
      return readCustomer(verify, await call(filled.request, options));
    },

    ...(!readsBalance(settings) && { hasNoBalance: true }),
    balance: async (options) => {
      if (!readsBalance(settings)) return undefined;
      const { auth, request } = mapping.balance;
      const filled =
        auth === undefined
          ? fill('balance', request, {})
          : fillRequest({ auth }, loginCode, 'balance', request, {});
      return 'lacks' in filled ? undefined : readBalance(mapping, await call(filled.request, options));
    },

    ...(mapping.plans !== undefined && {
      dataLists: dataListsOf(mapping.plans),
      listPlans: async (serviceId: string, options?: CallOptions) => {
        if (mapping.plans === undefined) return undefined;
        const filled = fill('list_plans', mapping.plans.request, {});
        if ('lacks' in filled) return undefined;
        return readPlans(mapping, serviceId, await call(filled.request, options));
      },
    }),

    ...(listed.length > 0 && {
      listOrders: async (period: Period, page: string | undefined, options?: CallOptions) => {
        const { index, number } = placeOfPage(page);
        const request = listed[index]?.list.request;
        const filled = request && fill('list_orders', request, { page: String(number) });
        if (filled === undefined || 'lacks' in filled) {
          return { kind: 'unavailable', reason: 'the mapping has no such list' } as const;
        }
        return readOrders(mapping, listed, period, page, await call(filled.request, options));
      },
    }),
  };
}

/** Returns whether the settings are enough to read the balance. */
export function readsBalance({ mapping, login }: Pick<PanelSettings, 'mapping' | 'login'>): boolean {
  return mapping.balance.auth === undefined || login !== undefined;
}

function openUpstreamOf(settings: PanelSettings): ProviderUpstream {
  return openProviderUpstream({ ...settings, provider: 'panel', responseBytesMax: RESPONSE_BYTES_MAX });
}

/** Returns the products whose success is not final at once, unless the operator accepts them. */
function asyncOnlyOf({ mapping, provisional }: PanelSettings): ReadonlySet<string> {
  if (provisional !== 'async') return new Set();
  return new Set(
    Object.keys(mapping.orders).filter((product) => {
      return trustOf(mapping, product as PanelProduct).success === 'provisional';
    }),
  );
}

/** Returns the kinds of airtime besides `vtu`. A kind that the request cannot state is not sold. */
function soldKinds({ orders, airtime_kinds: kinds }: PanelMapping): ReadonlySet<PlanKind> {
  const isStated = JSON.stringify(orders.airtime?.request ?? {}).includes('{airtime_kind}');
  return new Set(isStated && kinds?.share_and_sell !== undefined ? ['share_and_sell'] : []);
}

/** A panel's address can be spelled in several ways. */
function placeOf(baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  return `${host.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}`;
}

/** A record that is found by its id belongs to exactly one order. */
function quietMsOf({ orders, reply }: PanelMapping): number {
  if (reply.reference !== undefined) return 0;
  return QUIET_MS + 2_000 * Math.max(0, ...lookupLists(orders).map(({ skew_s }) => skew_s));
}

/** Until then the window of an order contains no record of an earlier order. */
function recordMsOf({ orders, reply }: PanelMapping): number {
  if (reply.reference !== undefined) return 0;
  const spans = lookupLists(orders).map(({ window_s, skew_s }) => QUIET_MS + 1_000 * (window_s + 2 * skew_s));
  return Math.max(0, ...spans);
}

function lookupLists(orders: PanelMapping['orders']): readonly PanelList[] {
  return Object.keys(orders).flatMap((product) => orders[product as PanelProduct]?.lookup?.list ?? []);
}

/** Our balance may decide an order, unless the panel is known to debit undelivered orders. */
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
