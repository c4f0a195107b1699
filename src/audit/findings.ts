/** Collects the differences that the checks of an audit find: all are counted, a few are kept. */
import type { Row, Tx } from '../db/database.ts';
import { allChecks } from './audit-checks.ts';
import type { Slice } from './audit-slice-store.ts';
import { type AuditCheck, findDifferences } from './audit-store.ts';

const DIFFERENCES_LISTED_MAX = 50;

export type AuditResult = {
  readonly name: string;
  /** What must be true. */
  readonly description: string;
  readonly ok: boolean;
  /** The first 50. Each check has its own columns. */
  readonly differences: readonly Row[];
  /** The number of all differences. */
  readonly count: number;
};

export class Findings {
  readonly #found = new Map<string, { count: number; listed: Row[] }>();

  /** Runs checks on a slice. */
  async run(tx: Tx, checks: readonly AuditCheck[], seen?: Slice): Promise<void> {
    for (const check of checks) {
      const { count, listed } = await findDifferences(tx, check, DIFFERENCES_LISTED_MAX, seen);
      const found = this.#found.get(check.name) ?? { count: 0, listed: [] };
      found.count += count;
      found.listed.push(...listed.slice(0, DIFFERENCES_LISTED_MAX - found.listed.length));
      this.#found.set(check.name, found);
    }
  }

  results(): AuditResult[] {
    return allChecks.map(({ name, description }) => {
      const { count, listed } = this.#found.get(name) ?? { count: 0, listed: [] };
      return { name, description, ok: count === 0, differences: listed, count };
    });
  }
}
