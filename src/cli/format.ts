/** How values look in tables. */
import { formatLocal } from '../core/clock.ts';

/** A time of an operation's output: Africa/Lagos, to the second. */
export function timeText(rfc3339: string): string {
  return formatLocal(new Date(rfc3339));
}

/** With milliseconds, for what happens within one second. */
export function momentText(rfc3339: string): string {
  const at = new Date(rfc3339);
  return `${formatLocal(at)}.${String(at.getUTCMilliseconds()).padStart(3, '0')}`;
}

/** A dash where there is nothing. */
export function optional<T>(value: T | null | undefined, format: (value: T) => string): string {
  return value === null || value === undefined ? '-' : format(value);
}
