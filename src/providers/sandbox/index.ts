/** The sandbox. It serves test credentials only, has no settings and makes no calls. */
import { productNames } from '../../core/products/product.ts';
import { defineProvider } from '../provider-definition.ts';
import type { SandboxSettings } from './connector.ts';

const NOT_FOUND_GRACE_MAX_MS = 15_000;

export const sandbox = defineProvider<SandboxSettings>({
  name: 'sandbox',
  products: productNames,
  environment: 'test',
  sellsWithoutCodes: productNames,
  readSettings: (_read, { notFoundGraceMs }) => ({
    notFoundGraceMs: Math.min(notFoundGraceMs, NOT_FOUND_GRACE_MAX_MS),
  }),
  connect: async (settings) => (await import('./connector.ts')).createSandbox(settings),
});
