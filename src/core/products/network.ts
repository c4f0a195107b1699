/**
 * The mobile networks of airtime and data. The merchant names the network. Numbers are portable, so
 * a number's prefix never decides the network or contradicts it.
 */

/** In the order in which the interface numbers them, as in its rules for old plan codes. */
export const mobileNetworks = ['MTN', 'GLO', 'AIRTEL', '9MOBILE'] as const;

/** A mobile network in its canonical spelling. */
export type MobileNetwork = (typeof mobileNetworks)[number];

const bySpelling: ReadonlyMap<string, MobileNetwork> = new Map<string, MobileNetwork>([
  ...mobileNetworks.map((network): [string, MobileNetwork] => [network.toLowerCase(), network]),
  // 9mobile was Etisalat Nigeria until 2017 and has traded as T2 since August 2025.
  ['etisalat', '9MOBILE'],
  ['t2', '9MOBILE'],
]);

/** Every name that `parseMobileNetwork` knows, in lower case. */
export const mobileNetworkSpellings: readonly string[] = [...bySpelling.keys()];

/**
 * The mobile network that `text` names, by its name or a former or newer one, in any letter case,
 * or undefined.
 */
export function parseMobileNetwork(text: string): MobileNetwork | undefined {
  return bySpelling.get(text.toLowerCase());
}
