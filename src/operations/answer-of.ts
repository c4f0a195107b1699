/** What an edge answers for an operation: the same JSON on the command line and over HTTP. */
import { isPage } from '../kernel/operation-fields.ts';
import type { Ran, RegisteredOperation } from './run-operation.ts';

/** A page as it is: `{data, cursor}`. Anything else as `{data}`. */
export function answerOf(operation: Pick<RegisteredOperation, 'output'>, ran: Ran): object {
  const answer = isPage(operation.output) ? (ran.output as object) : { data: ran.output };
  return ran.repeated ? { ...answer, repeated: true } : answer;
}
