/** A process that starts the embedded database on a folder, says so, and stops it when told to. To be killed by tests. */
import { startEmbeddedPostgres } from '../../src/db/embedded/start-embedded-postgres.ts';

const [dataDir = ''] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ dataDir, durable: false });
process.stdout.write(`${JSON.stringify({ connectionString: server.connectionString, pid: server.pid })}\n`);
const life = setInterval(() => undefined, 60_000);
process.once('SIGTERM', async () => {
  await server.stop();
  clearInterval(life);
});
