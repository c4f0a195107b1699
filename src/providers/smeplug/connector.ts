/**
 * SMEPlug: airtime and data. `mapping.ts` has the requests and replies, `networks.ts` the ids.
 *
 * An order is queried by SMEPlug's reference only. If its answer was lost, SMEPlug cannot be
 * queried, and the purchase stays unknown until our balance or a person decides.
 */
import { systemClock } from '../../core/clock.ts';
import { mobileNetworks } from '../../core/products/network.ts';
import { createScrubber, refusedWithoutCall, refuseUnsent } from '../answers.ts';
import { type CallOptions, type CallResult, WAIT_MS } from '../http/call.ts';
import { connectorFrame, openProviderUpstream } from '../http/provider-upstream.ts';
import type { Connector } from '../provider.ts';
import {
  answerToPurchase,
  answerToQuery,
  readBalance,
  readPlans,
  toPurchase,
  unqueryable,
} from './mapping.ts';
import { compareNetworks, NETWORK_IDS } from './networks.ts';
import type { SmeplugSettings } from './settings.ts';

/** The longest that a purchase waits for the list of networks. */
const NETWORKS_MS = 2_000;
/** How long an answer other than "same" counts, before the list is read again. */
const NETWORKS_AGE_MS = 60_000;

export function createSmeplug(settings: SmeplugSettings): Connector {
  const upstream = openProviderUpstream({ ...settings, provider: 'smeplug' });
  const scrub = createScrubber(() => [settings.secretKey]);
  const headers = { authorization: `Bearer ${settings.secretKey}` };

  const read = (operation: string, path: string, options?: CallOptions): Promise<CallResult> =>
    upstream.call({ operation, method: 'GET', path, headers }, options);

  let networks: ReturnType<typeof compareNetworks> | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const readNetworks = async (): Promise<void> => {
    const signal = AbortSignal.timeout(NETWORKS_MS);
    networks = compareNetworks(await read('list_networks', '/networks', { signal }));
    readAtMs = systemClock.elapsedMs();
    reading = undefined;
  };
  /**
   * Reads the list of networks until it agrees with our ids. If the list cannot be read, purchases
   * continue, because most clients use these ids.
   */
  const checkNetworks = async (): Promise<void> => {
    if (networks === 'same' || systemClock.elapsedMs() - readAtMs < NETWORKS_AGE_MS) return;
    reading ??= readNetworks();
    await reading;
  };

  return {
    ...connectorFrame(upstream, settings),
    queriesByOwnId: true,
    // SMEPlug may take a success back, and only a query shows it.
    takesBack: true,
    balanceProves: 'either',

    purchase: async (order, options) => {
      const purchase = toPurchase(order);
      if ('lacks' in purchase) return refuseUnsent('SMEPlug', order, purchase);
      const startedAtMs = systemClock.elapsedMs();
      await checkNetworks();
      if (networks === 'different') {
        return refusedWithoutCall('networks_differ', "SMEPlug's list has other network ids than ours");
      }
      const { path, body } = purchase;
      const request = { operation: 'purchase', method: 'POST', path, headers, body } as const;
      // The wait for the list counts towards the time in which the order may be sent.
      const waitMs = Math.min(options?.sendWithinMs ?? WAIT_MS, settings.waitMs ?? WAIT_MS);
      const sendWithinMs = Math.max(0, waitMs - (systemClock.elapsedMs() - startedAtMs));
      return scrub.answer(
        answerToPurchase(order, await upstream.call(request, { ...options, sendWithinMs })),
      );
    },

    query: async (order, options) => {
      const { providerId } = order;
      if (providerId === undefined) return unqueryable();
      const path = `/transactions/${encodeURIComponent(providerId)}`;
      return scrub.answer(answerToQuery(order, await read('query', path, options)));
    },

    balance: async (options) => readBalance(await read('balance', '/account/balance', options)),

    dataLists: new Map(mobileNetworks.map((network) => [String(NETWORK_IDS.get(network)), network])),
    /** `serviceId` is SMEPlug's id of the network. */
    listPlans: async (serviceId, options) =>
      readPlans(serviceId, await read('list_plans', '/data/plans', options)),
  };
}
