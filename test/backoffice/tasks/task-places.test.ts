/** The places of background tasks are shared by the actors. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { TaskRunner } from '../../../src/backoffice/tasks/task-runner.ts';
import { createTestDatabase } from '../../support/database.ts';
import { refusedAct } from '../../support/refusals.ts';

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const { database } = stack.use(await createTestDatabase());
const tasks = stack.use(new TaskRunner(database));

/** No task ends before the test does. */
const over = Promise.withResolvers<{ readonly output: null }>();
stack.defer(() => over.resolve({ output: null }));

let started = 0;

function start(name: string): Promise<{ readonly id: string }> {
  started += 1;
  return tasks.start({
    operation: 'audit.run',
    input: { nth: started },
    actor: { name, principal: `user:${name}` },
    run: () => over.promise,
    messageOf: () => undefined,
  });
}

it('keeps the last place for an actor who runs no task', async () => {
  for (let nth = 0; nth < 3; nth += 1) await start('ada');
  await assert.rejects(start('ada'), refusedAct('tasks_full'));
  await start('ben');
  await assert.rejects(start('ben'), refusedAct('tasks_full'));
  await assert.rejects(start('chi'), refusedAct('tasks_full'));
});
