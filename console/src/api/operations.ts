/**
 * The types of inputs and outputs of operations, from the server's registry. Only types are
 * imported, so no server code is in the bundle.
 */
import type { Static } from 'typebox';
import type { OperationTable } from '../../../src/backoffice/operations/registry.ts';

export type OperationName = keyof OperationTable;
export type Input<Name extends OperationName> = Static<OperationTable[Name]['input']>;
export type Output<Name extends OperationName> = Static<OperationTable[Name]['output']>;

/** The names of operations that return pages. */
export type ListName = {
  [Name in OperationName]: Output<Name> extends { data: readonly unknown[]; cursor: string | null }
    ? Name
    : never;
}[OperationName];

export type Row<Name extends ListName> = Output<Name> extends { data: readonly (infer One)[] } ? One : never;
