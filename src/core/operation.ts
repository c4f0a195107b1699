/**
 * The contract of an operation: one write or one query of the operator's users, as a value. The
 * command line and the admin API are generated from the registry of all operations
 * (`src/backoffice/operations/registry.ts`).
 *
 * An operation declares what it needs in the type of its first parameter. So it can be in the room
 * of its subject without importing rooms above.
 */
import type { Static, TObject, TSchema } from 'typebox';
import { type AnswerValue, answerOf } from './answer.ts';
import type { Environment } from './environment.ts';
import type { Currency } from './money.ts';

/** The roles of operators, the weakest first. `admin` may run everything. */
export const roles = ['viewer', 'support', 'finance', 'admin'] as const;
export type Role = (typeof roles)[number];

/** The roles of a merchant's users at the portal. An owner may use all of the portal. */
export const merchantRoles = ['viewer', 'finance', 'developer', 'owner'] as const;
export type MerchantRole = (typeof merchantRoles)[number];

/** Supports merchants and their customers. */
export const supporters: readonly Role[] = ['support', 'admin'];
/** Is responsible for money and prices. */
export const treasurers: readonly Role[] = ['finance', 'admin'];
export const supportersAndTreasurers: readonly Role[] = ['support', 'finance', 'admin'];
export const admins: readonly Role[] = ['admin'];

/** The body of an operation that takes the content of a file. */
export const fileBodyBytesMax = 16 * 1_024 * 1_024;

/**
 * - `question` changes nothing. It needs `Asking`.
 * - `act` is one transaction, with its audit entry in it. It needs `Acting`.
 * - `task` is an act that cannot be one transaction: it calls a provider or a bank between two, or
 *   works in slices. It needs `Tasking`, and must be safe to run again when it was interrupted.
 */
export type OperationKind = 'question' | 'act' | 'task';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type OperationName = `${string}.${string}`;

type Described<Name extends OperationName = OperationName> = {
  /** `noun.verb`. The command is `oja noun verb`, and the audit log records it as the action. */
  readonly name: Name;
  /** One line for the help and the API's document. */
  readonly summary: string;
  /** The roles that may run it. */
  readonly roles: readonly Role[];
  /**
   * The merchants' roles that may run it at the portal; absent: none. Its input then has a
   * `merchant`, which the portal sets, and it reads and changes only that merchant's data.
   */
  readonly portal?: {
    readonly roles: readonly MerchantRole[];
    /** Properties of the input that a merchant may not set: the portal refuses them. */
    readonly without?: readonly string[];
  };
  /**
   * At the console and the portal a write requires a recently confirmed password or passkey, unless
   * this is set: it moves no money, changes neither prices nor rights, and reveals nothing.
   */
  readonly withoutStepUp?: true;
  /** A query that requires it too, because it returns personal data. */
  readonly needsStepUp?: true;
  /** Its rows contain personal data, so exporting them as a file requires it too. */
  readonly listsPeople?: true;
  /** It needs the state of a running gateway, so the command line has no command for it. */
  readonly onlyInGateway?: true;
  /**
   * Below `/admin/v1`, for example `POST /purchases/{reference}/settle`: nouns, and an act's verb.
   */
  readonly route: `${Method} /${string}`;
  /**
   * It may take minutes. If it does, the gateway continues it in the background
   * (`src/backoffice/tasks`) and stores its input and output, which must have no secret and no
   * personal data.
   */
  readonly isLong?: true;
  /** The maximum size of its body in bytes over HTTP. Absent: 64 KiB. */
  readonly bodyBytesMax?: number;
  /** The page about it, below `docs/`. */
  readonly document: string;
  /**
   * A repetition under the same key returns the first answer and does nothing. Only an `act` can
   * have it, because the key is stored in its transaction.
   */
  readonly movesMoney?: true;
  /** The output has a value that is shown once, such as a secret, and is never stored. */
  readonly showsSecret?: true;
};

/** The configured limit for gifts by one person without a second person's approval. */
export type ApprovalLimits = {
  /** In kobo of live money in 24 hours; undefined: no limit. */
  readonly correction: bigint | undefined;
};

