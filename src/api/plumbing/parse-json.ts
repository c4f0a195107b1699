/**
 * Parses bytes into a JSON value that contains only valid text, can be stored, and is shallow.
 * Schemas check single fields afterwards. This file checks what a schema cannot express.
 */
import { isUtf8 } from 'node:buffer';
import { type JsonLimits, JsonMeter } from '../edge/json-meter.ts';
import { Refusal, refuseField } from './refusal.ts';

const DEPTH_MAX = 8;
/** Far more than any request has. Too many levels are refused below, where the field is known. */
const jsonLimits: JsonLimits = { depthMax: DEPTH_MAX, membersMax: 200 };

/**
 * Some encoders, such as .NET's UTF-8, write it before every text. RFC 8259 lets a reader ignore
 * it.
 */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Returns the value. Throws a Refusal, 400, for anything but one JSON value in UTF-8, for more than
 * eight levels or 200 members, for a `__proto__` key, and for a string with a NUL or half a
 * surrogate pair, with its field: PostgreSQL can store neither.
 */
export function parseJson(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined || bytes.length === 0) {
    throw new Refusal(400, 'body_missing', 'The request has no body: send a JSON object');
  }
  if (!isUtf8(bytes)) throw new Refusal(400, 'body_not_utf8', 'The request body is not UTF-8 text');
  if (new JsonMeter(jsonLimits).read(bytes) === 'too_many_members') throw tooMany();
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  const value = parseText(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  // In valid UTF-8 these characters can only come from an escape sequence.
  inspect(value, '', 1, text.includes('\\u'));
  return value;
}

function tooMany(): Refusal {
  const message = `The request body has too many fields: at most ${jsonLimits.membersMax} are accepted`;
  return new Refusal(400, 'body_too_many_members', message);
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'body_not_json', 'The request body is not valid JSON');
  }
}

function inspect(value: unknown, field: string, depth: number, hasEscapes: boolean): void {
  if (typeof value === 'string') {
    if (hasEscapes && (value.includes('\0') || !value.isWellFormed())) {
      throw refuseField(
        field || 'body',
        'text_malformed',
        `${field || 'body'} must be well-formed Unicode text without NUL characters`,
      );
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEPTH_MAX) {
    throw refuseField(
      field,
      'body_too_deep',
      `${field} is nested too deeply: at most ${DEPTH_MAX} levels are accepted`,
    );
  }
  if (Array.isArray(value)) {
    for (const item of value) inspect(item, field || 'body', depth + 1, hasEscapes);
    return;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members)) {
    if (key === '__proto__')
      throw refuseField(key, 'body_key_not_allowed', 'The key __proto__ is not accepted');
    inspect(members[key], field || key, depth + 1, hasEscapes);
  }
}
