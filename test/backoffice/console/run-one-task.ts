/**
 * A process that runs one task endlessly, for a test that kills it. It prints a line when the task
 * runs, or the reason why it does not. SIGTERM stops it like a gateway.
 */

import { TaskRunner } from '../../../src/backoffice/tasks/task-runner.ts';
import { OperationError } from '../../../src/core/errors.ts';
import { openDatabase } from '../../../src/db/database.ts';

const database = openDatabase({
  connectionString: process.env.DATABASE_URL ?? '',
  connectionsMax: 2,
  applicationName: 'oja test',
  onPoolError: () => undefined,
});
const tasks = new TaskRunner(database);

async function run(): Promise<string> {
  const { id } = await tasks.start({
    operation: 'audit.run',
    input: {},
    actor: { name: 'ada', principal: 'user:ada' },
    run: async (onProgress) => {
      onProgress({ step: 'purchases', done: 3, unit: 'rows' });
      return await new Promise<never>(() => undefined);
    },
    messageOf: () => undefined,
  });
  return `running ${id}`;
}

const said = await run().catch((error: unknown) => {
  if (error instanceof OperationError) return error.details.code;
  throw error;
});
const isRunning = said.startsWith('running');
// Before the line is printed, because its reader may stop the process at once.
if (isRunning) {
  process.once('SIGTERM', () => {
    void tasks[Symbol.asyncDispose]().then(() => process.exit(0));
  });
}
process.stdout.write(`${said}\n`);
if (!isRunning) await database[Symbol.asyncDispose]();
