/**
 * The time of which a list has every order. A provider that is asked tells all of the time that it
 * is asked for. A file says no more than its orders do: from the first to the last. What goes
 * beyond, and that a file without an order is whole, is for a person to say.
 */
import type { Gathered } from './gather-found.ts';
import type { Period } from './reconciled-provider-store.ts';

/** What a person says that every file has. */
export type FilesHold = { readonly from?: Date | undefined; readonly until?: Date | undefined };

/** Undefined where it proves nothing. */
export function listedTime(
  source: 'asked' | 'file',
  { first, last }: Pick<Gathered, 'first' | 'last'>,
  asked: Period,
  said: FilesHold,
): Period | undefined {
  if (source === 'asked') return asked;
  if (said.from !== undefined && said.until !== undefined) return { from: said.from, until: said.until };
  if (first === undefined || last === undefined) return undefined;
  const from = said.from !== undefined && said.from < first ? said.from : first;
  const until = said.until !== undefined && said.until > last ? said.until : last;
  // An order of a time that is still to come has a wrong time, and proves nothing of that time.
  const end = new Date(Math.min(until.getTime(), asked.until.getTime()));
  return from > end ? undefined : { from, until: end };
}

export function isWholeOf(listed: Period | undefined, lost: Period): boolean {
  return listed !== undefined && listed.from <= lost.from && listed.until >= lost.until;
}
