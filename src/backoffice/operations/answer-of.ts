/** Builds the answer of an operation, which is the same on the command line and over HTTP. */
import { isPage } from '../../core/operation-fields.ts';
import type { Ran, RegisteredOperation } from './run-operation.ts';

/** Returns a page as it is, any other output as `{data}`, and a request as `{data: {approval}}`. */
export function answerOf(operation: Pick<RegisteredOperation, 'output'>, ran: Ran): object {
  if (ran.approval !== undefined) return { data: { approval: ran.approval }, ...repetitionOf(ran) };
  const answer = isPage(operation.output) ? (ran.output as object) : { data: ran.output };
  return { ...answer, ...repetitionOf(ran) };
}

function repetitionOf({ repeated }: Ran): object {
  return repeated ? { repeated } : {};
}
