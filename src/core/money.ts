/**
 * Money: amounts as `bigint` counts of the minor unit (kobo, cents). All conversion between amounts
 * and decimal text is here. Guarantees: no floating point; text that is not exactly an amount is
 * refused, never repaired; every division states its rounding.
 */

/** ISO 4217 codes; each has two decimals. */
export const currencies = ['NGN', 'USD', 'EUR', 'GBP', 'CAD', 'AED'] as const;

/** ISO 4217 codes of the currencies a wallet or a catalog price can have. Each has two decimals. */
export type Currency = (typeof currencies)[number];

/** An amount in minor units of its currency. */
export type Money = { readonly amount: bigint; readonly currency: Currency };

const MINOR_UNITS = 100n;
/** 100 %. */
export const BASIS_POINTS_WHOLE = 10_000n;

// Ten integer digits allow just under ten billion naira: far above any purchase. The sum of a
// million such purchases is still only about a tenth of the maximum of PostgreSQL's bigint.
const AMOUNT = /^(0|[1-9][0-9]{0,9})(?:\.([0-9]{1,2}))?$/;
const FORMATTED = /^(-?)([0-9]+)\.([0-9]{2})$/;

export function isCurrency(code: unknown): code is Currency {
  return currencies.some((currency) => currency === code);
}

/**
 * Reads an amount of the API: digits with at most two decimals, above zero, as in `1500`, `1500.5`
 * and `0.01`. Returns minor units, or undefined for anything else: a sign, an exponent, a
 * separator, white space, a leading zero, a bare point, more than ten integer digits, zero.
 */
export function parseAmount(text: string): bigint | undefined {
  const match = AMOUNT.exec(text);
  if (match?.[1] === undefined) return undefined;
  const minor = minorUnitsOf(match[1], match[2]);
  return minor > 0n ? minor : undefined;
}

/**
 * Returns the minor units of the digits before and after the decimal sign, for readers of foreign
 * formats. More than two decimals are rounded half up.
 */
export function minorUnitsOf(whole: string, fraction = ''): bigint {
  const decimals = fraction.padEnd(3, '0');
  const roundedUp = decimals.charAt(2) >= '5' ? 1n : 0n;
  return BigInt(whole) * MINOR_UNITS + BigInt(decimals.slice(0, 2)) + roundedUp;
}

/** Reads an amount with an optional sign: `-5.50`, `+5`, `5`. Zero is undefined. */
export function parseSignedAmount(text: string): bigint | undefined {
  const magnitude = parseAmount(text.replace(/^[+-]/, ''));
  return magnitude !== undefined && text.startsWith('-') ? -magnitude : magnitude;
}

/** Writes minor units with exactly two decimals: `150000n` as `1500.00`, `-5n` as `-0.05`. */
export function formatAmount(minor: bigint): string {
  const magnitude = minor < 0n ? -minor : minor;
  const decimals = (magnitude % MINOR_UNITS).toString().padStart(2, '0');
  return `${minor < 0n ? '-' : ''}${magnitude / MINOR_UNITS}.${decimals}`;
}

/** Reads the output of `formatAmount`, including zero. Undefined for anything else. */
export function parseFormatted(text: string): bigint | undefined {
  const [, sign, whole, fraction] = FORMATTED.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const magnitude = minorUnitsOf(whole, fraction);
  return sign === '-' ? -magnitude : magnitude;
}

/** Reads the output of `formatAmount`. Throws for anything else. */
export function requireFormatted(text: string): bigint {
  const amount = parseFormatted(text);
  if (amount === undefined) throw new Error(`"${text}" is not a formatted amount`);
  return amount;
}

/**
 * Returns what a wallet pays for `faceValue` (minor units) under a discount of `basisPoints` (an
 * integer, 0 to 10,000 = 100 %). The discount is rounded down to the minor unit, so a fraction of a
 * kobo always stays with the gateway.
 */
export function applyDiscount(faceValue: bigint, basisPoints: number): bigint {
  if (faceValue < 0n) throw new RangeError(`face value ${faceValue} is negative`);
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > Number(BASIS_POINTS_WHOLE)) {
    throw new RangeError(`discount of ${basisPoints} basis points is outside 0 to ${BASIS_POINTS_WHOLE}`);
  }
  // bigint division truncates, which for these non-negative operands is rounding down.
  const discountRoundedDown = (faceValue * BigInt(basisPoints)) / BASIS_POINTS_WHOLE;
  return faceValue - discountRoundedDown;
}

/** Reads a percentage from 0 to 100 with at most two decimals, as basis points. */
export function parsePercent(text: string): number | undefined {
  const basisPoints = /^0+(?:\.0{1,2})?$/.test(text) ? 0 : Number(parseAmount(text) ?? -1n);
  return basisPoints >= 0 && basisPoints <= Number(BASIS_POINTS_WHOLE) ? basisPoints : undefined;
}

/** Writes basis points as people type a percentage: `2.5` for 250. */
export function percentText(basisPoints: number): string {
  return String(basisPoints / 100);
}

/** `0.50 %` for 50 basis points. */
export function formatPercent(basisPoints: number): string {
  return `${(basisPoints / 100).toFixed(2)} %`;
}
