/**
 * Runs operations for the command line, the admin API, the console and the portal.
 *
 * Guarantees: nothing happens without the role or with malformed input; an `act` and its audit
 * entries are committed together; an `act` with a key takes effect once; an `act` that needs the
 * approval of a second person waits for it. An operation gets the ids of the accounts at providers
 * that its input names, and its output and its errors have their present names.
 */

import { mapAccounts, namesAccounts } from '../../core/account-names.ts';
import type { Actor } from '../../core/actor.ts';
import { assertNever, OperationError } from '../../core/errors.ts';
import type { AnyOperation, Gift, MerchantRole, Role } from '../../core/operation.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { type ApprovalAnswer, answerApproval } from '../../oversight/approvals/approval-answer.ts';
import { addGift } from '../../oversight/approvals/bound-gifts.ts';
import type { Looking } from '../../oversight/approvals/is-one-person.ts';
import type { AskedAct, CarriedOut } from '../../oversight/approvals/operations/decide-approval.ts';
import { requestApproval } from '../../oversight/approvals/request-approval.ts';
import type { Acting, Asking, Tasking } from '../../oversight/log/acting.ts';
import { listAccountRows, shareAccounts } from '../../providers/provider-account-store.ts';
import { accountsOf, type ProviderAccounts } from '../../providers/provider-accounts.ts';
import { insertApprovalMails } from '../users/compose-mail.ts';
import { aboutAsked } from './about-asked.ts';
import { checkInput } from './check-input.ts';
import { findKeyedResult, insertKeyedResult } from './operation-key-store.ts';
import { operationNamed, rolesOf } from './registry.ts';
import type { Services } from './services.ts';

/** All operations work with the accounts as stored when they begin. */
type Accounted = { readonly accounts: ProviderAccounts };

/** The requirements of an `act`, including those of running an approved request. */
type ActNeeds = Services &
  Acting &
  Accounted &
  Looking & { readonly carryOut: (tx: Tx, asked: AskedAct) => Promise<CarriedOut> };

type RegisteredAct = AnyOperation<'act', ActNeeds, Services & Tasking & Accounted>;

export type RegisteredOperation =
  | AnyOperation<'question', Services & Asking & Looking & Accounted>
  | RegisteredAct
  | AnyOperation<'task', Services & Tasking & Accounted>;

/** The caller of operations. */
export type Operator = Actor & {
  /** The roles of a console user. Empty for a merchant's user. */
  readonly roles: readonly Role[];
  /** Set for a merchant's user, who may run operations of the portal for this merchant. */
  readonly merchant?: { readonly code: string; readonly roles: readonly MerchantRole[] };
};

export type Ran = {
  /** The output. Undefined if the request waits for approval. */
  readonly output: unknown;
  /** The key was used before, and nothing was changed now. */
  readonly repeated: boolean;
  /** The approval request, if the operation was not run. */
  readonly approval?: ApprovalAnswer;
};

