/** Formats values of tables. */
import { formatLocal } from '../core/clock.ts';

/** Formats a time in Africa/Lagos, to the second. */
export function timeText(rfc3339: string): string {
  return formatLocal(new Date(rfc3339));
}
