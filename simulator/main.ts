/**
 * The upstream simulator as its own process: `npm run simulator`. Stops on SIGTERM and SIGINT. If
 * it was started with an IPC channel (`fork`), it also stops as soon as the parent ends, for any
 * reason.
 */
import { ADDRESSES } from './addresses.ts';
import { startSimulator } from './server.ts';
import { readSettings } from './settings.ts';

try {
  const simulator = await startSimulator(readSettings(process.env));
  console.log(`simulator listening on ${simulator.url}`);
  for (const { provider, path, keys } of ADDRESSES) {
    console.log(`  ${provider}: ${simulator.url}${path} (${keys})`);
  }
  const stop = (): void => {
    simulator.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  if (process.connected) process.once('disconnect', stop);
} catch (error) {
  fail(error);
}

function fail(error: unknown): void {
  console.error(`simulator: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
