/**
 * Reads a list of a period to its end, page by page. A list that cannot be read to its end is no
 * list: it throws, and what was given until then must not count.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LinesPage, Period, StatementLine } from './statement-line.ts';

export class ListUnavailableError extends Error {
  /** Whose list it is. */
  readonly party: string;
  readonly reason: string;

  constructor(party: string, reason: string) {
    super(`the list of ${party} cannot be read: ${reason}`);
    this.name = 'ListUnavailableError';
    this.party = party;
    this.reason = reason;
  }
}

/** Asks for one page. */
type AskPage = (
  period: Period,
  page: string | undefined,
  options?: { readonly signal?: AbortSignal },
) => Promise<LinesPage>;

export type ReadOptions = {
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
export async function* readLinePages(
  party: string,
  ask: AskPage | undefined,
  period: Period,
  options: ReadOptions = {},
): AsyncGenerator<StatementLine, undefined> {
  if (ask === undefined) throw new ListUnavailableError(party, 'it has none');
  let page: string | undefined;
  let before = '';
  let place = 0;
  for (let number = 0; number < PAGES_MAX; number += 1) {
    const { lines, next } = await readPage(party, ask, period, page, options);
    for (const line of lines) {
      if (line.at < period.from || line.at >= period.to) continue;
      place += 1;
      yield { ...line, line: place, page: number };
    }
    if (next === undefined) return;
    const marks = lines.map(({ providerId }) => providerId ?? '').join(' ');
    if (next === page || (marks.trim() !== '' && marks === before)) {
      throw new ListUnavailableError(party, 'it gives the same page again');
    }
    before = marks;
    page = next;
  }
  throw new ListUnavailableError(party, `it did not end within ${PAGES_MAX} pages`);
}

async function readPage(
  party: string,
  ask: AskPage,
  period: Period,
  page: string | undefined,
  { signal, waitsMs = WAITS_MS }: ReadOptions,
): Promise<Extract<LinesPage, { kind: 'page' }>> {
  for (let tries = 0; ; tries += 1) {
    const read = await ask(period, page, signal && { signal });
    if (read.kind === 'page') return read;
    const waitMs = waitsMs[tries];
    if (waitMs === undefined) throw new ListUnavailableError(party, read.reason);
    await sleep(waitMs, undefined, signal && { signal });
  }
}
