/** A simulator in this process with its own folder of books, and rules for recipients. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { until } from '../support/until.ts';
import type { ProductCase } from './products.ts';
import type { Behaviour, CustomerFate, ProviderBench } from './provider-suite.ts';

/** A rule of `PUT /faults`. */
type FaultRule = Readonly<Record<string, unknown>>;

export type SimulatorBench = {
  /** The simulator's address, without a provider's path. */
  readonly url: string;
  arrange(behaviour: Behaviour): Promise<string>;
  arrangeCustomer(fate: CustomerFate): Promise<string>;
  /** A separate recipient with this behaviour. */
  arrangeFault(rule: FaultRule): Promise<string>;
  /** Releases held calls for a recipient, and delivers the delayed results of its orders. */
  release(recipient: string): Promise<void>;
  /** Resolves when so many calls about the recipient are held, one by default. */
  untilHeld(recipient: string, calls?: number): Promise<void>;
  /** A rule for every recipient. */
  addRule(rule: FaultRule): Promise<void>;
  /** How often each rule applied, in the order in which they were set. */
  hits(): Promise<readonly number[]>;
  deliveries(reference: string): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A connector wired to a simulator. */
export type ConnectorBench = Omit<ProviderBench, keyof SimulatorBench> & SimulatorBench;

/** Limits of every connector. */
export const benchLimits = {
  connectionsMax: 4,
  deadlineMs: 3_000,
  // Longer than the pause after a 429, and than a busy machine needs to send.
  waitMs: 30_000,
  // These tests make failures on purpose. The breaker has its own tests.
  breaker: { window: 1_000, probeAfterMs: 100 },
} as const;

const FAULTS: Readonly<Record<Behaviour, FaultRule | undefined>> = {
  success: undefined,
  refused: { fault: 'refused' },
  pending_then_success: { fault: 'pending_then_success', settle_ms: 600_000 },
  pending_then_failed: { fault: 'pending_then_failed', settle_ms: 600_000 },
  lost_before_delivery: { fault: 'cut_before' },
  lost_after_delivery: { fault: 'cut_after' },
  goods_late: { fault: 'pending_fulfilments', fulfilment_ms: 600_000 },
};

export async function openSimulatorBench(
  product: ProductCase,
  env: Readonly<Record<string, string>> = {},
): Promise<SimulatorBench> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-simulator-'));
  const simulator = await startSimulator(
    readSettings({
      OJA_SIMULATOR_PORT: '0',
      OJA_SIMULATOR_DIR: folder,
      // A caller that waits for its own deadline sets one and holds the call.
      OJA_SIMULATOR_TIMEOUT_MS: '300',
      ...env,
    }),
  );
  const rules: FaultRule[] = [];
  let customers = 0;

  const nextCustomer = (): string => {
    customers += 1;
    return product.customer(customers);
  };
  const addRule = async (rule: FaultRule): Promise<void> => {
    rules.push(rule);
    const response = await fetch(`${simulator.url}/faults`, {
      method: 'PUT',
      body: JSON.stringify({ seed: 1, rules }),
    });
    if (!response.ok) throw new Error(await response.text());
  };
  const arrangeFault = async (rule: FaultRule): Promise<string> => {
    const recipient = nextCustomer();
    await addRule({ ...rule, recipient });
    return recipient;
  };

  return {
    url: simulator.url,
    arrange: async (behaviour) => {
      const rule = FAULTS[behaviour];
      return rule === undefined ? nextCustomer() : arrangeFault(rule);
    },
    arrangeCustomer: async (fate) => {
      if (fate === 'unavailable') return arrangeFault({ fault: 'error_5xx', operation: 'verify' });
      if (fate === 'known') return nextCustomer();
      if (product.nobody === undefined) throw new Error(`nobody is verified for ${product.name}`);
      return product.nobody;
    },
    arrangeFault,
    addRule,
    release: async (recipient) => {
      const body = JSON.stringify({ recipient });
      const response = await fetch(`${simulator.url}/faults/release`, { method: 'POST', body });
      if (!response.ok) throw new Error(await response.text());
    },
    untilHeld: (recipient, calls = 1) =>
      until(`${calls} calls about ${recipient} are held`, async () => {
        const answer = await fetch(`${simulator.url}/faults`);
        const { held } = (await answer.json()) as { held: Record<string, number> };
        return (held[recipient.slice(-10)] ?? 0) >= calls;
      }).then(() => undefined),
    hits: async () => {
      const shown = (await (await fetch(`${simulator.url}/faults`)).json()) as { rules: { hits: number }[] };
      return shown.rules.map((rule) => rule.hits);
    },
    deliveries: async (reference) => {
      const books = await (await fetch(`${simulator.url}/books`)).text();
      return books.split('\n').filter((line) => line.includes(`"${reference}"`)).length;
    },
    [Symbol.asyncDispose]: async () => {
      await simulator.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Both close together. `facts` are what is special about the upstream. */
export function wire<Facts extends object>(
  simulator: SimulatorBench,
  provider: Provider,
  facts: Facts,
): SimulatorBench & { readonly provider: Provider } & Facts {
  return {
    ...simulator,
    provider,
    ...facts,
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}
