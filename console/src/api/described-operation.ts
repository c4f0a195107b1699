/** The description of an operation that forms are made from. */
import type { TypedKind } from './typed-number.ts';

/** A JSON schema of one property. */
export type FieldSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  /** The kind of a number that a person types. */
  readonly 'x-typed'?: TypedKind;
  /** A secret, which is never shown. */
  readonly writeOnly?: boolean;
  readonly maxLength?: number;
  /** Set if a file is sent in base 64. */
  readonly contentEncoding?: string;
  /** The accepted media types of the file, separated by commas. */
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
  /** The confirmation question. True if its text depends on the input. */
  readonly confirm: string | boolean;
  readonly needsApproval: boolean;
  /** Fields that the portal sets itself or does not have. */
  readonly notAtPortal: readonly string[];
};