/** Money that an operation gives away: to a merchant, or out of our books. */
export type Gift = {
  readonly environment: Environment;
  readonly currency: Currency;
  /** In minor units, without its sign. `any`: unknown, for example by a price below cost. */
  readonly amount: bigint | 'any';
};

/**
 * The confirmation question of the operation on a terminal. A function if it depends on the input;
 * undefined: no question.
 */
type Confirm<Input> = string | ((input: Input) => string | undefined);

export type Operation<
  Kind extends OperationKind,
  Needs,
  Input extends TObject,
  Output extends TSchema,
  Before = never,
  Name extends OperationName = OperationName,
> = Described<Name> & {
  readonly kind: Kind;
  /**
   * Each property's description states a valid value, as the end of "<property> must be …". It
   * words the refusal and documents the field on both edges.
   */
  readonly input: Input;
  /** JSON as both edges answer it: amounts and times are strings. */
  readonly output: Output;
  /** The answer to a repetition under the same key, in an operation that shows a secret. */
  readonly withoutSecret?: (output: Static<Output>) => Static<Output>;
  /**
   * For a write: whether this input always waits for the approval of a second person
   * (`src/oversight/approvals`). The input is stored until then, so it must have no secret.
   */
  readonly needsApproval?: (input: Static<Input>) => boolean;
  /**
   * For a write: the money that it gives away, read after it ran in its transaction. Above the
   * limit of one person it is rolled back and waits for a second one. Absent: it gives nothing.
   */
  readonly gives?: (input: Static<Input>, output: Static<Output>) => Gift;
  /**
   * For a write: runs before its transaction opens, such as a query to a provider. It may have run
   * although the write is then refused. It does not run for an approved write.
   */
  readonly before?: (needs: Before, input: Static<Input>) => Promise<void>;
  readonly confirm?: Confirm<Static<Input>>;
  readonly run: (needs: Needs, input: Static<Input>) => Promise<Static<Output>>;
};

/** An operation of any input and output. The runner has validated the input. */
export type AnyOperation<Kind extends OperationKind, Needs, Before = never> = Described & {
  readonly kind: Kind;
  readonly input: TObject;
  readonly output: TSchema;
  readonly withoutSecret?: (output: never) => unknown;
  readonly needsApproval?: (input: never) => boolean;
  readonly gives?: (input: never, output: never) => Gift;
  readonly before?: (needs: Before, input: never) => Promise<void>;
  readonly confirm?: Confirm<never>;
  readonly run: (needs: Needs, input: never) => Promise<unknown>;
};

/** Whether the console and the portal require a password or passkey of the last minutes. */
export function isSensitive(
  operation: Pick<
    AnyOperation<OperationKind, never>,
    'kind' | 'withoutStepUp' | 'needsStepUp' | 'showsSecret'
  >,
): boolean {
  const { kind, withoutStepUp, needsStepUp, showsSecret } = operation;
  if (kind === 'question') return needsStepUp === true || showsSecret === true;
  return withoutStepUp !== true;
}

/** Whether it may wait for a second person. */
export function mayWait({
  needsApproval,
  gives,
}: Pick<AnyOperation<OperationKind, never>, 'needsApproval' | 'gives'>): boolean {
  return needsApproval !== undefined || gives !== undefined;
}

/**
 * Defines an operation with inferred types. `answerOf` writes its answer by the output schema. So
 * `run` returns amounts in minor units and times as dates, and may return further properties.
 */
export function defineOperation<
  const Kind extends OperationKind,
  Needs,
  const Input extends TObject,
  const Output extends TSchema,
  Before = unknown,
  const Name extends OperationName = OperationName,
>(
  operation: Omit<Operation<Kind, Needs, Input, Output, Before, Name>, 'run'> & {
    readonly run: (needs: Needs, input: Static<Input>) => Promise<AnswerValue<Output>>;
  },
): Operation<Kind, Needs, Input, Output, Before, Name> {
  const { output, run } = operation;
  return { ...operation, run: async (needs, input) => answerOf(output, await run(needs, input)) };
}
