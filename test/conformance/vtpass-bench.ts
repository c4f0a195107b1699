/** The VTpass connector wired to a simulator in this process, with books in a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import type { Upstream } from '../../src/providers/call.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { createVtpass, type VtpassSettings } from '../../src/providers/vtpass/connector.ts';
import type { Behaviour, ProviderBench } from './provider-suite.ts';

export const KEYS = {
  apiKey: 'simulator-api-key',
  publicKey: 'PK_simulator',
  secretKey: 'SK_simulator',
} as const;

export const DEADLINE_MS = 1_000;

/** A rule of `PUT /faults`. */
export type FaultRule = Readonly<Record<string, unknown>>;

export type VtpassBench = ProviderBench & {
  readonly provider: Provider & Pick<Upstream, 'breakerState'>;
  /** The simulator's address, without the provider's path. */
  readonly url: string;
  /** A recipient of its own that meets this fault. */
  arrangeFault(rule: FaultRule): Promise<string>;
  deliveries(reference: string): Promise<number>;
};

const FAULTS: Readonly<Record<Behaviour, FaultRule | undefined>> = {
  success: undefined,
  refused: { fault: 'refused' },
  pending_then_success: { fault: 'pending_then_success', settle_ms: 300 },
  pending_then_failed: { fault: 'pending_then_failed', settle_ms: 300 },
  lost_before_delivery: { fault: 'cut_before' },
  lost_after_delivery: { fault: 'cut_after' },
};

export async function openVtpassBench(
  settings: Partial<VtpassSettings> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<VtpassBench> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-simulator-'));
  const simulator = await startSimulator(
    readSettings({ OJA_SIMULATOR_PORT: '0', OJA_SIMULATOR_DIR: folder, ...env }),
  );
  const provider = createVtpass({
    baseUrl: `${simulator.url}/vtpass/api`,
    ...KEYS,
    connectionsMax: 4,
    deadlineMs: DEADLINE_MS,
    notFoundGraceMs: 1_000,
    // Faults are made on purpose here; what opens a breaker has tests of its own.
    breaker: { window: 1_000, probeAfterMs: 100 },
    ...settings,
  });
  const rules: FaultRule[] = [];
  let recipients = 0;

  const nextRecipient = (): string => {
    recipients += 1;
    return `23480300${recipients.toString().padStart(5, '0')}`;
  };
  const arrangeFault = async (rule: FaultRule): Promise<string> => {
    const recipient = nextRecipient();
    rules.push({ ...rule, recipient });
    const response = await fetch(`${simulator.url}/faults`, {
      method: 'PUT',
      body: JSON.stringify({ seed: 1, rules }),
    });
    if (!response.ok) throw new Error(await response.text());
    return recipient;
  };

  return {
    provider,
    url: simulator.url,
    secrets: Object.values(KEYS),
    arrange: async (behaviour) => {
      const rule = FAULTS[behaviour];
      return rule === undefined ? nextRecipient() : arrangeFault(rule);
    },
    arrangeFault,
    deliveries: async (reference) => {
      const books = await (await fetch(`${simulator.url}/books`)).text();
      return books.split('\n').filter((line) => line.includes(`"${reference}"`)).length;
    },
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await simulator.close();
      await rm(folder, { recursive: true });
    },
  };
}
