/**
 * Runs one operation for somebody: checks the role and the input, and opens the transaction of an
 * act. Every edge comes through here.
 *
 * Guarantees: nothing is done for who lacks the role, or for a malformed input; an act and its
 * audit entries are stored together or not at all; an act with a key is carried out once.
 */

import type { Acting, Asking, Tasking } from '../audit-log/acting.ts';
import type { Tx } from '../db/database.ts';
import type { Actor } from '../kernel/actor.ts';
import { assertNever, OperationError } from '../kernel/errors.ts';
import type { AnyOperation, Role } from '../kernel/operation.ts';
import { checkInput } from './check-input.ts';
import { findKeyedAct, insertKeyedAct } from './operation-key-store.ts';
import type { Services } from './services.ts';

export type RegisteredOperation =
  | AnyOperation<'question', Services & Asking>
  | AnyOperation<'act', Services & Acting>
  | AnyOperation<'task', Services & Tasking>;

/** Who runs operations, and what may be run. */
export type Operator = Actor & { readonly roles: readonly Role[] };

export type Ran = {
  readonly output: unknown;
  /** It was done before under its key, and nothing was done now. */
  readonly repeated: boolean;
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
  if (!operation.roles.some((role) => operator.roles.includes(role))) {
    throw new OperationError({ code: 'role_lacking', operation: operation.name, roles: operation.roles });
  }
  const input = checkInput(operation.input, given);
  const { roles: _, ...actor } = operator;
  const { database, reads: sql } = services;
  switch (operation.kind) {
    case 'question':
      return done(await operation.run({ ...services, sql }, input as never));
    case 'act':
      return await database.transaction(async (tx) => {
        const act = () => operation.run({ ...services, tx, actor }, input as never);
        const ran = await onceForKey(tx, operation, input, act);
        if (!ran.repeated) await beforeCommit?.(ran.output);
        return ran;
      });
    case 'task':
      return done(await operation.run({ ...services, sql, actor }, input as never));
    default:
      return assertNever(operation);
  }
}

function done(output: unknown): Ran {
  return { output, repeated: false };
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
