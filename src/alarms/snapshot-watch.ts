/**
 * How long the oldest snapshot of the database is held. While one is held, no dead row can be swept
 * away: tables grow, and whatever walks over them takes longer. A background job looks, metrics
 * show it, and an alarm is raised once for a snapshot that is held for too long.
 */
import type { Sql } from '../db/database.ts';
import { listSnapshotHolders, raiseOldSnapshot, type SnapshotHolder } from './snapshot-store.ts';

/** Longer than a backup of a large database should take on the primary. */
const TOO_LONG_S = 900;

export type SnapshotWatch = {
  look(): Promise<void>;
  /** As they were last seen: the oldest of each kind. */
  oldest(): readonly { readonly kind: SnapshotHolder['kind']; readonly heldS: number }[];
};

const kinds = ['session', 'prepared', 'slot'] as const;

export function createSnapshotWatch(
  sql: Sql,
  nowMs: () => number = () => performance.now(),
  tooLongS: number = TOO_LONG_S,
): SnapshotWatch {
  /** Since when a holder has been seen with the same xmin, where the database does not know. */
  let seen = new Map<string, number>();
  let oldest = kinds.map((kind) => ({ kind, heldS: 0 }));
  return {
    async look() {
      const now = nowMs();
      const next = new Map<string, number>();
      const held = (await listSnapshotHolders(sql)).map((holder) => {
        const key = `${holder.kind}/${holder.name}/${holder.xmin}`;
        const since = seen.get(key) ?? now;
        next.set(key, since);
        return { ...holder, heldS: holder.heldS ?? (now - since) / 1_000 };
      });
      seen = next;
      oldest = kinds.map((kind) => ({
        kind,
        heldS: Math.max(0, ...held.filter((holder) => holder.kind === kind).map(({ heldS }) => heldS)),
      }));
      const [first] = held.sort((one, other) => other.heldS - one.heldS);
      if (first !== undefined && first.heldS > tooLongS) {
        const minutes = Math.floor(first.heldS / 60);
        await raiseOldSnapshot(
          sql,
          first.heldS,
          `${first.kind} ${first.name} has held a snapshot for ${minutes} min: dead rows cannot be swept away`,
        );
      }
    },
    oldest: () => oldest,
  };
}
