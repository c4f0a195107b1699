/**
 * Gives the application the registry of operations and that of products as data:
 * `virtual:operations`, from which forms are made, and `virtual:products`. They are read when the
 * application is built, so that nothing of the server is in the bundle.
 */
import type { DescribedOperation } from './src/api/described-operation.ts';
import type { DescribedProduct } from './src/api/products.ts';

const modules: Readonly<Record<string, () => Promise<string>>> = {
  'virtual:operations': async () => `export const operations = ${JSON.stringify(await operations())};`,
  'virtual:products': async () => `export const products = ${JSON.stringify(await products())};`,
};

export function described() {
  return {
    name: 'oja-described',
    resolveId: (id: string) => (Object.hasOwn(modules, id) ? `\0${id}` : undefined),
    load: async (id: string) => await modules[id.replace('\0', '')]?.(),
  };
}

async function operations(): Promise<DescribedOperation[]> {
  const { operations } = await import('../src/backoffice/operations/registry.ts');
  const { mayWait } = await import('../src/core/operation.ts');
  return operations.map((operation) => ({
    name: operation.name,
    kind: operation.kind,
    summary: operation.summary,
    roles: operation.roles,
    document: operation.document,
    input: JSON.parse(JSON.stringify(operation.input)) as DescribedOperation['input'],
    movesMoney: operation.movesMoney ?? false,
    showsSecret: operation.showsSecret ?? false,
    confirm: typeof operation.confirm === 'string' ? operation.confirm : operation.confirm !== undefined,
    notAtPortal: ['merchant', ...(operation.portal?.without ?? [])],
    needsApproval: mayWait(operation),
  }));
}

async function products(): Promise<DescribedProduct[]> {
  const { productRecords } = await import('../src/core/products/registry.ts');
  return productRecords.map((record) => ({
    name: record.name,
    kind: record.kind,
    hasPlans: record.plans !== 'none',
    numberLabel: record.kind === 'bill' ? record.customer.numberLabel : 'Mobile number',
  }));
}
