/**
 * Before which moment nothing of a lane waits. What was taken from the queue lies dead in its index
 * while anybody holds a snapshot, and each claim would walk over all of it again. So claims begin
 * at this bound, which follows what is due first.
 *
 * Guarantees: nothing is missed for long. A purchase may become visible under the bound, when it
 * was stored late or the database's clock was set back. The next full look finds it and takes the
 * bound back to it. Claims need no bound: without one they only take longer.
 */

import { FullLooks } from '../../core/low-watermark.ts';
import type { Sql } from '../../db/database.ts';
import { findOldestDue, type Step } from './claim-store.ts';

const FULL_LOOK_EVERY_MS = 5_000;
/** Longer than a purchase takes from the moment it is due to its commit. */
const SLACK_MS = 5_000;

export class QueueBounds {
  readonly #sql: Sql;
  readonly #providers: readonly string[];
  readonly #looks = new FullLooks(FULL_LOOK_EVERY_MS);
  readonly #bounds = new Map<string, Date>();

  constructor(sql: Sql, providers: readonly string[]) {
    this.#sql = sql;
    this.#providers = providers;
  }

  /** Undefined: a claim looks at all. */
  dueFrom(provider: string, step: Step): Date | undefined {
    return this.#bounds.get(keyOf(provider, step));
  }

  /** Moves the bounds along. */
  async move(): Promise<void> {
    const lanes = this.#providers.flatMap((provider) =>
      (['send', 'query'] as const).map((step) => ({ provider, step })),
    );
    const oldest = await this.#looks.look((full) =>
      findOldestDue(
        this.#sql,
        lanes.map((lane) => ({
          ...lane,
          dueFrom: full ? undefined : this.dueFrom(lane.provider, lane.step),
        })),
      ),
    );
    for (const { provider, step, due_at } of oldest) {
      this.#bounds.set(keyOf(provider, step), new Date(due_at.getTime() - SLACK_MS));
    }
  }
}

function keyOf(provider: string, step: Step): string {
  return `${provider}/${step}`;
}
