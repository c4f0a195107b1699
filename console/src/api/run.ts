/** Runs an operation by its name, with the types that the registry has for it. */
import { call } from './call.ts';
import type { Input, OperationName, Output } from './operations.ts';

/** What is not given has a default, or is refused in words. */
export type Asked<Name extends OperationName> = Partial<Input<Name>>;

/** Throws Refusal. */
export async function ask<Name extends OperationName>(name: Name, input: Asked<Name>): Promise<Output<Name>> {
  const { body } = await call(`/api/operations/${name}`, withoutNothing(input));
  const told = body as { readonly data: unknown; readonly cursor?: unknown };
  // A page is answered as it is.
  return (told.cursor === undefined ? told.data : told) as Output<Name>;
}

export type Approval = Output<'approval.show'>;
type Task = Output<'task.list'>['data'][number];

export type Done =
  | { readonly kind: 'done'; readonly output: unknown; readonly repeated: boolean }
  | { readonly kind: 'waiting'; readonly approval: Approval }
  /** It goes on in the gateway. */
  | { readonly kind: 'started'; readonly task: Task };

/**
 * For forms, which know the operation by its description. `onSent` is told how much of what is long
 * was sent, from 0 to 1. Throws Refusal.
 */
export async function act(
  name: string,
  input: Readonly<Record<string, unknown>>,
  onSent?: (share: number) => void,
): Promise<Done> {
  const { status, body } = await call(`/api/operations/${name}`, withoutNothing(input), onSent);
  const told = body as { readonly data: unknown; readonly cursor?: unknown; readonly repeated?: boolean };
  if (status === 202) {
    const { approval, task } = told.data as { readonly approval?: Approval; readonly task?: Task };
    if (task !== undefined) return { kind: 'started', task };
    if (approval !== undefined) return { kind: 'waiting', approval };
  }
  const output = told.cursor === undefined ? told.data : told;
  return { kind: 'done', output, repeated: told.repeated ?? false };
}

/** The address of a list as CSV. */
export function csvAddress<Name extends OperationName>(name: Name, input: Asked<Name>): string {
  return `/api/csv/${name}?input=${encodeURIComponent(JSON.stringify(withoutNothing(input)))}`;
}

function withoutNothing(input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== ''));
}
