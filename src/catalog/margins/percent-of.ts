/** Returns a part of a whole in percent with one decimal, rounded toward zero. Null of zero. */
export function percentOf(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number((1_000n * part) / whole) / 10;
}
