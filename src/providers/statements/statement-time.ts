/** Reads the times of statements. Pure. */

/** The pattern of each part of a format. */
const PARTS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MMM: '(?<name>[A-Za-z]{3,9})',
  MM: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{1,2})',
  hh: '(?<half>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
  SSS: '(?<ms>\\d{1,6})',
  A: '(?<noon>[AaPp]\\.?[Mm]\\.?)',
  Z: '(?<zone>Z|[+-]\\d{2}:?\\d{2})',
};

const PART = /YYYY|MMM|MM|DD|HH|hh|mm|ss|SSS|A|Z/g;

/** The parts of formats, for people. */
export const timeParts = Object.keys(PARTS).join(' ');

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const patterns = new Map<string, RegExp>();

function patternOf(format: string): RegExp {
  const known = patterns.get(format);
  if (known !== undefined) return known;
  let source = '';
  let end = 0;
  for (const match of format.matchAll(PART)) {
    source += escaped(format.slice(end, match.index)) + (PARTS[match[0]] ?? '');
    end = match.index + match[0].length;
  }
  const pattern = new RegExp(`^${source}${escaped(format.slice(end))}$`);
  patterns.set(format, pattern);
  return pattern;
}

function escaped(text: string): string {
  return RegExp.escape(text).replaceAll('\\x20', '\\s+');
}

/**
 * Tells whether a format is valid: it has a whole day, no part twice, and one clock (`HH`, or `hh`
 * with `A`). A smaller part of a time needs the larger one. A letter that is no part would be
 * ignored in each time, so only the `T` before a clock is accepted.
 */
export function isTimeFormat(format: string): boolean {
  if (format === 'iso') return true;
  const parts = format.match(PART) ?? [];
  const has = (part: string): boolean => parts.some((one) => one === part);
  const isDay = has('YYYY') && has('DD') && has('MM') !== has('MMM');
  const isClock = has('hh') === has('A') && !(has('HH') && has('hh'));
  const isWhole =
    (!(has('mm') || has('Z')) || has('HH') || has('hh')) &&
    (!has('ss') || has('mm')) &&
    (!has('SSS') || has('ss'));
  const hasOther = /\p{L}/u.test(format.replace(/T(?=HH|hh)/, '').replaceAll(PART, ' '));
  return new Set(parts).size === parts.length && isDay && isClock && isWhole && !hasOther;
}

/** Returns minutes east of Greenwich. Undefined for unknown zones and those with summer time. */
export function offsetOfZone(zone: string): number | undefined {
  if (zone === 'UTC' || zone === 'Z') return 0;
  if (zone === 'Africa/Lagos') return 60;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(zone) ?? [];
  if (hours === undefined || Number(hours) > 14 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s*(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/;

export type StatementTime = {
  readonly at: Date;
  /**
   * `day`: the text has no time. `midnight`: its time is the start of a day, as spreadsheets write
   * days. `hour`: its time has no minutes.
   */
  readonly precision: 'day' | 'midnight' | 'hour' | 'time';
};

/** Reads a time. Undefined for text in no known format and for days not in the calendar. */
export function parseTime(
  text: string,
  { formats, zone }: { readonly formats: readonly string[]; readonly zone: string },
): StatementTime | undefined {
  const offset = offsetOfZone(zone) ?? 0;
  for (const format of formats) {
    const time = format === 'iso' ? parseIso(text, offset) : parseBy(patternOf(format), text, offset);
    if (time !== undefined) return time;
  }
  return undefined;
}

function parseIso(text: string, offset: number): StatementTime | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const zone = match.groups?.zone;
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // JavaScript carries surplus days into the next month.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined;
  const named = /\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?/.exec(text.slice(11))?.[0];
  const clock = named ?? '00:00';
  const suffix = zone === undefined ? 'Z' : withColon(zone);
  const ms = Date.parse(`${day}T${clock}${suffix}`);
  if (Number.isNaN(ms)) return undefined;
  return {
    at: new Date(zone === undefined ? ms - offset * 60_000 : ms),
    precision: named === undefined ? 'day' : /[1-9]/.test(named) ? 'time' : 'midnight',
  };
}

/** Writes `+0100` as `+01:00`. */
function withColon(zone: string): string {
  return zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
}

function parseBy(pattern: RegExp, text: string, offset: number): StatementTime | undefined {
  const found = pattern.exec(text)?.groups;
  if (found === undefined) return undefined;
  const month =
    found.name === undefined ? Number(found.month) - 1 : MONTHS.indexOf(found.name.slice(0, 3).toLowerCase());
  const hour = hourOf(found);
  const [year, day] = [Number(found.year), Number(found.day)];
  const [minute, second] = [Number(found.minute ?? 0), Number(found.second ?? 0)];
  const ms = Number((found.ms ?? '0').padEnd(3, '0').slice(0, 3));
  const east = found.zone === undefined ? offset : offsetOfZone(withColon(found.zone));
  if (month < 0 || hour === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const at = new Date(Date.UTC(year, month, day, hour, minute, second, ms));
  if (east === undefined || at.getUTCMonth() !== month || at.getUTCDate() !== day) return undefined;
  const hasClock = found.hour !== undefined || found.half !== undefined;
  const isMidnight = hour + minute + second + ms === 0;
  const clock = found.minute === undefined ? 'hour' : 'time';
  return {
    at: new Date(at.getTime() - east * 60_000),
    precision: hasClock ? (isMidnight ? 'midnight' : clock) : 'day',
  };
}

function hourOf(found: Readonly<Record<string, string | undefined>>): number | undefined {
  if (found.half === undefined) return Number(found.hour ?? 0);
  const half = Number(found.half);
  if (half < 1 || half > 12) return undefined;
  const isAfternoon = /^p/i.test(found.noon ?? '');
  return (half % 12) + (isAfternoon ? 12 : 0);
}
