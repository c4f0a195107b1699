/** A panel as one simulated process calls it: the connector of src/providers/panel, over steps. */
import { newId } from '../../src/core/ids.ts';
import type { CallResult, UpstreamRequest } from '../../src/providers/http/call.ts';
import { openProviderUpstream } from '../../src/providers/http/provider-upstream.ts';
import { createPanel } from '../../src/providers/panel/connector.ts';
import type { PanelMapping } from '../../src/providers/panel/mapping-schema.ts';
import type { PresetName } from '../../src/providers/panel/presets.ts';
import { readMapping } from '../../src/providers/panel/read-mapping.ts';
import type { Connector, Provider, ProviderOrder } from '../../src/providers/provider.ts';
import type { ProviderBook } from './provider-book.ts';
import { purchaseKey } from './scripted-provider.ts';
import type { SimulatedTime } from './simulated-time.ts';
import type { Steps } from './steps.ts';

export type Outside = {
  readonly book: ProviderBook;
  readonly steps: Steps;
  readonly time: SimulatedTime;
};

/** The panel itself. `order` is the one that a request is about. */
export type PlayedPanel = { take(request: UpstreamRequest, order: ProviderOrder | undefined): CallResult };

const settings = {
  key: 'key',
  provisional: 'async' as const,
  timeScale: 1,
  connectionsMax: 1,
  deadlineMs: 30_000,
  notFoundGraceMs: 60_000,
};
/** Its calls go to the played panel. */
const upstream = openProviderUpstream({ ...settings, baseUrl: 'https://panel.example', provider: 'panel' });

export function presetOf(preset: PresetName, networks: PanelMapping['networks']): PanelMapping {
  const read = readMapping(JSON.stringify({ preset, networks }));
  if (!('mapping' in read)) throw new Error(read.faults.join());
  return read.mapping;
}

export function connectPanel(
  name: string,
  mapping: PanelMapping,
  process: string,
  { book, steps, time }: Outside,
  panel: PlayedPanel,
): Provider {
  const travel = async (
    what: string,
    arrive: () => CallResult,
    reference: string | undefined,
  ): Promise<CallResult> => {
    const { answer, afterMs } = await steps.wait('call', process, what, async () => ({
      answer: arrive(),
      afterMs: reference === undefined ? 0 : book.delayMs(reference),
    }));
    await steps.wait('call', process, `hears what ${name} says`, async () => undefined, { afterMs });
    return answer;
  };
  /** A connector whose requests are about the order. */
  const connect = (order?: ProviderOrder): Connector =>
    createPanel(
      { ...settings, mapping, baseUrl: `https://${name}.example`, now: () => new Date(time.nowMs) },
      {
        ...upstream,
        call: (request, options) => {
          const leftAtMs = time.elapsedMs;
          const { operation } = request;
          const isLate = (): boolean =>
            operation === 'purchase' &&
            time.elapsedMs - leftAtMs > (options?.sendWithinMs ?? Number.POSITIVE_INFINITY);
          const arrive = (): CallResult =>
            isLate()
              ? { kind: 'not_sent', reason: 'it could not leave in time' }
              : panel.take(request, order);
          const what = operation === 'purchase' ? `sends an order to ${name}` : `asks ${name}`;
          return travel(what, arrive, order?.reference);
        },
      },
    );
  // Its limiters wait for real time.
  const { limiters: _, ...connector } = connect();
  return {
    ...connector,
    name,
    environment: 'live',
    products: new Set(['airtime']),
    sellsWithoutCodes: new Set(),
    wholeNairaOnly: new Set(),
    mintReference: (_, { merchantId, reference }) => {
      const minted = `${name}-${newId()}`;
      book.name(minted, purchaseKey(merchantId, reference));
      return minted;
    },
    purchase: (order, options) => connect(order).purchase(order, options),
    query: (order, options) => connect(order).query(order, options),
  };
}

export const lost: CallResult = { kind: 'lost', reason: 'ECONNRESET' };

export function reply(status: number, body: unknown): CallResult {
  return { kind: 'reply', status, body };
}
