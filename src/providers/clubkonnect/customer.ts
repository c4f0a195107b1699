/**
 * Reads the replies of the verifications. Pure. Only the two documented words reject a customer.
 * Every other word, and every other form of it, leaves the customer unverified.
 */
import { unverified } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { isBody, word } from '../http/reply-fields.ts';
import type { CustomerAnswer } from '../provider.ts';

const REJECTIONS: ReadonlyMap<string, string> = new Map([
  ['INVALID_SMARTCARDNO', 'The biller knows no such smartcard'],
  ['INVALID_METERNO', 'The biller knows no such meter'],
]);

/** An error text of ClubKonnect, such as `INVALID_CREDENTIALS`. No customer has such a name. */
const CODE = /^[A-Z0-9]+(?:_[A-Z0-9]+)+$/;

export function answerToVerification(result: CallResult): CustomerAnswer {
  if (result.kind !== 'reply') return unverified('no_answer', result.reason);
  const { status, body } = result;
  if (status < 200 || status > 299 || !isBody(body)) {
    return unverified(`http_${status}`, `HTTP ${status} without a usable answer`);
  }
  const name = word(body.customer_name);
  // The text is in either field.
  for (const one of [name, word(body.status)]) {
    const message = REJECTIONS.get(one ?? '');
    if (one !== undefined && message !== undefined) return { kind: 'rejected', code: one, message };
  }
  const other = [word(body.status), name].find((one) => one !== undefined && CODE.test(one));
  if (other !== undefined) return unverified(other, 'not verified');
  return name === undefined
    ? unverified('no_name', 'the biller named no customer')
    : { kind: 'verified', customer: { name } };
}
