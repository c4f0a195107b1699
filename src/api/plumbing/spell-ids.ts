/** Converts plan ids to text. Many look like numbers, so clients send them as numbers. */
import { isRecord } from '../../core/json.ts';

/** Converts whole numbers under `names` to their digits. The schema checks everything else. */
export function spellIds(body: unknown, names: readonly string[]): void {
  if (!isRecord(body)) return;
  for (const name of names) {
    const id = body[name];
    if (typeof id === 'number' && Number.isSafeInteger(id)) body[name] = String(id);
  }
}
