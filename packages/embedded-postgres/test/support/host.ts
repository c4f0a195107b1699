/**
 * A process that starts a server on a folder, reports it, and stops it on request. Tests kill it.
 */
import { startEmbeddedPostgres } from '@oja/embedded-postgres';

const [dataDir = ''] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ dataDir, databaseName: 'shop', durable: false });
process.stdout.write(`${JSON.stringify({ connectionString: server.connectionString, pid: server.pid })}\n`);
const life = setInterval(() => undefined, 60_000);
process.once('SIGTERM', async () => {
  await server.stop();
  clearInterval(life);
});
