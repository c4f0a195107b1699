/**
 * The additions of the demo profile: a merchant with credentials and money, and a simulator in
 * place of the providers and banks. The gateway starts the simulator unless the settings name one.
 */
import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from '../../core/log.ts';
import type { Database } from '../../db/database.ts';
import type { Config, Variables } from '../config.ts';
import type { Registries } from '../registries.ts';
import { type DemoCredentials, seedDemo } from './seed-demo.ts';
import { publishSimulatorAddress } from './simulator-address.ts';
import { startSimulatorProcess } from './simulator-process.ts';

export type Demo = { readonly credentials: DemoCredentials; readonly simulatorUrl: string };

type Parts = {
  readonly config: Config;
  readonly registries: Registries;
  readonly variables: Variables;
  readonly log: Logger;
};

type SeedParts = { readonly database: Database; readonly pepper: KeyObject };

export async function startDemo(parts: Parts & SeedParts, stack: AsyncDisposableStack): Promise<Demo> {
  const { config, registries, database, pepper } = parts;
  const credentials = await seedDemo(database, pepper, config.dataDir, registries.providers);
  return { credentials, simulatorUrl: await findSimulator(parts, stack) };
}

async function findSimulator(parts: Parts, stack: AsyncDisposableStack): Promise<string> {
  const { config } = parts;
  const url = config.simulatorUrl ?? (await ownSimulator(parts, stack));
  stack.use(await publishSimulatorAddress(config.dataDir, url));
  return url;
}

async function ownSimulator({ config, variables, log }: Parts, stack: AsyncDisposableStack): Promise<string> {
  const simulator = await startSimulatorProcess({
    port: config.simulatorPort,
    dir: join(config.dataDir, 'simulator'),
    hooksUrl: config.port === 0 ? undefined : `http://127.0.0.1:${config.port}/hooks`,
    variables,
    onRestart: (why) => log.warn({ why }, 'the simulator stopped; starting it again'),
  });
  return stack.use(simulator).url;
}
