/**
 * Gives the application the registry of operations as data: `virtual:operations`. Forms are made
 * from it. It is read when the application is built, so that nothing of the server is in the
 * bundle.
 */
import type { DescribedOperation } from './src/api/described-operation.ts';

const ID = 'virtual:operations';

export function describedOperations() {
  return {
    name: 'oja-operations',
    resolveId: (id: string) => (id === ID ? `\0${ID}` : undefined),
    load: async (id: string) => {
      if (id !== `\0${ID}`) return undefined;
      return `export const operations = ${JSON.stringify(await describe())};`;
    },
  };
}

async function describe(): Promise<DescribedOperation[]> {
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
