/** Reads the days of a list or an export: from the first to the last, in Lagos. */
import { nextDay, parseDay } from '../kernel/clock.ts';
import { OperationError } from '../kernel/errors.ts';

/** The first moment, and the first that is no more meant. */
export type Period = { readonly from: Date | undefined; readonly to: Date | undefined };

type Days = { readonly from?: string | undefined; readonly to?: string | undefined };

/** Throws OperationError `input_malformed` for a day that the calendar does not have. */
export function readPeriod({ from, to }: Days): Period {
  const last = readDay('to', to);
  return { from: readDay('from', from), to: last && nextDay(last) };
}

function readDay(field: keyof Days, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const day = parseDay(text);
  if (day === undefined) {
    const fault = { field, kind: 'wrong', wanted: 'a day such as 2026-11-21' } as const;
    throw new OperationError({ code: 'input_malformed', faults: [fault] });
  }
  return day;
}
