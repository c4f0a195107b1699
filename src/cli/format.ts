/** Formats values of tables. */
import { formatLocal } from '../core/clock.ts';

/** Formats a time in Africa/Lagos, to the second. */
export function timeText(rfc3339: string): string {
  return formatLocal(new Date(rfc3339));
}

/** Formats a time in Africa/Lagos, with milliseconds. */
export function momentText(rfc3339: string): string {
  const at = new Date(rfc3339);
  return `${formatLocal(at)}.${String(at.getUTCMilliseconds()).padStart(3, '0')}`;
}

/** Formats a value, or a dash for none. */
export function optional<T>(value: T | null | undefined, format: (value: T) => string): string {
  return value === null || value === undefined ? '-' : format(value);
}
