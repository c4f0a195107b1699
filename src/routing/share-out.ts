/**
 * Chooses among the providers of a route by their shares. The purchase's own reference decides, so
 * that a purchase that is sent again goes to the same provider as before. Pure.
 */
import type { Shares } from './routes.ts';

/** The one whose turn it is first, then the others in the order of the route. */
export function shareOut(providers: readonly string[], shares: Shares, purchase: string): readonly string[] {
  const chosen = chooseByShare(providers, shares, purchase);
  return chosen === undefined ? providers : [chosen, ...providers.filter((name) => name !== chosen)];
}

/** Undefined where none of them has a share. */
function chooseByShare(providers: readonly string[], shares: Shares, purchase: string): string | undefined {
  let total = 0;
  for (const name of providers) total += shares.get(name) ?? 0;
  if (total === 0) return undefined;
  let left = hash(purchase) % total;
  return providers.find((name) => {
    left -= shares.get(name) ?? 0;
    return left < 0;
  });
}

/**
 * 32 bits in which texts that differ little differ much: FNV-1a, mixed once more as MurmurHash3
 * ends. References often differ in their last digit alone.
 */
function hash(text: string): number {
  let mixed = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) {
    mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
