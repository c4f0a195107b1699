/**
 * Reads a provider's own list of a period to its end, page by page. A list that cannot be read to
 * its end is no list: it throws, and what was given until then must not count.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Period, StatementLine } from '../statements/statement-line.ts';
import type { Provider } from './provider.ts';

export class ListUnavailableError extends Error {
  readonly provider: string;

  constructor(provider: string, reason: string) {
    super(`the list of ${provider} cannot be read: ${reason}`);
    this.name = 'ListUnavailableError';
    this.provider = provider;
  }
}

type Lister = Pick<Provider, 'name' | 'listOrders'>;

type ReadOptions = {
  readonly signal?: AbortSignal;
  /** Before a page that could not be read is asked for again. Default: a second, then four. */
  readonly waitsMs?: readonly number[];
};

const PAGES_MAX = 1_000_000;
const WAITS_MS: readonly number[] = [1_000, 4_000];

/**
 * The lines of the period; a line may come twice, in any order, and its `line` is its place among
 * those that were given. Throws ListUnavailableError.
 */
export async function* readList(
  provider: Lister,
  period: Period,
  options: ReadOptions = {},
): AsyncGenerator<StatementLine, undefined> {
  let page: string | undefined;
  let place = 0;
  for (let number = 0; number < PAGES_MAX; number += 1) {
    const { lines, next } = await readPage(provider, period, page, options);
    for (const line of lines) {
      if (line.at < period.from || line.at >= period.to) continue;
      place += 1;
      yield { ...line, line: place };
    }
    if (next === undefined) return;
    if (next === page) throw new ListUnavailableError(provider.name, 'a page leads to itself');
    page = next;
  }
  throw new ListUnavailableError(provider.name, `it did not end within ${PAGES_MAX} pages`);
}

async function readPage(
  provider: Lister,
  period: Period,
  page: string | undefined,
  { signal, waitsMs = WAITS_MS }: ReadOptions,
): Promise<{ readonly lines: readonly StatementLine[]; readonly next: string | undefined }> {
  const ask = provider.listOrders;
  if (ask === undefined) throw new ListUnavailableError(provider.name, 'it has none');
  for (let tries = 0; ; tries += 1) {
    const read = await ask(period, page, signal && { signal });
    if (read.kind === 'page') return read;
    const waitMs = waitsMs[tries];
    if (waitMs === undefined) throw new ListUnavailableError(provider.name, read.reason);
    await sleep(waitMs, undefined, signal && { signal });
  }
}
