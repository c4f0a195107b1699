/**
 * Removes our account from replies before anything reads them. An upstream that quotes the call
 * quotes our key, in any field and any case. Pure.
 */
import type { CallResult } from '../http/call.ts';
import { type Body, isBody } from '../http/reply-fields.ts';

/** The shortest user id that cannot be mistaken for something else in a reply. */
const USER_ID_LENGTH_MIN = 4;

/**
 * Returns a function that replaces the key and the user id in the texts of a reply, as they are and
 * as they stand in a query string. It works on the whole text: a text that is cut first may end in
 * the middle of the key. Our own `requestid` stays, because it is compared and never shown.
 */
export function createKeyRemover(account: {
  readonly userId: string;
  readonly apiKey: string;
}): (result: CallResult) => CallResult {
  const { userId, apiKey } = account;
  const isName = userId.length >= USER_ID_LENGTH_MIN && /[a-z]/i.test(userId);
  const forms = [apiKey, ...(isName ? [userId] : [])].flatMap((text) => [
    text,
    encodeURIComponent(text),
    new URLSearchParams({ '': text }).toString().slice(1),
  ]);
  const pattern = new RegExp(forms.map((form) => RegExp.escape(form)).join('|'), 'gi');

  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(pattern, '[key]');
    if (Array.isArray(value)) return value.map(clean);
    return isBody(value) ? cleanFields(value) : value;
  };
  const cleanFields = (body: Body): Body =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, name === 'requestid' ? value : clean(value)]),
    );
  return (result) => (result.kind === 'reply' ? { ...result, body: clean(result.body) } : result);
}
