/** An operation as data, as far as a form needs it. */
import type { TypedKind } from './typed-number.ts';

/** A JSON schema of one property. */
export type FieldSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  /** A number that a person types in the spelling of people. */
  readonly 'x-typed'?: TypedKind;
  /** A secret: it is typed unseen, and shown nowhere. */
  readonly writeOnly?: boolean;
  readonly maxLength?: number;
  /** A file of this machine goes as base 64. */
  readonly contentEncoding?: string;
  /** Kinds of such a file, with commas between. */
  readonly contentMediaType?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: FieldSchema;
  readonly patternProperties?: Readonly<Record<string, FieldSchema>>;
};

export type DescribedOperation = {
  readonly name: string;
  readonly kind: 'question' | 'act' | 'task';
  readonly summary: string;
  readonly roles: readonly string[];
  readonly document: string;
  readonly input: {
    readonly properties: Readonly<Record<string, FieldSchema>>;
    readonly required?: readonly string[];
  };
  readonly movesMoney: boolean;
  readonly showsSecret: boolean;
  /** What is asked before it is done; true where the words depend on the input. */
  readonly confirm: string | boolean;
  readonly needsApproval: boolean;
  /** Fields that the portal sets itself, or does not have. */
  readonly notAtPortal: readonly string[];
};
