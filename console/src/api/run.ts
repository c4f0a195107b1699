/** Runs operations by name, with the types of the registry. */
import { call } from './call.ts';
import type { Input, OperationName, Output } from './operations.ts';

/** An input without some properties, which have defaults or are refused by the server. */
export type PartialInput<Name extends OperationName> = Partial<Input<Name>>;

/** Runs an operation and returns its output. Throws Refusal. */
export async function runOperation<Name extends OperationName>(
  name: Name,
  input: PartialInput<Name>,
): Promise<Output<Name>> {
  const { body } = await call(`/api/operations/${name}`, withoutEmpty(input));
  const answer = body as { readonly data: unknown; readonly cursor?: unknown };
  // A page is not wrapped in `data`.
  return (answer.cursor === undefined ? answer.data : answer) as Output<Name>;
}

export type Approval = Output<'approval.show'>;
type Task = Output<'task.list'>['data'][number];

export type Done =
  | { readonly kind: 'done'; readonly output: unknown; readonly repeated: boolean }
  | { readonly kind: 'waiting'; readonly approval: Approval }
  /** The task continues in the gateway. */
  | { readonly kind: 'started'; readonly task: Task };

/**
 * Runs an operation for a form. `onSent` receives the progress of a long input, from 0 to 1. Throws
 * Refusal.
 */
export async function submitOperation(
  name: string,
  input: Readonly<Record<string, unknown>>,
  onSent?: (share: number) => void,
): Promise<Done> {
  const { status, body } = await call(`/api/operations/${name}`, withoutEmpty(input), onSent);
  const answer = body as { readonly data: unknown; readonly cursor?: unknown; readonly repeated?: boolean };
  if (status === 202) {
    const { approval, task } = answer.data as { readonly approval?: Approval; readonly task?: Task };
    if (task !== undefined) return { kind: 'started', task };
    if (approval !== undefined) return { kind: 'waiting', approval };
  }
  const output = answer.cursor === undefined ? answer.data : answer;
  return { kind: 'done', output, repeated: answer.repeated ?? false };
}

/** Returns the URL of a list as CSV. */
export function csvAddress<Name extends OperationName>(name: Name, input: PartialInput<Name>): string {
  return `/api/csv/${name}?input=${encodeURIComponent(JSON.stringify(withoutEmpty(input)))}`;
}

function withoutEmpty(input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== ''));
}
