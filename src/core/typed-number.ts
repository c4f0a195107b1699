/**
 * Reads amounts and rates that people type at the console and the command line, and writes them as
 * operations take them. Ambiguous text is refused: `600,00` is 600 to one person and 60,000 to
 * another. Pure; the console loads this file too.
 */

/** The kind of number in a field of an operation, under `x-typed` in its schema. */
export type TypedKind =
  /** Money in the currency of the input, naira by default. */
  | 'amount'
  | 'naira'
  /** Money in the currency of an account at a provider or bank. */
  | 'account_amount'
  /** Naira for one unit of another currency, with up to six decimals. */
  | 'rate'
  | 'percent';

type Typed = { readonly text: string } | { readonly fault: string };

const signs: Readonly<Record<string, readonly string[]>> = {
  NGN: ['₦', 'NGN', 'N'],
  USD: ['$', 'USD'],
  EUR: ['€', 'EUR'],
  GBP: ['£', 'GBP'],
  CAD: ['$', 'CAD'],
  AED: ['AED'],
};

/** Digits in groups of three with the same separator, or digits without separators. */
const GROUPED = /^(?:[0-9]{1,3}(?:([,\p{Zs}'’])[0-9]{3})(?:\1[0-9]{3})*|[0-9]+)$/u;
const MINUS = /^[-\u2212\u2013]/;

/**
 * Returns the number in the spelling of operations, such as `1560.50` for `₦1,560.50`, or the rule
 * it violates, as the end of "<field> must be …". The word `none` stays as it is.
 */
export function readTyped(kind: TypedKind, typed: string, currency = 'NGN'): Typed {
  const text = typed.trim();
  if (text.toLowerCase() === 'none') return { text: 'none' };
  const decimals = kind === 'rate' ? 6 : 2;
  const { minus, rest } = withoutSigns(text, unitsOf(kind, currency));
  const [whole = '', fraction, ...more] = rest.split('.');
  if (more.length > 0 || !/^[0-9]/.test(whole) || /[^0-9,.\p{Zs}'’]/u.test(rest)) {
    return { fault: 'a number such as 1,560.50' };
  }
  if (!GROUPED.test(whole)) {
    return { fault: 'a number with commas between thousands only, and a point before decimals: 1,560.50' };
  }
  if (fraction !== undefined && !/^[0-9]+$/.test(fraction)) return { fault: 'a number such as 1,560.50' };
  if (fraction !== undefined && fraction.length > decimals) {
    return { fault: `a number with at most ${decimals} decimals, such as 1,560.50` };
  }
  const digits = whole.replaceAll(/[^0-9]/g, '');
  // `0,500` could mean one half.
  if (/^0[0-9]/.test(digits)) return { fault: 'a number without zeros before it, such as 1,560.50' };
  return { text: `${minus}${digits}${fraction === undefined ? '' : `.${fraction}`}` };
}

/** Returns the kind of number that people type into a field, from its schema. */
export function typedKindOf(schema: object): TypedKind | undefined {
  return Reflect.get(schema, 'x-typed') as TypedKind | undefined;
}

/** A minus or a plus may be on either side of the currency's sign. */
function withoutSigns(text: string, units: readonly string[]): { minus: '' | '-'; rest: string } {
  let rest = text;
  let minus: '' | '-' = '';
  const takeSign = (): void => {
    if (MINUS.test(rest)) minus = '-';
    else if (!rest.startsWith('+')) return;
    rest = rest.slice(1).trimStart();
  };
  takeSign();
  const unit = units.find((one) => rest.toUpperCase().startsWith(one));
  if (unit !== undefined) {
    rest = rest.slice(unit.length).trimStart();
    if (rest.length < text.length && minus === '') takeSign();
    return { minus, rest };
  }
  const behind = units.find((one) => rest.toUpperCase().endsWith(one));
  return { minus, rest: behind === undefined ? rest : rest.slice(0, -behind.length).trimEnd() };
}

function unitsOf(kind: TypedKind, currency: string): readonly string[] {
  switch (kind) {
    case 'amount':
      return signs[currency] ?? [];
    case 'naira':
    case 'rate':
      return signs.NGN ?? [];
    case 'percent':
      return ['%'];
    case 'account_amount':
      return [];
  }
}
