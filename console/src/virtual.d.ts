/** Modules that the build provides besides TypeScript files. */
declare module 'virtual:operations' {
  export const operations: readonly import('./api/described-operation.ts').DescribedOperation[];
}

declare module 'virtual:products' {
  export const products: readonly import('./api/products.ts').DescribedProduct[];
}

/** The address of the documents of this version, which `vite.config.ts` sets. */
declare const __OJA_DOCUMENTS__: string;

declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  // biome-ignore lint/style/noDefaultExport: a style sheet is its module's default.
  export default classes;
}

declare module '*.css';
