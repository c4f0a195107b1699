/**
 * The simulator of the demo, which replaces the providers and banks. The gateway starts it unless
 * the settings name one.
 */
import { join } from 'node:path';
import { makeDataFolder } from '../../core/data-folder.ts';
import type { Logger } from '../../core/log.ts';
import type { Config, Variables } from '../config.ts';
import { publishSimulatorAddress } from './simulator-address.ts';
import { startSimulatorProcess } from './simulator-process.ts';

type Parts = { readonly config: Config; readonly variables: Variables; readonly log: Logger };

type OpenSimulator = AsyncDisposable & { readonly url: string };

/** Returns its address when it answers. `stack` ends it, also while it is still starting. */
export function startSimulator(parts: Parts, stack: AsyncDisposableStack): Promise<string> {
  const opening = open(parts);
  stack.defer(async () => {
    const opened = await opening.catch(() => undefined);
    await opened?.[Symbol.asyncDispose]();
  });
  const url = opening.then((opened) => opened.url);
  // The caller may fail before it awaits this.
  url.catch(() => undefined);
  return url;
}

async function open({ config, variables, log }: Parts): Promise<OpenSimulator> {
  await using stack = new AsyncDisposableStack();
  await makeDataFolder(config.dataDir);
  const start = (): ReturnType<typeof startSimulatorProcess> =>
    startSimulatorProcess({
      port: config.simulatorPort,
      dir: join(config.dataDir, 'simulator'),
      hooksUrl: config.port === 0 ? undefined : `http://127.0.0.1:${config.port}/hooks`,
      variables,
      onRestart: (why) => log.warn({ why }, 'the simulator stopped; starting it again'),
    });
  const url = config.simulatorUrl ?? stack.use(await start()).url;
  stack.use(await publishSimulatorAddress(config.dataDir, url));
  const owned = stack.move();
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
