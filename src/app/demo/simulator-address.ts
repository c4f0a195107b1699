/**
 * Writes the address of the demo's simulator to the data folder, where the command line finds it.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDataFolder } from '../../core/data-folder.ts';

/** The address is present until the result is disposed of. */
export async function publishSimulatorAddress(dataDir: string, url: string): Promise<AsyncDisposable> {
  const path = addressPath(dataDir);
  await makeDataFolder(dataDir);
  await writeFile(path, `${url}\n`);
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

/** Also returns the address that a killed gateway left behind, although it no longer answers. */
export async function findSimulatorAddress(dataDir: string): Promise<string | undefined> {
  const text = await readFile(addressPath(dataDir), 'utf8').catch(() => '');
  return URL.canParse(text.trim()) ? text.trim() : undefined;
}

function addressPath(dataDir: string): string {
  return join(dataDir, 'simulator.url');
}
