/**
 * Every operation of the registry, by its name, for whoever has the role. What may take long goes
 * on in this process where it is not done in a moment, and can be left and found again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { OperationError } from '../kernel/errors.ts';
import { isSensitive } from '../kernel/operation.ts';
import { answerOf } from '../operations/answer-of.ts';
import { faultText } from '../operations/fault-words.ts';
import { operationNamed } from '../operations/registry.ts';
import {
  mayRun,
  type Operator,
  type Ran,
  type RegisteredOperation,
  readInput,
  runOperation,
} from '../operations/run-operation.ts';
import type { Services } from '../operations/services.ts';
import { taskAnswer } from '../tasks/task-answer.ts';
import { TaskRunner } from '../tasks/task-runner.ts';
import { findTask } from '../tasks/task-store.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { operatorOf, requireOpen, requireStepUp } from './require-open.ts';

/** A whole catalog is sent in one call. */
const BODY_BYTES_MAX = 16 * 1_024 * 1_024;
const MOMENT_MS = 1_500;

export function serveOperations(app: FastifyInstance, dependencies: ConsoleDependencies): void {
  const { services, face, momentMs = MOMENT_MS } = dependencies;
  const tasks = new TaskRunner(services.database);
  // Before the server waits for the calls that wait for one.
  app.addHook('preClose', () => tasks[Symbol.asyncDispose]());
  app.post('/api/operations/:name', {
    bodyLimit: BODY_BYTES_MAX,
    // Before the body is read: it may be large.
    onRequest: (request, _reply, done) => {
      requireOpen(request);
      done();
    },
    handler: async (request, reply) => {
      const present = requireOpen(request);
      const operation = operationNamed((request.params as { readonly name: string }).name);
      const operator = operatorOf(present, face);
      // Whoever may not do it at all is told that, and not asked for a password.
      if (mayRun(operation, operator) && isSensitive(operation)) requireStepUp(present);
      const given: unknown = request.body ?? {};
      if (!isLong(operation, given)) {
        const ran = await runOperation(services, operation, given, operator);
        // It is not done: a second person must approve it.
        if (ran.approval !== undefined) reply.code(202);
        return answerOf(operation, ran);
      }
      const { id, ended } = await startTask(tasks, services, operation, given, operator);
      const ran = await Promise.race([ended, sleep(momentMs, undefined, { ref: false })]);
      if (ran !== undefined) {
        if (ran.approval !== undefined) reply.code(202);
        return answerOf(operation, ran);
      }
      const task = await findTask(services.database, id);
      reply.code(202);
      return { data: { task: task && taskAnswer(task) } };
    },
  });
}

/** A further page of what it answered is no work. */
function isLong({ isLong: mayBe }: RegisteredOperation, given: unknown): boolean {
  return mayBe === true && !Object.hasOwn(Object(given), 'cursor');
}

async function startTask(
  tasks: TaskRunner,
  services: Services,
  operation: RegisteredOperation,
  given: unknown,
  operator: Operator,
): Promise<{ readonly id: string; readonly ended: Promise<Ran> }> {
  // What is refused at once is no work.
  const input = readInput(operation, given, operator);
  return await tasks.start({
    operation: operation.name,
    input,
    actor: operator,
    run: async (onProgress) => {
      const ran = await runOperation({ ...services, onProgress }, operation, given, operator);
      return ran.approval === undefined ? ran : { ...ran, output: { approval: ran.approval } };
    },
    wordsOf: (error) => (error instanceof OperationError ? faultText(error.fault) : undefined),
  });
}
