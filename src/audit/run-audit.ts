/**
 * Runs an audit and stores that it ran, so that the next may go on from it.
 *
 * Guarantees: an audit goes on from one that was clean, of the same checks and the same database,
 * and after which none found anything; else it is the whole one, and says why. One that is killed
 * stores nothing.
 */
import type { Queries } from '../db/database.ts';
import { isStandby } from '../db/is-standby.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { checksVersion } from './audit-checks.ts';
import {
  type AuditMark,
  findLastClean,
  insertRun,
  type LastClean,
  type RunKind,
  readStart,
} from './audit-run-store.ts';
import { auditSince } from './audit-since.ts';
import { type Audited, auditVends } from './audit-vends.ts';
import type { AuditResult } from './findings.ts';

/**
 * Why all was audited although only the new was asked for. `none`: nothing was audited before, or
 * not without differences. `red`: an audit since has found some. `version`: the checks are others
 * now. `database`: this is a copy. `far`: too many transactions ago. `clock`: the clock went back.
 * `forgotten`: personal data went from what it saw. `much`: too much is new.
 */
export const wholeReasons = [
  'none',
  'red',
  'version',
  'database',
  'far',
  'clock',
  'forgotten',
  'much',
] as const;

export type WholeReason = (typeof wholeReasons)[number];

export type AuditReport = {
  readonly kind: RunKind;
  /** The moment that a run since the last went on from. */
  readonly since: Date | undefined;
  readonly wholeBecause: WholeReason | undefined;
  readonly checks: readonly AuditResult[];
};

/** Numbers of transactions are compared by their lower half, which says half as much. */
const TRANSACTIONS_MAX = 1_000_000_000n;

type Options = {
  /** Audits what is new since the last clean audit, where it can. */
  readonly sinceLast: boolean;
  readonly rowsPerSlice?: number;
  readonly version?: string;
  /** Where it is stored that it ran; by default where it reads. */
  readonly storeIn?: Pick<Queries, 'transaction'>;
  readonly onProgress?: OnProgress;
};

export async function runAudit(
  database: Queries,
  { sinceLast, version = checksVersion, storeIn = database, ...slicing }: Options,
): Promise<AuditReport> {
  const start = await readStart(database);
  const last = sinceLast ? await findLastClean(database) : undefined;
  const refused = whyNotSince(last, start, version);
  const store = async (kind: RunKind, { checks, cut, sums }: Audited, since?: AuditMark): Promise<void> => {
    if (await isStandby(database)) return;
    const failed = checks.filter((check) => !check.ok).map((check) => check.name);
    await storeIn.transaction(
      (tx) => insertRun(tx, { kind, sinceId: since?.id, start, version, failed, cut, sums }),
      { patient: true },
    );
  };
  if (last !== undefined && refused === undefined) {
    const audited = await auditSince(database, last, slicing);
    if (audited !== undefined) {
      await store('since_last', audited, last);
      return { kind: 'since_last', since: last.at, wholeBecause: undefined, checks: audited.checks };
    }
  }
  const audited = await auditVends(database, slicing);
  await store('whole', audited);
  const wholeBecause = sinceLast ? (refused ?? 'much') : undefined;
  return { kind: 'whole', since: undefined, wholeBecause, checks: audited.checks };
}

function whyNotSince(
  last: LastClean | undefined,
  { databaseId, at }: { readonly databaseId: string; readonly at: Date },
  version: string,
): WholeReason | undefined {
  if (last === undefined) return 'none';
  if (last.databaseId !== databaseId) return 'database';
  if (last.version !== version) return 'version';
  if (last.redSince) return 'red';
  if (last.transactionsAgo < 0n || last.transactionsAgo > TRANSACTIONS_MAX) return 'far';
  if (at < last.at) return 'clock';
  if (last.forgottenSince) return 'forgotten';
  return undefined;
}
