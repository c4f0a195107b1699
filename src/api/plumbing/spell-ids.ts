/** Ids of plans as text: many are numbers in their lists, and so clients send them as numbers. */
import { isRecord } from '../../core/json.ts';

/** Whole numbers under `names` become their digits; anything else is left for the schema. */
export function spellIds(body: unknown, names: readonly string[]): void {
  if (!isRecord(body)) return;
  for (const name of names) {
    const id = body[name];
    if (typeof id === 'number' && Number.isSafeInteger(id)) body[name] = String(id);
  }
}
