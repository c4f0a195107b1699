/** The bouquet of a smartcard and the amount it owes: always the same for the same card. Pure. */
import type { Service, Variation } from './catalog.ts';

const NONE: Variation = { code: '', name: '', price: 0n };

/** A card that ends in 7 still has its old price, a tenth less. */
export function presentBouquet(
  { variations }: Service,
  smartcard: string,
): { readonly bouquet: Variation; readonly due: bigint } {
  const bouquets = [...variations.values()];
  const bouquet = bouquets[Number(smartcard.slice(-2)) % bouquets.length] ?? NONE;
  const isLocked = smartcard.endsWith('7');
  return { bouquet, due: isLocked ? (bouquet.price * 9n) / 10n : bouquet.price };
}
