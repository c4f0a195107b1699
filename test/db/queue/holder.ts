/**
 * A process that claims an item, reports it, and then does nothing, so that a test can kill it. Its
 * arguments: connection string, length of the lease in ms.
 */
import { openDatabase } from '../../../src/db/database.ts';
import { claimDue } from '../../../src/db/queue/queue-store.ts';
import { errands } from './tables.ts';

const [connectionString = '', leaseMs] = process.argv.slice(2);
const database = openDatabase({
  connectionString,
  connectionsMax: 1,
  applicationName: 'holder',
  onPoolError: () => undefined,
});
const items = await claimDue(database, errands, { limit: 1, leaseMs: Number(leaseMs), lanes: ['a'] });
process.stdout.write(`holds ${items.map((item) => item.id).join()}\n`);
setInterval(() => undefined, 60_000);
