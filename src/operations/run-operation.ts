/**
 * Runs one operation for somebody: checks the role and the input, and opens the transaction of an
 * act. Every edge comes through here.
 *
 * Guarantees: nothing is done for who lacks the role, or for a malformed input; an act and its
 * audit entries are stored together or not at all; an act with a key is carried out once; an act
 * that needs a second person waits for one.
 */

import type { ApprovalAnswer } from '../approvals/approval-answer.ts';
import { askApproval } from '../approvals/ask-approval.ts';
import type { AskedAct } from '../approvals/operations/decide-approval.ts';
import type { Acting, Asking, Tasking } from '../audit-log/acting.ts';
import type { Tx } from '../db/database.ts';
import type { Actor } from '../kernel/actor.ts';
import { assertNever, OperationError } from '../kernel/errors.ts';
import type { AnyOperation, Role } from '../kernel/operation.ts';
import { checkInput } from './check-input.ts';
import { findKeyedAct, insertKeyedAct } from './operation-key-store.ts';
import { operationNamed } from './registry.ts';
import type { Services } from './services.ts';

/** What an act gets: also the means to carry out another one that was asked for. */
type ActNeeds = Services & Acting & { readonly carryOut: (tx: Tx, asked: AskedAct) => Promise<unknown> };

type RegisteredAct = AnyOperation<'act', ActNeeds, Services & Tasking>;

export type RegisteredOperation =
  | AnyOperation<'question', Services & Asking>
  | RegisteredAct
  | AnyOperation<'task', Services & Tasking>;

/** Who runs operations, and what may be run. */
export type Operator = Actor & { readonly roles: readonly Role[] };

export type Ran = {
  /** Of the operation; undefined where it waits for a second person. */
  readonly output: unknown;
  /** It was done before under its key, and nothing was done now. */
  readonly repeated: boolean;
  /** It waits for a second person, and is not done. */
  readonly approval?: ApprovalAnswer;
};

type RunOptions = {
  /**
   * Gets the output of an act before it is stored, and not that of a repetition. If it rejects,
   * nothing is done.
   */
  readonly beforeCommit?: ((output: unknown) => Promise<void>) | undefined;
};

/**
 * Throws OperationError: `role_lacking`, `input_malformed`, `key_used`, and those of the operation.
 */
export async function runOperation(
  services: Services,
  operation: RegisteredOperation,
  given: unknown,
  operator: Operator,
  { beforeCommit }: RunOptions = {},
): Promise<Ran> {
  requireRole(operation, operator);
  const input = checkInput(operation.input, given);
  const { roles: _, ...actor } = operator;
  const { reads: sql } = services;
  switch (operation.kind) {
    case 'question':
      return done(await operation.run({ ...services, sql }, input as never));
    case 'act':
      return await runAct(services, operation, input, operator, beforeCommit);
    case 'task':
      return done(await operation.run({ ...services, sql, actor }, input as never));
    default:
      return assertNever(operation);
  }
}

function requireRole({ name, roles }: Pick<RegisteredOperation, 'name' | 'roles'>, operator: Operator): void {
  if (roles.some((role) => operator.roles.includes(role))) return;
  throw new OperationError({ code: 'role_lacking', operation: name, roles });
}

function done(output: unknown): Ran {
  return { output, repeated: false };
}

async function runAct(
  services: Services,
  operation: RegisteredAct,
  input: object,
  operator: Operator,
  beforeCommit: RunOptions['beforeCommit'],
): Promise<Ran> {
  const { roles: _, ...actor } = operator;
  const { database, reads: sql } = services;
  const act = (tx: Tx): Promise<Ran> => actIn(tx, services, operation, input, actor, operator);
  if (operation.needsApproval?.(input as never) === true) {
    const before = await tryOut(services, act);
    if (before !== undefined) return before;
    return await database.transaction(async (tx) => {
      await lockKey(tx, operation, input);
      return { output: undefined, ...(await askApproval(tx, operation.name, input, actor)) };
    });
  }
  await operation.before?.({ ...services, sql, actor }, input as never);
  return await database.transaction(async (tx) => {
    const ran = await act(tx);
    if (!ran.repeated) await beforeCommit?.(ran.output);
    return ran;
  });
}

/** In the transaction given, for `actor`; by who runs `operator`. */
async function actIn(
  tx: Tx,
  services: Services,
  operation: RegisteredAct,
  input: object,
  actor: Actor,
  operator: Operator,
): Promise<Ran> {
  const carryOut = async (within: Tx, asked: AskedAct): Promise<unknown> => {
    const named = operationNamed(asked.operation);
    requireRole(named, operator);
    if (named.kind !== 'act') throw new OperationError({ code: 'no_operation', operation: named.name });
    const { roles: _, ...approvedBy } = operator;
    const asker = { ...asked.actor, approvedBy };
    const stored = checkInput(named.input, asked.input);
    return (await actIn(within, services, named, stored, asker, operator)).output;
  };
  return await onceForKey(tx, operation, input, () =>
    operation.run({ ...services, tx, actor, carryOut }, input as never),
  );
}

/** Ends a transaction whose work is not to be stored. */
class TriedOut extends Error {
  readonly ran: Ran;

  constructor(ran: Ran) {
    super('tried out');
    this.ran = ran;
  }
}

/**
 * Carries an act out and undoes it: what would be refused is refused before anybody is asked to
 * approve it. Gives what was done under its key before, if anything was.
 */
async function tryOut({ database }: Services, act: (tx: Tx) => Promise<Ran>): Promise<Ran | undefined> {
  try {
    await database.transaction(async (tx) => {
      throw new TriedOut(await act(tx));
    });
  } catch (error) {
    if (!(error instanceof TriedOut)) throw error;
    return error.ran.repeated ? error.ran : undefined;
  }
  return undefined;
}

/** The key is stored in the transaction of the act: both are there, or neither. */
async function onceForKey(
  tx: Tx,
  { name, withoutSecret }: Pick<RegisteredOperation, 'name' | 'withoutSecret'>,
  input: object,
  act: () => Promise<unknown>,
): Promise<Ran> {
  const { key, ...asked } = input as { readonly key?: string };
  if (key === undefined) return done(await act());
  const before = await findKeyedAct(tx, name, key, asked);
  if (before !== undefined) {
    if (!before.isSame) throw new OperationError({ code: 'key_used', operation: name, key });
    return { output: before.output, repeated: true };
  }
  const output = await act();
  const stored = withoutSecret === undefined ? output : withoutSecret(output as never);
  await insertKeyedAct(tx, name, key, { input: asked, output: stored });
  return done(output);
}

/** Two that ask for an approval under one key come in turn. */
async function lockKey(tx: Tx, { name }: Pick<RegisteredOperation, 'name'>, input: object): Promise<void> {
  const { key, ...asked } = input as { readonly key?: string };
  if (key !== undefined) await findKeyedAct(tx, name, key, asked);
}
