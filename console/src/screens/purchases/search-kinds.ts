/** Guesses the kinds of a search text. Pure. */

export type SearchKind = 'token' | 'phone' | 'meter' | 'card' | 'reference';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const kindNames: Readonly<Record<SearchKind, string>> = {
  token: 'Meter tokens',
  phone: 'Mobile numbers',
  meter: 'Meter numbers',
  card: 'Smartcards and customer numbers',
  reference: 'References',
};

export function isInternalReference(text: string): boolean {
  return UUID.test(text.trim());
}

/** Removes separators between groups of digits. */
function withoutGroups(text: string): string {
  return text.replaceAll(/[\s().-]/g, '');
}

/** A mobile number without its leading zero, as a contact list or a spreadsheet leaves it. */
const WITHOUT_ZERO = /^[789]\d{9}$/;

/** Returns the text as the search by `kind` takes it. */
export function searchValue(kind: SearchKind, text: string): string {
  const bare = withoutGroups(text);
  if (kind === 'phone') return WITHOUT_ZERO.test(bare) ? `0${bare}` : bare;
  return /^\d+$/.test(bare) && kind !== 'reference' ? bare : text.trim();
}

/** Returns the possible kinds, most likely first. */
export function searchKinds(text: string): readonly SearchKind[] {
  const bare = withoutGroups(text);
  if (!/^\+?\d+$/.test(bare)) return /\s/.test(text.trim()) ? ['card'] : ['reference', 'card'];
  const digits = bare.replace('+', '');
  if (digits.length === 20) return ['token', 'reference'];
  const isPhone = WITHOUT_ZERO.test(digits) || /^(?:0|234|00234)[789]\d{9}$/.test(digits);
  if (isPhone) return ['phone', 'reference', 'meter', 'card'];
  if (bare.startsWith('+')) return ['phone'];
  return ['meter', 'card', 'reference'];
}
