/**
 * The low watermarks of the queue: a lane has no due purchase before its watermark. Rows that were
 * claimed stay dead in the index while any transaction holds a snapshot, and each claim would read
 * all of them again. So claims begin at the watermark, which follows the first due row. Guarantees:
 * no purchase is missed for long. A purchase may become visible below the watermark, when it was
 * stored late or the database's clock was set back. The next full scan finds it and moves the
 * watermark back. Claims need no watermark: without one they only take longer.
 */

import { FullLooks } from '../../core/low-watermark.ts';
import type { Sql } from '../../db/database.ts';
import { findOldestDue, type Step } from './claim-store.ts';

const FULL_LOOK_EVERY_MS = 5_000;
/** Longer than the time from when a purchase is due to its commit. */
const SLACK_MS = 5_000;

export class QueueWatermarks {
  readonly #sql: Sql;
  readonly #providers: readonly string[];
  readonly #looks = new FullLooks(FULL_LOOK_EVERY_MS);
  readonly #bounds = new Map<string, Date>();

  constructor(sql: Sql, providers: readonly string[]) {
    this.#sql = sql;
    this.#providers = providers;
  }

  /** Undefined: a claim reads everything. */
  dueFrom(provider: string, step: Step): Date | undefined {
    return this.#bounds.get(keyOf(provider, step));
  }

  /** Moves the watermarks. */
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
