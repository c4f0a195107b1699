/**
 * Looks up references before a bill's customer is verified. References that arrive while a lookup
 * is running go together in the next one. Accept has the final say, so this takes no lock.
 */

import { limits } from '../../core/limits.ts';
import { tellUnavailable } from '../../db/answer-soon.ts';
import type { Sql } from '../../db/database.ts';
import { isConnectionLost, isUnavailable } from '../../db/database-errors.ts';
import { type FirstUse, findFirstUses, type ReferenceKey } from '../history/purchase-store.ts';
import { GroupCommit } from './group-commit.ts';

export class IdempotencyLookup {
  readonly #group: GroupCommit<ReferenceKey, FirstUse | undefined>;

  constructor(sql: Sql) {
    this.#group = new GroupCommit({
      batchMax: limits.batchMax,
      inFlightMax: limits.batchesInFlightMax,
      besideMin: limits.batchBesideMin,
      besideAfterMs: limits.batchBesideAfterMs,
      queueMax: limits.acceptQueueMax,
      run: (keys) => findFirstUses(sql, keys),
      isShared: (error) => isUnavailable(error) || isConnectionLost(error),
    });
  }

  /**
   * Returns the purchase that has the reference, or undefined if it is free. Throws GatewayError:
   * `purchases_full` when too many wait, `database_away` if it cannot be read.
   */
  find(key: ReferenceKey): Promise<FirstUse | undefined> {
    return this.#group.submit(key).catch(tellUnavailable);
  }
}
