/** Walks over the audit log in short transactions: its chain, and its entries by their ids. */
import {
  type ChainSlice,
  entrySlice,
  findEntryBound,
  findLinkBound,
  linkSlice,
} from '../audit-log/audit-chain-store.ts';
import type { Sql } from '../db/database.ts';
import { checksOver } from './audit-checks.ts';
import type { Findings } from './findings.ts';
import { type Shortly, SliceSize } from './walk-slices.ts';

const BEFORE_LINKS = 0n;
const BEFORE_ENTRIES = -9_223_372_036_854_775_808n;

/** Runs the checks of the audit log. */
export async function auditAuditLog(
  shortly: Shortly,
  rowsPerSlice: number | undefined,
  findings: Findings,
): Promise<void> {
  const walk = async (
    over: 'audit links' | 'audit entries',
    start: bigint,
    findBound: (sql: Sql, above: bigint, rows: number) => Promise<bigint | undefined>,
    sliceOf: (above: bigint, upTo: bigint | undefined) => ChainSlice,
  ): Promise<void> => {
    const size = new SliceSize(rowsPerSlice, 4_000, 1_000, 100_000);
    for (let above: bigint | undefined = start; above !== undefined; ) {
      const from: bigint = above;
      above = await size.measure(() =>
        shortly(async (tx) => {
          const upTo = await findBound(tx, from, size.rows);
          await findings.run(tx, checksOver(over), sliceOf(from, upTo));
          return upTo;
        }),
      );
    }
  };
  await walk('audit links', BEFORE_LINKS, findLinkBound, linkSlice);
  await walk('audit entries', BEFORE_ENTRIES, findEntryBound, entrySlice);
}
