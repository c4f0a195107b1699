/**
 * Compares an answer with the one that a page shows: the same members with the same values, except
 * for values that differ each time. `…` in a page stands for anything: a text, a part of a text,
 * further members (`"…": "…"`), or further elements.
 */
import { isRecord } from '../../src/core/json.ts';

/**
 * Shown values and the values that replaced them, so that later commands of a page can use them.
 */
export type Seen = Map<string, string>;

/** Members whose value is random, or counted over the whole gateway. */
const drawn = new Set([
  'merchant_id',
  'merchant_name',
  'reference_code',
  'bank_reference',
  'token',
  'kct1',
  'kct2',
  'bonus_token',
  'pin',
  'serial',
  'secret',
  'cursor',
  'next_cursor',
  'account_number',
  'iccid',
  'activation_code',
  'lpa',
  'card_number',
  'claim_url',
  'duration_ms',
  'uptime_s',
  'version',
]);

/** Members for people to read: their wording can change without the page. */
const worded = new Set(['message', 'response_message']);

const times = [
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+01:00$/,
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
  /^\d{4}-\d\d-\d\d$/,
];
const ids = [/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/, /^evt_[0-9a-f]{32}$/];
const formats = [...times, ...ids];

/** The differences, each with its place. */
export function differences(shown: unknown, real: unknown, seen: Seen, place = '', name = ''): string[] {
  if (shown === '…') return [];
  if (worded.has(name) && isText(shown) && isText(real)) return [];
  if (Array.isArray(shown)) return ofLists(shown, real, seen, place);
  if (isRecord(shown)) return ofObjects(shown, real, seen, place);
  if (typeof shown !== typeof real || (shown === null) !== (real === null)) {
    return [`${place}: ${JSON.stringify(shown)} is shown, ${JSON.stringify(real)} came`];
  }
  if (typeof shown === 'string' && typeof real === 'string') {
    if (formats.some((format) => format.test(shown) && format.test(real)) || drawn.has(name)) {
      seen.set(shown, real);
      return [];
    }
    if (matches(shown, real)) return [];
  }
  if (shown === real || drawn.has(name)) return [];
  return [`${place}: ${JSON.stringify(shown)} is shown, ${JSON.stringify(real)} came`];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function matches(shown: string, real: string): boolean {
  if (!shown.includes('…')) return shown === real;
  const parts = shown.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]+')}$`).test(real);
}

function ofObjects(
  shown: Readonly<Record<string, unknown>>,
  real: unknown,
  seen: Seen,
  place: string,
): string[] {
  if (!isRecord(real)) return [`${place}: an object is shown, ${JSON.stringify(real)} came`];
  const names = Object.keys(shown).filter((name) => name !== '…');
  const found = names.flatMap((name) =>
    name in real
      ? differences(shown[name], real[name], seen, `${place}.${name}`, name)
      : [`${place}.${name}: is shown and did not come`],
  );
  const more = '…' in shown ? [] : Object.keys(real).filter((name) => !names.includes(name));
  return [...found, ...more.map((name) => `${place}.${name}: came and is not shown`)];
}

function isMore(value: unknown): boolean {
  return value === '…' || (isRecord(value) && Object.keys(value).join() === '…');
}

/** Elements before "further elements" are the beginning, those after them the end. */
function ofLists(shown: readonly unknown[], real: unknown, seen: Seen, place: string): string[] {
  if (!Array.isArray(real)) return [`${place}: a list is shown, ${JSON.stringify(real)} came`];
  const more = shown.findIndex(isMore);
  const [head, tail] = more < 0 ? [shown, []] : [shown.slice(0, more), shown.slice(more + 1)];
  const least = head.length + tail.length;
  if (more < 0 ? real.length !== least : real.length < least) {
    return [`${place}: ${least} elements are shown, ${real.length} came: ${JSON.stringify(real)}`];
  }
  const start = real.length - tail.length;
  return [
    ...head.flatMap((item, index) => differences(item, real[index], seen, `${place}.${index}`)),
    ...tail.flatMap((item, index) =>
      differences(item, real[start + index], seen, `${place}.${start + index}`),
    ),
  ];
}
