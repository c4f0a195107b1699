/** A field for a moment, with its zone. */
import { Type } from 'typebox';

export function momentField(meaning: string) {
  return Type.String({
    description: `a moment such as 2026-11-22T10:30:00+01:00: ${meaning}`,
    format: 'date-time',
    pattern: '^[12][0-9]{3}-',
  });
}
