/** What an edge answers for an operation: the same JSON on the command line and over HTTP. */
import { isPage } from '../../core/operation-fields.ts';
import type { Ran, RegisteredOperation } from './run-operation.ts';

/**
 * A page as it is: `{data, cursor}`. Anything else as `{data}`. What waits for a second person:
 * `{data: {approval}}`.
 */
export function answerOf(operation: Pick<RegisteredOperation, 'output'>, ran: Ran): object {
  if (ran.approval !== undefined) return { data: { approval: ran.approval }, ...repetitionOf(ran) };
  const answer = isPage(operation.output) ? (ran.output as object) : { data: ran.output };
  return { ...answer, ...repetitionOf(ran) };
}

function repetitionOf({ repeated }: Ran): object {
  return repeated ? { repeated } : {};
}
