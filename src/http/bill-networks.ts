// The networks of bill payments in the spellings of the interface ("Transaction create request"). Found in any letter
// case, answered in the canonical one.
import type { Product } from '../products/product.ts';

export type BillProduct = Exclude<Product, 'airtime' | 'data'>;

const billNetworks: Readonly<Record<BillProduct, readonly string[]>> = {
  ELECTRICITY: [
    'Ikeja Electric',
    'EKEDC',
    'AEDC',
    'IBEDC',
    'EEDC',
    'KEDCO',
    'JED',
    'PHED',
    'BEDC',
    'ABEDC',
    'KAEDCO',
    'YEDC',
    'ABA',
  ],
  CABLE: ['DSTV', 'GOTV', 'STARTIMES'],
  BETTING: ['BET9JA', 'SPORTYBET', '1XBET', 'BETKING', 'BETWAY', 'NAIRABET', 'MERRYBET', 'BANGBET'],
};

const bySpelling: ReadonlyMap<string, { readonly product: BillProduct; readonly network: string }> = new Map(
  (['ELECTRICITY', 'CABLE', 'BETTING'] as const).flatMap((product) =>
    billNetworks[product].map((network) => [network.toLowerCase(), { product, network }] as const),
  ),
);

/** The canonical name of the network that `text` names, of `product` where one is given, or undefined. */
export function parseBillNetwork(text: string, product?: BillProduct): string | undefined {
  const found = bySpelling.get(text.toLowerCase());
  return product === undefined || found?.product === product ? found?.network : undefined;
}
