/**
 * Chooses and opens the banks of this gateway, and the providers of a command: those of its
 * registries that are configured. In the demo the simulator replaces the others that it can
 * simulate. Part of the composition root.
 */

import type { Environment } from '../core/environment.ts';
import type { Sql } from '../db/database.ts';
import type { ConfiguredBank } from '../funding/banks/bank-definition.ts';
import type { FundingProvider } from '../funding/banks/funding-provider.ts';
import type { Provider } from '../providers/provider.ts';
import type { Config } from './config.ts';
import { openLiveProviders, type ProviderSources } from './live-providers.ts';
import type { Registries } from './registries.ts';

/**
 * The providers of a gateway with these settings, without starting the gateway, for commands that
 * call a provider.
 */
export async function openOwnProviders(
  sources: Omit<ProviderSources, 'simulatorUrl'>,
): Promise<AsyncDisposable & { readonly providers: ReadonlyMap<string, Provider> }> {
  const { profile, simulatorUrl, simulatorPort } = sources.config;
  const beside = simulatorUrl ?? `http://127.0.0.1:${simulatorPort}`;
  const tell = ({ provider, why }: { readonly provider: string; readonly why: string }, what: string) =>
    process.stderr.write(`${provider}: ${what}: ${why}\n`);
  return await openLiveProviders(
    { ...sources, simulatorUrl: profile === 'demo' ? beside : undefined },
    { info: () => undefined, error: tell },
  );
}

/** The banks of a gateway with these settings, without starting the gateway. */
export async function openOwnBanks(
  config: Config,
  registries: Registries,
  sql: Sql,
): Promise<AsyncDisposable & { readonly banks: ReadonlyMap<string, FundingProvider> }> {
  const { profile, simulatorUrl, simulatorPort } = config;
  const beside = simulatorUrl ?? `http://127.0.0.1:${simulatorPort}`;
  const stack = new AsyncDisposableStack();
  const chosen = chooseBanks(config, registries, profile === 'demo' ? beside : undefined);
  const banks = await openBanks(chosen, sql, stack);
  return { banks, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Returns the banks in the order of the registry; without a simulator only configured ones. */
export function chooseBanks(
  config: Config,
  { banks }: Registries,
  simulatorUrl: string | undefined,
): readonly ConfiguredBank[] {
  return banks.flatMap(({ name, simulate }) => {
    const configured = config.banks.get(name);
    if (configured !== undefined || simulatorUrl === undefined) return configured ?? [];
    return simulate?.(simulatorUrl) ?? [];
  });
}

/** By name. */
export async function openBanks(
  chosen: readonly ConfiguredBank[],
  sql: Sql,
  stack: AsyncDisposableStack,
): Promise<ReadonlyMap<string, FundingProvider>> {
  const opened = new Map<string, FundingProvider>();
  for (const bank of chosen) opened.set(bank.name, stack.use(await bank.open({ sql })));
  return opened;
}

/**
 * The providers that can read the balances of MTN lines. In the demo the provider of test
 * credentials replaces them if no live provider can.
 */
export function chooseLineProviders(
  providers: ReadonlyMap<string, Provider>,
  isDemo: boolean,
): ReadonlyMap<Environment, Provider> {
  const lineProviderOf = (environment: Environment): Provider | undefined =>
    [...providers.values()].find(
      (provider) => provider.environment === environment && provider.mtnBalances !== undefined,
    );
  const test = lineProviderOf('test');
  const live = lineProviderOf('live') ?? (isDemo ? test : undefined);
  return new Map([...(test ? [['test', test] as const] : []), ...(live ? [['live', live] as const] : [])]);
}

/** The bank at which new live accounts are opened. */
export function liveBank(
  { fundingProvider }: Config,
  banks: ReadonlyMap<string, FundingProvider>,
): string | undefined {
  return fundingProvider ?? [...banks.values()].find(({ environment }) => environment === 'live')?.name;
}
