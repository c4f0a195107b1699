/** Amounts as the providers write them (naira) and as the books count them (kobo). */

/**
 * Reads naira, a number or text with at most two decimals, as kobo; undefined for anything else,
 * also below zero.
 */
export function parseNaira(value: unknown): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(String(value));
  if (match?.[1] === undefined) return undefined;
  return BigInt(match[1]) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
}

/** `"100.00"` */
export function nairaText(kobo: bigint): string {
  const sign = kobo < 0n ? '-' : '';
  const digits = (kobo < 0n ? -kobo : kobo).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A JSON number, as providers put money into replies. */
export function nairaNumber(kobo: bigint): number {
  return Number(nairaText(kobo));
}
