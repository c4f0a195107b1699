/**
 * Where the demo's simulator is, told in the data folder: commands find it there as they find the
 * database.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Told until it is disposed of. */
export async function publishSimulatorAddress(dataDir: string, url: string): Promise<AsyncDisposable> {
  const path = addressPath(dataDir);
  await mkdir(dataDir, { recursive: true });
  await writeFile(path, `${url}\n`);
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

/**
 * What a gateway that was killed left behind is told too: its simulator does not answer any more.
 */
export async function findSimulatorAddress(dataDir: string): Promise<string | undefined> {
  const text = await readFile(addressPath(dataDir), 'utf8').catch(() => '');
  return URL.canParse(text.trim()) ? text.trim() : undefined;
}

function addressPath(dataDir: string): string {
  return join(dataDir, 'simulator.url');
}
