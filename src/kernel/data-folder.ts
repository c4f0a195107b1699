/** Makes the data folder, which holds keys, credentials and books: for its owner alone. */
import { mkdir } from 'node:fs/promises';

export async function makeDataFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}