type RunOptions = {
  /**
   * Receives the output of an `act` before its commit, except for a repetition. If it rejects,
   * nothing is stored.
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
  const input = readInput(operation, given, operator);
  const actor = actorOf(operator);
  const { reads: sql } = services;
  switch (operation.kind) {
    case 'question':
      return await withAccounts(services, sql, operation, input, async (accounted, named) =>
        done(await operation.run({ ...accounted, sql, ...lookingAs(operator) }, named)),
      );
    case 'act':
      return await runAct(services, operation, input, operator, beforeCommit);
    case 'task':
      return await withAccounts(services, sql, operation, input, async (accounted, named) =>
        done(await operation.run({ ...accounted, sql, actor }, named)),
      );
    default:
      return assertNever(operation);
  }
}

/** Validates the role and input. Throws OperationError `role_lacking`, `input_malformed`. */
export function readInput(operation: RegisteredOperation, given: unknown, operator: Operator): object {
  requireRole(operation, operator);
  return checkInput(operation.input, ofMerchant(operation, given, operator));
}

type Restricted = Pick<RegisteredOperation, 'name' | 'roles' | 'portal' | 'input'>;

/** Whether the caller may run an operation. An owner may run every operation of the portal. */
export function mayRun({ roles, portal }: Restricted, operator: Operator): boolean {
  const { merchant } = operator;
  if (merchant === undefined) return roles.some((role) => operator.roles.includes(role));
  if (portal === undefined) return false;
  return merchant.roles.includes('owner') || portal.roles.some((role) => merchant.roles.includes(role));
}

/** Throws OperationError `role_lacking`. */
export function requireRole(operation: Restricted, operator: Operator): void {
  if (mayRun(operation, operator)) return;
  const { roles, portal } = operation;
  const open = operator.merchant === undefined ? roles : (portal?.roles ?? []);
  throw new OperationError({ code: 'role_lacking', roles: open });
}

/**
 * Adds the merchant of a merchant's user to the input. Another merchant is refused as unknown, and
 * fields that the portal does not have are refused as unknown fields.
 */
function ofMerchant({ input, portal }: Restricted, given: unknown, { merchant }: Operator): unknown {
  if (merchant === undefined) return given;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const named: unknown = Reflect.get(given, 'merchant') ?? merchant.code;
  if (typeof named !== 'string' || named.toLowerCase() !== merchant.code.toLowerCase()) {
    // Other types are not converted to text, which can throw.
    const text = typeof named === 'string' ? named.slice(0, 100) : typeof named;
    throw new OperationError({ code: 'no_merchant', merchant: text });
  }
  const without = portal?.without ?? [];
  const wanted = Object.keys(input.properties).filter((field) => !without.includes(field));
  const faults = without
    .filter((field) => Object.hasOwn(given, field))
    .map((field) => ({ field, kind: 'unknown' as const, wanted }));
  if (faults.length > 0) throw new OperationError({ code: 'input_malformed', errors: faults });
  return { ...given, merchant: merchant.code };
}

function lookingAs({ principal, roles }: Operator): Looking {
  return { looker: { principal, roles }, rolesOf };
}

function actorOf({ roles: _, merchant: __, ...actor }: Operator): Actor {
  return actor;
}

function done(output: unknown): Ran {
  return { output, repeated: false };
}

/**
 * Runs an operation with the accounts as stored. Its input has their ids, its output and its errors
 * have their names.
 */
async function withAccounts(
  services: Services,
  sql: Sql,
  { input: inputSchema, output: outputSchema }: Pick<RegisteredOperation, 'input' | 'output'>,
  input: object,
  run: (services: Services & Accounted, input: never) => Promise<Ran>,
): Promise<Ran> {
  const accounts = accountsOf(services.providers, await listAccountRows(sql));
  const { definitions: providers, idOf, nameOf } = accounts;
  try {
    const named = mapAccounts(inputSchema, input, idOf);
    const { output, ...ran } = await run({ ...services, providers, accounts }, named as never);
    return { ...ran, output: mapAccounts(outputSchema, output, nameOf) };
  } catch (error) {
    throw error instanceof OperationError ? withNames(error, nameOf) : error;
  }
}

/** Returns the error with the names of accounts in place of their ids. */
function withNames({ details }: OperationError, nameOf: ProviderAccounts['nameOf']): OperationError {
  const named = Object.entries(details).map(([fact, value]: [string, unknown]) => {
    if (fact === 'provider' && typeof value === 'string') return [fact, nameOf(value)];
    if (details.code !== 'no_such_provider' || !Array.isArray(value)) return [fact, value];
    return [fact, value.map((one) => nameOf(String(one)))];
  });
  return new OperationError(Object.fromEntries(named));
}

async function runAct(
  services: Services,
  operation: RegisteredAct,
  input: object,
  operator: Operator,
  beforeCommit: RunOptions['beforeCommit'],
): Promise<Ran> {
  const actor = actorOf(operator);
  const { database, reads: sql } = services;
  const act = (tx: Tx): Promise<Ran> => actIn(tx, services, operation, input, actor, operator);
  const mustWait = operation.needsApproval?.(input as never) === true;
  if (!mustWait && operation.before !== undefined) {
    await withAccounts(services, sql, operation, input, async (accounted, named) =>
      done(await operation.before?.({ ...accounted, sql, actor }, named)),
    );
  }
  const carriedOut = await unlessUndone(services, async (tx) => {
    const ran = await act(tx);
    if (ran.repeated) return ran;
    const gift = operation.gives?.(input as never, ran.output as never);
    if (mustWait || !(await isWithinLimit(tx, services, operation, actor, gift))) throw new Undone(gift);
    await beforeCommit?.(ran.output);
    return ran;
  });
  if (!(carriedOut instanceof Undone)) return carriedOut;
  const { gift } = carriedOut;
  return await database.transaction((tx) => askIn(tx, services, operation, input, operator, gift));
}

/** Stores an approval request and the e-mails to users who may approve it. */
async function askIn(
  tx: Tx,
  { signIn }: Services,
  operation: RegisteredAct,
  input: object,
  operator: Operator,
  gift: Gift | undefined,
): Promise<Ran> {
  await lockKey(tx, operation, input);
  const about = await aboutAsked(tx, input, gift);
  const asked = { operation: operation.name, input, about };
  const { approval, repeated } = await requestApproval(tx, asked, actorOf(operator));
  if (!repeated && signIn.hasMail) await insertApprovalMails(tx, approval, rolesOf);
  return { output: undefined, approval: await answerApproval(tx, approval, lookingAs(operator)), repeated };
}

/** Counts the money that an `act` gives away. Returns false above the limit of one person. */
async function isWithinLimit(
  tx: Tx,
  { approvalLimits }: Services,
  { name }: RegisteredAct,
  actor: Actor,
  gift: Gift | undefined,
): Promise<boolean> {
  return gift === undefined || (await addGift(tx, approvalLimits, { operation: name, gift, actor }));
}

/** Runs an `act` in a transaction for `actor`, with the rights of `operator`. */
async function actIn(
  tx: Tx,
  services: Services,
  operation: RegisteredAct,
  input: object,
  actor: Actor,
  operator: Operator,
): Promise<Ran> {
  const carryOut = async (within: Tx, asked: AskedAct): Promise<CarriedOut> => {
    const named = operationNamed(asked.operation);
    requireRole(named, operator);
    if (named.kind !== 'act') throw new OperationError({ code: 'no_operation', operation: named.name });
    const asker = { ...asked.actor, approvedBy: actorOf(operator) };
    const stored = checkInput(named.input, asked.input);
    const { output } = await actIn(within, services, named, stored, asker, operator);
    return { output, stored: named.withoutSecret?.(output as never) ?? output };
  };
  // Keys of merchants are independent of each other.
  const scope = operator.merchant === undefined ? '' : `@${operator.merchant.code}`;
  // Prevents the removal of an account that the input names.
  if (namesAccounts(operation.input)) await shareAccounts(tx);
  return await withAccounts(services, tx, operation, input, async (accounted, named) =>
    onceForKey(tx, operation, scope, named, () =>
      operation.run({ ...accounted, tx, actor, carryOut, ...lookingAs(operator) }, named),
    ),
  );
}

/** Rolls back a transaction that needs the approval of a second person. */
class Undone extends Error {
  /** The money that would have been given away. */
  readonly gift: Gift | undefined;

  constructor(gift: Gift | undefined) {
    super('needs approval');
    this.gift = gift;
  }
}

/**
 * Runs an `act`. One that needs approval is run and rolled back, so that errors are reported before
 * anyone is asked to approve it.
 */
async function unlessUndone({ database }: Services, work: (tx: Tx) => Promise<Ran>): Promise<Ran | Undone> {
  try {
    return await database.transaction(work);
  } catch (error) {
    if (error instanceof Undone) return error;
    throw error;
  }
}

/** Runs an `act` once for its key. The key is committed in the same transaction. */
async function onceForKey(
  tx: Tx,
  operation: Pick<RegisteredOperation, 'name' | 'withoutSecret'>,
  scope: string,
  input: object,
  act: () => Promise<unknown>,
): Promise<Ran> {
  const { key, ...asked } = input as { readonly key?: string };
  if (key === undefined) return done(await act());
  const { withoutSecret } = operation;
  const name = `${operation.name}${scope}`;
  const before = await findKeyedResult(tx, name, key, asked);
  if (before !== undefined) {
    if (!before.isSame) throw new OperationError({ code: 'key_used', key });
    return { output: before.output, repeated: true };
  }
  const output = await act();
  const stored = withoutSecret === undefined ? output : withoutSecret(output as never);
  await insertKeyedResult(tx, name, key, { input: asked, output: stored });
  return done(output);
}

/** Serializes approval requests with the same key. */
async function lockKey(tx: Tx, { name }: Pick<RegisteredOperation, 'name'>, input: object): Promise<void> {
  const { key, ...asked } = input as { readonly key?: string };
  if (key !== undefined) await findKeyedResult(tx, name, key, asked);
}
