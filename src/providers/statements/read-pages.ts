/**
 * Reads a list of a period page by page to its end. When the end cannot be reached, the reader
 * throws, and the lines until then must not count.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LinesPage, Period, StatementLine } from './statement-line.ts';

export class ListUnavailableError extends Error {
  /** The provider or bank whose list it is. */
  readonly party: string;
  readonly reason: string;

  constructor(party: string, reason: string) {
    super(`the list of ${party} cannot be read: ${reason}`);
    this.name = 'ListUnavailableError';
    this.party = party;
    this.reason = reason;
  }
}

/** Requests one page. */
type RequestPage = (
  period: Period,
  page: string | undefined,
  options?: { readonly signal?: AbortSignal },
) => Promise<LinesPage>;

export type ReadOptions = {
  readonly signal?: AbortSignal;
  /** The waits before an unreadable page is requested again. Default: one second, then four. */
  readonly waitsMs?: readonly number[];
};

const PAGES_MAX = 1_000_000;
const WAITS_MS: readonly number[] = [1_000, 4_000];

/**
 * Reads the lines of the period in any order; a line may come twice. Its `line` counts the lines so
 * far. Throws ListUnavailableError.
 */
export async function* readLinePages(
  party: string,
  request: RequestPage | undefined,
  period: Period,
  options: ReadOptions = {},
): AsyncGenerator<StatementLine, undefined> {
  if (request === undefined) throw new ListUnavailableError(party, 'the list does not exist');
  let page: string | undefined;
  let before = '';
  let place = 0;
  for (let number = 0; number < PAGES_MAX; number += 1) {
    const { lines, next } = await readPage(party, request, period, page, options);
    for (const line of lines) {
      if (line.at < period.from || line.at >= period.to) continue;
      place += 1;
      yield { ...line, line: place, page: number };
    }
    if (next === undefined) return;
    const marks = lines.map(({ providerId }) => providerId ?? '').join(' ');
    if (next === page || (marks.trim() !== '' && marks === before)) {
      throw new ListUnavailableError(party, 'it repeats a page');
    }
    before = marks;
    page = next;
  }
  throw new ListUnavailableError(party, `it did not end within ${PAGES_MAX} pages`);
}

async function readPage(
  party: string,
  request: RequestPage,
  period: Period,
  page: string | undefined,
  { signal, waitsMs = WAITS_MS }: ReadOptions,
): Promise<Extract<LinesPage, { kind: 'page' }>> {
  for (let tries = 0; ; tries += 1) {
    const read = await request(period, page, signal && { signal });
    if (read.kind === 'page') return read;
    const waitMs = waitsMs[tries];
    if (waitMs === undefined) throw new ListUnavailableError(party, read.reason);
    await sleep(waitMs, undefined, signal && { signal });
  }
}
