/**
 * A gateway with a simulated bank that knows where the gateway is, for tests of money that comes
 * in.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { cleanUpAfter } from './clean-up-after.ts';
import { freePort } from './processes.ts';

export type TestBank = AsyncDisposable & {
  /** Of the simulator. */
  readonly url: string;
  /** For the gateway: where it must listen for notices. */
  readonly port: number;
};

/** A simulator in this process. Its notices go to `port`, if that is given. */
export async function startTestBank(
  settings: Readonly<Record<string, string>> = {},
  options: { readonly silent?: boolean } = {},
): Promise<TestBank> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-bank-'));
  cleanUpAfter(folder);
  const port = await freePort();
  const simulator = await startSimulator(
    readSettings({
      OJA_SIMULATOR_PORT: '0',
      OJA_SIMULATOR_DIR: folder,
      OJA_SIMULATOR_TIMEOUT_MS: '2000',
      OJA_SIMULATOR_ASSIGN_MS: '500',
      ...(options.silent ? {} : { OJA_SIMULATOR_HOOKS_URL: `http://127.0.0.1:${port}/hooks` }),
      ...settings,
    }),
  );
  return {
    url: simulator.url,
    port,
    [Symbol.asyncDispose]: async () => {
      await simulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type PaidIn = { readonly provider: string; readonly reference: string };

/** A customer pays an amount in naira. Returns the provider's reference of the transfer. */
export async function payInto(
  bankUrl: string,
  account: string,
  amount: string,
  more: { readonly notices?: number; readonly provider?: string } = {},
): Promise<PaidIn> {
  const answer = await fetch(`${bankUrl}/bank/transfers`, {
    method: 'POST',
    body: JSON.stringify({ account_number: account, amount, ...more }),
  });
  if (!answer.ok) throw new Error(`the bank refuses: ${await answer.text()}`);
  return (await answer.json()) as PaidIn;
}

/** Replaces the simulator's faults. */
export async function spoilBank(bankUrl: string, ...rules: readonly object[]): Promise<void> {
  const answer = await fetch(`${bankUrl}/faults`, {
    method: 'PUT',
    body: JSON.stringify({ seed: 1, rules }),
  });
  if (!answer.ok) throw new Error(`the simulator refuses the rules: ${await answer.text()}`);
}
