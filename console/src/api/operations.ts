/**
 * What the operations take and answer, as types. They come from the registry of the server, and
 * nothing of it is in the bundle: the import is one of types.
 */
import type { Static } from 'typebox';
import type { OperationTable } from '../../../src/backoffice/operations/registry.ts';

export type OperationName = keyof OperationTable;
export type Input<Name extends OperationName> = Static<OperationTable[Name]['input']>;
export type Output<Name extends OperationName> = Static<OperationTable[Name]['output']>;

/** The names of the operations that answer in pages. */
export type ListName = {
  [Name in OperationName]: Output<Name> extends { data: readonly unknown[]; cursor: string | null }
    ? Name
    : never;
}[OperationName];

export type Row<Name extends ListName> = Output<Name> extends { data: readonly (infer One)[] } ? One : never;
