/**
 * What callbacks say that there is news of. Anybody can send one, as often as they like. So those
 * that arrive while a look-up is in the database go together in the next one, on one connection,
 * and only of what is known and waits is more done.
 */
import type { Sql } from '../../db/database.ts';
import { limits } from '../../kernel/limits.ts';
import { findWaitingReferences, makeDueByReference, type ProviderReference } from './claim-store.ts';
import type { GroupCommit } from './group-commit.ts';
import { groupLookUps } from './group-look-ups.ts';

export class CallbackHints {
  readonly #group: GroupCommit<ProviderReference, string | undefined>;

  constructor(sql: Sql) {
    this.#group = groupLookUps(limits.callbacksWaiting, (hints) => makeDue(sql, hints));
  }

  /**
   * Makes the vend of the reference due at once. Gives its id; undefined where there is none that
   * waits. Throws GatewayError `purchases_full` when too many callbacks wait.
   */
  take(hint: ProviderReference): Promise<string | undefined> {
    return this.#group.submit(hint);
  }
}

/** One after the other: a batch takes one connection. */
async function makeDue(sql: Sql, hints: readonly ProviderReference[]): Promise<(string | undefined)[]> {
  const waiting = await findWaitingReferences(sql, hints);
  const vends: (string | undefined)[] = [];
  for (const [index, { provider, reference }] of hints.entries()) {
    vends.push(waiting.has(index) ? await makeDueByReference(sql, provider, reference) : undefined);
  }
  return vends;
}
