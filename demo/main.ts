/**
 * Adds a small history to a new demo: purchases of all products, deposits and a refund, through the
 * public interfaces. The gateway starts it as a child process once it listens.
 *
 * Guarantees: it can be killed at any moment and started again, also beside another gateway. All
 * references are fixed, so nothing is bought twice, and the last purchase shows that the history is
 * complete.
 */
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { openClient } from './client.ts';
import { writeHistory } from './write-history.ts';

/** The gateway has gone. */
process.on('disconnect', () => process.exit(0));
setPriority(10);

const [url, simulatorUrl, dataDir] = process.argv.slice(2);
if (url === undefined || simulatorUrl === undefined || dataDir === undefined) {
  throw new Error('usage: node demo/main.ts URL SIMULATOR-URL DATA-DIR');
}
const credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'));
await writeHistory(openClient(url, credentials), simulatorUrl);
process.disconnect?.();
