/** Days in Lagos, as texts such as 2026-11-21. */
import { formatDay, nextDay, parseDay } from '../../core/clock.ts';
import { invariant } from '../../core/errors.ts';

export function endOfDay(day: string): Date {
  const begin = parseDay(day);
  invariant(begin !== undefined, `${day} is a day`);
  return nextDay(begin);
}

export function dayAfter(day: string): string {
  return formatDay(endOfDay(day));
}

export function dayBefore(day: string): string {
  return formatDay(new Date(endOfDay(day).getTime() - 2 * 86_400_000));
}
