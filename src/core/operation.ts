/**
 * The contract of an operation: one act or one question of the operator's people, as one value. The
 * command line and the admin API are made from the registry of all of them
 * (`src/backoffice/operations/registry.ts`).
 *
 * An operation says what it needs in the type of its first parameter, so that it can stand in the
 * room of its subject and know nothing of those above.
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { Environment } from './environment.ts';
import type { Currency } from './money.ts';

/** From the one that may least. `admin` may run everything; what is open to all has `roles`. */
export const roles = ['viewer', 'support', 'finance', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Of a merchant's people, at the portal. An owner may do all that the portal has. */
export const merchantRoles = ['viewer', 'finance', 'developer', 'owner'] as const;
export type MerchantRole = (typeof merchantRoles)[number];

/** Who helps merchants and their customers. */
export const supporters: readonly Role[] = ['support', 'admin'];
/** Who answers for money and prices. */
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
  /** `noun.verb`. The command is `oja noun verb`, and the audit log has it as the action. */
  readonly name: Name;
  /** One line: what it does, for whom reads the help or the API's document. */
  readonly summary: string;
  /** Who may run it. */
  readonly roles: readonly Role[];
  /**
   * Who of a merchant's people may run it at the portal: absent, nobody. Its input then has a
   * `merchant`, which the portal sets, and all that it answers and changes is that merchant's.
   */
  readonly portal?: {
    readonly roles: readonly MerchantRole[];
    /** Properties of the input that are not a merchant's to give: the portal refuses them. */
    readonly without?: readonly string[];
  };
  /**
   * At the console and the portal an act needs a password, or a passkey, of the last minutes,
   * unless it has this: it moves no money, changes neither prices nor rights, and shows nothing.
   */
  readonly withoutStepUp?: true;
  /** A question that needs it as well: it gives personal data away. */
  readonly needsStepUp?: true;
  /** Its rows name people. Taken out as a file, they need it. */
  readonly listsPeople?: true;
  /**
   * Below `/admin/v1`, for example `POST /purchases/{reference}/settle`: nouns, and an act's verb.
   */
  readonly route: `${Method} /${string}`;
  /**
   * It may take minutes. At the console it goes on in the gateway where it takes more than a moment
   * (`src/backoffice/tasks`), and what it is given and answers is stored: nothing secret, and
   * nothing of a person.
   */
  readonly isLong?: true;
  /** The most bytes of its body over HTTP. Absent: 64 KiB. */
  readonly bodyBytesMax?: number;
  /** The page about it, below `docs/`. */
  readonly document: string;
  /**
   * A repetition under the same key answers as the first and does nothing. An `act` alone can have
   * it: the key is stored in its transaction.
   */
  readonly movesMoney?: true;
  /** The output has something that is shown once, such as a secret: it is never stored. */
  readonly showsSecret?: true;
};

/** What one person may give away without a second one, as the operator has set. */
export type ApprovalLimits = {
  /** In kobo, in 24 hours, of live money; undefined: without a limit. */
  readonly correction: bigint | undefined;
};

/** Money that an act gives away: to a merchant, or out of our books. */
export type Gift = {
  readonly environment: Environment;
  readonly currency: Currency;
  /** In minor units, its sign does not count; `any`: unknown, such as by a price below cost. */
  readonly amount: bigint | 'any';
};

/**
 * What a person is asked before it is done on a terminal, as a question. A function where that
 * depends on the input: undefined means that nothing is asked.
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
   * Each property's description says what is right, as the end of "<property> must be …". It
   * refuses a wrong value and documents the field on both edges.
   */
  readonly input: Input;
  /** JSON as both edges answer it: amounts and times are strings. */
  readonly output: Output;
  /** What a repetition under the same key answers, in an operation that shows a secret. */
  readonly withoutSecret?: (output: Static<Output>) => Static<Output>;
  /**
   * Of an act: whether this input waits until a second person has approved it
   * (`src/oversight/approvals`), whatever the limit. The input is stored until then, and so must
   * have no secret.
   */
  readonly needsApproval?: (input: Static<Input>) => boolean;
  /**
   * Of an act: what it gives away, after it ran in its transaction. It waits for a second person,
   * as above, where one person may not give so much; then it is undone. Absent: it gives nothing.
   */
  readonly gives?: (input: Static<Input>, output: Static<Output>) => Gift;
  /**
   * Of an act: what is done before its transaction opens, such as a question to a provider. It may
   * be done although the act is then refused, and is not done for an act that was approved.
   */
  readonly before?: (needs: Before, input: Static<Input>) => Promise<void>;
  readonly confirm?: Confirm<Static<Input>>;
  readonly run: (needs: Needs, input: Static<Input>) => Promise<Static<Output>>;
};

/** An operation of whatever input and output. The one who runs it has checked the input. */
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

/** Whether the console and the portal want a password, or a passkey, of the last minutes. */
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

/** Gives back what it gets, with its types inferred. */
export function defineOperation<
  const Kind extends OperationKind,
  Needs,
  const Input extends TObject,
  const Output extends TSchema,
  Before = unknown,
  const Name extends OperationName = OperationName,
>(
  operation: Operation<Kind, Needs, Input, Output, Before, Name>,
): Operation<Kind, Needs, Input, Output, Before, Name> {
  return operation;
}
