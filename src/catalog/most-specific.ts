/** Finds the setting for a network and kind, where `*` stands for every other one. Pure. */

/** Tries the network and kind, the network, the kind on every network, and then every network. */
export function mostSpecific<Found>(
  { network, kind }: { readonly network: string; readonly kind: string },
  find: (network: string, kind: string) => Found | undefined,
): Found | undefined {
  return find(network, kind) ?? find(network, '*') ?? find('*', kind) ?? find('*', '*');
}
