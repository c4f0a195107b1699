/** Converts the errors of the core into the one refusal that is sent. */
import type { RequestFault, RequestFaults } from '../../core/request-fault.ts';
import type { Definition, Said } from './define-error.ts';
import type { FieldNames } from './field-names.ts';
import type { Reason } from './reasons.ts';
import { type FieldFault, Refusal } from './refusal.ts';
import type { RefusalStatus } from './refusals.ts';
import { requestErrors } from './request-errors.ts';

type SaidWithReason = Said & { readonly reason: Reason; readonly status: RefusalStatus };

const definitions: { readonly [Code in keyof RequestFaults]: Definition<Code> } = requestErrors;

function say<Code extends keyof RequestFaults>(
  fault: RequestFault<Code>,
  names: FieldNames,
  isRead: boolean,
): SaidWithReason {
  const definition: (typeof definitions)[Code] = definitions[fault.code];
  const [status] = definition.statuses;
  const said = definition.say(fault, names);
  const message = isRead ? (said.readMessage ?? said.message) : said.message;
  return { ...said, message, status, reason: fault.code };
}

/**
 * Returns one refusal for all errors of a request. Its status is 422 if every error is a missing
 * field. `isRead`: the request is a lookup.
 */
export function refusalOf(
  faults: readonly RequestFault[],
  names: FieldNames,
  { isRead }: { readonly isRead: boolean },
): Refusal {
  const said = faults.map((fault) => say(fault, names, isRead));
  const [first, ...others] = said;
  const common = others.every((other) => other.status === first?.status) ? first?.status : undefined;
  const status = common ?? 400;
  const reasons = [...new Set(faults.map(({ code }) => code))];
  const [only, ...further] = reasons;
  const reason = only !== undefined && further.length === 0 ? only : reasonOfSeveral(status);
  return new Refusal(status, reason, said.map(({ message }) => message).join('; '), {
    fields: said.flatMap(fieldOf),
    subject: first?.subject,
    retryAfterS: first?.retryAfterS,
    loggedReason: reasons.join(','),
  });
}

/** The reason of a refusal with several causes. Each field has its own reason too. */
function reasonOfSeveral(status: RefusalStatus): Reason {
  return status === 422 ? 'field_missing' : 'field_invalid';
}

function fieldOf({ field, reason, message, fieldMessage = message }: SaidWithReason): readonly FieldFault[] {
  return field === undefined ? [] : [{ field, reason, message: fieldMessage }];
}
