/**
 * Serves every operation of the registry by name. A long operation becomes a background task of
 * this process if it is not done within a moment.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OperationError } from '../../core/errors.ts';
import { isSensitive } from '../../core/operation.ts';
import { answerOf } from '../operations/answer-of.ts';
import { takeFileTurn } from '../operations/file-bodies.ts';
import { operationNamed } from '../operations/registry.ts';
import {
  type Operator,
  type Ran,
  type RegisteredOperation,
  readInput,
  requireRole,
  runOperation,
} from '../operations/run-operation.ts';
import type { Services } from '../operations/services.ts';
import { taskAnswer } from '../tasks/operations/list-tasks.ts';
import { TaskRunner } from '../tasks/task-runner.ts';
import { findTask } from '../tasks/task-store.ts';
import type { Present } from '../users/open-session.ts';
import type { Audience } from '../users/tenant-scope.ts';
import { ConsoleRefusal } from './answer-errors.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { operatorOf, requireOpen, requireStepUp, sharerOf } from './require-open.ts';

const MOMENT_MS = 1_500;

export function serveOperations(app: FastifyInstance, dependencies: ConsoleDependencies): void {
  const { services, face, momentMs = MOMENT_MS } = dependencies;
  const tasks = new TaskRunner(services.database);
  // Tasks must stop before the server waits for calls that wait for tasks.
  app.addHook('preClose', () => tasks[Symbol.asyncDispose]());
  app.post('/api/operations/:name', {
    // Checked before the body is read, so that unauthorized requests cost little.
    onRequest: async (request, reply) => {
      const present = requireOpen(request);
      const operation = operationOf(request);
      requireRole(operation, operatorOf(present, face));
      if (isSensitive(operation)) requireStepUp(present);
      await takeBodyTurn(operation, present, face, request, reply);
    },
    handler: async (request, reply) => {
      const operation = operationOf(request);
      const operator = operatorOf(requireOpen(request), face);
      const given: unknown = request.body ?? {};
      if (!isLong(operation, given)) {
        const ran = await runOperation(services, operation, given, operator);
        // A second person must approve the request.
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

function operationOf({ params }: FastifyRequest): RegisteredOperation {
  return operationNamed((params as { readonly name: string }).name);
}

/** Allows the larger body of an operation that takes a file, and waits for its turn. */
async function takeBodyTurn(
  { bodyBytesMax }: RegisteredOperation,
  present: Present,
  face: Audience,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (bodyBytesMax === undefined) return;
  request.bodyBytesMax = bodyBytesMax;
  if (await takeFileTurn(sharerOf(present, face), reply)) return;
  throw new ConsoleRefusal(503, 'uploads_full', 'Too many uploads at once. Try again shortly.', 1);
}

/** Whether the call may become a task. Reading a further page does not. */
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
  // Refused input does not start a task.
  const input = readInput(operation, given, operator);
  return await tasks.start({
    operation: operation.name,
    input,
    actor: operator,
    run: async (onProgress) => {
      const ran = await runOperation({ ...services, onProgress }, operation, given, operator);
      return ran.approval === undefined ? ran : { ...ran, output: { approval: ran.approval } };
    },
    messageOf: (error) => (error instanceof OperationError ? error.message : undefined),
  });
}
