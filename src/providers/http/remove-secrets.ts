/**
 * Removes our secrets from replies before anything reads them. An upstream that quotes the call
 * quotes a key in the query string, in any field and any case. Pure.
 */
import type { CallResult } from './call.ts';
import { type Body, isBody } from './reply-fields.ts';

/** A shorter secret is not removed: it could be mistaken for something else in a reply. */
const SECRET_LENGTH_MIN = 4;

/**
 * Returns a function that replaces the secrets in the texts of a reply, in their plain form and
 * encoded for paths and query strings. It works on the whole text, because a truncated text may end
 * in the middle of a secret. The field `except` stays as it is, and must never be shown.
 */
export function createSecretRemover(
  secrets: readonly string[],
  except?: string,
): (result: CallResult) => CallResult {
  const forms = secrets
    .filter(({ length }) => length >= SECRET_LENGTH_MIN)
    .flatMap((text) => [
      text,
      encodeURIComponent(text),
      new URLSearchParams({ '': text }).toString().slice(1),
    ]);
  if (forms.length === 0) return (result) => result;
  const pattern = new RegExp(forms.map((form) => RegExp.escape(form)).join('|'), 'gi');

  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(pattern, '[key]');
    if (Array.isArray(value)) return value.map(clean);
    return isBody(value) ? cleanFields(value) : value;
  };
  const cleanFields = (body: Body): Body =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, name === except ? value : clean(value)]),
    );
  return (result) => (result.kind === 'reply' ? { ...result, body: clean(result.body) } : result);
}
