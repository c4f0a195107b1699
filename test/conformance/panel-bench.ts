/** The panel connector wired to a simulated panel of one family in this process. */
import assert from 'node:assert/strict';
import { panel } from '../../src/providers/panel/index.ts';
import type { PresetName } from '../../src/providers/panel/presets.ts';
import { readMapping } from '../../src/providers/panel/read-mapping.ts';
import type { PanelSettings } from '../../src/providers/panel/settings.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { airtime, type ProductCase } from './products.ts';
import { benchLimits, type ConnectorBench, openSimulatorBench, wire } from './simulator-bench.ts';

const KEY = 'simulator-panel-key';
const LOGIN = 'simulator:simulator-panel-password';

const NETWORKS = {
  MTN: '1',
  GLO: '2',
  '9MOBILE': '3',
  AIRTEL: '4',
  DSTV: '2',
  'Ikeja Electric': '1',
  WAEC: '1',
};

export type PanelOptions = {
  readonly product?: ProductCase;
  /** Added to the mapping. */
  readonly mapping?: object;
  readonly settings?: Partial<PanelSettings>;
};

export async function openPanelBench(
  preset: PresetName,
  { product = airtime, mapping = {}, settings = {} }: PanelOptions = {},
): Promise<ConnectorBench> {
  const simulator = await openSimulatorBench(product);
  const read = readMapping(JSON.stringify({ preset, networks: NETWORKS, ...mapping }));
  assert.ok('mapping' in read, JSON.stringify(read));
  const opened = await panel
    .configure({
      baseUrl: `${simulator.url}/panel/${preset}`,
      key: KEY,
      login: LOGIN,
      mapping: read.mapping,
      provisional: 'async',
      timeScale: 1,
      ...benchLimits,
      notFoundGraceMs: 1_000,
      ...settings,
    })
    .open();
  /** A panel that ignores our reference records its own, so orders are found by their number. */
  const recipients = new Map<string, string>();
  const provider: Provider = {
    ...opened,
    purchase: (order, options) => {
      recipients.set(order.reference, order.recipient.slice(-10));
      return opened.purchase(order, options);
    },
  };
  return wire(simulator, provider, {
    secrets: [KEY, LOGIN, btoa(LOGIN)],
    takesNoReference: preset === 'msorg' || preset === 'smartrecharge',
    deliveries: async (reference: string) => {
      const books = await (await fetch(`${simulator.url}/books`)).text();
      const recipient = recipients.get(reference) ?? reference;
      return books
        .split('\n')
        .filter((line) => line.includes(`"panel-${preset}"`) && line.includes(`${recipient}"`)).length;
    },
  });
}
