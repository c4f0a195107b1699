/**
 * Look-ups that go together: those that arrive while one is in the database go with the next one,
 * as purchases do in a group commit.
 */
import { isConnectionLost, isUnavailable } from '../../db/database-errors.ts';
import { limits } from '../../kernel/limits.ts';
import { GroupCommit } from './group-commit.ts';

/** `queueMax` may wait; one more is refused with `purchases_full`. */
export function groupLookUps<Key, Found>(
  queueMax: number,
  run: (keys: readonly Key[]) => Promise<readonly Found[]>,
): GroupCommit<Key, Found> {
  return new GroupCommit({
    batchMax: limits.batchMax,
    inFlightMax: limits.batchesInFlightMax,
    besideMin: limits.batchBesideMin,
    besideAfterMs: limits.batchBesideAfterMs,
    queueMax,
    run,
    isShared: (error) => isUnavailable(error) || isConnectionLost(error),
  });
}
