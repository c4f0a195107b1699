/**
 * Reads the orders that a provider lists of a period (`src/providers/statements/read-pages.ts`).
 */

import type { Provider } from './provider.ts';
import { type ReadOptions, readLinePages } from './statements/read-pages.ts';
import type { Period, StatementLine } from './statements/statement-line.ts';

/** Throws ListUnavailableError; what was given until then must not count. */
export function readList(
  provider: Pick<Provider, 'name' | 'listOrders'>,
  period: Period,
  options?: ReadOptions,
): AsyncGenerator<StatementLine, undefined> {
  return readLinePages(provider.name, provider.listOrders, period, options);
}
