/**
 * Reduces answers and documents to their recorded parts. Ids, times and secrets differ in each run.
 * They become `<id 1>`, numbered by their first appearance, so that equal ones stay equal. Texts
 * for people are left out, so they can be improved without a new recording.
 */

/** Fields that hold text for people. */
const texts = new Set(['message', 'response_message', 'telco_message', 'summary']);

/** Fields with random text. Each becomes `<token 1>`, numbered as ids are. */
const drawn = new Set([
  'token',
  'kct1',
  'kct2',
  'activation_code',
  'iccid',
  'lpa',
  'cursor',
  'hint',
  'account_number',
  'card_number',
  'claim_url',
  'pin',
  'serial',
]);

export type Normalizer = (value: unknown) => unknown;

/** `known` maps values of this run to their placeholders. */
export function createNormalizer(known: ReadonlyMap<string, string> = new Map()): Normalizer {
  const numbers = new Map<string, string>();

  function numbered(kind: string, found: string): string {
    const name = numbers.get(found) ?? `<${kind} ${numbers.size + 1}>`;
    numbers.set(found, name);
    return name;
  }

  function ofText(text: string): string {
    let rest = text;
    for (const [value, name] of known) rest = rest.replaceAll(value, name);
    return rest
      .replace(/(evt_)?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/g, (id) => numbered('id', id))
      .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g, '<time>')
      .replace(/whsec_[A-Za-z0-9+/=]+/g, '<secret>')
      .replace(/SBX-[0-9A-F]+/g, (reference) => numbered('reference', reference));
  }

  function ofField(name: string, value: unknown): unknown {
    if (typeof value === 'string' && texts.has(name)) return '<text>';
    if (typeof value === 'string' && drawn.has(name)) return numbered(name, value);
    return normalize(value);
  }

  function normalize(value: unknown): unknown {
    if (typeof value === 'string') return ofText(value);
    if (Array.isArray(value)) return value.map(normalize);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, ofField(name, item)]));
  }

  return normalize;
}
