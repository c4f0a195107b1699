/** Modules that the build provides besides TypeScript files. */
declare module 'virtual:operations' {
  export const operations: readonly import('./api/described-operation.ts').DescribedOperation[];
}

declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  // biome-ignore lint/style/noDefaultExport: a style sheet is its module's default.
  export default classes;
}

declare module '*.css';
