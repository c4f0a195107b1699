/**
 * What an agent is shown of an answer. Guarantees: what is as good as money is withheld unless it
 * may be revealed; lists and texts are bounded.
 */
import { isRecord } from '../../kernel/json.ts';
import type { Json } from '../plumbing/openapi/json.ts';

/**
 * Whoever knows these has what was bought. A token of electricity is worth nothing but on its own
 * meter, and is shown.
 */
const spendable = new Set(['cards', 'pins', 'activation_code', 'lpa']);
/** Of a card or a PIN, what tells which it is. */
const harmless = new Set(['serial', 'expiry']);
const WITHHELD = 'withheld: get_purchase shows it with reveal, where the credential may buy';

const TEXT_MAX = 1_000;
const LIST_MAX = 50;

export function shown(value: unknown, { reveal }: { readonly reveal: boolean }): unknown {
  if (typeof value === 'string') {
    return value.length <= TEXT_MAX ? value : `${value.slice(0, TEXT_MAX)}…`;
  }
  if (Array.isArray(value)) return value.slice(0, LIST_MAX).map((item) => shown(item, { reveal }));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      spendable.has(name) && !reveal ? withheld(member) : shown(member, { reveal }),
    ]),
  );
}

function withheld(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withheld);
  if (!isRecord(value)) return WITHHELD;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, harmless.has(name) ? member : WITHHELD]),
  );
}

/** A part of a list, and how many there are. */
export function partOf(
  items: readonly unknown[],
  { limit = 20, skip = 0 }: { readonly limit?: number; readonly skip?: number },
): Json {
  const part = items.slice(skip, skip + Math.min(limit, LIST_MAX));
  return { total: items.length, skipped: skip, items: part.map((item) => shown(item, { reveal: false })) };
}
