// The transaction products and their canonical spellings, which are those of the interface: two in lower case, three in upper.

const products = ['airtime', 'data', 'ELECTRICITY', 'CABLE', 'BETTING'] as const;

export type Product = (typeof products)[number];

/** The products that are paid to a biller for a customer of his, who is verified first. */
export const billProducts = ['ELECTRICITY', 'CABLE', 'BETTING'] as const satisfies readonly Product[];

export type BillProduct = (typeof billProducts)[number];

/** The products that are ordered by plan and delivered as codes. They are no transactions of the interface, but vends like those. */
export const orderProducts = ['GIFTCARD', 'ESIM'] as const;

export type OrderProduct = (typeof orderProducts)[number];

/** Whatever can be vended, enabled for a merchant and routed. */
export type VendProduct = Product | OrderProduct;

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

/** Whether `product`, in its canonical spelling, is ordered by plan. */
export function isOrderProduct(product: string): product is OrderProduct {
  return orderProducts.some((order) => order === product);
}

/** As `parseProduct`, over every product there is. */
export function parseVendProduct(text: string): VendProduct | undefined {
  return parseProduct(text) ?? orderProducts.find((order) => order === text.toUpperCase());
}
