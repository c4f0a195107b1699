// The transaction products and their canonical spellings, which are those of the interface: two in lower case, three in upper.

const products = ['airtime', 'data', 'ELECTRICITY', 'CABLE', 'BETTING'] as const;

export type Product = (typeof products)[number];

/** The products that are paid to a biller for a customer of his, who is verified first. */
export const billProducts = ['ELECTRICITY', 'CABLE', 'BETTING'] as const satisfies readonly Product[];

export type BillProduct = (typeof billProducts)[number];

const bySpelling: ReadonlyMap<string, Product> = new Map(
  products.map((product) => [product.toLowerCase(), product]),
);

/** The product that `text` names in any letter case, or undefined. */
export function parseProduct(text: string): Product | undefined {
  return bySpelling.get(text.toLowerCase());
}

/** Whether `product`, in its canonical spelling, is a bill. */
export function isBillProduct(product: string): product is BillProduct {
  return billProducts.some((bill) => bill === product);
}
